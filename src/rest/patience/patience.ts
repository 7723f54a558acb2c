/** The two ways in which waiting for the platform ends without an answer: the caller leaves, or time is up. */
import { callerLeft, GatewayError } from '../../errors.js';
import { type Leaving, unlessEnded } from '../../lib/leaving.js';

export interface Patience {
  /** Of whoever waits for the answer. */
  leaving?: Leaving | undefined;
  timeoutMs: number;
}

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls back when patience ends, with CANCELLED or PLATFORM_TIMEOUT. The function it returns stops that; it
 * has to be called in the end, since who waits may live much longer than what they are watched for.
 */
export function watchPatience(
  { leaving, timeoutMs }: Patience,
  onEnd: (error: GatewayError) => void,
): () => void {
  const timer = setTimeout(() => onEnd(timeIsUp()), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const onLeave = () => onEnd(callerLeft());
  const hasLeft = leaving?.hasLeft() === true;
  if (hasLeft) queueMicrotask(onLeave);
  const stopWatching = hasLeft ? undefined : leaving?.watch(onLeave);
  return () => {
    clearTimeout(timer);
    stopWatching?.();
  };
}

/** What work brings, unless patience ends before. The work itself goes on: others may wait for it. */
export function waitPatiently<Value>(work: Promise<Value>, patience: Patience): Promise<Value> {
  return unlessEnded(work, (onEnd) => watchPatience(patience, onEnd));
}

export function timeIsUp(): GatewayError {
  return new GatewayError('PLATFORM_TIMEOUT', 'The platform did not answer in time.', { retryable: true });
}
