/** The part of the account that the sources of an operation can see: all of it, or some organizations. */

export interface AccessScope {
  /** Whether the caller can see data that belongs to no organization: users and delivery queues. */
  isWholeAccount: boolean;
  /** Whether the caller can see the samples of a stream. Cheap for many streams. */
  canSeeStream(streamId: number): Promise<boolean>;
}

export const wholeAccount: AccessScope = { isWholeAccount: true, canSeeStream: async () => true };
