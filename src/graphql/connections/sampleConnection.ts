/**
 * Relay connections over samples, and over the account's RFID reads. Samples are counted only when a query selects
 * `totalCount`.
 */
import { ChunkedList } from '../../lib/chunkedList.js';
import { measuresNumbers, siteIdsOf } from '../../sources/entities/streams.js';
import {
  readAllSamples,
  readSamples,
  type SamplePosition,
  type SampleSource,
  type TimedSample,
} from '../../sources/samples/samplePages.js';
import type { ImageSample, RfidSample, ScalarSample } from '../../sources/samples/samples.js';
import type { Sources } from '../../sources/sources.js';
import type { TimeSpan } from '../../sources/timeline/dayPages.js';
import type { RangePaginator } from '../../sources/timeline/rangePaginator.js';
import { MAX_TIME_MS } from '../../timeseries/calendarIntervals.js';
import { readFirst } from '../arguments/bounds.js';
import { readIds } from '../arguments/nodeId.js';
import { readRange, type TimeRangeArgument } from '../arguments/timeArguments.js';
import { ConnectionPage, createCursorError, decodeCursor, encodeCursor, noEdgeFields } from './connection.js';
import { type ListConnection, NO_EXTRAS, type PageArguments, toConnection } from './listConnection.js';

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
/** Covers all samples of a stream: devices send no dates before 1970 or centuries ahead. */
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
    // The newest samples in ascending order: older samples are before this page, and none are after it yet.
    return createConnection(items.reversed(), { hasNextPage: false, hasPreviousPage: hasMore, totalCount });
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

/**
 * A stream of a query for several. It is read when the field `samples` is resolved, so a failure affects only this
 * stream.
 */
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
  return encodeCursor('Sample', [Date.parse(sample.sampledAt), sample.id]);
}

function decodePosition(after: string | null | undefined): SamplePosition | undefined {
  if (after == null) return undefined;
  const [sampledAtMs, id] = decodeCursor('Sample', after);
  if (sampledAtMs > MAX_TIME_MS) throw createCursorError(after);
  return { sampledAtMs, id };
}

/** A tag in a list of reads. */
export interface RfidTag {
  tagId: string;
  readCount: number;
  /** RFC 3339. */
  firstSeenAt: string;
  lastSeenAt: string;
  lastRead: RfidSample;
}

export interface RfidReadConnection extends Omit<ListConnection<RfidSample>, 'isComplete'> {
  tagCount: () => number;
  /** The tags that were seen last come first. */
  tags: (args: { first?: number | null | undefined }) => readonly RfidTag[];
}

/** The reads and tags that match the filter; undefined for all. */
interface RfidSelection {
  matches: ((read: RfidSample) => boolean) | undefined;
  tagIds: ReadonlySet<string> | undefined;
}

/** The connection of the account's RFID reads, with the tags in them. */
export async function listRfidReads(
  { samples, streams }: Pick<Sources, 'samples' | 'streams'>,
  since: number,
  page: PageArguments,
  { matches, tagIds }: RfidSelection,
): Promise<RfidReadConnection> {
  readFirst(page.first);
  const readerSites = async () => {
    const { items, isComplete, isPartial } = await streams.list();
    const readers = items.filter((stream) => !measuresNumbers(stream));
    const haveSites = readers.every(({ siteId }) => siteId !== null);
    return isComplete && !isPartial && haveSites ? siteIdsOf(readers) : undefined;
  };
  const all = await samples.rfidReadsOfAccount(since, readerSites);
  const reads = matches ? all.filter(matches) : all;
  let tags: readonly RfidTag[] | undefined;
  const allTags = () => {
    tags ??= collectTags(reads, tagIds);
    return tags;
  };
  return Object.assign(toConnection('RfidRead', { items: reads, isComplete: true }, page, NO_EXTRAS), {
    tagCount: () => allTags().length,
    tags: ({ first }: { first?: number | null | undefined }) => allTags().slice(0, readFirst(first)),
  });
}

/** `reads` are in the order of time. */
function collectTags(reads: readonly RfidSample[], wanted: ReadonlySet<string> | undefined): RfidTag[] {
  const tags = new Map<string, RfidTag>();
  for (const read of reads) {
    for (const tagId of new Set(read.tagIds)) {
      if (wanted && !wanted.has(tagId)) continue;
      const tag = tags.get(tagId);
      tags.set(tagId, {
        tagId,
        readCount: (tag?.readCount ?? 0) + 1,
        firstSeenAt: tag?.firstSeenAt ?? read.sampledAt,
        lastSeenAt: read.sampledAt,
        lastRead: read,
      });
    }
  }
  return [...tags.values()].sort(
    (one, other) =>
      Date.parse(other.lastSeenAt) - Date.parse(one.lastSeenAt) || (one.tagId < other.tagId ? -1 : 1),
  );
}
