/**
 * Restricts a caller to organizations: its sources have the same interface as unrestricted ones, and behave as if
 * the account contained only these organizations. Each method is written out, so that a new method without a rule
 * does not compile. docs/callers.md lists the rules.
 */
import type { EntitySource } from '../core/entitySource.js';
import type { CustomAttribute, CustomAttributeName } from '../entities/customAttributes.js';
import { createStates } from '../samples/states.js';
import { OperationSources, type Sources, type SourcesOptions } from '../sources.js';
import { ifAccessible, OrganizationAccess } from './organizationAccess.js';
import { rejectQueueAccess, restrictSamples, restrictSeries, restrictWrites } from './restrictedSamples.js';

/** `organizationIds`: the organizations that the caller is restricted to; undefined for the whole account. */
export function createRestrictedSources(
  options: SourcesOptions,
  organizationIds: ReadonlySet<number> | undefined,
): Sources {
  const all: Sources = new OperationSources(options);
  if (organizationIds === undefined) return all;
  const access = new OrganizationAccess(all, organizationIds);
  const restricted: Omit<Sources, 'states'> = {
    organizations: restrictOrganizations(all, access),
    users: restrictUsers(all),
    sites: {
      list: restrictList(all.sites, access.sites),
      isTruncated: all.sites.isTruncated,
      byId: access.site,
      prefetch: all.sites.prefetch,
    },
    siteAttributes: restrictSiteAttributes(all, access),
    devices: restrictDevices(all, access),
    deviceRecords: restrictDeviceRecords(all, access),
    channels: restrictChannels(all, access),
    streams: restrictStreams(all, access),
    streamAttributes: restrictStreamAttributes(all, access),
    channelLinks: restrictChannelLinks(all, access),
    thresholds: restrictThresholds(all, access),
    samples: restrictSamples(all, access),
    aggregates: {
      ofStream: async (stream, request) =>
        (await access.canSeeStream(stream.id)) ? all.aggregates.ofStream(stream, request) : [],
      total: async (stream, request) =>
        (await access.canSeeStream(stream.id)) ? all.aggregates.total(stream, request) : null,
    },
    series: restrictSeries(all, access),
    sampleQueues: { read: rejectQueueAccess, status: rejectQueueAccess },
    writes: restrictWrites(all, access),
    turns: all.turns,
    dependencies: undefined,
    async canSeeStream(streamId) {
      // For hundreds of streams: the list is loaded first, so that no stream costs a separate call.
      await all.streams.list();
      return access.canSeeStream(streamId);
    },
  };
  // Decided only from restricted sources, so that no state of another organization leaks.
  return { ...restricted, states: createStates(restricted, options.nowMs) };
}

function restrictOrganizations({ organizations }: Sources, { canSeeOrganization }: OrganizationAccess) {
  return {
    list: restrictList(organizations, (items) => items.filter(({ id }) => canSeeOrganization(id))),
    isTruncated: organizations.isTruncated,
    byId: async (id: number) => (canSeeOrganization(id) ? organizations.byId(id) : null),
    async ofSite(site: { organizationId: number | null }) {
      const id = await organizations.idOfSite(site);
      return id !== null && canSeeOrganization(id) ? organizations.byId(id) : null;
    },
    idOfSite: organizations.idOfSite,
    prefetch: organizations.prefetch,
  };
}

/** The list with only the items that the caller can see. */
function restrictList<Item>(
  source: Pick<EntitySource<Item>, 'list'>,
  restrict: (items: readonly Item[]) => Promise<Item[]> | Item[],
): EntitySource<Item>['list'] {
  return async () => {
    const { items, isComplete, isPartial = false } = await source.list();
    return { items: await restrict(items), isComplete, isPartial };
  };
}

/** Users belong to the account, not to an organization. The UI preferences (date formats) are not confidential. */
function restrictUsers({ users }: Sources): Sources['users'] {
  const none = async () => null;
  return {
    list: async () => ({ items: [], isComplete: true }),
    isTruncated: () => false,
    prefetch: () => undefined,
    byId: none,
    detailsOf: none,
    uiPreferences: users.uiPreferences,
  };
}

function restrictDevices({ devices }: Sources, access: OrganizationAccess): Sources['devices'] {
  const { deviceIfAccessible, accessibleDevices, canSeeSite, sites } = access;
  return {
    list: restrictList(devices, accessibleDevices),
    isTruncated: devices.isTruncated,
    prefetch: devices.prefetch,
    byId: access.device,
    async bySerialNumber(serialNumber) {
      const [device] = await Promise.all([devices.bySerialNumber(serialNumber), sites()]);
      return deviceIfAccessible(device);
    },
    ofSite: ifAccessible(canSeeSite, async (id) => accessibleDevices(await devices.ofSite(id)), []),
  };
}

function restrictDeviceRecords(
  { deviceRecords }: Sources,
  { canSeeDevice }: OrganizationAccess,
): Sources['deviceRecords'] {
  const { findCounterProblem, lastHealth, lastLog, health, logs } = deviceRecords;
  return {
    findCounterProblem,
    lastHealth: ifAccessible(canSeeDevice, lastHealth, []),
    lastLog: ifAccessible(canSeeDevice, lastLog, null),
    health: ifAccessible(canSeeDevice, health, noRecords),
    logs: ifAccessible(canSeeDevice, logs, noRecords),
  };
}

const noRecords = { items: [], hasEarlier: false, hasMore: async () => false };

/** The list of devices shows the owner of a channel, and is loaded whether the channel exists or not. */
function restrictChannels({ channels, devices }: Sources, access: OrganizationAccess): Sources['channels'] {
  const { channelIfAccessible, accessibleChannels, canSeeDevice, sites } = access;
  return {
    async list() {
      const [{ items, isComplete, isPartial = false }, owners] = await Promise.all([
        channels.list(),
        devices.list(),
      ]);
      return { items: await accessibleChannels(items, owners.items), isComplete, isPartial };
    },
    isTruncated: channels.isTruncated,
    prefetch: channels.prefetch,
    async byId(id) {
      const [channel] = await Promise.all([channels.byId(id), devices.list(), sites()]);
      return channelIfAccessible(channel);
    },
    ofDevice: ifAccessible(canSeeDevice, async (id) => accessibleChannels(await channels.ofDevice(id)), []),
  };
}

function restrictStreams({ streams }: Sources, access: OrganizationAccess): Sources['streams'] {
  const { accessibleStreams, canSeeSite } = access;
  return {
    list: restrictList(streams, accessibleStreams),
    isTruncated: streams.isTruncated,
    prefetch: streams.prefetch,
    byId: access.stream,
    // Only unrestricted sources use it, for plans.
    loadedOfSite: () => undefined,
    ofSite: ifAccessible(canSeeSite, async (id) => accessibleStreams(await streams.ofSite(id)), []),
  };
}

/**
 * Lists only the names of attributes of entities that the caller can see: other names may reveal another
 * organization.
 */
function restrictSiteAttributes({ siteAttributes }: Sources, { canSeeSite, sites }: OrganizationAccess) {
  return {
    prefetch: siteAttributes.prefetch,
    ofSite: ifAccessible(canSeeSite, siteAttributes.ofSite, []),
    async names() {
      const [names, visibleSites] = await Promise.all([siteAttributes.names(), sites()]);
      return namesInUse(names, await Promise.all(visibleSites.map(({ id }) => siteAttributes.ofSite(id))));
    },
  };
}

function restrictStreamAttributes(
  { streamAttributes, streams }: Sources,
  { canSeeStream, accessibleStreams }: OrganizationAccess,
): Sources['streamAttributes'] {
  return {
    prefetch: streamAttributes.prefetch,
    prefetchForLinks: streamAttributes.prefetchForLinks,
    ofStream: async (stream) => ((await canSeeStream(stream.id)) ? streamAttributes.ofStream(stream) : []),
    async names() {
      const [names, { items }] = await Promise.all([streamAttributes.names(), streams.list()]);
      const visible = await accessibleStreams(items);
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

/** Links stay inside a site, so a caller who can see a stream or channel can see everything that it links to. */
function restrictChannelLinks(
  { channelLinks }: Sources,
  { canSeeSite, canSeeStream, channelIfAccessible, accessibleStreams }: OrganizationAccess,
): Sources['channelLinks'] {
  return {
    prefetch: channelLinks.prefetch,
    prefetchAtSite: ifAccessible(canSeeSite, channelLinks.prefetchAtSite, undefined),
    prefetchChannelsAtSite: ifAccessible(canSeeSite, channelLinks.prefetchChannelsAtSite, undefined),
    channelOf: async (stream) => ((await canSeeStream(stream.id)) ? channelLinks.channelOf(stream) : null),
    ruleOf: async (stream) => ((await canSeeStream(stream.id)) ? channelLinks.ruleOf(stream) : null),
    async streamsOf(channel) {
      if ((await channelIfAccessible(channel)) === null) return [];
      return accessibleStreams(await channelLinks.streamsOf(channel));
    },
  };
}

function restrictThresholds(
  { thresholds }: Sources,
  { canSeeStream }: OrganizationAccess,
): Sources['thresholds'] {
  return {
    levels: ifAccessible(canSeeStream, thresholds.levels, []),
    status: ifAccessible(canSeeStream, thresholds.status, null),
    cachedLevels: ifAccessible(canSeeStream, thresholds.cachedLevels, { levels: [], ageMs: 0 }),
    reloadLevels: ifAccessible(canSeeStream, thresholds.reloadLevels, []),
    statusAfter: ifAccessible(canSeeStream, thresholds.statusAfter, null),
  };
}
