/** How far the sources of an operation reach: over the whole account, or over some organizations. */

export interface Reach {
  /** Whether what belongs to no organization is within reach: users, delivery queues, what writes move for all. */
  isWholeAccount: boolean;
  /** Whether a stream's samples may be handed out; cheap for many streams. */
  seesStream(streamId: number): Promise<boolean>;
}

export const wholeAccount: Reach = { isWholeAccount: true, seesStream: async () => true };
