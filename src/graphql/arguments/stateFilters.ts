/**
 * Filters lists by data that the items themselves do not contain: their site, their attributes, their newest samples.
 * Such a test is applied to the whole list, so that it can load in batches, and runs after all tests that need
 * only the items themselves.
 */
import { createBadInputError } from '../../errors.js';
import type { CustomAttribute } from '../../sources/entities/customAttributes.js';
import type { Device } from '../../sources/entities/devices.js';
import { organizationOfUnassigned } from '../../sources/entities/organizations.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import { alarmLevelOf } from '../../sources/samples/streamLevels.js';
import type { Sources } from '../../sources/sources.js';
import type {
  CustomAttributeCondition,
  DeviceFilter,
  NumberRange,
  SiteFilter,
  StreamFilter,
} from '../generated/resolverTypes.js';
import { readId } from './nodeId.js';
import { toComparable } from './search.js';
import { readSilentFor } from './timeArguments.js';

/** The sources that filters and orders of lists read. */
export type ListSources = Pick<
  Sources,
  | 'organizations'
  | 'sites'
  | 'siteAttributes'
  | 'streamAttributes'
  | 'streams'
  | 'devices'
  | 'channels'
  | 'samples'
  | 'states'
  | 'deviceRecords'
  | 'aggregates'
>;

/** Creates the test of one filter field from the value that the caller passed. */
type CreateTest<Value, Context extends unknown[], Test> = (
  value: NonNullable<Value>,
  ...context: Context
) => Test;

/** One entry for each field of the filter: the compiler reports a field without one. */
export type FilterTests<Filter, Test, Context extends unknown[] = []> = {
  readonly [Field in keyof Filter]-?: CreateTest<Filter[Field], Context, Test>;
};

/** The tests of the fields that are set. */
export function createTests<Filter extends object, Test, Context extends unknown[]>(
  filter: Filter,
  tests: FilterTests<Filter, Test, Context>,
  ...context: Context
): Test[] {
  const toTest = <Field extends keyof Filter>(field: Field) => {
    const value = filter[field];
    return value == null ? [] : [tests[field](value, ...context)];
  };
  return (Object.keys(tests) as (keyof Filter)[]).flatMap(toTest);
}

type Narrow<Item> = (items: readonly Item[]) => Promise<readonly Item[]>;

/**
 * Tests that load data, in the order in which they run: the cheapest first. Each throws BAD_USER_INPUT before it loads
 * anything.
 */
type NarrowTests<Item, Filter> = FilterTests<Filter, Narrow<Item>, [ListSources]>;

/** The conditions that need more than the items themselves. */
export type SiteStateFilter = Pick<SiteFilter, 'customAttribute' | 'silentFor' | 'worstAlarm'>;
export type DeviceStateFilter = Pick<DeviceFilter, 'organizationId' | 'silentFor'>;
export type StreamStateFilter = Pick<
  StreamFilter,
  | 'organizationId'
  | 'siteCustomAttribute'
  | 'customAttribute'
  | 'newestValue'
  | 'silentFor'
  | 'thresholdStatus'
  | 'alarmLevel'
>;

const siteTests: NarrowTests<Site, SiteStateFilter> = {
  customAttribute: (condition, { siteAttributes }) => {
    const matches = createAttributeTest(condition, 'filter.customAttribute');
    return async (sites) => {
      await siteAttributes.prefetch(sites.length);
      return filterBy(sites, async ({ id }) => (await siteAttributes.ofSite(id)).some(matches));
    };
  },
  silentFor: (duration, { states }) => {
    const durationMs = readSilentFor(duration);
    return async (sites) => pick(sites, await states.silenceOfSites(sites, durationMs), isSilent);
  },
  worstAlarm:
    (alarms, { states }) =>
    async (sites) =>
      pick(sites, await states.worstAlarms(sites), (alarm) => alarms.includes(alarm)),
};

const deviceTests: NarrowTests<Device, DeviceStateFilter> = {
  organizationId: filterByOrganization,
  silentFor: (duration, { states }) => {
    const durationMs = readSilentFor(duration);
    return (devices) => states.silentDevices(devices, durationMs);
  },
};

const streamTests: NarrowTests<Stream, StreamStateFilter> = {
  organizationId: filterByOrganization,
  siteCustomAttribute: (condition, { siteAttributes }) => {
    const matches = createAttributeTest(condition, 'filter.siteCustomAttribute');
    return async (streams) => {
      await siteAttributes.prefetch(new Set(streams.map(({ siteId }) => siteId)).size);
      return filterBy(
        streams,
        async ({ siteId }) => siteId !== null && (await siteAttributes.ofSite(siteId)).some(matches),
      );
    };
  },
  customAttribute: (condition, { streamAttributes }) => {
    const matches = createAttributeTest(condition, 'filter.customAttribute');
    return (streams) =>
      filterBy(streams, async (stream) => (await streamAttributes.ofStream(stream)).some(matches));
  },
  newestValue: (range, { samples }) => {
    const matches = createRangeTest(range, 'filter.newestValue');
    return (streams) =>
      filterBy(streams, async (stream) => matches((await samples.last(stream))?.value ?? null));
  },
  silentFor: (duration, { states }) => {
    const durationMs = readSilentFor(duration);
    return async (streams) => pick(streams, await states.silenceOfStreams(streams, durationMs), isSilent);
  },
  thresholdStatus: (names, { states }) => {
    const wanted = new Set(names.map((name) => name.toLowerCase()));
    return async (streams) =>
      pick(
        streams,
        await states.levelsOfStreams(streams),
        (level) => level !== null && wanted.has(level.name.toLowerCase()),
      );
  },
  alarmLevel:
    (alarms, { states }) =>
    async (streams) =>
      pick(streams, await states.levelsOfStreams(streams), (level) => alarms.includes(alarmLevelOf(level))),
};

export const narrowSites = createNarrowing(siteTests);
export const narrowDevices = createNarrowing(deviceTests);
export const narrowStreams = createNarrowing(streamTests);

/** Returns the items at once if the filter has no such condition. */
function createNarrowing<Item, Filter extends object>(tests: NarrowTests<Item, Filter>) {
  return (items: readonly Item[], filter: Filter | null | undefined, sources: ListSources) => {
    const steps = filter ? createTests(filter, tests, sources) : [];
    if (steps.length === 0) return items;
    return steps.reduce<Promise<readonly Item[]>>(async (narrowing, step) => {
      const left = await narrowing;
      return left.length === 0 ? left : step(left);
    }, Promise.resolve(items));
  };
}

function filterByOrganization<Item extends { siteId: number | null }>(
  id: string,
  sources: ListSources,
): Narrow<Item> {
  const organizationId = readId('Organization', id, 'filter.organizationId');
  return async (items) => {
    const sites = await sitesOfOrganizations(sources, await sources.sites.all(), [organizationId]);
    const siteIds = new Set(sites.map((site) => site.id));
    return items.filter(({ siteId }) => siteId !== null && siteIds.has(siteId));
  };
}

/** The sites that belong to all of these organizations; all sites if `organizationIds` is empty. */
export async function sitesOfOrganizations(
  { organizations }: Pick<Sources, 'organizations'>,
  sites: readonly Site[],
  organizationIds: readonly number[],
): Promise<readonly Site[]> {
  const isAmbiguous = organizationIds.length > 0 && sites.some((site) => site.organizationId === null);
  const unassigned = isAmbiguous
    ? await organizations.select((list) => organizationOfUnassigned(list)?.id)
    : undefined;
  return sites.filter((site) => organizationIds.every((id) => (site.organizationId ?? unassigned) === id));
}

function isSilent(silence: string): boolean {
  return silence === 'silent';
}

/** The items whose state passes. `states` are in the order of the items. */
function pick<Item, State>(
  items: readonly Item[],
  states: readonly State[],
  passes: (state: State) => boolean,
): Item[] {
  const passing = states.map(passes);
  return items.filter((_, index) => passing[index]);
}

async function filterBy<Item>(
  items: readonly Item[],
  matches: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  return pick(items, await Promise.all(items.map(matches)), (isMatch) => isMatch);
}

function createAttributeTest({ name, value, valueContains }: CustomAttributeCondition, argument: string) {
  if (name.trim() === '') throw createBadInputError(`${argument}.name`, 'is empty.');
  const wanted = [name, value, valueContains].map((text) => (text == null ? undefined : toComparable(text)));
  return (attribute: CustomAttribute): boolean => {
    const own = toComparable(attribute.value);
    const [wantedName, wantedValue, wantedPart] = wanted;
    return (
      toComparable(attribute.name) === wantedName &&
      (wantedValue === undefined || own === wantedValue) &&
      (wantedPart === undefined || own.includes(wantedPart))
    );
  };
}

function createRangeTest({ min, max }: NumberRange, argument: string) {
  const [low, high] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY];
  if (low > high) throw createBadInputError(argument, `min (${low}) is greater than max (${high}).`);
  return (value: number | null): boolean => value !== null && value >= low && value <= high;
}
