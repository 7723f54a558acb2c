/** Collects the REST calls that an explained operation makes and avoids, and the reasons. */
import type { CallRecord } from '../../rest/restCaller.js';
import type { FetchPlan } from './fetchPlan.js';

/** Origin of a value that took no REST call of this operation. */
type AvoidedOrigin = 'memory' | 'redis' | 'stale' | 'joined';

interface AvoidedCall {
  template: string;
  origin: AvoidedOrigin;
  /** Age of the value in milliseconds. */
  ageMs: number;
}

export interface ExplainedPlan {
  /** The relation that was planned, for example `devices of sites`. */
  relation: string;
  keys: number;
  strategy: string;
  reason: string;
}

export interface Explanation {
  addCall(call: CallRecord): void;
  addAvoided(call: AvoidedCall): void;
  addPlan(relation: string, keys: number, plan: FetchPlan<string>): void;
  /** Everything collected so far. */
  report(): ExplanationReport;
}

interface ExplanationReport {
  calls: readonly ExplainedCall[];
  plans: readonly ExplainedPlan[];
}

export interface ExplainedCall {
  endpoint: string;
  origin: 'network' | 'cache' | 'stale' | 'joined';
  /** HTTP status; null where no call was made, 0 for a call without a response. */
  status: number | null;
  milliseconds: number | null;
  bytes: number | null;
  /** Age of the value; null for a value from the network. */
  ageMilliseconds: number | null;
}

const originNames = { memory: 'cache', redis: 'cache', stale: 'stale', joined: 'joined' } as const;

export function createExplanation(): Explanation {
  const calls: ExplainedCall[] = [];
  const plans: ExplainedPlan[] = [];
  return {
    addCall({ template, status, durationMs, bytes }) {
      const took = { status, milliseconds: durationMs, bytes, ageMilliseconds: null };
      calls.push({ endpoint: template, origin: 'network', ...took });
    },
    addAvoided({ template, origin, ageMs }) {
      const took = { status: null, milliseconds: null, bytes: null, ageMilliseconds: ageMs };
      calls.push({ endpoint: template, origin: originNames[origin], ...took });
    },
    addPlan(relation, keys, { strategy, reason }) {
      plans.push({ relation, keys, strategy, reason });
    },
    report: () => ({ calls: [...calls], plans: [...plans] }),
  };
}
