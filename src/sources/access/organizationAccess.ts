/**
 * Decides which entities a caller restricted to organizations can see: sites by their organization, all other
 * entities by their site. Such a caller never sees entities without an organization.
 *
 * A lookup costs the same REST calls for a missing entity and for one of another organization, since the lists that show
 * the owner are loaded in both cases. So neither a failing platform nor the number of calls reveals which of the
 * two it is.
 */
import { filterAsync } from '../../lib/maybePromise.js';
import type { Channel } from '../entities/channels.js';
import type { Device } from '../entities/devices.js';
import type { Site } from '../entities/sites.js';
import type { Stream } from '../entities/streams.js';
import type { Sources } from '../sources.js';

interface SiteList {
  /** All sites of the account, in the platform's order. */
  items: readonly Site[];
  isComplete: boolean;
  /** The `organizationId` of the sites in the list that the caller can see. */
  accessibleOwners: ReadonlySet<number | null>;
}

/**
 * For one operation: access to an entity, once granted, lasts until the operation ends. The methods are fields, so that
 * callers can pass them on.
 */
export class OrganizationAccess {
  readonly #all: Sources;
  readonly #organizationIds: ReadonlySet<number>;
  readonly #accessibleDevices = new Set<number>();
  readonly #accessibleStreams = new Set<number>();
  #sites: Promise<SiteList> | undefined;
  /** For lists of the account. Single sites are looked up in the cached list, which all operations share. */
  #siteIds: ReadonlySet<number> | undefined;

  constructor(all: Sources, organizationIds: ReadonlySet<number>) {
    this.#all = all;
    this.#organizationIds = organizationIds;
  }

  readonly canSeeOrganization = (id: number): boolean => this.#organizationIds.has(id);

  readonly canSeeSite = async (id: number | null): Promise<boolean> =>
    id !== null && (await this.site(id)) !== null;

  readonly canSeeDevice = async (id: number): Promise<boolean> =>
    this.#accessibleDevices.has(id) || (await this.device(id)) !== null;

  readonly canSeeStream = async (id: number): Promise<boolean> =>
    this.#accessibleStreams.has(id) || (await this.stream(id)) !== null;

  readonly sites = async (): Promise<Site[]> => {
    const { items, accessibleOwners } = await this.#loadSites();
    return items.filter(({ organizationId }) => accessibleOwners.has(organizationId));
  };

  readonly site = async (id: number): Promise<Site | null> => {
    await this.#loadSites();
    const site = await this.#all.sites.byId(id);
    return site !== null && (await this.#isAccessible(site)) ? site : null;
  };

  readonly device = async (id: number): Promise<Device | null> => {
    const [device] = await Promise.all([this.#all.devices.byId(id), this.#loadSites()]);
    return this.deviceIfAccessible(device);
  };

  readonly stream = async (id: number): Promise<Stream | null> => {
    const [stream] = await Promise.all([this.#all.streams.byId(id), this.#loadSites()]);
    return this.streamIfAccessible(stream);
  };

  readonly deviceIfAccessible = async (device: Device | null): Promise<Device | null> => {
    if (device === null || !(await this.canSeeSite(device.siteId))) return null;
    this.#accessibleDevices.add(device.id);
    return device;
  };

  readonly streamIfAccessible = async (stream: Stream | null): Promise<Stream | null> => {
    if (stream === null || !(await this.canSeeSite(stream.siteId))) return null;
    this.#accessibleStreams.add(stream.id);
    return stream;
  };

  readonly channelIfAccessible = async (channel: Channel | null): Promise<Channel | null> => {
    if (channel === null || channel.deviceId === null) return null;
    return (await this.canSeeDevice(channel.deviceId)) ? channel : null;
  };

  /** The devices that the caller can see, in the same order. */
  readonly accessibleDevices = async (devices: readonly Device[]): Promise<Device[]> => {
    const accessible = await this.#inAccessibleSites(devices);
    for (const { id } of accessible) this.#accessibleDevices.add(id);
    return accessible;
  };

  readonly accessibleStreams = async (streams: readonly Stream[]): Promise<Stream[]> => {
    const accessible = await this.#inAccessibleSites(streams);
    for (const { id } of accessible) this.#accessibleStreams.add(id);
    return accessible;
  };

  /** `devices`: those that are loaded already. Other devices of the channels are looked up. */
  readonly accessibleChannels = async (
    channels: readonly Channel[],
    devices: readonly Device[] = [],
  ): Promise<Channel[]> => {
    await this.accessibleDevices(devices);
    const loaded = new Set(devices.map(({ id }) => id));
    const others = channels.map(({ deviceId }) => deviceId).filter((id) => id !== null);
    await selectOwners(
      others.filter((id) => !loaded.has(id)),
      this.canSeeDevice,
    );
    return channels.filter(({ deviceId }) => deviceId !== null && this.#accessibleDevices.has(deviceId));
  };

  /** Takes only the `organizationId`, which is null if the platform names no organization. */
  readonly #isAccessible = async (site: Pick<Site, 'organizationId'>): Promise<boolean> => {
    const organizationId = await this.#all.organizations.idOfSite(site);
    return organizationId !== null && this.#organizationIds.has(organizationId);
  };

  async #inAccessibleSites<Item extends { siteId: number | null }>(items: readonly Item[]): Promise<Item[]> {
    const { isComplete } = await this.#loadSites();
    if (isComplete) this.#siteIds ??= new Set((await this.sites()).map(({ id }) => id));
    const visible =
      this.#siteIds ??
      (await selectOwners(
        items.map(({ siteId }) => siteId),
        this.canSeeSite,
      ));
    return items.filter(({ siteId }) => siteId !== null && visible.has(siteId));
  }

  #loadSites(): Promise<SiteList> {
    this.#sites ??= this.#findSites();
    return this.#sites;
  }

  async #findSites(): Promise<SiteList> {
    const { items, isComplete } = await this.#all.sites.list();
    const accessibleOwners = await selectOwners(
      items.map(({ organizationId }) => organizationId),
      (organizationId) => this.#isAccessible({ organizationId }),
    );
    return { items, isComplete, accessibleOwners };
  }
}

/** Calls `load` with the id of an entity that the caller can see; returns `otherwise` for others. */
export function ifAccessible<Args extends readonly unknown[], Value>(
  canSee: (id: number) => Promise<boolean>,
  load: (id: number, ...args: Args) => Value | Promise<Value>,
  otherwise: NoInfer<Value>,
): (id: number, ...args: Args) => Promise<Value> {
  return async (id, ...args) => ((await canSee(id)) ? load(id, ...args) : otherwise);
}

/**
 * The owners that the caller can see. Each is checked once: a list of the account can have tens of thousands of items,
 * and a promise for each takes longer than the rest of the operation.
 */
async function selectOwners<Owner>(
  owners: readonly Owner[],
  canSee: (owner: Owner) => Promise<boolean>,
): Promise<ReadonlySet<Owner>> {
  return new Set(await filterAsync([...new Set(owners)], canSee));
}
