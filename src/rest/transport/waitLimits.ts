/** The two ways in which waiting for the platform ends without an answer: the caller leaves, or time is up. */
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { type Cancellation, waitFor } from '../../lib/cancellation.js';

export interface WaitLimits {
  /** Of whoever waits for the answer. */
  cancellation?: Cancellation | undefined;
  timeoutMs: number;
}

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when patience ends, with CANCELLED or PLATFORM_TIMEOUT. The function it returns stops that; it
 * has to be called in the end, since who waits may live much longer than what they are watched for.
 */
export function onWaitEnd(
  { cancellation, timeoutMs }: WaitLimits,
  onEnd: (error: GatewayError) => void,
): () => void {
  const timer = setTimeout(() => onEnd(createTimeoutError()), Math.min(timeoutMs, MAX_TIMER_MS));
  const onLeave = () => onEnd(createClientDisconnectedError());
  const hasLeft = cancellation?.isCancelled() === true;
  if (hasLeft) queueMicrotask(onLeave);
  const stopWatching = hasLeft ? undefined : cancellation?.onCancelled(onLeave);
  return () => {
    clearTimeout(timer);
    stopWatching?.();
  };
}

/** What work brings, unless patience ends before. The work itself goes on: others may wait for it. */
export function waitWithinLimits<Value>(work: Promise<Value>, limits: WaitLimits): Promise<Value> {
  return waitFor(work, (onEnd) => onWaitEnd(limits, onEnd));
}

export function createTimeoutError(): GatewayError {
  return new GatewayError('PLATFORM_TIMEOUT', 'The platform did not answer in time.', { retryable: true });
}
