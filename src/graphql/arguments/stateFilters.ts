/**
 * Filters lists by data that the items themselves do not contain: their site, their attributes, their newest samples.
 * Such a condition is applied to the whole list, so that it can load in batches, and after all conditions that need
 * only the items themselves.
 */
import { createBadInputError } from '../../errors.js';
import { filterAsync } from '../../lib/maybePromise.js';
import type { CustomAttribute } from '../../sources/entities/customAttributes.js';
import type { Device } from '../../sources/entities/devices.js';
import { organizationOfUnassigned } from '../../sources/entities/organizations.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import { alarmLevelOf } from '../../sources/samples/streamLevels.js';
import type { Sources } from '../../sources/sources.js';
import type { ReadSources } from '../context.js';
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

/** For each field of the filter, a function that creates its condition from the value that the caller passed. */
export type FilterTable<Filter, Condition, Context extends unknown[] = []> = {
  readonly [Field in keyof Filter]-?: (value: NonNullable<Filter[Field]>, ...context: Context) => Condition;
};

/** The conditions of the fields that are set. */
export function createConditions<Filter extends object, Condition, Context extends unknown[]>(
  filter: Filter,
  table: FilterTable<Filter, Condition, Context>,
  ...context: Context
): Condition[] {
  const toCondition = <Field extends keyof Filter>(field: Field) => {
    const value = filter[field];
    return value == null ? [] : [table[field](value, ...context)];
  };
  return (Object.keys(table) as (keyof Filter)[]).flatMap(toCondition);
}

type Narrow<Item> = (items: readonly Item[]) => Promise<readonly Item[]>;

/**
 * Conditions that load data, in the order in which they are applied: the cheapest first. Each throws BAD_USER_INPUT before
 * it loads anything.
 */
type StateFilterTable<Item, Filter> = Partial<FilterTable<Filter, Narrow<Item>, [ReadSources]>>;

const siteStateTable = {
  customAttribute: (condition, { siteAttributes }) => {
    const matches = createAttributeTest(condition, 'filter.customAttribute');
    return async (sites) => {
      await siteAttributes.prefetch(sites.length);
      return filterAsync(sites, async ({ id }) => (await siteAttributes.ofSite(id)).some(matches));
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
} satisfies StateFilterTable<Site, SiteFilter>;

const deviceStateTable = {
  organizationId: filterByOrganization,
  silentFor: (duration, { states }) => {
    const durationMs = readSilentFor(duration);
    return (devices) => states.silentDevices(devices, durationMs);
  },
} satisfies StateFilterTable<Device, DeviceFilter>;

const streamStateTable = {
  organizationId: filterByOrganization,
  siteCustomAttribute: (condition, { siteAttributes }) => {
    const matches = createAttributeTest(condition, 'filter.siteCustomAttribute');
    return async (streams) => {
      await siteAttributes.prefetch(new Set(streams.map(({ siteId }) => siteId)).size);
      return filterAsync(
        streams,
        async ({ siteId }) => siteId !== null && (await siteAttributes.ofSite(siteId)).some(matches),
      );
    };
  },
  customAttribute: (condition, { streamAttributes }) => {
    const matches = createAttributeTest(condition, 'filter.customAttribute');
    return (streams) =>
      filterAsync(streams, async (stream) => (await streamAttributes.ofStream(stream)).some(matches));
  },
  newestValue: (range, { samples }) => {
    const matches = createRangeTest(range, 'filter.newestValue');
    return (streams) =>
      filterAsync(streams, async (stream) => matches((await samples.last(stream))?.value ?? null));
  },
  silentFor: (duration, { states }) => {
    const durationMs = readSilentFor(duration);
    return async (streams) => pick(streams, await states.silenceOfStreams(streams, durationMs), isSilent);
  },
  thresholdStatus: (names, { states }) => {
    const wanted = new Set(names.map(toComparable));
    return async (streams) =>
      pick(
        streams,
        await states.levelsOfStreams(streams),
        (level) => level !== null && wanted.has(toComparable(level.name)),
      );
  },
  alarmLevel:
    (alarms, { states }) =>
    async (streams) =>
      pick(streams, await states.levelsOfStreams(streams), (level) => alarms.includes(alarmLevelOf(level))),
} satisfies StateFilterTable<Stream, StreamFilter>;

/** The fields that need more than the items themselves. */
export type SiteStateField = keyof typeof siteStateTable;
export type DeviceStateField = keyof typeof deviceStateTable;
export type StreamStateField = keyof typeof streamStateTable;

export const narrowSites = createNarrowing<Site, Pick<SiteFilter, SiteStateField>>(siteStateTable);
export const narrowDevices = createNarrowing<Device, Pick<DeviceFilter, DeviceStateField>>(deviceStateTable);
export const narrowStreams = createNarrowing<Stream, Pick<StreamFilter, StreamStateField>>(streamStateTable);

/** Returns the items at once if the filter has no such condition. */
function createNarrowing<Item, Filter extends object>(
  table: FilterTable<Filter, Narrow<Item>, [ReadSources]>,
) {
  return (items: readonly Item[], filter: Filter | null | undefined, sources: ReadSources) => {
    const conditions = filter ? createConditions(filter, table, sources) : [];
    if (conditions.length === 0) return items;
    return conditions.reduce<Promise<readonly Item[]>>(async (narrowing, narrow) => {
      const left = await narrowing;
      return left.length === 0 ? left : narrow(left);
    }, Promise.resolve(items));
  };
}

function filterByOrganization<Item extends { siteId: number | null }>(
  id: string,
  sources: ReadSources,
): Narrow<Item> {
  const organizationId = readId('Organization', id, 'filter.organizationId');
  return async (items) => {
    const sites = await sitesOfOrganizations(sources, (await sources.sites.list()).items, [organizationId]);
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
  const unassigned = isAmbiguous ? organizationOfUnassigned(await organizations.list())?.id : undefined;
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
