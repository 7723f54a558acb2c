/** The few ways in which the REST API's endpoints are alike; `restClient.ts` is written in these words. */

import type { RowDecoder } from './decode/rowDecoder.js';
import type { PathValue } from './path.js';
import type { CallOptions, RestCaller } from './restCaller.js';

/** A page of a range: dates in milliseconds, both included. */
export interface RangeQuery {
  fromMs: number;
  toMs: number;
  limit?: number;
  /** Counts from 1. */
  offset?: number;
  /** Minutes; for aggregations alone. */
  timeFrame?: number;
}

/** Where to read a delivery queue from; both absent: behind the last acknowledged sample. */
export interface QueuePosition {
  /** Strictly above this sample. */
  afterId?: number | undefined;
  backfillHours?: number | undefined;
}

/** The least date that the platform takes in a query, in Unix seconds. */
const MIN_UNIX_SECONDS = 946_688_461;

/** A date as the platform takes it in a query: whole Unix seconds, rounded down. */
export function toUnixSeconds(ms: number): number {
  return Math.max(Math.floor(ms / 1000), MIN_UNIX_SECONDS);
}

/** An endpoint as a function of its parameters, and the template it calls. */
export type TypedEndpoint<Parameters extends readonly unknown[], Result> = {
  (...parameters: [...Parameters, CallOptions]): Promise<Result>;
  readonly template: string;
};

export function createEndpointKinds({ list, one, batch, batchChunks }: RestCaller) {
  return {
    /** A collection of the whole account. */
    all: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (options: CallOptions) =>
        list({ template, allowsNotFound: false }, row, options),
      ),

    /** The one thing of its kind that an API client has, or null. */
    only: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (options: CallOptions) => one({ template, allowsNotFound: true }, row, options)),

    /** One thing by its key, or null. */
    byKey: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (value: PathValue, options: CallOptions) =>
        one({ template, value, allowsNotFound: true }, row, options),
      ),

    /** All that one parent has. */
    of: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (value: PathValue, options: CallOptions) =>
        list({ template, value, allowsNotFound: true }, row, options),
      ),

    /** Up to 100 of one parent's records behind a given one, or its newest. */
    after: <Row>(template: string, parameter: string, row: RowDecoder<Row>) =>
      withTemplate(template, (value: PathValue, afterId: number | undefined, options: CallOptions) =>
        list({ template, value, query: { [parameter]: afterId }, allowsNotFound: true }, row, options),
      ),

    /** A batch of the whole account's samples from a date on. */
    since: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (sinceMs: number, options: CallOptions) => {
        const query = { sampleDate: toUnixSeconds(sinceMs) };
        return batch({ template, query, allowsNotFound: false }, row, options);
      }),

    /** A batch of one parent's samples from a date on. */
    sinceOf: <Row>(template: string, row: RowDecoder<Row>) =>
      withTemplate(template, (value: PathValue, sinceMs: number, options: CallOptions) => {
        const query = { sampleDate: toUnixSeconds(sinceMs) };
        return batch({ template, value, query, allowsNotFound: true }, row, options);
      }),

    /** A page of what one stream has between two dates, in pieces that `convert` makes of some rows at a time. */
    range: <Row>(template: string, decode: RowDecoder<Row>) =>
      withTemplate(
        template,
        <Piece>(
          value: PathValue,
          { fromMs, toMs, ...page }: RangeQuery,
          convert: (rows: readonly Row[]) => Piece,
          options: CallOptions,
        ) => {
          const query = { ...page, fromDate: toUnixSeconds(fromMs), toDate: toUnixSeconds(toMs) };
          return batchChunks({ template, value, query, allowsNotFound: true }, { decode, convert }, options);
        },
      ),

    /** A delivery queue. It always says `enableAck=true`, so that a read moves nothing for other readers. */
    queue: <Row>(template: string, parameter: string, row: RowDecoder<Row>) =>
      withTemplate(template, ({ afterId, backfillHours }: QueuePosition, options: CallOptions) => {
        const query = { enableAck: true, [parameter]: afterId, backfillHours };
        return batch({ template, query, allowsNotFound: false }, row, options);
      }),
  };
}

function withTemplate<Call extends object>(
  template: string,
  call: Call,
): Call & { readonly template: string } {
  return Object.assign(call, { template });
}
