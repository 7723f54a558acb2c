/** Filters lists in the gateway, because the REST API has no filters. */
import { createBadInputError } from '../../errors.js';
import { isInside } from '../../lib/geography.js';
import type { Channel } from '../../sources/entities/channels.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import { filterSource, type SampleSource } from '../../sources/samples/samplePages.js';
import type { RfidSample } from '../../sources/samples/samples.js';
import type {
  BoundingBox,
  ChannelFilter,
  DeviceFilter,
  NearPoint,
  RfidReadFilter,
  SiteFilter,
  StreamFilter,
} from '../generated/resolverTypes.js';
import { checkLength } from './bounds.js';
import { MAX_IDS, readId, readIds } from './nodeId.js';
import { toComparable } from './search.js';
import { checkLatitude, checkLongitude, checkPoint, measureFrom } from './siteDistance.js';
import {
  createConditions,
  type DeviceStateField,
  type FilterTable,
  type SiteStateField,
  type StreamStateField,
} from './stateFilters.js';

type OptionalInput<Filter> = Filter | null | undefined;

/** Creates a predicate for each field. The compiler reports a field that is neither here nor in `stateFilters`. */
type PredicateTable<Item, Filter> = FilterTable<Filter, (item: Item) => boolean>;

/** `organizationId` is applied by `listSites`, because it needs more than the site. `near` also sorts. */
const siteTable: PredicateTable<Site, Omit<SiteFilter, 'organizationId' | 'near' | SiteStateField>> = {
  ids: (ids) => hasOneOf('id', readIds('Site', ids, 'filter.ids')),
  nameContains: contains('name'),
  status: equals(({ status }) => status),
  within: (box) => {
    checkBox(box);
    return ({ location }) => location !== null && isInside(location, box);
  },
};

const deviceTable: PredicateTable<Device, Omit<DeviceFilter, DeviceStateField>> = {
  ids: (ids) => hasOneOf('id', readIds('Device', ids, 'filter.ids')),
  nameContains: contains('name'),
  modelNumber: equals(({ modelNumber }) => modelNumber),
  firmwareVersion: (version) => (device) => device.firmwareVersion === version,
  serialNumberContains: contains('serialNumber'),
  siteId: (id) => hasId('siteId', readId('Site', id, 'filter.siteId')),
  siteIds: (ids) => hasOneOf('siteId', readIds('Site', ids, 'filter.siteIds')),
};

const channelTable: PredicateTable<Channel, ChannelFilter> = {
  nameContains: contains('name'),
  type: isClassified(({ type }) => type),
  status: isClassified(({ status }) => status),
  deviceId: (id) => hasId('deviceId', readId('Device', id, 'filter.deviceId')),
};

const streamTable: PredicateTable<Stream, Omit<StreamFilter, StreamStateField>> = {
  ids: (ids) => hasOneOf('id', readIds('Stream', ids, 'filter.ids')),
  nameContains: contains('name'),
  type: isClassified(({ type }) => type),
  status: isClassified(({ status }) => status),
  // Case-sensitive, because `mW` and `MW` are different units.
  units: (units) => (stream) => stream.units === units,
  siteId: (id) => hasId('siteId', readId('Site', id, 'filter.siteId')),
  siteIds: (ids) => hasOneOf('siteId', readIds('Site', ids, 'filter.siteIds')),
};

/** Applies the conditions that need only the site itself. With `near`, the nearest site comes first. */
export function filterSites(sites: readonly Site[], filter: OptionalInput<SiteFilter>): readonly Site[] {
  const matching = applyFilter(sites, filter, siteTable);
  return filter?.near ? sortByDistance(matching, filter.near) : matching;
}

export const filterDevices = (devices: readonly Device[], filter: OptionalInput<DeviceFilter>) =>
  applyFilter(devices, filter, deviceTable);

export const filterChannels = (channels: readonly Channel[], filter: OptionalInput<ChannelFilter>) =>
  applyFilter(channels, filter, channelTable);

export const filterStreams = (streams: readonly Stream[], filter: OptionalInput<StreamFilter>) =>
  applyFilter(streams, filter, streamTable);

export function filterRfidReads(
  source: SampleSource<RfidSample>,
  filter: OptionalInput<RfidReadFilter>,
): SampleSource<RfidSample> {
  const { matches } = createRfidSelection(filter);
  return matches === undefined ? source : filterSource(source, (reads) => reads.filter(matches));
}

const rfidTable: PredicateTable<RfidSample, RfidReadFilter> = {
  tagId: (tagId) => (read) => read.tagIds.includes(tagId),
  tagIds: (tagIds) => {
    checkLength('filter.tagIds', tagIds, MAX_IDS, 'ids');
    const wanted = new Set(tagIds);
    return (read) => read.tagIds.some((tagId) => wanted.has(tagId));
  },
  streamIds: (ids) => hasOneOf('streamId', readIds('Stream', ids, 'filter.streamIds')),
};

/** The reads and tags that match the filter; undefined for all. */
export function createRfidSelection(filter: OptionalInput<RfidReadFilter>) {
  const active = filter ? createConditions(filter, rfidTable) : [];
  const tagIds = [filter?.tagId ?? [], filter?.tagIds ?? []].flat();
  return {
    matches: active.length === 0 ? undefined : (read: RfidSample) => active.every((matches) => matches(read)),
    tagIds: tagIds.length === 0 ? undefined : new Set(tagIds),
  };
}

function applyFilter<Item, Filter extends object>(
  items: readonly Item[],
  filter: OptionalInput<Filter>,
  table: PredicateTable<Item, Filter>,
): readonly Item[] {
  if (!filter) return items;
  const active = createConditions(filter, table);
  return active.length === 0 ? items : items.filter((item) => active.every((matches) => matches(item)));
}

function hasId<Name extends string>(name: Name, id: number): (item: Record<Name, number | null>) => boolean {
  return (item) => item[name] === id;
}

function hasOneOf<Name extends string>(
  name: Name,
  ids: readonly number[],
): (item: Record<Name, number | null>) => boolean {
  const wanted = new Set<number | null>(ids);
  return (item) => wanted.has(item[name]);
}

function contains<Name extends string>(name: Name) {
  return (part: string) => {
    const wanted = toComparable(part);
    return (item: Record<Name, string>): boolean => toComparable(item[name]).includes(wanted);
  };
}

/** Compares whole texts; case and accents do not matter. Null equals nothing. */
export function equals<Item>(textOf: (item: Item) => string | null) {
  return (expected: string) => {
    const wanted = toComparable(expected);
    return (item: Item): boolean => {
      const text = textOf(item);
      return text !== null && toComparable(text) === wanted;
    };
  };
}

/** Compares the name and the platform's number, because a facet has the number of a classification without a name. */
function isClassified<Item>(classificationOf: (item: Item) => Channel['type']) {
  return (expected: string) => {
    const isNamed = equals(({ name }: { name: string | null }) => name)(expected);
    return (item: Item): boolean => {
      const classification = classificationOf(item);
      return classification !== null && (isNamed(classification) || String(classification.id) === expected);
    };
  };
}

function checkBox({ south, west, north, east }: BoundingBox): void {
  checkLatitude('filter.within.south', south);
  checkLatitude('filter.within.north', north);
  checkLongitude('filter.within.west', west);
  checkLongitude('filter.within.east', east);
  if (south > north)
    throw createBadInputError('filter.within', `south (${south}) is greater than north (${north}).`);
}

function sortByDistance(sites: readonly Site[], near: NearPoint): readonly Site[] {
  checkPoint(near, 'filter.near');
  if (!(near.radiusKm > 0)) {
    throw createBadInputError('filter.near.radiusKm', `${near.radiusKm} is not greater than 0.`);
  }
  const distanceOf = measureFrom(near);
  return sites
    .flatMap((site) => {
      const distance = distanceOf(site);
      return distance !== null && distance <= near.radiusKm ? [{ site, distance }] : [];
    })
    .sort((one, other) => one.distance - other.distance)
    .map(({ site }) => site);
}
