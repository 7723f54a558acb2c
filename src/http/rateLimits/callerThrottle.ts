/**
 * Keeps whoever floods out of everybody else's way. Beyond its rate it is refused, and hears so after a pause in which
 * nothing more is read from it; and where it has just been refused something, it comes last, one operation at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { CallerRateLimiter } from './callerRateLimiter.js';

/** The connection that a request came by. */
export interface PausableConnection {
  remoteAddress?: string | undefined;
  pause(): unknown;
  resume(): unknown;
}

export interface CallerThrottle {
  /**
   * Counts an operation. Answers what to wait for before anything of it is read, undefined where it may go on at
   * once. Throws RATE_LIMITED.
   */
  admit(caller: string): Promise<void> | undefined;
  /** Notes that an operation was refused. */
  recordRefusal(caller: string): void;
  /** Waits where the refusal is for asking too often, and reads nothing from the connection meanwhile. */
  delayRefusal(connection: PausableConnection, refusal: GatewayError): Promise<void> | undefined;
}

const REFUSAL_DELAY_MS = 250;
/** Each takes memory: those beyond are refused at once. */
const MAX_DELAYED_REFUSALS = 1000;
/** So long after a refusal a caller comes last. */
const DEPRIORITISED_MS = 10_000;
const MAX_CALLERS = 10_000;

export function createCallerThrottle(rate: CallerRateLimiter, clock: Clock): CallerThrottle {
  const refusedAtMs = new LRUCache<string, number>({ max: MAX_CALLERS });
  const takeTurn = createFairQueue();
  let held = 0;

  async function hold(connection: PausableConnection): Promise<void> {
    held += 1;
    connection.pause();
    await sleep(REFUSAL_DELAY_MS);
    connection.resume();
    held -= 1;
  }

  const comesLast = (caller: string) =>
    clock.now() - (refusedAtMs.get(caller) ?? Number.NEGATIVE_INFINITY) < DEPRIORITISED_MS;

  return {
    admit(caller) {
      rate.countOperation(caller);
      return comesLast(caller) ? takeTurn() : undefined;
    },
    recordRefusal(caller) {
      rate.chargeRefusal(caller);
      refusedAtMs.set(caller, clock.now());
    },
    delayRefusal(connection, { code }) {
      return code === 'RATE_LIMITED' && held < MAX_DELAYED_REFUSALS ? hold(connection) : undefined;
    },
  };
}

/** Whether an error says that an operation is not for this gateway, and not that it comes too early. */
export function isOperationRefusal(error: unknown): boolean {
  return !(error instanceof GatewayError) || !uncountedCodes.has(error.code);
}

const uncountedCodes: ReadonlySet<unknown> = new Set(['RATE_LIMITED', 'PERSISTED_QUERY_NOT_FOUND']);

/** A queue that moves by one at each turn of the event loop, so that what others ask comes between. */
function createFairQueue(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
