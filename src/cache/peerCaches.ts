/** The port to the caches of the other processes of this gateway: what one forgets, all forget. */

export interface PeerCaches {
  /** Resolves when the others have forgotten, or one is given up that does not answer. Never rejects. */
  invalidate(tags: readonly string[]): Promise<void>;
  /** Has the listener told what others drop. */
  onInvalidated(listener: (tags: readonly string[]) => void): void;
}
