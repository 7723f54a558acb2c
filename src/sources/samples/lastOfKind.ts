/**
 * Loads the last image or RFID read of each stream: from the account's batch of the last hours, or by a call for each
 * stream that is missing from it.
 */
import { GatewayError } from '../../errors.js';
import { HOUR_MS } from '../../lib/clock.js';
import { type CallOptions, countSkippedRows } from '../../rest/callRecord.js';
import type { RowBatch } from '../../rest/endpointKinds.js';
import { Collection, type LoadedCollection, toCollection } from '../core/collections.js';
import type { KeyedSource } from '../core/keyedSource.js';
import { createPlannedLoader, type Loader } from '../core/loaders.js';
import type { ReadRequest } from '../core/lookup.js';
import type { Reader } from '../core/reader.js';
import { checkShape, isListOfIdentified } from '../core/storedShape.js';
import { addNewest, isLater, type StreamSample } from './newestSamples.js';

/** Bytes of an image or a read on the wire, estimated. */
const ROW_BYTES = 300;

interface LastOfKindOptions<Sample> {
  /** Names the relation in explanations. */
  name: string;
  /** The last sample of one stream; null if it has none. */
  single: KeyedSource<number, Sample | null>;
  /** Path template of the account's batch. */
  template: string;
  windowHours: number;
  /** The first page of the account's samples since a date. */
  readSince(sinceMs: number, options: CallOptions): Promise<RowBatch<Sample>>;
}

/**
 * The last sample of each stream for one operation. A stream without a sample in the batch has the last one that was read
 * alone, for as long as that is in memory: only a sample that arrives later than the window is missing until then.
 */
export function createLastOfKind<Sample extends StreamSample>(
  reader: Reader,
  nowMs: () => number,
  options: LastOfKindOptions<Sample>,
): Loader<number, Sample | null> {
  const { name, single } = options;
  const request = toBatchRequest(reader, nowMs, options);
  const batch = reader.lookup(request);
  return createPlannedLoader<number, Sample | null, Sample>(reader, {
    name,
    strategy: 'singles',
    collection: new Collection(reader, request),
    source: single,
    /** A stale sample never replaces a later one of a stale batch. */
    async loadOne({ key, lookup }) {
      const sample = await reader.load(lookup);
      return later(reader.inspect(batch).value?.byParent(key)[0], sample) ?? null;
    },
    pick(list, streamId) {
      if (!list.isComplete) return undefined;
      const read = reader.inspect(single.lookup(streamId));
      const value = 'origin' in read && !read.isSuspect ? read.value : undefined;
      return later(list.byParent(streamId)[0], value);
    },
  });
}

/** A platform without the batch may still have the samples of each stream. */
function toUnavailable(error: unknown): RowBatch<never> {
  if (error instanceof GatewayError && error.platform?.status === 404) return { samples: [], hasMore: true };
  throw error;
}

/** Undefined only if both are. */
function later<Sample extends StreamSample>(
  listed: Sample | undefined,
  single: Sample | null | undefined,
): Sample | null | undefined {
  if (listed === undefined || single === undefined || single === null) return listed ?? single;
  return isLater(single, listed) ? single : listed;
}

/** The newest sample of each stream, with the stream as parent. Without samples if the platform has more of them. */
function toBatchRequest<Sample extends StreamSample>(
  reader: Reader,
  nowMs: () => number,
  { template, windowHours, readSince }: LastOfKindOptions<Sample>,
): ReadRequest<LoadedCollection<Sample>> {
  const toLast = (samples: readonly Sample[], isComplete: boolean) =>
    toCollection(samples, ({ streamId }) => streamId, { isComplete, isPartial: !isComplete });
  return {
    kind: 'lastSample',
    template,
    parameter: `newest of ${windowHours} h`,
    bytesOf: ({ items }) => items.length * ROW_BYTES,
    async load(options) {
      const sinceMs = nowMs() - windowHours * HOUR_MS;
      const counted = countSkippedRows(options);
      const batch = await readSince(sinceMs, counted.options).catch(toUnavailable);
      const isComplete = !batch.hasMore && counted.skippedRows() === 0;
      reader.endpointStats.recordTruncation(template, !isComplete);
      const newest = new Map<number, Sample>();
      if (isComplete) addNewest(newest, batch.samples, sinceMs);
      return toLast([...newest.values()], isComplete);
    },
    serialize: ({ items, isComplete }) => (isComplete ? items : null),
    deserialize: (stored) => toLast(checkShape<readonly Sample[]>(stored, isListOfIdentified), true),
  };
}
