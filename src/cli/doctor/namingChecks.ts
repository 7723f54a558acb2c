/** Checks of `fieldgraph doctor` on names in settings that must match the data: of an attribute, and of health counters. */
import type { Config } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import { createRowDecoder } from '../../rest/decode/rowDecoder.js';
import { MAX_LIST_LENGTH } from '../../sources/core/fetchPlan.js';
import { type Finding, warning } from './report.js';

const decodeName = createRowDecoder({ display_name: 'string' });

/** `rows`: custom attributes of streams. An account may have no attribute of the default name, and link streams otherwise. */
export function checkChannelAttribute(rows: readonly unknown[], name: string): Finding[] {
  const isDefault = name === settings.CHANNEL_ATTRIBUTE.defaultValue;
  const isCertain = rows.length > 0 && rows.length < MAX_LIST_LENGTH;
  if (isDefault || !isCertain || rows.some((row) => decodeName(row)?.display_name === name)) return [];
  const message = `No stream has the custom attribute ${JSON.stringify(name)}, so CHANNEL_ATTRIBUTE has no effect.`;
  return [warning('data.channels', message, 'Correct the name, or remove CHANNEL_ATTRIBUTE.')];
}

const decodeCounter = createRowDecoder({ counter_type_id: 'integer' });

/** The counters of one device stand for those of all. */
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
