/** The filters of lists, applied in the gateway since the REST API has none. Pure: items in, items out. */
import { badInput } from '../errors.js';
import { isInside, isLatitude, isLongitude } from '../lib/geography.js';
import type { Channel } from '../sources/channels.js';
import type { Device } from '../sources/devices.js';
import type { Site } from '../sources/sites.js';
import type { Stream } from '../sources/streams.js';
import type {
  BoundingBox,
  ChannelFilter,
  DeviceFilter,
  InputMaybe,
  NearPoint,
  SiteFilter,
  StreamFilter,
} from './generated/resolverTypes.js';
import { readId } from './nodeId.js';
import { checkNumber, checkPoint, measureFrom } from './siteDistance.js';

type Given<Filter> = Filter | null | undefined;

/** Sites that match, but for `organizationId`, which takes more than the site to decide. */
export function filterSites(sites: readonly Site[], filter: Given<SiteFilter>): readonly Site[] {
  if (!filter) return sites;
  const { nameContains, status, within, near } = filter;
  if (within) checkBox(within);
  const matching = sites.filter(
    (site) =>
      contains(site.name, nameContains) &&
      equals(site.status, status) &&
      (!within || (site.location !== null && isInside(site.location, within))),
  );
  return near ? nearestFirst(matching, near) : matching;
}

export function filterDevices(devices: readonly Device[], filter: Given<DeviceFilter>): readonly Device[] {
  if (!filter) return devices;
  const siteId = filter.siteId == null ? null : readId('Site', filter.siteId, 'filter.siteId');
  return devices.filter(
    (device) =>
      contains(device.name, filter.nameContains) &&
      equals(device.modelNumber, filter.modelNumber) &&
      isExactly(device.firmwareVersion, filter.firmwareVersion) &&
      (siteId === null || device.siteId === siteId),
  );
}

export function filterChannels(
  channels: readonly Channel[],
  filter: Given<ChannelFilter>,
): readonly Channel[] {
  if (!filter) return channels;
  const deviceId = filter.deviceId == null ? null : readId('Device', filter.deviceId, 'filter.deviceId');
  return channels.filter(
    (channel) =>
      contains(channel.name, filter.nameContains) &&
      equals(channel.type?.name ?? '', filter.type) &&
      (deviceId === null || channel.deviceId === deviceId),
  );
}

export function filterStreams(streams: readonly Stream[], filter: Given<StreamFilter>): readonly Stream[] {
  if (!filter) return streams;
  const siteId = filter.siteId == null ? null : readId('Site', filter.siteId, 'filter.siteId');
  return streams.filter(
    (stream) =>
      contains(stream.name, filter.nameContains) &&
      equals(stream.type?.name ?? '', filter.type) &&
      isExactly(stream.units, filter.units) &&
      (siteId === null || stream.siteId === siteId),
  );
}

function contains(text: string, part: InputMaybe<string>): boolean {
  return part == null || text.toLowerCase().includes(part.toLowerCase());
}

function equals(text: string, wanted: InputMaybe<string>): boolean {
  return wanted == null || text.toLowerCase() === wanted.toLowerCase();
}

/** Where capitals matter: `mW` and `MW` are two units. */
function isExactly(text: string, wanted: InputMaybe<string>): boolean {
  return wanted == null || text === wanted;
}

function checkBox({ south, west, north, east }: BoundingBox): void {
  checkNumber('filter.within.south', south, isLatitude);
  checkNumber('filter.within.north', north, isLatitude);
  checkNumber('filter.within.west', west, isLongitude);
  checkNumber('filter.within.east', east, isLongitude);
  if (south > north) throw badInput('filter.within', `south (${south}) lies above north (${north}).`);
}

function nearestFirst(sites: readonly Site[], near: NearPoint): readonly Site[] {
  checkPoint(near, 'filter.near');
  checkNumber('filter.near.radiusKm', near.radiusKm, (radiusKm) => radiusKm > 0);
  const distanceOf = measureFrom(near);
  return sites
    .flatMap((site) => {
      const distance = distanceOf(site);
      return distance !== null && distance <= near.radiusKm ? [{ site, distance }] : [];
    })
    .sort((one, other) => one.distance - other.distance)
    .map(({ site }) => site);
}
