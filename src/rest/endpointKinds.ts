/** The few ways in which the REST API's endpoints are alike; `restClient.ts` is written in these words. */
import type { PathValue } from './path.js';
import type { CallOptions, RestCaller } from './restCaller.js';
import type { RowDecoder } from './rowDecoder.js';

/** A page of a range: dates in milliseconds, both included. */
export interface RangePage {
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
const LEAST_UNIX_SECONDS = 946_688_461;

/** A date as the platform takes it in a query: whole Unix seconds, rounded down. */
export function toUnixSeconds(ms: number): number {
  return Math.max(Math.floor(ms / 1000), LEAST_UNIX_SECONDS);
}

/** An endpoint as a function of its parameters, and the template it calls. */
export type Endpoint<Parameters extends readonly unknown[], Answer> = {
  (...parameters: [...Parameters, CallOptions]): Promise<Answer>;
  readonly template: string;
};

export function createEndpointKinds({ list, one, batch, pieces }: RestCaller) {
  return {
    /** A collection of the whole account. */
    all: <Row>(template: string, row: RowDecoder<Row>) =>
      named(template, (options: CallOptions) => list({ template, mayBeAbsent: false }, row, options)),

    /** The one thing of its kind that an API client has, or null. */
    only: <Row>(template: string, row: RowDecoder<Row>) =>
      named(template, (options: CallOptions) => one({ template, mayBeAbsent: true }, row, options)),

    /** One thing by its key, or null. */
    byKey: <Row>(template: string, row: RowDecoder<Row>) =>
      named(template, (value: PathValue, options: CallOptions) =>
        one({ template, value, mayBeAbsent: true }, row, options),
      ),

    /** All that one parent has. */
    of: <Row>(template: string, row: RowDecoder<Row>) =>
      named(template, (value: PathValue, options: CallOptions) =>
        list({ template, value, mayBeAbsent: true }, row, options),
      ),

    /** Up to 100 of one parent's records behind a given one, or its newest. */
    after: <Row>(template: string, parameter: string, row: RowDecoder<Row>) =>
      named(template, (value: PathValue, afterId: number | undefined, options: CallOptions) =>
        list({ template, value, query: { [parameter]: afterId }, mayBeAbsent: true }, row, options),
      ),

    /** A batch of the whole account's samples from a date on. */
    since: <Row>(template: string, row: RowDecoder<Row>) =>
      named(template, (sinceMs: number, options: CallOptions) => {
        const query = { sampleDate: toUnixSeconds(sinceMs) };
        return batch({ template, query, mayBeAbsent: false }, row, options);
      }),

    /** A batch of one parent's samples from a date on. */
    sinceOf: <Row>(template: string, row: RowDecoder<Row>) =>
      named(template, (value: PathValue, sinceMs: number, options: CallOptions) => {
        const query = { sampleDate: toUnixSeconds(sinceMs) };
        return batch({ template, value, query, mayBeAbsent: true }, row, options);
      }),

    /** A page of what one stream has between two dates, in pieces that `convert` makes of some rows at a time. */
    range: <Row>(template: string, decode: RowDecoder<Row>) =>
      named(
        template,
        <Piece>(
          value: PathValue,
          { fromMs, toMs, ...page }: RangePage,
          convert: (rows: readonly Row[]) => Piece,
          options: CallOptions,
        ) => {
          const query = { ...page, fromDate: toUnixSeconds(fromMs), toDate: toUnixSeconds(toMs) };
          return pieces({ template, value, query, mayBeAbsent: true }, { decode, convert }, options);
        },
      ),

    /** A delivery queue. It always says `enableAck=true`, so that a read moves nothing for other readers. */
    queue: <Row>(template: string, parameter: string, row: RowDecoder<Row>) =>
      named(template, ({ afterId, backfillHours }: QueuePosition, options: CallOptions) => {
        const query = { enableAck: true, [parameter]: afterId, backfillHours };
        return batch({ template, query, mayBeAbsent: false }, row, options);
      }),
  };
}

function named<Call extends object>(template: string, call: Call): Call & { readonly template: string } {
  return Object.assign(call, { template });
}
