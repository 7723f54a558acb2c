/** Relay connections over a stream's numbers within a range, or over its newest. */
import type { TimeSpan } from '../sources/dayPages.js';
import type { RangeWalk } from '../sources/rangeWalk.js';
import { readFirst } from './connection.js';
import type { OrderDirection, TimeRange } from './generated/resolverTypes.js';
import { pageOf, type ScalarSampleConnection, toPlace } from './sampleConnection.js';
import { readRange } from './timeArguments.js';

export interface RangeArguments {
  range?: TimeRange | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  order?: OrderDirection | null | undefined;
}

/** All that a stream may hold: no device is from before 1970, or ahead of its time by centuries. */
const ALL_TIME: TimeSpan = { fromMs: 0, toMs: Date.UTC(2200, 0) };

export async function toRangeConnection(
  walk: RangeWalk,
  { range, first, after, order }: RangeArguments,
): Promise<ScalarSampleConnection> {
  const span = range ? readRange(range) : ALL_TIME;
  const place = after == null ? undefined : toPlace(after);
  const request = { span, after: place, count: readFirst(first) };
  const isAscending = order !== 'DESC';
  const totalCount = () => walk.count(span);
  if (!range && isAscending && !place) {
    const { samples, hasMore } = await walk.newestFirst(request);
    // The newest, in the order asked for: what is older lies before this page, and behind it is nothing yet.
    return pageOf(samples.reversed(), { hasNextPage: false, hasPreviousPage: hasMore, totalCount });
  }
  const { samples, hasMore } = await (isAscending ? walk.oldestFirst(request) : walk.newestFirst(request));
  const isWhole = !hasMore && !place;
  return pageOf(samples, {
    hasNextPage: hasMore,
    hasPreviousPage: place !== undefined,
    totalCount: isWhole ? () => samples.length : totalCount,
  });
}
