/**
 * Metrics as plain data, so that the values of several processes can be combined, and their text in Prometheus's
 * exposition format 0.0.4.
 */

export interface MetricFamily {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** How the values of several processes are combined. */
  aggregation: 'sum' | 'max' | 'min';
  samples: readonly MetricSample[];
}

export interface MetricSample {
  /** Suffix of the family's name, such as `_bucket` of a histogram. */
  suffix?: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const combiners = {
  sum: (one: number, other: number) => one + other,
  max: Math.max,
  min: Math.min,
} as const;

/** Combines the families of several processes. Families and samples stand in the order of their first occurrence. */
export function combineFamilies(pages: readonly (readonly MetricFamily[])[]): MetricFamily[] {
  const families = new Map<string, { family: MetricFamily; samples: Map<string, MetricSample> }>();
  for (const family of pages.flat()) {
    const known = families.get(family.name) ?? { family, samples: new Map<string, MetricSample>() };
    families.set(family.name, known);
    for (const sample of family.samples) addSample(known.samples, sample, family.aggregation);
  }
  return [...families.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }));
}

function addSample(
  samples: Map<string, MetricSample>,
  sample: MetricSample,
  aggregation: MetricFamily['aggregation'],
): void {
  const key = toSampleId(sample);
  const before = samples.get(key);
  const value = before ? combiners[aggregation](before.value, sample.value) : sample.value;
  samples.set(key, { ...sample, value });
}

export function toExposition(families: readonly MetricFamily[]): string {
  return families
    .map(({ name, type, help, samples }) => {
      const lines = samples.map((sample) => `${name}${toSampleId(sample)} ${toNumber(sample.value)}\n`);
      return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function toSampleId({ suffix = '', labels }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? suffix : `${suffix}{${pairs.join(',')}}`;
}

function toNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : `${value < 0 ? '-' : '+'}Inf`;
}

function escapeHelp(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replace(/"/g, '\\"');
}
