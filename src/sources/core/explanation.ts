/** Collects the REST calls that an explained operation makes and those that it avoids, with the reasons. */
import { type Clock, toMonotonicClock } from '../../lib/clock.js';
import type { CallRecord } from '../../rest/callRecord.js';
import { describePlan, type FetchPlan } from './fetchPlan.js';

/** Origin of a value that took no REST call of this operation. */
type AvoidedOrigin = 'memory' | 'redis' | 'stale' | 'shared';

interface AvoidedCall {
  template: string;
  origin: AvoidedOrigin;
  ageMs: number;
}

export interface ExplainedPlan {
  /** The relation that was planned, for example `devices of sites`. */
  relation: string;
  keys: number;
  strategy: string;
  reason: string;
}

export interface ExplainedCall {
  endpoint: string;
  origin: 'network' | 'cache' | 'stale' | 'shared';
  /** HTTP status; null if no call was made, 0 for a call without a response. */
  status: number | null;
  /** Times that the request was sent; 0 if a limit or an open circuit refused it, null if no call was made. */
  attempts: number | null;
  milliseconds: number | null;
  /** Milliseconds from the start of the operation to the start of the call; null if no call was made. */
  startMilliseconds: number | null;
  bytes: number | null;
  /** Age of the value; null for a value from the network. */
  ageMilliseconds: number | null;
}

const originNames = { memory: 'cache', redis: 'cache', stale: 'stale', shared: 'shared' } as const;

const NO_CALL = { status: null, attempts: null, milliseconds: null, startMilliseconds: null, bytes: null };

type Explanation = ReturnType<typeof createExplanation>;

/** Create it when the operation begins. */
export function createExplanation(clock: Clock) {
  const { now } = toMonotonicClock(clock);
  const begunAtMs = now();
  const calls: ExplainedCall[] = [];
  const plans: ExplainedPlan[] = [];
  return {
    addCall({ template, status, attempts, durationMs, bytes }: CallRecord): void {
      const startMilliseconds = Math.max(0, Math.round(now() - begunAtMs) - durationMs);
      const took = { milliseconds: durationMs, startMilliseconds, bytes, ageMilliseconds: null };
      calls.push({ endpoint: template, origin: 'network', status, attempts, ...took });
    },
    addAvoided({ template, origin, ageMs }: AvoidedCall): void {
      calls.push({ endpoint: template, origin: originNames[origin], ...NO_CALL, ageMilliseconds: ageMs });
    },
    addPlan(plan: ExplainedPlan): void {
      plans.push(plan);
    },
    report: () => ({ calls: [...calls], plans: [...plans] }),
  };
}

/** Values read so far, by their origin; `network` counts REST calls, with retries. */
export type ReadCounts = Record<'network' | AvoidedOrigin, number>;

/** Records the reads of one operation: counted for the log, explained on request, and passed on to its trace. */
export class OperationRecords {
  readonly counts: ReadCounts = { network: 0, memory: 0, redis: 0, stale: 0, shared: 0 };
  readonly explanation: Explanation | undefined;
  readonly #onPlan: ((plan: ExplainedPlan) => void) | undefined;

  constructor(explanation?: Explanation, onPlan?: (plan: ExplainedPlan) => void) {
    this.explanation = explanation;
    this.#onPlan = onPlan;
  }

  addCall(call: CallRecord): void {
    this.counts.network += call.attempts;
    this.explanation?.addCall(call);
  }

  addAvoided(call: AvoidedCall): void {
    this.counts[call.origin] += 1;
    this.explanation?.addAvoided(call);
  }

  /** A fresh value of the memory. */
  addHit(): void {
    this.counts.memory += 1;
  }

  addPlan(relation: string, keys: number, made: FetchPlan<string>): void {
    if (this.explanation === undefined && this.#onPlan === undefined) return;
    const plan = { relation, keys, strategy: made.strategy, reason: describePlan(made) };
    this.explanation?.addPlan(plan);
    this.#onPlan?.(plan);
  }
}
