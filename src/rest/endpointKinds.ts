/** The kinds of REST endpoints from which `restClient.ts` is composed. */
import { isRecord } from '../lib/records.js';
import type { CallOptions } from './callRecord.js';
import type { RowConverter } from './decode/batchChunks.js';
import { MAX_UNIX_SECONDS, MIN_UNIX_SECONDS } from './decode/dates.js';
import { createBadResponseError } from './decode/responseErrors.js';
import type { RowDecoder } from './decode/rowDecoder.js';
import type { PathValue } from './path.js';
import type { RestCaller } from './restCaller.js';

/** A page of a range: dates in milliseconds, both inclusive. */
interface RangeQuery {
  fromMs: number;
  toMs: number;
  limit?: number;
  /** Starts at 1. */
  offset?: number;
  /** Minutes; for aggregations only. */
  timeFrame?: number;
}

/** Start of a read from a delivery queue. If both are absent, the read starts after the last acknowledged sample. */
export interface QueuePosition {
  /** Exclusive. */
  afterId?: number | undefined;
  backfillHours?: number | undefined;
}

/** A date in a query: whole Unix seconds, rounded down. */
export function toUnixSeconds(ms: number): number {
  return Math.min(Math.max(Math.floor(ms / 1000), MIN_UNIX_SECONDS), MAX_UNIX_SECONDS);
}

/** An endpoint as a function of its parameters, with its path template. */
export type TypedEndpoint<Parameters extends readonly unknown[], Result> = {
  (...parameters: [...Parameters, CallOptions]): Promise<Result>;
  readonly template: string;
};

export interface RowBatch<Row> {
  samples: readonly Row[];
  /** Whether the platform has more samples after the last one. */
  hasMore: boolean;
}

/** A list of records is often short: an unreadable one must not fail those of earlier pages, or of other kinds. */
const recordCall = { allowsNotFound: true, allowsUnreadable: true };

export function createEndpointKinds({ list, one, batch }: RestCaller) {
  async function readSince<Row>(
    call: { template: string; value?: PathValue; allowsNotFound: boolean },
    decode: RowDecoder<Row>,
    sinceMs: number,
    options: CallOptions,
  ): Promise<RowBatch<Row>> {
    const query = { sampleDate: toUnixSeconds(sinceMs) };
    const converter = { decode, convert: (rows: readonly Row[]) => rows };
    const { chunks, hasMore } = await batch({ ...call, query }, converter, options);
    return { samples: chunks.flat(), hasMore };
  }

  return {
    /** All rows of the account. */
    all: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (options: CallOptions) =>
        list({ template, allowsNotFound: false }, row, options),
      ),

    /** The single row of the API client, or null. */
    only: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (options: CallOptions) => one({ template, allowsNotFound: true }, row, options)),

    /** One entity by its id, or null. Throws PLATFORM_BAD_RESPONSE if the response is another entity. */
    byId: <Row extends { id: number }>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (id: number, options: CallOptions) => {
        const decode: RowDecoder<Row> = (raw, onUndated) => {
          const entity = row(raw, onUndated);
          if (entity && entity.id !== id) throw createBadResponseError(template, 'a row with another id');
          return entity;
        };
        return one({ template, value: id, allowsNotFound: true }, decode, options);
      }),

    /** One row by its key, or null. */
    byKey: <Row>(template: string, row: RowDecoder<Row>, parent?: keyof Row) =>
      withTemplate(template, (value: PathValue, options: CallOptions) =>
        one({ template, value, allowsNotFound: true }, withParent(row, parent, value), options),
      ),

    /** All rows of one parent. */
    of: <Row>(template: string, row: RowDecoder<Row>, parent?: keyof Row) =>
      withTemplate(template, (value: PathValue, options: CallOptions) =>
        list({ template, value, allowsNotFound: true }, withParent(row, parent, value), options),
      ),

    /** The last records of one parent, often a single one. */
    lastOf: <Row>(template: string, row: RowDecoder<Row>, parent: keyof Row) =>
      withTemplate(template, (value: PathValue, options: CallOptions) =>
        list({ template, value, ...recordCall }, withParent(row, parent, value), options),
      ),

    /** Up to 100 records of one parent after the given record, or its newest. */
    after: <Row>(template: string, parameter: string, row: RowDecoder<Row>, parent?: keyof Row) =>
      withTemplate(template, (value: PathValue, afterId: number | undefined, options: CallOptions) => {
        const call = { template, value, query: { [parameter]: afterId }, ...recordCall };
        return list(call, withParent(row, parent, value), options);
      }),

    /** A batch of the account's samples since a date. */
    since: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (sinceMs: number, options: CallOptions) =>
        readSince({ template, allowsNotFound: false }, row, sinceMs, options),
      ),

    /** A batch of one parent's samples since a date. */
    sinceOf: <Row>(template: string, row: RowDecoder<Row>, parent?: keyof Row) =>
      withTemplate(template, (value: PathValue, sinceMs: number, options: CallOptions) => {
        const call = { template, value, allowsNotFound: true };
        return readSince(call, withParent(row, parent, value), sinceMs, options);
      }),

    /** A page of one stream's rows between two dates. */
    range: <Row>(template: string, row: RowDecoder<Row>, parent: keyof Row, allowsNotFound = true) =>
      withTemplate(
        template,
        <Chunk>(
          value: PathValue,
          { fromMs, toMs, ...page }: RangeQuery,
          converter: RowConverter<Row, Chunk>,
          options: CallOptions,
        ) => {
          const query = { ...page, fromDate: toUnixSeconds(fromMs), toDate: toUnixSeconds(toMs) };
          const call = { template, value, query, allowsNotFound };
          return batch(call, { decode: withParent(row, parent, value), ...converter }, options);
        },
      ),

    /**
     * A delivery queue. For `convert` see `RowConverter`. `enableAck=true` keeps a read from advancing the queue for
     * other readers.
     */
    queue: <Row>(template: string, parameter: string, decode: RowDecoder<Row>) =>
      withTemplate(
        template,
        <Chunk>(
          { afterId, backfillHours }: QueuePosition,
          convert: (rows: readonly Row[]) => Chunk,
          options: CallOptions,
        ) => {
          const query = { enableAck: true, [parameter]: afterId, backfillHours };
          const call = { template, query, allowsNotFound: false, allowsNoContent: true };
          return batch(call, { decode, convert }, options);
        },
      ),
  };
}

/**
 * The rows of one parent may lack its id, which is in the path. Rows of another parent are unusable. `parent`: the
 * field with the id; absent if it is not needed.
 */
function withParent<Row>(
  decode: RowDecoder<Row>,
  parent: keyof Row | undefined,
  value: PathValue,
): RowDecoder<Row> {
  if (parent === undefined) return decode;
  return (raw, onUndated) => {
    const row = decode(raw, onUndated);
    if (row?.[parent] !== undefined) return row[parent] === value ? row : undefined;
    return isRecord(raw) ? decode({ ...raw, [parent]: value }, onUndated) : undefined;
  };
}

function withTemplate<Call extends object>(
  template: string,
  call: Call,
): Call & { readonly template: string } {
  return Object.assign(call, { template });
}
