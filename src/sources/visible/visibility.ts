/**
 * Decides what a caller sees who is held to organizations: a site by its organization, and everything else by
 * the site it belongs to. What belongs to no organization is seen by nobody who is held to some.
 *
 * Looking up what is not there and what is somebody else's takes the same calls: the lists that ownership is
 * read from are loaded in either case. So neither a failing platform nor a count of calls tells the two apart.
 */
import type { Channel } from '../channels.js';
import type { Device } from '../devices.js';
import { isCutOff } from '../fetchPlan.js';
import type { Site } from '../sites.js';
import type { Sources } from '../sources.js';
import type { Stream } from '../streams.js';

export type Visibility = ReturnType<typeof createVisibility>;

interface KnownSites {
  /** Those that are seen, by id, in the platform's order. */
  visible: ReadonlyMap<number, Site>;
  isComplete: boolean;
}

/** For one operation: what has been found visible stays so until it ends. */
export function createVisibility(all: Sources, organizationIds: ReadonlySet<number>) {
  const seenDevices = new Set<number>();
  const seenStreams = new Set<number>();
  let known: Promise<KnownSites> | undefined;

  /** The site with its organization filled in, where it is one that is seen. */
  async function toVisible(site: Site | null): Promise<Site | null> {
    const organizationId = site && (await all.organizations.idOfSite(site));
    if (organizationId === null || !organizationIds.has(organizationId)) return null;
    return site && { ...site, organizationId };
  }

  async function loadSites(): Promise<KnownSites> {
    const sites = await all.sites.all();
    const visible = (await Promise.all(sites.map(toVisible))).filter((site) => site !== null);
    return { visible: new Map(visible.map((site) => [site.id, site])), isComplete: !isCutOff(sites.length) };
  }

  function knownSites(): Promise<KnownSites> {
    known ??= loadSites();
    return known;
  }

  async function site(id: number): Promise<Site | null> {
    const { visible, isComplete } = await knownSites();
    return visible.get(id) ?? (isComplete ? null : toVisible(await all.sites.byId(id)));
  }

  async function seesSite(id: number | null): Promise<boolean> {
    return id !== null && (await site(id)) !== null;
  }

  async function admitDevice(device: Device | null): Promise<Device | null> {
    if (device === null || !(await seesSite(device.siteId))) return null;
    seenDevices.add(device.id);
    return device;
  }

  async function admitStream(stream: Stream | null): Promise<Stream | null> {
    if (stream === null || !(await seesSite(stream.siteId))) return null;
    seenStreams.add(stream.id);
    return stream;
  }

  async function device(id: number): Promise<Device | null> {
    const [found] = await Promise.all([all.devices.byId(id), knownSites()]);
    return admitDevice(found);
  }

  async function stream(id: number): Promise<Stream | null> {
    const [found] = await Promise.all([all.streams.byId(id), knownSites()]);
    return admitStream(found);
  }

  const seesDevice = async (id: number) => seenDevices.has(id) || (await device(id)) !== null;

  async function admitChannel(channel: Channel | null): Promise<Channel | null> {
    if (channel === null || channel.deviceId === null) return null;
    return (await seesDevice(channel.deviceId)) ? channel : null;
  }

  return {
    seesOrganization: (id: number) => organizationIds.has(id),
    seesSite,
    seesDevice,
    seesStream: async (id: number) => seenStreams.has(id) || (await stream(id)) !== null,
    site,
    sites: async () => [...(await knownSites()).visible.values()],
    device,
    stream,
    admitDevice,
    admitStream,
    admitChannel,
  };
}

/** Those of a list that are admitted, in its order. */
export async function admitEach<Item>(
  items: readonly Item[],
  admit: (item: Item) => Promise<Item | null>,
): Promise<Item[]> {
  return (await Promise.all(items.map(admit))).filter((item) => item !== null);
}
