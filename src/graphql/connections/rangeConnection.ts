/** Relay connections over a stream's numbers within a range, or over its newest. */
import type { TimeSpan } from '../../sources/timeline/dayPages.js';
import type { RangePaginator } from '../../sources/timeline/rangePaginator.js';
import { readRange, type TimeRangeArgument } from '../arguments/timeArguments.js';
import { readFirst } from './listConnection.js';
import {
  createSampleConnection,
  decodeSampleCursor,
  type ScalarSampleConnection,
} from './sampleConnection.js';

export interface RangeArguments {
  range?: TimeRangeArgument | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  order?: 'ASC' | 'DESC' | null | undefined;
}

/** All that a stream may hold: no device is from before 1970, or ahead of its time by centuries. */
const ALL_TIME: TimeSpan = { fromMs: 0, toMs: Date.UTC(2200, 0) };

export async function toRangeConnection(
  paginator: RangePaginator,
  { range, first, after, order }: RangeArguments,
): Promise<ScalarSampleConnection> {
  const span = range ? readRange(range) : ALL_TIME;
  const position = after == null ? undefined : decodeSampleCursor(after);
  const request = { span, after: position, count: readFirst(first) };
  const isAscending = order !== 'DESC';
  const totalCount = () => paginator.count(span);
  if (!range && isAscending && !position) {
    const { samples, hasMore } = await paginator.newestFirst(request);
    // The newest, in the order asked for: what is older lies before this page, and behind it is nothing yet.
    return createSampleConnection(samples.reversed(), {
      hasNextPage: false,
      hasPreviousPage: hasMore,
      totalCount,
    });
  }
  const { samples, hasMore } = await (isAscending
    ? paginator.oldestFirst(request)
    : paginator.newestFirst(request));
  const isWhole = !hasMore && !position;
  return createSampleConnection(samples, {
    hasNextPage: hasMore,
    hasPreviousPage: position !== undefined,
    totalCount: isWhole ? () => samples.length : totalCount,
  });
}
