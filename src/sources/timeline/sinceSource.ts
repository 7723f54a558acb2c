/**
 * Samples of any kind since a date, as a timeline. Images and RFID reads have no columns of numbers, so each is stored as
 * JSON text. The endpoints have no end and no limit: one call loads all samples up to the platform's maximum, and the
 * following small pages come from the page store.
 */
import type { PathValue } from '../../rest/path.js';
import type { Batch, CallOptions } from '../../rest/restCaller.js';
import { type ColumnTable, joinSorted } from '../../timeseries/columnTable.js';
import { MAX_PAGE_LENGTH, type SampleSource, type TimedSample } from '../samples/samplePages.js';
import { lastSecond, rowsBefore } from './sampleTable.js';
import type { Timeline, TimelineSource } from './timeline.js';

/** The columns of a table of texts: the id. */
const TEXT_COLUMNS = 1;
const SECOND_MS = 1000;

/** Reads the samples since a date, up to the platform's maximum. */
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
    /** The last second of an incomplete response may lack samples, so it is left to the next call. */
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

/** Converts such a timeline back into pages of samples. */
export function toSampleSource<Sample extends TimedSample>(timeline: Timeline): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const items: Sample[] = [];
    const span = { fromMs, toMs: Number.POSITIVE_INFINITY };
    for await (const { table } of timeline.readSegments(span, MAX_PAGE_LENGTH)) {
      for (const id of table.columns[0] ?? []) {
        if (items.length === limit) return { items, hasMore: true };
        items.push(JSON.parse(table.texts.get(id) ?? 'null') as Sample);
      }
    }
    return { items, hasMore: false };
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
