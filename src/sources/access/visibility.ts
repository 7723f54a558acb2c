/**
 * Decides what a caller sees who is held to organizations: a site by its organization, and everything else by
 * the site it belongs to. What belongs to no organization is seen by nobody who is held to some.
 *
 * Looking up what is not there and what is somebody else's takes the same calls: the lists that ownership is
 * read from are loaded in either case. So neither a failing platform nor a count of calls tells the two apart.
 */

import { isCutOff } from '../core/fetchPlan.js';
import type { Channel } from '../entities/channels.js';
import type { Device } from '../entities/devices.js';
import type { Site } from '../entities/sites.js';
import type { Stream } from '../entities/streams.js';
import type { Sources } from '../sources.js';

export type Visibility = ReturnType<typeof createVisibility>;

interface VisibleSites {
  /** Those that are seen, by id, in the platform's order. */
  byId: ReadonlyMap<number, Site>;
  isComplete: boolean;
}

/** For one operation: what has been found visible stays so until it ends. */
export function createVisibility(all: Sources, organizationIds: ReadonlySet<number>) {
  const seenDevices = new Set<number>();
  const seenStreams = new Set<number>();
  let known: Promise<VisibleSites> | undefined;

  /** The site with its organization filled in, where it is one that is seen. */
  async function toVisible(site: Site | null): Promise<Site | null> {
    const organizationId = site && (await all.organizations.idOfSite(site));
    if (organizationId === null || !organizationIds.has(organizationId)) return null;
    return site && { ...site, organizationId };
  }

  async function loadSites(): Promise<VisibleSites> {
    const sites = await all.sites.all();
    const visible = (await Promise.all(sites.map(toVisible))).filter((site) => site !== null);
    return { byId: new Map(visible.map((site) => [site.id, site])), isComplete: !isCutOff(sites.length) };
  }

  function knownSites(): Promise<VisibleSites> {
    known ??= loadSites();
    return known;
  }

  async function visibleSite(id: number): Promise<Site | null> {
    const { byId, isComplete } = await knownSites();
    return byId.get(id) ?? (isComplete ? null : toVisible(await all.sites.byId(id)));
  }

  async function canSeeSite(id: number | null): Promise<boolean> {
    return id !== null && (await visibleSite(id)) !== null;
  }

  async function deviceIfVisible(device: Device | null): Promise<Device | null> {
    if (device === null || !(await canSeeSite(device.siteId))) return null;
    seenDevices.add(device.id);
    return device;
  }

  async function streamIfVisible(stream: Stream | null): Promise<Stream | null> {
    if (stream === null || !(await canSeeSite(stream.siteId))) return null;
    seenStreams.add(stream.id);
    return stream;
  }

  async function visibleDevice(id: number): Promise<Device | null> {
    const [found] = await Promise.all([all.devices.byId(id), knownSites()]);
    return deviceIfVisible(found);
  }

  async function visibleStream(id: number): Promise<Stream | null> {
    const [found] = await Promise.all([all.streams.byId(id), knownSites()]);
    return streamIfVisible(found);
  }

  const canSeeDevice = async (id: number) => seenDevices.has(id) || (await visibleDevice(id)) !== null;

  async function channelIfVisible(channel: Channel | null): Promise<Channel | null> {
    if (channel === null || channel.deviceId === null) return null;
    return (await canSeeDevice(channel.deviceId)) ? channel : null;
  }

  return {
    canSeeOrganization: (id: number) => organizationIds.has(id),
    seesSite: canSeeSite,
    seesDevice: canSeeDevice,
    canSeeStream: async (id: number) => seenStreams.has(id) || (await visibleStream(id)) !== null,
    site: visibleSite,
    visibleSites: async () => [...(await knownSites()).byId.values()],
    device: visibleDevice,
    stream: visibleStream,
    admitDevice: deviceIfVisible,
    admitStream: streamIfVisible,
    admitChannel: channelIfVisible,
  };
}

/** Those of a list that are admitted, in its order. */
export async function filterVisible<Item>(
  items: readonly Item[],
  admit: (item: Item) => Promise<Item | null>,
): Promise<Item[]> {
  return (await Promise.all(items.map(admit))).filter((item) => item !== null);
}
