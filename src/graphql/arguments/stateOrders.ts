/**
 * Sorts lists by data that the items themselves do not contain: newest samples, alarms, statistics, health counters. Reads
 * a source where an order needs it alone, because reading it creates it.
 */
import { createBadInputError } from '../../errors.js';
import type { Aggregate } from '../../sources/charts/aggregates.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import { alarmLevelOf, alarmLevels } from '../../sources/state/streamLevels.js';
import type {
  AggregateOrder,
  DeviceOrder,
  DeviceOrderField,
  OrderStatistic,
  SiteOrder,
  StreamOrder,
  StreamOrderField,
} from '../generated/resolverTypes.js';
import { deviceOrder, type OrderArgument, type SiteEntityOrder, sortBy, streamOrder } from './ordering.js';
import type { ListSources } from './stateFilters.js';
import { readRange } from './timeArguments.js';

/** A sorted list, and the number that it is sorted by, for the edges. */
export interface OrderedList<Item> {
  items: readonly Item[];
  numberOf?: (item: Item) => number | null;
}

/** Loads the numbers of all items, in their order. */
type LoadNumbers<Item> = (items: readonly Item[]) => Promise<readonly (number | null)[]>;

/** The most items that are sorted by a loaded number: each costs a REST call or more. */
const MAX_RANKED = 200;

export function orderStreams(
  streams: readonly Stream[],
  order: StreamOrder | null | undefined,
  sources: ListSources,
): OrderedList<Stream> | Promise<OrderedList<Stream>> {
  if (!order) return { items: streams };
  const { field, aggregate } = order;
  if (aggregate && field !== 'AGGREGATE') {
    throw createBadInputError('orderBy.aggregate', 'needs the field AGGREGATE.');
  }
  const load = findStreamNumbers(field, aggregate, sources);
  return load === undefined
    ? { items: sortBy(streams, order, { ...streamOrder, ...NO_KEYS }) }
    : sortByNumbers(streams, order, load);
}

/** The compiler requires keys for all fields; these are sorted by loaded numbers. */
const NO_KEYS = {
  NEWEST_VALUE: () => null,
  NEWEST_SAMPLED_AT: () => null,
  ALARM_LEVEL: () => null,
  AGGREGATE: () => null,
};

function findStreamNumbers(
  field: StreamOrderField,
  aggregate: AggregateOrder | null | undefined,
  sources: ListSources,
): LoadNumbers<Stream> | undefined {
  if (field === 'NEWEST_VALUE') {
    return (streams) =>
      Promise.all(streams.map(async (one) => (await sources.samples.last(one))?.value ?? null));
  }
  if (field === 'NEWEST_SAMPLED_AT') {
    return (streams) =>
      Promise.all(
        streams.map(async (one) => {
          const last = await sources.samples.last(one);
          return last && Date.parse(last.sampledAt);
        }),
      );
  }
  if (field === 'ALARM_LEVEL') {
    return async (streams) =>
      (await sources.states.levelsOfStreams(streams)).map((level) =>
        alarmLevels.indexOf(alarmLevelOf(level)),
      );
  }
  if (field !== 'AGGREGATE') return undefined;
  if (!aggregate) throw createBadInputError('orderBy.aggregate', 'must be set with the field AGGREGATE.');
  const span = readRange(aggregate.range);
  const read = readStatistic[aggregate.statistic ?? 'AVG'];
  return (streams) => {
    checkRanked(streams.length, 'streams');
    return Promise.all(
      streams.map(async ({ id, units }) => {
        const total = await sources.aggregates.total(id, span, units);
        return total && read(total);
      }),
    );
  };
}

const readStatistic: Readonly<
  Record<OrderStatistic, (total: Aggregate) => number | null | Promise<number | null>>
> = {
  COUNT: ({ count }) => count,
  MIN: ({ min }) => min,
  MAX: ({ max }) => max,
  AVG: ({ avg }) => avg,
  SUM: ({ sum }) => sum,
  LAST: async ({ details }) => (await details()).last,
  DELTA: async ({ details }) => (await details()).delta,
  INTEGRAL: async ({ details }) => (await details()).integral,
  TIME_WEIGHTED_AVG: async ({ details }) => (await details()).timeWeightedAvg,
};

export function orderDevices(
  devices: readonly Device[],
  order: DeviceOrder | null | undefined,
  sources: ListSources,
): OrderedList<Device> | Promise<OrderedList<Device>> {
  if (order?.field !== 'HEALTH_COUNTER') {
    if (order?.counter != null) {
      throw createBadInputError('orderBy.counter', 'needs the field HEALTH_COUNTER.');
    }
    const keys = { ...deviceOrder, HEALTH_COUNTER: () => null };
    return { items: sortBy<Device, DeviceOrderField>(devices, order, keys) };
  }
  const { counter } = order;
  if (!counter) throw createBadInputError('orderBy.counter', 'must be set with the field HEALTH_COUNTER.');
  checkRanked(devices.length, 'devices');
  return sortByNumbers(devices, order, (list) =>
    Promise.all(
      list.map(async ({ id }) => (await sources.deviceRecords.lastHealth(id, [counter]))[0]?.value ?? null),
    ),
  );
}

/** `entityKeys`: of the fields that sites themselves contain. */
export function orderSites(
  sites: readonly Site[],
  order: SiteOrder | null | undefined,
  entityKeys: SiteEntityOrder,
  sources: ListSources,
): OrderedList<Site> | Promise<OrderedList<Site>> {
  if (order?.field === 'WORST_ALARM') {
    return sortByNumbers(sites, order, async (list) =>
      (await sources.states.worstAlarms(list)).map((alarm) => alarmLevels.indexOf(alarm)),
    );
  }
  if (order?.field === 'NEWEST_SAMPLED_AT') return sortByNumbers(sites, order, sources.states.newestAtSites);
  const keys = { ...entityKeys, WORST_ALARM: () => null, NEWEST_SAMPLED_AT: () => null };
  return { items: sortBy(sites, order, keys) };
}

async function sortByNumbers<Item, Field extends string>(
  items: readonly Item[],
  { direction }: OrderArgument<Field>,
  load: LoadNumbers<Item>,
): Promise<OrderedList<Item>> {
  const numbers = await load(items);
  const byItem = new Map(items.map((item, index) => [item, numbers[index] ?? null]));
  const numberOf = (item: Item) => byItem.get(item) ?? null;
  return { items: sortBy(items, { field: 'VALUE', direction }, { VALUE: numberOf }), numberOf };
}

function checkRanked(count: number, noun: string): void {
  if (count <= MAX_RANKED) return;
  throw createBadInputError(
    'orderBy.field',
    `needs a REST call for each of ${count} ${noun}, more than ${MAX_RANKED}; use a filter.`,
  );
}
