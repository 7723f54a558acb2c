/**
 * Keeps whoever floods out of everybody else's way. Beyond its rate it is refused, and hears so after a pause in which
 * nothing more is read from it; and where it has just been refused something, it comes last, one operation at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import type { CallerRate } from './callerRate.js';

/** The connection that a request came by. */
export interface Connection {
  remoteAddress?: string | undefined;
  pause(): unknown;
  resume(): unknown;
}

export interface CallerPace {
  /**
   * Counts an operation. Answers what to wait for before anything of it is read, undefined where it may go on at
   * once. Throws RATE_LIMITED.
   */
  enter(caller: string): Promise<void> | undefined;
  /** Notes that an operation was refused. */
  refuse(caller: string): void;
  /** Waits where the refusal is for asking too often, and reads nothing from the connection meanwhile. */
  holdBack(connection: Connection, refusal: GatewayError): Promise<void> | undefined;
}

const HOLD_MS = 250;
/** Each takes memory: those beyond are refused at once. */
const MOST_HELD = 1000;
/** So long after a refusal a caller comes last. */
const LAST_MS = 10_000;
const MOST_CALLERS = 10_000;

export function createCallerPace(rate: CallerRate, clock: Clock): CallerPace {
  const refusedAtMs = new LRUCache<string, number>({ max: MOST_CALLERS });
  const takeTurn = createTurns();
  let held = 0;

  async function hold(connection: Connection): Promise<void> {
    held += 1;
    connection.pause();
    await sleep(HOLD_MS);
    connection.resume();
    held -= 1;
  }

  const comesLast = (caller: string) =>
    clock.now() - (refusedAtMs.get(caller) ?? Number.NEGATIVE_INFINITY) < LAST_MS;

  return {
    enter(caller) {
      rate.count(caller);
      return comesLast(caller) ? takeTurn() : undefined;
    },
    refuse(caller) {
      rate.charge(caller);
      refusedAtMs.set(caller, clock.now());
    },
    holdBack(connection, { code }) {
      return code === 'RATE_LIMITED' && held < MOST_HELD ? hold(connection) : undefined;
    },
  };
}

/** Whether an error says that an operation is not for this gateway, and not that it comes too early. */
export function isRefusal(error: unknown): boolean {
  return !(error instanceof GatewayError) || !others.has(error.code);
}

const others: ReadonlySet<unknown> = new Set(['RATE_LIMITED', 'PERSISTED_QUERY_NOT_FOUND']);

/** A queue that moves by one at each turn of the event loop, so that what others ask comes between. */
function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
