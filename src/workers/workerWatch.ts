/** Detects a worker that hangs: the primary pings it, and a worker that no longer responds serves no requests. */

const PING_INTERVAL_MS = 5_000;
/**
 * Pings in a row without a response, after which the worker is reported. Half a minute: far longer than garbage
 * collection, or than the longest operation may occupy the event loop.
 */
const MAX_UNANSWERED_PINGS = 6;

/**
 * Calls `onHung` once, with the milliseconds since the last response. Counts pings, not time: a primary that was suspended
 * together with its workers must not report them.
 * @param ping resolves when the worker responds; may reject.
 * @returns a function that ends the pings.
 */
export function watchWorker(ping: () => Promise<unknown>, onHung: (silentMs: number) => void): () => void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === MAX_UNANSWERED_PINGS) {
      clearInterval(timer);
      onHung(unanswered * PING_INTERVAL_MS);
      return;
    }
    unanswered += 1;
    ping().then(
      () => {
        unanswered = 0;
      },
      () => undefined,
    );
  }, PING_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
