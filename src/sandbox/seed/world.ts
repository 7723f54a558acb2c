/** Collects the initial rows of each table, before they are written. */
import type { SqlValue } from '../database/queries.js';
import type { Source } from './source.js';

export type WorldTable =
  | 'account'
  | 'organization'
  | 'user'
  | 'site'
  | 'device'
  | 'channel'
  | 'stream'
  | 'attribute'
  | 'attribute_value'
  | 'threshold';

export const WORLD_COLUMNS: Readonly<Record<WorldTable, readonly string[]>> = {
  account: ['id', 'display_name'],
  organization: ['id', 'account_id', 'display_name'],
  user: [
    ...['id', 'account_id', 'user_name', 'email_address', 'timezone_name', 'first_name', 'last_name'],
    ...['mobile_phone', 'date_format', 'time_format'],
  ],
  site: [
    ...['id', 'account_id', 'creation_date', 'display_name', 'status', 'latitude', 'longitude'],
    'account_organization_id',
  ],
  device: [
    ...['id', 'account_id', 'site_id', 'serial_number', 'display_name', 'model_number', 'akid', 'iccid'],
    ...['iccid2', 'meid', 'firmware_version'],
  ],
  channel: [
    ...['id', 'account_id', 'device_id', 'creation_date', 'display_name', 'on_device_num', 'type_id'],
    ...['type_display_name', 'status_id', 'display_status_name'],
  ],
  stream: [
    ...['id', 'account_id', 'site_id', 'creation_date', 'display_name', 'type_id', 'type_display_name'],
    ...['units', 'value_scale', 'status_id'],
  ],
  attribute: ['id', 'account_id', 'target', 'display_name'],
  attribute_value: ['attribute_id', 'parent_id', 'value'],
  threshold: ['stream_id', 'levels'],
};

/** The first id of each table, of a magnitude that is usual on the platform. */
const FIRST_IDS: Readonly<Record<string, number>> = {
  account: 1207,
  organization: 310,
  user: 5101,
  site: 16801,
  device: 20411,
  channel: 31001,
  stream: 88001,
  attribute: 501,
};

export interface World {
  readonly rows: Readonly<Record<WorldTable, SqlValue[][]>>;
  readonly sources: Source[];
  /** The next free id of a table, over all accounts. */
  nextId(table: WorldTable): number;
}

export function createWorld(): World {
  const tables = Object.keys(WORLD_COLUMNS);
  const rows = Object.fromEntries(tables.map((table) => [table, []])) as unknown as World['rows'];
  const next: Record<string, number> = { ...FIRST_IDS };
  return {
    rows,
    sources: [],
    nextId(table) {
      const id = next[table] ?? 1;
      next[table] = id + 1;
      return id;
    },
  };
}
