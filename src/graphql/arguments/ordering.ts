/**
 * Sorts lists in the gateway, because the REST API cannot: by keys that the items contain, or by numbers that are
 * loaded for them. Numbers inside strings sort by value, missing values last.
 */
import { createBadInputError } from '../../errors.js';
import type { Aggregate } from '../../sources/charts/aggregates.js';
import type { Channel } from '../../sources/entities/channels.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Organization } from '../../sources/entities/organizations.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import type { User } from '../../sources/entities/users.js';
import { alarmLevelOf, alarmLevels } from '../../sources/samples/streamLevels.js';
import type { ReadSources } from '../context.js';
import type {
  ChannelOrderField,
  DeviceOrder,
  OrderStatistic,
  OrganizationOrderField,
  SiteOrder,
  StreamOrder,
  UserOrderField,
} from '../generated/resolverTypes.js';
import type { DistanceOf } from './siteDistance.js';
import { readRange } from './timeArguments.js';

interface OrderArgument<Field extends string> {
  field: Field;
  direction?: 'ASC' | 'DESC' | null | undefined;
}

type SortKey<Item> = (item: Item) => string | number | null;
type SortKeys<Item, Field extends string> = Readonly<Record<Field, SortKey<Item>>>;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns a sorted copy, or the unchanged list if there is no order. The sort is stable. */
export function sortBy<Item, Field extends string>(
  items: readonly Item[],
  order: OrderArgument<Field> | null | undefined,
  keys: SortKeys<Item, Field>,
): readonly Item[] {
  return order ? sortByKey(items, order.direction, keys[order.field]) : items;
}

function sortByKey<Item>(
  items: readonly Item[],
  direction: OrderArgument<string>['direction'],
  keyOf: SortKey<Item>,
): readonly Item[] {
  const sign = direction === 'DESC' ? -1 : 1;
  // Each key is computed once, because an item is compared many times.
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((one, other) => compare(one.key, other.key, sign)).map(({ item }) => item);
}

function compare(one: string | number | null, other: string | number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
  return sign * collator.compare(String(one), String(other));
}

/** Compared as text, fractions of one second would be out of order. */
function createdAtMs({ createdAt }: { createdAt: string | null }): number | null {
  return createdAt === null ? null : Date.parse(createdAt);
}

export const organizationOrder: SortKeys<Organization, OrganizationOrderField> = {
  NAME: ({ name }) => name,
  ID: ({ id }) => id,
};

export const userOrder: SortKeys<User, UserOrderField> = {
  USER_NAME: ({ userName }) => userName,
  ID: ({ id }) => id,
};

export const channelOrder: SortKeys<Channel, ChannelOrderField> = {
  NAME: ({ name }) => name,
  TYPE: ({ type }) => type?.name ?? null,
  CREATED_AT: createdAtMs,
  NUMBER_ON_DEVICE: ({ numberOnDevice }) => numberOnDevice,
  ID: ({ id }) => id,
};

/** A sorted list, and the number that it is sorted by, for the edges. */
export interface OrderedList<Item> {
  items: readonly Item[];
  numberOf?: (item: Item) => number | null;
}

/** Loads the numbers of all items, in the order of the items. Takes the sources, because reading a source creates it. */
interface LoadedOrder<Item, Order> {
  isOnEdges?: true;
  load(items: readonly Item[], sources: ReadSources, order: Order): Promise<readonly (number | null)[]>;
}

/** One entry for each field of the order: the compiler reports a field without one. */
type OrderRules<Item, Order extends OrderArgument<string>> = Readonly<
  Record<Order['field'], SortKey<Item> | LoadedOrder<Item, Order>>
>;

function orderItems<Item, Order extends OrderArgument<string>>(
  items: readonly Item[],
  order: Order | null | undefined,
  sources: ReadSources,
  rules: OrderRules<Item, Order>,
): OrderedList<Item> | Promise<OrderedList<Item>> {
  if (!order) return { items };
  const rule = rules[order.field as Order['field']];
  return typeof rule === 'function'
    ? { items: sortByKey(items, order.direction, rule) }
    : sortByNumbers(items, order.direction, rule.load(items, sources, order), rule.isOnEdges);
}

async function sortByNumbers<Item>(
  items: readonly Item[],
  direction: OrderArgument<string>['direction'],
  loading: Promise<readonly (number | null)[]>,
  isOnEdges = false,
): Promise<OrderedList<Item>> {
  const numbers = await loading;
  const byItem = new Map(items.map((item, index) => [item, numbers[index] ?? null]));
  const numberOf = (item: Item) => byItem.get(item) ?? null;
  const sorted = sortByKey(items, direction, numberOf);
  return isOnEdges ? { items: sorted, numberOf } : { items: sorted };
}

function createSiteRules(distanceOf: DistanceOf): OrderRules<Site, SiteOrder> {
  return {
    NAME: ({ name }) => name,
    STATUS: ({ status }) => status,
    CREATED_AT: createdAtMs,
    DISTANCE: distanceOf,
    ID: ({ id }) => id,
    WORST_ALARM: {
      load: async (sites, { states }) =>
        (await states.worstAlarms(sites)).map((alarm) => alarmLevels.indexOf(alarm)),
    },
    NEWEST_SAMPLED_AT: { load: (sites, { states }) => states.newestAtSites(sites) },
  };
}

export function orderSites(
  sites: readonly Site[],
  order: SiteOrder | null | undefined,
  sources: ReadSources,
  distanceOf: DistanceOf,
): OrderedList<Site> | Promise<OrderedList<Site>> {
  return orderItems(sites, order, sources, createSiteRules(distanceOf));
}

const deviceRules: OrderRules<Device, DeviceOrder> = {
  NAME: ({ name }) => name,
  SERIAL_NUMBER: ({ serialNumber }) => serialNumber,
  MODEL_NUMBER: ({ modelNumber }) => modelNumber,
  FIRMWARE_VERSION: ({ firmwareVersion }) => firmwareVersion,
  ID: ({ id }) => id,
  HEALTH_COUNTER: {
    isOnEdges: true,
    async load(devices, { deviceRecords }, { counter }) {
      if (!counter)
        throw createBadInputError('orderBy.counter', 'must be set with the field HEALTH_COUNTER.');
      const problem = deviceRecords.findCounterProblem(counter);
      if (problem !== undefined) throw createBadInputError('orderBy.counter', problem);
      checkRanked(devices.length, 'devices');
      const records = await Promise.all(devices.map(({ id }) => deviceRecords.lastHealth(id, [counter])));
      return records.map(([newest]) => newest?.value ?? null);
    },
  },
};

export function orderDevices(
  devices: readonly Device[],
  order: DeviceOrder | null | undefined,
  sources: ReadSources,
): OrderedList<Device> | Promise<OrderedList<Device>> {
  if (order?.counter != null && order.field !== 'HEALTH_COUNTER') {
    throw createBadInputError('orderBy.counter', 'needs the field HEALTH_COUNTER.');
  }
  return orderItems(devices, order, sources, deviceRules);
}

const streamRules: OrderRules<Stream, StreamOrder> = {
  NAME: ({ name }) => name,
  TYPE: ({ type }) => type?.name ?? null,
  UNITS: ({ units }) => units,
  CREATED_AT: createdAtMs,
  ID: ({ id }) => id,
  NEWEST_VALUE: {
    isOnEdges: true,
    load: async (streams, { samples }) =>
      (await Promise.all(streams.map((one) => samples.last(one)))).map((sample) => sample?.value ?? null),
  },
  NEWEST_SAMPLED_AT: {
    load: async (streams, { samples }) =>
      (await Promise.all(streams.map((one) => samples.last(one)))).map(
        (sample) => sample && Date.parse(sample.sampledAt),
      ),
  },
  ALARM_LEVEL: {
    load: async (streams, { states }) =>
      (await states.levelsOfStreams(streams)).map((level) => alarmLevels.indexOf(alarmLevelOf(level))),
  },
  AGGREGATE: {
    isOnEdges: true,
    async load(streams, { aggregates }, { aggregate }) {
      if (!aggregate) throw createBadInputError('orderBy.aggregate', 'must be set with the field AGGREGATE.');
      const span = readRange(aggregate.range);
      const statistic = aggregate.statistic ?? 'AVG';
      const needsSamples = isDetail(statistic);
      checkRanked(streams.length, 'streams');
      return Promise.all(
        streams.map(async (stream) => {
          const total = await aggregates.total(stream, { span, units: stream.units, needsSamples });
          return total && readStatistic(total, statistic);
        }),
      );
    },
  },
};

const totalFields = { COUNT: 'count', MIN: 'min', MAX: 'max', AVG: 'avg', SUM: 'sum' } as const;

/** Statistics that need the samples. */
const detailFields = {
  LAST: 'last',
  DELTA: 'delta',
  INTEGRAL: 'integral',
  TIME_WEIGHTED_AVG: 'timeWeightedAvg',
} as const;

function isDetail(statistic: OrderStatistic): statistic is keyof typeof detailFields {
  return statistic in detailFields;
}

async function readStatistic(total: Aggregate, statistic: OrderStatistic): Promise<number | null> {
  if (isDetail(statistic)) return (await total.details())[detailFields[statistic]];
  return total[totalFields[statistic]];
}

export function orderStreams(
  streams: readonly Stream[],
  order: StreamOrder | null | undefined,
  sources: ReadSources,
): OrderedList<Stream> | Promise<OrderedList<Stream>> {
  if (order?.aggregate && order.field !== 'AGGREGATE') {
    throw createBadInputError('orderBy.aggregate', 'needs the field AGGREGATE.');
  }
  return orderItems(streams, order, sources, streamRules);
}

/** The maximum number of items in an order that needs a REST call or more for each. */
const MAX_RANKED = 200;

function checkRanked(count: number, noun: string): void {
  if (count <= MAX_RANKED) return;
  throw createBadInputError(
    'orderBy.field',
    `needs a REST call for each of ${count} ${noun}, more than ${MAX_RANKED}; use a filter.`,
  );
}
