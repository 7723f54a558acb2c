/**
 * Samples of any kind from a date on, through the timeline: images and tag reads have no columns of numbers, so each
 * is kept as the text of what is answered. The endpoints have no end and no limit: one call brings all there is, up to
 * the platform's most, and whoever walks on in small pages finds the next ones kept.
 */

import type { PathValue } from '../../rest/path.js';
import type { Batch, CallOptions } from '../../rest/restCaller.js';
import { type ColumnTable, joinSorted } from '../../timeseries/columnTable.js';
import { MAX_PAGE_LENGTH, type SampleSource, type TimedSample } from '../samples/samplePages.js';
import { lastSecond, rowsBefore } from './sampleTable.js';
import type { Timeline, TimelineSource } from './timeline.js';

/** Of a table of texts: the id. */
const TEXT_COLUMNS = 1;
const SECOND_MS = 1000;

/** All samples from a date on that the platform gives at once. */
export type SinceRead<Sample> = (fromMs: number, options: CallOptions) => Promise<Batch<Sample>>;

interface SinceEndpoint<Sample> {
  template: string;
  parameter: PathValue;
  read: SinceRead<Sample>;
}

export function createSinceSource<Sample extends TimedSample>({
  template,
  parameter,
  read,
}: SinceEndpoint<Sample>): TimelineSource {
  return {
    template,
    parameter,
    stepMs: SECOND_MS,
    /** Where there is more, the last second may lack some of its samples and is left for the next call. */
    async fetch({ fromMs }, _limit, options) {
      const { samples, hasMore } = await read(fromMs, options);
      const table = toTextTable(samples);
      const toMs = lastSecond(table);
      return hasMore
        ? { table: rowsBefore(table, toMs), fromMs, toMs }
        : { table, fromMs, toMs: Number.POSITIVE_INFINITY };
    },
  };
}

/** What is kept of such a timeline, as pages of samples again. */
export function toSampleSource<Sample extends TimedSample>(timeline: Timeline): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const samples: Sample[] = [];
    const span = { fromMs, toMs: Number.POSITIVE_INFINITY };
    for await (const { table } of timeline.readSegments(span, MAX_PAGE_LENGTH)) {
      for (const id of table.columns[0] ?? []) {
        if (samples.length === limit) return { samples, hasMore: true };
        samples.push(JSON.parse(table.texts.get(id) ?? 'null') as Sample);
      }
    }
    return { samples, hasMore: false };
  };
}

function toTextTable(samples: readonly TimedSample[]): ColumnTable {
  const table = {
    times: Float64Array.from(samples, ({ sampledAt }) => Date.parse(sampledAt)),
    columns: [Float64Array.from(samples, ({ id }) => id)],
    texts: new Map(samples.map((sample) => [sample.id, JSON.stringify(sample)])),
  };
  return joinSorted([table], TEXT_COLUMNS);
}
