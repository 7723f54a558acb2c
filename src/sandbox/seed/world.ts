/** Collects the initial rows of each table, before they are written. */
import type { SqlValue } from '../database/queries.js';
import type { Source } from './source.js';

export const WORLD_TABLES = [
  ...(['account', 'organization', 'user', 'site', 'device', 'channel', 'stream'] as const),
  ...(['attribute', 'attribute_value', 'threshold'] as const),
] as const;

/** The first id of each table, of a magnitude that is usual on the platform. */
const FIRST_IDS = {
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
  /** A value for each column, in the order of the table. */
  readonly rows: Readonly<Record<(typeof WORLD_TABLES)[number], SqlValue[][]>>;
  readonly sources: Source[];
  /** The next free id of a table, over all accounts. */
  nextId(table: keyof typeof FIRST_IDS): number;
}

export function createWorld(): World {
  const rows = Object.fromEntries(WORLD_TABLES.map((table) => [table, []])) as unknown as World['rows'];
  const next = { ...FIRST_IDS };
  return { rows, sources: [], nextId: (table) => next[table]++ };
}
