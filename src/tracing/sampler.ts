/** Decides which traces are recorded, by the names of OpenTelemetry (`OTEL_TRACES_SAMPLER`). Pure. */

export const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export type SamplerName = (typeof samplerNames)[number];

export interface SamplerSettings {
  name: SamplerName;
  /** From 0 to 1, for the samplers by ratio. */
  ratio: number;
}

/** Returns whether a trace is recorded. `parent` is the decision of the caller; undefined for a new trace. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

/** The ratio is compared with this part of the id, so that all services with the same ratio decide alike. */
const COMPARED_DIGITS = 12;

export function createSampler({ name, ratio }: SamplerSettings): Sampler {
  const isParentBased = name.startsWith('parentbased_');
  const root = name.replace('parentbased_', '');
  const bound = ratio * 16 ** COMPARED_DIGITS;
  const decide = (traceId: string): boolean => {
    if (root !== 'traceidratio') return root === 'always_on';
    return Number.parseInt(traceId.slice(-COMPARED_DIGITS), 16) < bound;
  };
  return (traceId, parent) => (isParentBased && parent !== undefined ? parent : decide(traceId));
}
