/** The port to the caches of the other processes of this gateway. */

export interface PeerCaches {
  /** Resolves when all peers have invalidated the tags or timed out. Never rejects. */
  invalidate(tags: readonly string[]): Promise<void>;
  /** Calls the listener when a peer invalidates tags. */
  onInvalidated(listener: (tags: readonly string[]) => void): void;
}
