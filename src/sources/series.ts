/** The numbers of a stream as columns for a chart, reduced to as many points as it can show. */
import { type Columns, keepAll, largestTriangles, lowestAndHighest, means } from '../lib/downsample.js';
import type { TimeSpan } from './aggregates.js';
import { walkSamples } from './samplePages.js';
import type { Samples } from './sampleSources.js';

export type SeriesMethod = 'LTTB' | 'MIN_MAX' | 'MEAN';

export interface Series extends Columns {
  /** How many samples the series stands for; texts that are no number do not count. */
  sourceCount: number;
  reduced: boolean;
  method: SeriesMethod;
}

export interface SeriesRequest extends TimeSpan {
  streamId: number;
  /** At least 3. */
  maxPoints: number;
  method: SeriesMethod;
}

const reducers = { LTTB: largestTriangles, MIN_MAX: lowestAndHighest, MEAN: means } as const;

export async function loadSeries(samples: Samples, request: SeriesRequest): Promise<Series> {
  const times: number[] = [];
  const values: number[] = [];
  for await (const page of walkSamples(samples.inRange(request.streamId, request.toMs), request.fromMs)) {
    for (const { sampledAt, value } of page) {
      if (value === null) continue;
      times.push(Date.parse(sampledAt));
      values.push(value);
    }
  }
  const reduced = times.length > request.maxPoints;
  const columns = reduced
    ? reducers[request.method]({ times, values }, request.maxPoints)
    : keepAll({ times, values });
  return { ...columns, sourceCount: times.length, reduced, method: request.method };
}
