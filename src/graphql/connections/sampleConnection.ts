/** Relay connections over samples. Samples are counted only when a query selects `totalCount`. */
import { ChunkedList } from '../../lib/chunkedList.js';
import {
  readAllSamples,
  readSamples,
  type SamplePosition,
  type SampleSource,
  type TimedSample,
} from '../../sources/samples/samplePages.js';
import type { ImageSample, RfidSample, ScalarSample } from '../../sources/samples/samples.js';
import type { TimeSpan } from '../../sources/timeline/dayPages.js';
import type { RangePaginator } from '../../sources/timeline/rangePaginator.js';
import { readFirst } from '../arguments/bounds.js';
import { readIds } from '../arguments/nodeId.js';
import { readRange, type TimeRangeArgument } from '../arguments/timeArguments.js';
import { ConnectionPage, decodeCursor, encodeCursor, noEdgeFields } from './connection.js';
import type { PageArguments } from './listConnection.js';

interface SampleCount {
  totalCount: () => number | Promise<number>;
}

interface SampleConnection<Sample> extends ConnectionPage<Sample, ChunkedList<Sample>>, SampleCount {}

export type ScalarSampleConnection = SampleConnection<ScalarSample>;
export type ImageSampleConnection = SampleConnection<ImageSample>;
export type RfidSampleConnection = SampleConnection<RfidSample>;

/** The requested page of a source's samples at or after `fromMs`. */
export async function toSampleConnection<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
  { first, after }: PageArguments,
): Promise<SampleConnection<Sample>> {
  const position = decodePosition(after);
  const { items, hasMore } = await readSamples(source, fromMs, position, readFirst(first));
  return createConnection(new ChunkedList([items]), {
    hasNextPage: hasMore,
    hasPreviousPage: position !== undefined,
    totalCount: () => (hasMore || position ? countSamples(source, fromMs) : items.length),
  });
}

interface RangeArguments extends PageArguments {
  range?: TimeRangeArgument | null | undefined;
  order?: 'ASC' | 'DESC' | null | undefined;
}

const MAX_STREAMS = 100;
/** All samples of a stream: devices send no dates before 1970 or centuries ahead. */
const ALL_TIME: TimeSpan = { fromMs: 0, toMs: Date.UTC(2200, 0) };

/** The requested page of a stream's samples within a range; without a range and a cursor, the newest. */
export async function toRangeConnection(
  paginator: RangePaginator,
  { range, first, after, order }: RangeArguments,
): Promise<ScalarSampleConnection> {
  const span = range ? readRange(range) : ALL_TIME;
  const position = decodePosition(after);
  const request = { span, after: position, count: readFirst(first) };
  const isAscending = order !== 'DESC';
  const totalCount = () => paginator.count(span);
  if (!range && isAscending && !position) {
    const { items, hasMore } = await paginator.newestFirst(request);
    // The newest in ascending order: older samples are before this page, and nothing is behind it yet.
    return createConnection(items.reversed(), {
      hasNextPage: false,
      hasPreviousPage: hasMore,
      totalCount,
    });
  }
  const { items, hasMore } = await (isAscending
    ? paginator.oldestFirst(request)
    : paginator.newestFirst(request));
  return createConnection(items, {
    hasNextPage: hasMore,
    hasPreviousPage: position !== undefined,
    totalCount: hasMore || position ? totalCount : () => items.length,
  });
}

/** One of several streams in a query. It is read when its `samples` field is resolved, and fails alone. */
export interface StreamSamples {
  streamId: number;
  page: RangeArguments;
}

export function toStreamSamples(streamIds: readonly string[], page: RangeArguments): StreamSamples[] {
  const ids = readIds('Stream', streamIds, 'streamIds', MAX_STREAMS);
  return ids.map((streamId) => ({ streamId, page }));
}

function createConnection<Sample extends TimedSample>(
  samples: ChunkedList<Sample>,
  details: { hasNextPage: boolean; hasPreviousPage: boolean } & SampleCount,
): SampleConnection<Sample> {
  const { totalCount, ...pageInfo } = details;
  const page = new ConnectionPage<Sample, ChunkedList<Sample>>(samples, {
    cursorOf,
    edgeFieldsOf: noEdgeFields,
    ...pageInfo,
  });
  return Object.assign(page, { totalCount });
}

async function countSamples<Sample extends TimedSample>(source: SampleSource<Sample>, fromMs: number) {
  let count = 0;
  for await (const samples of readAllSamples(source, fromMs)) count += samples.length;
  return count;
}

function cursorOf(sample: TimedSample): string {
  return encodeCursor([Date.parse(sample.sampledAt), sample.id]);
}

function decodePosition(after: string | null | undefined): SamplePosition | undefined {
  if (after == null) return undefined;
  const [sampledAtMs, id] = decodeCursor(after);
  return { sampledAtMs, id };
}
