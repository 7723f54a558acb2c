/** Waits for a reply of Redis no longer than its deadline. */
export type DeadlineOutcome<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'failed'; error: unknown }
  | { kind: 'late' };

/**
 * Waits for a promise up to a deadline. The timeout of the Redis client does not do this: it ends when a command is sent.
 * Never rejects. Late work continues, and its result is ignored.
 */
export function withinDeadline<Value>(
  work: Promise<Value>,
  deadlineMs: number,
): Promise<DeadlineOutcome<Value>> {
  return new Promise((resolve) => {
    // If this process was busy, the timer may be due before a reply that has arrived is read. The immediate
    // reads the reply first.
    const timer = setTimeout(() => setImmediate(() => resolve({ kind: 'late' })), deadlineMs);
    const settle = (outcome: DeadlineOutcome<Value>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    work.then(
      (value) => settle({ kind: 'done', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
  });
}
