/** Sorts lists in the gateway, because the REST API cannot. Numbers inside texts sort by value, missing values last. */
import type { Channel } from '../../sources/entities/channels.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Organization } from '../../sources/entities/organizations.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import type { User } from '../../sources/entities/users.js';
import type {
  ChannelOrderField,
  DeviceOrderField,
  OrganizationOrderField,
  SiteOrderField,
  StreamOrderField,
  UserOrderField,
} from '../generated/resolverTypes.js';
import type { DistanceOf } from './siteDistance.js';

export interface OrderArgument<Field extends string> {
  field: Field;
  direction?: 'ASC' | 'DESC' | null | undefined;
}

type SortKeys<Item, Field extends string> = Readonly<Record<Field, (item: Item) => string | number | null>>;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns a sorted copy, or the unchanged list if there is no order. The sort is stable. */
export function sortBy<Item, Field extends string>(
  items: readonly Item[],
  order: OrderArgument<Field> | null | undefined,
  keys: SortKeys<Item, Field>,
): readonly Item[] {
  if (!order) return items;
  const keyOf = keys[order.field];
  const sign = order.direction === 'DESC' ? -1 : 1;
  return [...items].sort((one, other) => compare(keyOf(one), keyOf(other), sign));
}

function compare(one: string | number | null, other: string | number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
  return sign * collator.compare(String(one), String(other));
}

export const organizationOrder: SortKeys<Organization, OrganizationOrderField> = {
  NAME: ({ name }) => name,
  ID: ({ id }) => id,
};

export const userOrder: SortKeys<User, UserOrderField> = {
  USER_NAME: ({ userName }) => userName,
  ID: ({ id }) => id,
};

/** Fields that are sorted by loaded numbers; see `stateOrders`. */
type SiteStateField = 'WORST_ALARM' | 'NEWEST_SAMPLED_AT';
type StreamStateField = 'NEWEST_VALUE' | 'NEWEST_SAMPLED_AT' | 'ALARM_LEVEL' | 'AGGREGATE';

export type SiteEntityOrder = SortKeys<Site, Exclude<SiteOrderField, SiteStateField>>;

export function createSiteOrder(distanceOf: DistanceOf): SiteEntityOrder {
  return {
    NAME: ({ name }) => name,
    STATUS: ({ status }) => status,
    CREATED_AT: ({ createdAt }) => createdAt,
    DISTANCE: distanceOf,
    ID: ({ id }) => id,
  };
}

export const deviceOrder: SortKeys<Device, Exclude<DeviceOrderField, 'HEALTH_COUNTER'>> = {
  NAME: ({ name }) => name,
  SERIAL_NUMBER: ({ serialNumber }) => serialNumber,
  MODEL_NUMBER: ({ modelNumber }) => modelNumber,
  FIRMWARE_VERSION: ({ firmwareVersion }) => firmwareVersion,
  ID: ({ id }) => id,
};

export const channelOrder: SortKeys<Channel, ChannelOrderField> = {
  NAME: ({ name }) => name,
  TYPE: ({ type }) => type?.name ?? null,
  CREATED_AT: ({ createdAt }) => createdAt,
  NUMBER_ON_DEVICE: ({ numberOnDevice }) => numberOnDevice,
  ID: ({ id }) => id,
};

export const streamOrder: SortKeys<Stream, Exclude<StreamOrderField, StreamStateField>> = {
  NAME: ({ name }) => name,
  TYPE: ({ type }) => type?.name ?? null,
  UNITS: ({ units }) => units,
  CREATED_AT: ({ createdAt }) => createdAt,
  ID: ({ id }) => id,
};
