/** Counts the values in use among the items of a list. */
import type { Channel } from '../../sources/entities/channels.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';

interface FacetValue {
  value: string;
  count: number;
}

const MAX_VALUES = 100;

/** The most frequent values first, equal counts by value. Items with null have none. */
function countValues<Item>(items: readonly Item[], readValue: (item: Item) => string | null): FacetValue[] {
  const counts = new Map<string, number>();
  for (const item of items) {
    const value = readValue(item);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, MAX_VALUES);
}

const typeOf = ({ type }: Pick<Stream, 'type'>) => nameOf(type);
const statusOf = ({ status }: Pick<Stream, 'status'>) => nameOf(status);

/** The platform's number where it has no name. */
export function nameOf(classification: Stream['type']): string | null {
  return classification && (classification.name ?? String(classification.id));
}

export const siteFacets = (sites: readonly Site[]) => ({
  statuses: countValues(sites, ({ status }) => status),
});

export const deviceFacets = (devices: readonly Device[]) => ({
  models: countValues(devices, ({ modelNumber }) => modelNumber),
  firmwareVersions: countValues(devices, ({ firmwareVersion }) => firmwareVersion),
});

export const channelFacets = (channels: readonly Channel[]) => ({
  types: countValues(channels, typeOf),
  statuses: countValues(channels, statusOf),
});

export const streamFacets = (streams: readonly Stream[]) => ({
  types: countValues(streams, typeOf),
  units: countValues(streams, ({ units }) => units),
  statuses: countValues(streams, statusOf),
});
