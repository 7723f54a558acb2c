/** Samples and writes for callers who are restricted to organizations. */
import { GatewayError } from '../../errors.js';
import { ChunkedList } from '../../lib/chunkedList.js';
import { filterAsync } from '../../lib/maybePromise.js';
import type { WireThresholdLevel } from '../../rest/wire.js';
import type { Series, SeriesLoader, SeriesMethod } from '../charts/series.js';
import type { Page } from '../core/paginator.js';
import type { ThresholdLevel } from '../entities/thresholds.js';
import { filterSource, type SampleSource } from '../samples/samplePages.js';
import type { Sources } from '../sources.js';
import type { RangePaginator } from '../timeline/rangePaginator.js';
import type { Samples } from '../timeline/sampleSources.js';
import type { Writes } from '../writes/writes.js';
import { ifAccessible, type OrganizationAccess } from './organizationAccess.js';

export function restrictSamples({ samples, streams }: Sources, access: OrganizationAccess): Samples {
  const { canSeeSite, canSeeStream } = access;
  return {
    prefetchLast: samples.prefetchLast,
    // The streams come from restricted sources.
    prefetchLastAtSite: samples.prefetchLastAtSite,
    recent: async (streams) => {
      const seen = await filterAsync(streams, ({ id }) => canSeeStream(id));
      return samples.recent(seen);
    },
    last: async (stream) => ((await canSeeStream(stream.id)) ? samples.last(stream) : null),
    lastImage: ifAccessible(canSeeStream, samples.lastImage, null),
    lastRfidRead: ifAccessible(canSeeStream, samples.lastRfidRead, null),
    async image(id) {
      const [image] = await Promise.all([samples.image(id), streams.list(), access.sites()]);
      return image && (await canSeeStream(image.streamId)) ? image : null;
    },

    scalarById: async (key) => ((await canSeeStream(key.streamId)) ? samples.scalarById(key) : null),
    rfidReadById: async (key) => ((await canSeeStream(key.streamId)) ? samples.rfidReadById(key) : null),

    ofStreamAfter: ifAccessible(canSeeStream, samples.ofStreamAfter, []),
    arrivedBefore: ifAccessible(canSeeStream, samples.arrivedBefore, []),
    ofSiteAfter: ifAccessible(canSeeSite, samples.ofSiteAfter, []),
    rfidReadsOfStreamAfter: ifAccessible(canSeeStream, samples.rfidReadsOfStreamAfter, []),

    inRange: (stream) => restrictPaginator(samples.inRange(stream), () => canSeeStream(stream.id)),
    runLimited: samples.runLimited,
    ofStreamSince: (id) => restrictSource(samples.ofStreamSince(id), () => canSeeStream(id)),
    ofSiteSince: (id) => restrictSource(samples.ofSiteSince(id), () => canSeeSite(id)),
    imagesOfStreamSince: (id) => restrictSource(samples.imagesOfStreamSince(id), () => canSeeStream(id)),
    rfidReadsOfSiteSince: (id) => restrictSource(samples.rfidReadsOfSiteSince(id), () => canSeeSite(id)),
    rfidReadsOfStreamSince: (id) =>
      restrictSource(samples.rfidReadsOfStreamSince(id), () => canSeeStream(id)),
    rfidReadsOfAccount: async (sinceMs, siteIds) => {
      const [reads] = await Promise.all([
        samples.rfidReadsOfAccount(sinceMs, siteIds, 'caller'),
        streams.list(),
      ]);
      const streamIds = [...new Set(reads.map(({ streamId }) => streamId))];
      const visible = new Set(await filterAsync(streamIds, canSeeStream));
      return reads.filter(({ streamId }) => visible.has(streamId));
    },
    imagesOfStreamsSince: (ids) => async (fromMs, limit) => {
      const visibleIds = await filterAsync(ids, canSeeStream);
      return samples.imagesOfStreamsSince(visibleIds)(fromMs, limit);
    },
    imagesSince: () =>
      filterSource(samples.imagesSince(), async (images) => {
        await streams.list();
        return filterAsync(images, ({ streamId }) => canSeeStream(streamId));
      }),
  };
}

export function restrictSeries({ series }: Sources, { canSeeStream }: OrganizationAccess): SeriesLoader {
  return {
    ofStream: async (request) =>
      (await canSeeStream(request.stream.id)) ? series.ofStream(request) : emptySeries(request.method),
    ofStreams: async ({ streams, ...request }) => {
      const visible = await filterAsync(streams, ({ id }) => canSeeStream(id));
      return series.ofStreams({ ...request, streams: visible });
    },
  };
}

/** The series of a stream without samples. */
function emptySeries(method: SeriesMethod): Series {
  const columns = { times: [], values: [], min: [], max: [] };
  return { ...columns, sourceCount: 0, coverage: 0, reduced: false, method, source: 'SAMPLES' };
}

/** The paginator of a stream that the caller can see; otherwise one without samples. */
function restrictPaginator(paginator: RangePaginator, canSee: () => Promise<boolean>): RangePaginator {
  const empty = { items: new ChunkedList<never>([]), hasMore: false };
  return {
    oldestFirst: async (request) => ((await canSee()) ? paginator.oldestFirst(request) : empty),
    newestFirst: async (request) => ((await canSee()) ? paginator.newestFirst(request) : empty),
    count: async (span) => ((await canSee()) ? paginator.count(span) : 0),
  };
}

/** The source of a stream or site that the caller can see; otherwise an empty source. */
function restrictSource<Sample>(
  source: SampleSource<Sample>,
  canSee: () => Promise<boolean>,
): SampleSource<Sample> {
  const empty: Page<Sample> = { items: [], hasMore: false };
  return async (fromMs, limit) => ((await canSee()) ? source(fromMs, limit) : empty);
}

/**
 * Restricts writes to entities that the caller can see. A second line of defence: mutations look up their targets
 * first.
 */
export function restrictWrites(
  { writes, thresholds }: Sources,
  { canSeeSite, canSeeStream }: OrganizationAccess,
): Writes {
  return {
    async siteAttributes(values) {
      await requireAll(values, ({ parent_id }) => canSeeSite(parent_id));
      return writes.siteAttributes(values);
    },
    async streamAttributes(values) {
      await requireAll(values, ({ parent_id }) => canSeeStream(parent_id));
      return writes.streamAttributes(values);
    },
    async threshold(streamId, levels) {
      await requireAll([streamId, ...listStreamIds(levels)], canSeeStream);
      const groups = listGroups(levels);
      if (groups.length > 0) throwOnForeignGroups(groups, await thresholds.levels(streamId));
      return writes.threshold(streamId, levels);
    },
    acknowledge: rejectQueueAccess,
    backfill: rejectQueueAccess,
  };
}

async function requireAll<Item>(
  items: readonly Item[],
  canSee: (item: Item) => Promise<boolean>,
): Promise<void> {
  const visible = await Promise.all(items.map(canSee));
  if (visible.includes(false)) throw new GatewayError('FORBIDDEN', 'The caller cannot see this entity.');
}

function listStreamIds(levels: readonly WireThresholdLevel[]): number[] {
  const actions = levels.flatMap(({ sample_actions = [] }) => sample_actions ?? []);
  return actions.map(({ stream_id }) => stream_id).filter((id) => typeof id === 'number');
}

/** The groups of users and of streams in the levels. */
function listGroups(levels: readonly WireThresholdLevel[]): string[] {
  return levels.flatMap(({ notification_actions, sample_actions }) => [
    ...(notification_actions ?? []).flatMap(({ user_group_id: id }) => (id == null ? [] : [`users ${id}`])),
    ...(sample_actions ?? []).flatMap(({ sample_group_id: id }) => (id == null ? [] : [`streams ${id}`])),
  ]);
}

/** The platform does not show the owner of a group, so only groups that the threshold already has are allowed. */
function throwOnForeignGroups(groups: readonly string[], present: readonly ThresholdLevel[]): void {
  const presentGroups = new Set(
    present.flatMap(({ notificationActions, sampleActions }) => [
      ...notificationActions.map(({ userGroupPlatformId: id }) => `users ${id}`),
      ...sampleActions.map(({ sampleGroupPlatformId: id }) => `streams ${id}`),
    ]),
  );
  if (groups.every((group) => presentGroups.has(group))) return;
  const message =
    'Groups belong to the whole account: callers who are restricted to organizations can name only groups that the threshold already has.';
  throw new GatewayError('FORBIDDEN', message);
}

/** The account has one queue with one position. Acknowledging a filtered queue would lose samples of others. */
export async function rejectQueueAccess(): Promise<never> {
  const message =
    'The delivery queue has samples of the whole account: callers who are restricted to organizations cannot use it.';
  throw new GatewayError('FORBIDDEN', message);
}
