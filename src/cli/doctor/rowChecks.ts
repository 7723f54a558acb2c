/** Checks of `fieldgraph doctor` on rows of the data: their number, their ids, and names that settings must match. */
import type { Config } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import { createRowDecoder } from '../../rest/decode/rowDecoder.js';
import { MAX_LIST_LENGTH } from '../../sources/core/fetchPlan.js';
import { type Finding, warning } from './report.js';

export const ATTRIBUTES = 'custom attributes';
export const SUPPORT = "Contact the platform's support.";

const decodeId = createRowDecoder({ id: 'id' });
export const readId = (row: unknown) => decodeId(row)?.id;

interface List {
  name: string;
  rows: readonly unknown[];
}

/** The platform also lists these for each site or device. */
const DIVISIBLE = ['devices', 'channels', 'streams', ATTRIBUTES];

export function checkLength({ name, rows }: List): Finding[] {
  if (rows.length < MAX_LIST_LENGTH) return [];
  const message = `The list of all ${name} is truncated to ${MAX_LIST_LENGTH} items.`;
  const remedy = DIVISIBLE.includes(name)
    ? 'The gateway reads the rest by site, which takes more calls. Filter by site where possible.'
    : "Further ones are missing in lists and filters. Name them by their ids, or ask the platform's support.";
  return [warning('data.lists', message, remedy)];
}

/** For a list that has not failed; a list in which no row has an id counts as failed. */
export function checkIds({ name, rows }: List): Finding[] {
  const unreadable = rows.filter((row) => readId(row) === undefined).length;
  if (unreadable === 0) return [];
  const message = `${unreadable} of ${rows.length} rows in the list of all ${name} have no id. The gateway leaves them out.`;
  return [warning('data.rows', message, SUPPORT)];
}

const decodeName = createRowDecoder({ display_name: 'string' });

/**
 * `rows`: custom attributes of streams. An account may have no attribute of the default name, and link its streams
 * in another way.
 */
export function checkChannelAttribute(rows: readonly unknown[], name: string): Finding[] {
  const isDefault = name === settings.CHANNEL_ATTRIBUTE.defaultValue;
  const isCertain = rows.length > 0 && rows.length < MAX_LIST_LENGTH;
  if (isDefault || !isCertain || rows.some((row) => decodeName(row)?.display_name === name)) return [];
  const message = `No stream has the custom attribute ${JSON.stringify(name)}, so CHANNEL_ATTRIBUTE has no effect.`;
  return [warning('data.channels', message, 'Correct the name, or remove CHANNEL_ATTRIBUTE.')];
}

const decodeCounter = createRowDecoder({ counter_type_id: 'integer' });

/** `rows`: the counters of one device, as a sample of all devices. */
export function checkCounters(rows: readonly unknown[], counters: Config['healthCounters']): Finding[] {
  const named = new Set(counters.map(({ typeId }) => typeId));
  const types = rows.flatMap((row) => decodeCounter(row)?.counter_type_id ?? []);
  const unnamed = [...new Set(types)].filter((type) => !named.has(type)).sort((a, b) => a - b);
  if (unnamed.length === 0) return [];
  const message = `Health counter types without a name: ${unnamed.join(', ')}.`;
  const remedy =
    'Set HEALTH_COUNTERS, for example HEALTH_COUNTERS=1=Battery:mV,4=Restarts. The documentation of the devices lists the types.';
  return [warning('data.counters', message, remedy)];
}
