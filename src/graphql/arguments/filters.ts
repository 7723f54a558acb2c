/** Filters lists in the gateway, because the REST API has no filters. */
import { createBadInputError } from '../../errors.js';
import { isInside, isLatitude, isLongitude } from '../../lib/geography.js';
import type { Channel } from '../../sources/entities/channels.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import { filterSource } from '../../sources/samples/combinedSources.js';
import type { SampleSource } from '../../sources/samples/samplePages.js';
import type { RfidSample } from '../../sources/samples/samples.js';
import type {
  BoundingBox,
  ChannelFilter,
  DeviceFilter,
  InputMaybe,
  NearPoint,
  RfidReadFilter,
  SiteFilter,
  StreamFilter,
} from '../generated/resolverTypes.js';
import { readId } from './nodeId.js';
import { checkNumber, checkPoint, measureFrom } from './siteDistance.js';

type OptionalInput<Filter> = Filter | null | undefined;

/** Applies all conditions except `organizationId`, which depends on more than the site. */
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

export function filterRfidReads(
  source: SampleSource<RfidSample>,
  filter: OptionalInput<RfidReadFilter>,
): SampleSource<RfidSample> {
  const tagId = filter?.tagId;
  return tagId == null ? source : filterSource(source, ({ tagIds }) => tagIds.includes(tagId));
}

function containsIgnoringCase(text: string, part: InputMaybe<string>): boolean {
  return part == null || text.toLowerCase().includes(part.toLowerCase());
}

function equalsIgnoringCase(text: string, expected: InputMaybe<string>): boolean {
  return expected == null || text.toLowerCase() === expected.toLowerCase();
}

/** Case-sensitive, because `mW` and `MW` are different units. */
function equalsExactly(text: string, expected: InputMaybe<string>): boolean {
  return expected == null || text === expected;
}

function checkBox({ south, west, north, east }: BoundingBox): void {
  checkNumber('filter.within.south', south, isLatitude);
  checkNumber('filter.within.north', north, isLatitude);
  checkNumber('filter.within.west', west, isLongitude);
  checkNumber('filter.within.east', east, isLongitude);
  if (south > north)
    throw createBadInputError('filter.within', `south (${south}) is greater than north (${north}).`);
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
