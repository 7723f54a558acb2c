/**
 * Samples of any kind since a date, as a timeline. Images and RFID reads have no columns of numbers, so each is stored as
 * JSON text. The endpoints have no end and no limit: one call loads all samples up to the platform's maximum, and the
 * following small pages come from the page store.
 */
import type { PathValue } from '../../rest/path.js';
import type { Batch, CallOptions } from '../../rest/restCaller.js';
import { type ColumnTable, joinSorted } from '../../timeseries/columnTable.js';
import type { Reader } from '../core/reader.js';
import { MAX_PAGE_LENGTH, type SampleSource, type TimedSample } from '../samples/samplePages.js';
import { lastSecond, rowsBefore } from './sampleTable.js';
import { createTimeline, type TimelineSource } from './timeline.js';

/** The columns of a table of texts: the id. */
const TEXT_COLUMNS = 1;
const SECOND_MS = 1000;

interface SinceEndpoint<Sample> {
  template: string;
  parameter: PathValue;
  /** Reads the samples since a date, up to the platform's maximum. */
  read(fromMs: number, options: CallOptions): Promise<Batch<Sample>>;
}

/** A source of samples since a date, which are cached by day. */
export function cacheByDay<Sample extends TimedSample>(
  endpoint: SinceEndpoint<Sample>,
  reader: Reader,
  nowMs: () => number,
): SampleSource<Sample> {
  const timeline = createTimeline(createSinceSource(endpoint), reader, nowMs);
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

function createSinceSource<Sample extends TimedSample>(endpoint: SinceEndpoint<Sample>): TimelineSource {
  const { template, parameter } = endpoint;
  return {
    template,
    parameter,
    stepMs: SECOND_MS,
    /** The last second of an incomplete response may lack samples, so it is left to the next call. */
    async fetch({ fromMs }, _limit, options) {
      const { samples, hasMore } = await endpoint.read(fromMs, options);
      const table = toTextTable(samples);
      const toMs = lastSecond(table);
      return hasMore
        ? { table: rowsBefore(table, toMs), fromMs, toMs }
        : { table, fromMs, toMs: Number.POSITIVE_INFINITY };
    },
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
