/** How far the sources of an operation reach: over the whole account, or over some organizations. */

export interface AccessScope {
  /** Whether what belongs to no organization is within reach: users, delivery queues, what writes move for all. */
  isWholeAccount: boolean;
  /** Whether a stream's samples may be handed out; cheap for many streams. */
  canSeeStream(streamId: number): Promise<boolean>;
}

export const wholeAccount: AccessScope = { isWholeAccount: true, canSeeStream: async () => true };
