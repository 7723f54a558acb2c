/** Waits for work so long and no longer. The Redis client can't: its own timeout ends when a command is sent. */

export type DeadlineOutcome<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'failed'; error: unknown }
  | { kind: 'late' };

/** Never rejects. Late work goes on and nobody hears of its end. */
export function withinDeadline<Value>(
  work: Promise<Value>,
  deadlineMs: number,
): Promise<DeadlineOutcome<Value>> {
  return new Promise((resolve) => {
    // Where this process was busy, the timer is due before the reply that has long arrived is read:
    // the immediate lets that happen first.
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
