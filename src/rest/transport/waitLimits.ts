/** Ends a wait for the platform early: by cancellation or timeout. */
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { type Cancellation, waitFor } from '../../lib/cancellation.js';

export interface WaitLimits {
  /** Cancelled when the caller disconnects or stops waiting. */
  cancellation?: Cancellation | undefined;
  timeoutMs: number;
}

/** Node fires a timer with a longer delay at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `onEnd` with CANCELLED or PLATFORM_TIMEOUT. Call the returned function when the wait is over: the cancellation
 * may live much longer than the wait.
 */
export function onWaitEnd(
  { cancellation, timeoutMs }: WaitLimits,
  onEnd: (error: GatewayError) => void,
): () => void {
  const timer = setTimeout(() => onEnd(createTimeoutError()), Math.min(timeoutMs, MAX_TIMER_MS));
  const onCancelled = () => onEnd(createCancellationError(cancellation));
  const isCancelled = cancellation?.isCancelled() === true;
  if (isCancelled) queueMicrotask(onCancelled);
  const stopWatching = isCancelled ? undefined : cancellation?.onCancelled(onCancelled);
  return () => {
    clearTimeout(timer);
    stopWatching?.();
  };
}

/** Settles as the work does, or rejects when a limit is reached. The work continues: others may wait for it. */
export function waitWithinLimits<Value>(work: Promise<Value>, limits: WaitLimits): Promise<Value> {
  return waitFor(work, (onEnd) => onWaitEnd(limits, onEnd));
}

/** The error of work that was cancelled: CANCELLED, or PLATFORM_TIMEOUT if a deadline is the reason. */
export function createCancellationError(cancellation: Cancellation | undefined): GatewayError {
  return cancellation?.isExpired ? createTimeoutError() : createClientDisconnectedError();
}

export function createTimeoutError(): GatewayError {
  return new GatewayError('PLATFORM_TIMEOUT', 'The platform did not respond in time.', { retryable: true });
}
