/** The filters of lists, applied in the gateway since the REST API has none. Pure: items in, items out. */
import { createBadInputError } from '../../errors.js';
import { isInside, isLatitude, isLongitude } from '../../lib/geography.js';
import type { Channel } from '../../sources/entities/channels.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import type {
  BoundingBox,
  ChannelFilter,
  DeviceFilter,
  InputMaybe,
  NearPoint,
  SiteFilter,
  StreamFilter,
} from '../generated/resolverTypes.js';
import { readId } from './nodeId.js';
import { checkNumber, checkPoint, measureFrom } from './siteDistance.js';

type OptionalInput<Filter> = Filter | null | undefined;

/** Sites that match, but for `organizationId`, which takes more than the site to decide. */
export function filterSites(sites: readonly Site[], filter: OptionalInput<SiteFilter>): readonly Site[] {
  if (!filter) return sites;
  const { nameContains, status, within, near } = filter;
  if (within) checkBox(within);
  const matching = sites.filter(
    (site) =>
      containsIgnoringCase(site.name, nameContains) &&
      equalsIgnoringCase(site.status, status) &&
      (!within || (site.location !== null && isInside(site.location, within))),
  );
  return near ? sortByDistance(matching, near) : matching;
}

export function filterDevices(
  devices: readonly Device[],
  filter: OptionalInput<DeviceFilter>,
): readonly Device[] {
  if (!filter) return devices;
  const siteId = filter.siteId == null ? null : readId('Site', filter.siteId, 'filter.siteId');
  return devices.filter(
    (device) =>
      containsIgnoringCase(device.name, filter.nameContains) &&
      equalsIgnoringCase(device.modelNumber, filter.modelNumber) &&
      equalsExactly(device.firmwareVersion, filter.firmwareVersion) &&
      (siteId === null || device.siteId === siteId),
  );
}

export function filterChannels(
  channels: readonly Channel[],
  filter: OptionalInput<ChannelFilter>,
): readonly Channel[] {
  if (!filter) return channels;
  const deviceId = filter.deviceId == null ? null : readId('Device', filter.deviceId, 'filter.deviceId');
  return channels.filter(
    (channel) =>
      containsIgnoringCase(channel.name, filter.nameContains) &&
      equalsIgnoringCase(channel.type?.name ?? '', filter.type) &&
      (deviceId === null || channel.deviceId === deviceId),
  );
}

export function filterStreams(
  streams: readonly Stream[],
  filter: OptionalInput<StreamFilter>,
): readonly Stream[] {
  if (!filter) return streams;
  const siteId = filter.siteId == null ? null : readId('Site', filter.siteId, 'filter.siteId');
  return streams.filter(
    (stream) =>
      containsIgnoringCase(stream.name, filter.nameContains) &&
      equalsIgnoringCase(stream.type?.name ?? '', filter.type) &&
      equalsExactly(stream.units, filter.units) &&
      (siteId === null || stream.siteId === siteId),
  );
}

function containsIgnoringCase(text: string, part: InputMaybe<string>): boolean {
  return part == null || text.toLowerCase().includes(part.toLowerCase());
}

function equalsIgnoringCase(text: string, wanted: InputMaybe<string>): boolean {
  return wanted == null || text.toLowerCase() === wanted.toLowerCase();
}

/** Where capitals matter: `mW` and `MW` are two units. */
function equalsExactly(text: string, wanted: InputMaybe<string>): boolean {
  return wanted == null || text === wanted;
}

function checkBox({ south, west, north, east }: BoundingBox): void {
  checkNumber('filter.within.south', south, isLatitude);
  checkNumber('filter.within.north', north, isLatitude);
  checkNumber('filter.within.west', west, isLongitude);
  checkNumber('filter.within.east', east, isLongitude);
  if (south > north)
    throw createBadInputError('filter.within', `south (${south}) lies above north (${north}).`);
}

function sortByDistance(sites: readonly Site[], near: NearPoint): readonly Site[] {
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
