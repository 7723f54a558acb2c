/** The two ways in which waiting for the platform ends without an answer: the caller leaves, or time is up. */
import { GatewayError } from '../../errors.js';
import { whenAborted } from '../../lib/whenAborted.js';

export interface Patience {
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when patience ends, with CANCELLED or PLATFORM_TIMEOUT. The function it returns stops that; it
 * has to be called in the end, since signals may live much longer than what they are watched for.
 */
export function watchPatience(
  { signal, timeoutMs }: Patience,
  onEnd: (error: GatewayError) => void,
): () => void {
  const timer = setTimeout(() => onEnd(timeIsUp()), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const onAbort = () => onEnd(callerLeft());
  const isAborted = signal?.aborted === true;
  if (isAborted) queueMicrotask(onAbort);
  const stopWatching = signal && !isAborted ? whenAborted(signal, onAbort) : undefined;
  return () => {
    clearTimeout(timer);
    stopWatching?.();
  };
}

/** What work brings, unless patience ends before. The work itself goes on: others may wait for it. */
export function waitPatiently<Value>(work: Promise<Value>, patience: Patience): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = watchPatience(patience, reject);
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

export function callerLeft(): GatewayError {
  return new GatewayError('CANCELLED', 'The caller left before the platform answered.');
}

export function timeIsUp(): GatewayError {
  return new GatewayError('PLATFORM_TIMEOUT', 'The platform did not answer in time.', { retryable: true });
}
