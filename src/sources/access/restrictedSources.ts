/**
 * The one place where a caller is held to organizations: sources of the same shape as all others, that answer as
 * if there were nothing else in the account. Each method is written out, so that a new one without a rule does
 * not compile. The rules are told in docs/callers.md.
 */
import type { EntitySource } from '../core/entitySource.js';
import type { CustomAttribute, CustomAttributeName } from '../entities/customAttributes.js';
import { createSources, type Sources, type SourcesOptions } from '../sources.js';
import { restrictSamples, restrictSeries } from './restrictedSamples.js';
import { rejectQueueAccess, restrictWrites } from './restrictedWrites.js';
import { createVisibility, filterVisible, type Visibility } from './visibility.js';

/** `organizationIds`: what the caller is held to; undefined: it sees the whole account. */
export function createRestrictedSources(
  parts: SourcesOptions,
  organizationIds: ReadonlySet<number> | undefined,
): Sources {
  const all = createSources(parts);
  if (organizationIds === undefined) return all;
  const visibility = createVisibility(all, organizationIds);
  const siteList = restrictList(all.sites, visibility.visibleSites);
  return {
    organizations: restrictOrganizations(all, visibility),
    users: restrictUsers(all),
    sites: {
      ...siteList,
      byId: visibility.site,
      prefetch: all.sites.prefetch,
    },
    siteAttributes: restrictSiteAttributes(all, visibility),
    devices: restrictDevices(all, visibility),
    deviceRecords: restrictDeviceRecords(all, visibility),
    channels: restrictChannels(all, visibility),
    streams: restrictStreams(all, visibility),
    streamAttributes: restrictStreamAttributes(all, visibility),
    channelLinks: restrictChannelLinks(all, visibility),
    thresholds: restrictThresholds(all, visibility),
    samples: restrictSamples(all, visibility),
    aggregates: {
      ofStream: async (id, ...request) =>
        (await visibility.canSeeStream(id)) ? all.aggregates.ofStream(id, ...request) : [],
    },
    series: restrictSeries(all, visibility),
    sampleQueues: { read: rejectQueueAccess, status: rejectQueueAccess },
    writes: restrictWrites(all, visibility),
    dependencies: undefined,
    accessScope: { isWholeAccount: false, canSeeStream: createStreamCheck(all, visibility) },
  };
}

function restrictOrganizations({ organizations }: Sources, { canSeeOrganization }: Visibility) {
  const list = restrictList(organizations, async () =>
    (await organizations.all()).filter(({ id }) => canSeeOrganization(id)),
  );
  return {
    ...list,
    byId: async (id: number) => (canSeeOrganization(id) ? organizations.byId(id) : null),
    async ofSite(site: { organizationId: number | null }) {
      const id = await organizations.idOfSite(site);
      return id !== null && canSeeOrganization(id) ? organizations.byId(id) : null;
    },
    idOfSite: organizations.idOfSite,
    prefetch: organizations.prefetch,
  };
}

/** The items of a list that the caller may see. */
function restrictList<Item>(
  source: Pick<EntitySource<Item>, 'select'>,
  all: () => Promise<Item[]>,
): { all: typeof all; select: EntitySource<Item>['select'] } {
  const select: EntitySource<Item>['select'] = async (choose) => {
    const [items, isComplete] = await Promise.all([all(), source.select((list) => list.isComplete)]);
    return choose({ items, isComplete });
  };
  return { all, select };
}

/** People belong to the account, not to an organization. How dates are written is nobody's secret. */
function restrictUsers({ users }: Sources): Sources['users'] {
  const nobody = async () => null;
  return {
    all: async () => [],
    select: async (choose) => choose({ items: [], isComplete: true }),
    prefetch: () => undefined,
    byId: nobody,
    detailsOf: nobody,
    uiPreferences: users.uiPreferences,
  };
}

function restrictDevices({ devices }: Sources, visibility: Visibility): Sources['devices'] {
  const { admitDevice, seesSite, visibleSites } = visibility;
  const list = restrictList(devices, async () => filterVisible(await devices.all(), admitDevice));
  return {
    ...list,
    prefetch: devices.prefetch,
    byId: visibility.device,
    async bySerialNumber(serialNumber) {
      const [found] = await Promise.all([devices.bySerialNumber(serialNumber), visibleSites()]);
      return admitDevice(found);
    },
    async ofSite(siteId) {
      if (!(await seesSite(siteId))) return [];
      return filterVisible(await devices.ofSite(siteId), admitDevice);
    },
  };
}

function restrictDeviceRecords(
  { deviceRecords }: Sources,
  { seesDevice }: Visibility,
): Sources['deviceRecords'] {
  const { lastHealth, lastLog, health, logs } = deviceRecords;
  return {
    lastHealth: async (id) => ((await seesDevice(id)) ? lastHealth(id) : []),
    lastLog: async (id) => ((await seesDevice(id)) ? lastLog(id) : null),
    health: async (id, page) => ((await seesDevice(id)) ? health(id, page) : noRecords()),
    logs: async (id, page) => ((await seesDevice(id)) ? logs(id, page) : noRecords()),
  };
}

const noRecords = () => ({ records: [], hasMore: async () => false });

/** The list of devices tells whose a channel is, and is loaded whether there is such a channel or not. */
function restrictChannels({ channels, devices }: Sources, visibility: Visibility): Sources['channels'] {
  const { admitChannel, seesDevice, visibleSites } = visibility;
  const list = restrictList(channels, async () => {
    const [found] = await Promise.all([channels.all(), devices.all()]);
    return filterVisible(found, admitChannel);
  });
  return {
    ...list,
    prefetch: channels.prefetch,
    async byId(id) {
      const [found] = await Promise.all([channels.byId(id), devices.all(), visibleSites()]);
      return admitChannel(found);
    },
    async ofDevice(deviceId) {
      if (!(await seesDevice(deviceId))) return [];
      return filterVisible(await channels.ofDevice(deviceId), admitChannel);
    },
  };
}

function restrictStreams({ streams }: Sources, visibility: Visibility): Sources['streams'] {
  const { admitStream, seesSite } = visibility;
  const list = restrictList(streams, async () => filterVisible(await streams.all(), admitStream));
  return {
    ...list,
    prefetch: streams.prefetch,
    byId: visibility.stream,
    async ofSite(siteId) {
      if (!(await seesSite(siteId))) return [];
      return filterVisible(await streams.ofSite(siteId), admitStream);
    },
  };
}

/** Of the names, those that something visible carries: the others may speak of somebody else. */
function restrictSiteAttributes({ siteAttributes }: Sources, { seesSite, visibleSites }: Visibility) {
  return {
    prefetch: siteAttributes.prefetch,
    ofSite: async (siteId: number) => ((await seesSite(siteId)) ? siteAttributes.ofSite(siteId) : []),
    async names() {
      const [names, visible] = await Promise.all([siteAttributes.names(), visibleSites()]);
      return namesInUse(names, await Promise.all(visible.map(({ id }) => siteAttributes.ofSite(id))));
    },
  };
}

function restrictStreamAttributes(
  { streamAttributes, streams }: Sources,
  { canSeeStream, admitStream }: Visibility,
): Sources['streamAttributes'] {
  return {
    prefetch: streamAttributes.prefetch,
    prefetchForLinks: streamAttributes.prefetchForLinks,
    ofStream: async (stream) => ((await canSeeStream(stream.id)) ? streamAttributes.ofStream(stream) : []),
    async names() {
      const [names, found] = await Promise.all([streamAttributes.names(), streams.all()]);
      const visible = await filterVisible(found, admitStream);
      return namesInUse(names, await Promise.all(visible.map(streamAttributes.ofStream)));
    },
  };
}

function namesInUse(
  names: readonly CustomAttributeName[],
  attributes: readonly (readonly CustomAttribute[])[],
): CustomAttributeName[] {
  const ids = new Set(attributes.flat().map(({ id }) => id));
  return names.filter(({ id }) => ids.has(id));
}

/** Links stay inside a site: from a stream or channel that is seen they lead to what is seen. */
function restrictChannelLinks(
  { channelLinks }: Sources,
  { seesSite, canSeeStream, admitChannel, admitStream }: Visibility,
): Sources['channelLinks'] {
  return {
    prefetch: channelLinks.prefetch,
    prefetchAtSite: async (siteId) =>
      (await seesSite(siteId)) ? channelLinks.prefetchAtSite(siteId) : undefined,
    prefetchChannelsAtSite: async (siteId) =>
      (await seesSite(siteId)) ? channelLinks.prefetchChannelsAtSite(siteId) : undefined,
    channelOf: async (stream) => ((await canSeeStream(stream.id)) ? channelLinks.channelOf(stream) : null),
    ruleOf: async (stream) => ((await canSeeStream(stream.id)) ? channelLinks.ruleOf(stream) : null),
    async streamsOf(channel) {
      if ((await admitChannel(channel)) === null) return [];
      return filterVisible(await channelLinks.streamsOf(channel), admitStream);
    },
  };
}

function restrictThresholds({ thresholds }: Sources, { canSeeStream }: Visibility): Sources['thresholds'] {
  return {
    levels: async (streamId) => ((await canSeeStream(streamId)) ? thresholds.levels(streamId) : []),
    status: async (streamId) => ((await canSeeStream(streamId)) ? thresholds.status(streamId) : null),
  };
}

/** For streams by the hundred: the list is loaded first, so that none of them costs a call of its own. */
function createStreamCheck({ streams }: Sources, { canSeeStream }: Visibility) {
  return async (streamId: number): Promise<boolean> => {
    await streams.all();
    return canSeeStream(streamId);
  };
}
