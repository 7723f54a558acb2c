/** Statistics of aggregates that need the samples. They are computed together, when the first of them is resolved. */
import { HOUR_MS } from '../../lib/clock.js';
import { runInSlices } from '../../lib/slicedComputation.js';
import { type Buckets, roundToSignificantDigits } from '../../timeseries/downsample.js';
import {
  detailIntervals,
  type IntervalDetails,
  percentileOf,
  sortParts,
  type WindowOf,
} from '../../timeseries/intervalDetails.js';
import { spacingOf } from '../../timeseries/sampleSpacing.js';

export type AggregateDetails = ReturnType<typeof toDetails>;

/** Computes the details of all intervals once; `index` is that of an interval. */
export type DetailLoader = (index: number) => Promise<AggregateDetails>;

interface DetailRequest {
  /** The samples of the whole range. */
  samples: Buckets;
  /** Where each interval begins, and where the last one ends. */
  starts: readonly number[];
  windowOf: WindowOf | undefined;
  units: string;
}

export function createDetailLoader(request: DetailRequest): DetailLoader {
  let loading: Promise<AggregateDetails[]> | undefined;
  return async (index) => {
    loading ??= loadDetails(request);
    const details = (await loading)[index];
    if (details === undefined) throw new Error('Each interval has details.');
    return details;
  };
}

async function loadDetails({ samples, starts, windowOf, units }: DetailRequest) {
  const { starts: times, ends, sums: values } = samples;
  if (ends !== times) throw new Error('Frames have no details.');
  const { gapMs } = spacingOf(times);
  const details = await runInSlices(detailIntervals({ times, values }, starts, { gapMs, windowOf }));
  const integralUnit = integralUnitOf(units);
  let sorting: Promise<Float64Array[]> | undefined;
  // Sorts once for all intervals, because a query requests all of them in the same turn.
  const sort = () => {
    sorting ??= runInSlices(sortParts(values, details));
    return sorting;
  };
  return details.map((one, index) => toDetails(one, integralUnit, async () => (await sort())[index]));
}

function toDetails(
  { from, to, integral, coveredMs, delta, stdDev, ...rest }: IntervalDetails,
  unit: IntegralUnit,
  sort: () => Promise<Float64Array | undefined>,
) {
  return {
    delta: roundFinite(delta),
    integral: roundFinite(integral && integral / unit.ms),
    integralUnits: unit.name,
    timeWeightedAvg: roundFinite(integral && integral / coveredMs),
    stdDev: roundFinite(stdDev),
    /** `percent` is 0 to 100. */
    async percentile(percent: number) {
      const sorted = await sort();
      return sorted === undefined ? null : roundFinite(percentileOf(sorted, percent));
    },
    ...rest,
  };
}

/**
 * Rounds a statistic. Null without one, and for one beyond the largest double: devices send values near that for a failed
 * measurement.
 */
export function roundFinite(number: number | null): number | null {
  return number !== null && Number.isFinite(number) ? roundToSignificantDigits(number) : null;
}

interface IntegralUnit {
  name: string;
  /** The unit of time in the product, in milliseconds. */
  ms: number;
}

const timeUnits: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: HOUR_MS, d: 24 * HOUR_MS };

/** The unit of an integral over time: `l` for `l/s`, otherwise the unit times hours, and `h` for numbers without units. */
function integralUnitOf(units: string): IntegralUnit {
  const [, quantity, time = ''] = /^(.+)\/(s|min|h|d)$/.exec(units.trim()) ?? [];
  const ms = timeUnits[time];
  if (quantity !== undefined && ms !== undefined) return { name: quantity, ms };
  return { name: units.trim() === '' ? 'h' : `${units.trim()}·h`, ms: HOUR_MS };
}
