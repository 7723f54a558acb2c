/** The port to the caches of the other processes of this gateway: what one forgets, all forget. */

export interface SiblingCaches {
  /** Resolves when the others have forgotten, or one is given up that does not answer. Never rejects. */
  drop(tags: readonly string[]): Promise<void>;
  /** Has the listener told what others drop. */
  onDropped(listener: (tags: readonly string[]) => void): void;
}
