/** Decides which traces are recorded, by the names of OpenTelemetry (`OTEL_TRACES_SAMPLER`). Pure. */
import type { TraceId } from './traceContext.js';

export const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export interface SamplerSettings {
  name: (typeof samplerNames)[number];
  /** From 0 to 1, for the samplers by ratio. */
  ratio: number;
}

/** Returns whether a trace is recorded. `parent` is the decision of the caller; undefined for a new trace. */
type Sampler = (traceId: TraceId, parent: boolean | undefined) => boolean;

/** The ratio is compared with the last 48 bits of the id, so that all services with the same ratio decide alike. */
const COMPARED_VALUES = 2 ** 48;
const TWO_TO_32 = 2 ** 32;

export function createSampler({ name, ratio }: SamplerSettings): Sampler {
  const isParentBased = name.startsWith('parentbased_');
  const root = name.replace('parentbased_', '');
  const bound = ratio * COMPARED_VALUES;
  const decide = ({ third, fourth }: TraceId): boolean => {
    if (root !== 'traceidratio') return root === 'always_on';
    return (third & 0xffff) * TWO_TO_32 + (fourth >>> 0) < bound;
  };
  return (traceId, parent) => (isParentBased && parent !== undefined ? parent : decide(traceId));
}
