/**
 * Protects other callers from one that floods. Operations beyond the rate are refused after a delay, during which the
 * connection is not read. A caller that was refused recently is deprioritised: its operations run one per turn of the
 * event loop.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { type CallerRateLimiter, REFUSAL_WEIGHT } from './callerRateLimiter.js';

export interface PausableConnection {
  pause(): unknown;
  resume(): unknown;
}

export interface CallerThrottle {
  /**
   * Counts an operation. Returns a promise to wait for before the operation is read, or undefined if it may continue
   * at once. Throws RATE_LIMITED.
   */
  admit(caller: string): Promise<void> | undefined;
  /** Records that an operation was refused. */
  recordRefusal(caller: string): void;
  /** For RATE_LIMITED, pauses the connection and resolves after the delay; undefined for other errors. */
  delayRefusal(connection: PausableConnection, refusal: GatewayError): Promise<void> | undefined;
}

const REFUSAL_DELAY_MS = 250;
/** Each delayed refusal occupies memory; beyond this number refusals are sent at once. */
const MAX_DELAYED_REFUSALS = 1000;
/** How long a caller stays deprioritised after a refusal. */
const DEPRIORITISED_MS = 10_000;
const MAX_CALLERS = 10_000;

export function createCallerThrottle(rate: CallerRateLimiter, clock: Clock): CallerThrottle {
  const refusedAtMs = new LRUCache<string, number>({ max: MAX_CALLERS });
  const waitInFairQueue = createFairQueue();
  let delayedRefusals = 0;

  async function delay(connection: PausableConnection): Promise<void> {
    delayedRefusals += 1;
    connection.pause();
    await sleep(REFUSAL_DELAY_MS);
    connection.resume();
    delayedRefusals -= 1;
  }

  const isDeprioritised = (caller: string) =>
    clock.now() - (refusedAtMs.get(caller) ?? Number.NEGATIVE_INFINITY) < DEPRIORITISED_MS;

  return {
    admit(caller) {
      const waitMs = rate.take(caller);
      if (waitMs > 0) throw createRateError(rate, waitMs);
      return isDeprioritised(caller) ? waitInFairQueue() : undefined;
    },
    recordRefusal(caller) {
      rate.chargeRefusal(caller);
      refusedAtMs.set(caller, clock.now());
    },
    delayRefusal(connection, { code }) {
      const isDelayed = code === 'RATE_LIMITED' && delayedRefusals < MAX_DELAYED_REFUSALS;
      return isDelayed ? delay(connection) : undefined;
    },
  };
}

function createRateError({ limit }: CallerRateLimiter, retryAfterMs: number): GatewayError {
  const message = `Rate limited: at most ${limit.perSecond} operations per second and ${limit.burst} at once. A refused operation counts as ${REFUSAL_WEIGHT}.`;
  return new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs });
}

/** Whether the gateway refuses the operation as such, rather than its time or an unknown persisted query. */
export function isOperationRefusal(error: unknown): boolean {
  return !(error instanceof GatewayError) || !uncountedCodes.has(error.code);
}

const uncountedCodes: ReadonlySet<unknown> = new Set(['RATE_LIMITED', 'PERSISTED_QUERY_NOT_FOUND']);

/** A queue that advances by one in each turn of the event loop, so that other callers run in between. */
function createFairQueue(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
