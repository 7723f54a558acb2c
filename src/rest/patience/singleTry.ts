/** Sends a request once, when the platform may be asked and there is a place for it, or says why it did not. */
import { callerLeft } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { leavingBySignal } from '../../lib/leaving.js';
import type { PlatformRequest, Transport } from '../transport.js';
import { type Bulkhead, createBulkhead } from './bulkhead.js';
import { type Endpoint, isAuthEndpoint } from './endpoint.js';
import type { EndpointLimits } from './endpointLimits.js';
import type { FamilyBreakers } from './familyBreakers.js';
import { timeIsUp } from './patience.js';
import type { PatienceLimits } from './patienceLimits.js';
import { type TryOutcome, toTryOutcome } from './tryOutcome.js';

/** A request, with its deadline on a clock that does not go back. */
export interface Operation {
  request: PlatformRequest;
  deadlineMs: number;
}

export interface SingleTryOptions {
  transport: Transport;
  endpointLimits: EndpointLimits;
  breakers: FamilyBreakers;
  /** May not go back. */
  steadyClock: Clock;
  limits: PatienceLimits;
  /** Told what came of each try, and how many milliseconds it took. */
  onTry?: ((endpoint: Endpoint, outcome: TryOutcome, durationMs: number) => void) | undefined;
}

/** Throws where the request was not sent; what came of sending it is the outcome, a failure included. */
export type SingleTry = (operation: Operation) => Promise<TryOutcome>;

export function createSingleTry(options: SingleTryOptions): SingleTry {
  const { transport, endpointLimits, breakers, steadyClock, limits, onTry } = options;
  const bulkheadOf = createBulkheads(limits);

  /** Answers the milliseconds left. */
  function checkWanted({ request, deadlineMs }: Operation): number {
    if (request.signal?.aborted) throw callerLeft();
    const leftMs = deadlineMs - steadyClock.now();
    if (leftMs <= 0) throw timeIsUp();
    return leftMs;
  }

  /** Checks again: much may have come to light while the request waited for its place. */
  async function sendNow(operation: Operation): Promise<TryOutcome> {
    const { request } = operation;
    const timeoutMs = Math.min(limits.tryTimeoutMs, checkWanted(operation));
    endpointLimits.check(request);
    return breakers.watch(request, timeoutMs, async () => {
      endpointLimits.take(request);
      request.onSend?.();
      const sentAtMs = performance.now();
      const outcome = await toTryOutcome(transport.send({ ...request, timeoutMs }));
      onTry?.(request, outcome, performance.now() - sentAtMs);
      endpointLimits.note(request, outcome);
      return outcome;
    });
  }

  return async (operation) => {
    const { request } = operation;
    const timeoutMs = checkWanted(operation);
    endpointLimits.check(request);
    breakers.check(request);
    const patience = { leaving: request.signal && leavingBySignal(request.signal), timeoutMs };
    return bulkheadOf(request).run(() => sendNow(operation), patience);
  };
}

/** Tokens have places of their own: else nothing would move while calls that hang hold all of them. */
function createBulkheads(limits: PatienceLimits): (request: PlatformRequest) => Bulkhead {
  const { mostConcurrent, mostConcurrentAuth, mostQueued } = limits;
  const data = createBulkhead({ places: mostConcurrent, mostQueued });
  const auth = createBulkhead({ places: mostConcurrentAuth, mostQueued });
  return (request) => (isAuthEndpoint(request) ? auth : data);
}
