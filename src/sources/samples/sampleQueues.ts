/** Reads the delivery queues of the platform. Reading does not move a queue; only an acknowledgement does. */
import type { CallOptions } from '../../rest/callRecord.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { rfidSampleRow, scalarSampleRow } from '../../rest/decode/rows.js';
import type { QueuePosition, RowBatch } from '../../rest/endpointKinds.js';
import type { RestClient } from '../../rest/restClient.js';
import { inOrderOfArrival, type ReadPage } from '../core/paginator.js';
import { convert } from '../core/wireValues.js';
import { type Sample, toRfidSample, toScalarSample } from './samples.js';

/** The kinds of samples that have a delivery queue, with the types of their samples. Images have none. */
export const queuedTypes = { SCALAR: 'ScalarSample', RFID: 'RfidSample' } as const;

export type QueueKind = keyof typeof queuedTypes;
export const queueKinds = Object.keys(queuedTypes) as readonly QueueKind[];

/** Reads the page of a queue after an id, in order of arrival. */
export type QueueReader<Sample> = ReadPage<Sample, number>;

const toScalarSamples = (rows: readonly RowOf<typeof scalarSampleRow>[]): Sample[] =>
  convert(rows, toScalarSample);
const toRfidSamples = (rows: readonly RowOf<typeof rfidSampleRow>[]): Sample[] => convert(rows, toRfidSample);

export type SampleQueues = ReturnType<typeof createSampleQueues>;

export function createSampleQueues(rest: RestClient, options: CallOptions) {
  return {
    /** In order of arrival. */
    async read(kind: QueueKind, position: QueuePosition): Promise<RowBatch<Sample>> {
      const { chunks, hasMore } =
        kind === 'SCALAR'
          ? await rest.queuedSamples(position, toScalarSamples, options)
          : await rest.queuedRfidReads(position, toRfidSamples, options);
      return { samples: inOrderOfArrival(chunks.flat()), hasMore };
    },
    /** The last acknowledged sample; null before the first acknowledgement. */
    async status(kind: QueueKind): Promise<Sample | null> {
      if (kind === 'SCALAR') {
        const row = await rest.lastQueuedSample(options);
        return row && toScalarSample(row);
      }
      const row = await rest.lastQueuedRfidRead(options);
      return row && toRfidSample(row);
    },
  };
}

/**
 * Pages of a queue by rising ids. A page that does not get past the cursor is the last one. Samples up to the cursor are
 * left out: a platform that repeats them must not deliver them twice.
 */
export function queuePages<Sample extends { id: number }>(
  read: (afterId: number) => Promise<RowBatch<Sample>>,
): QueueReader<Sample> {
  return async (afterId) => {
    const { samples, hasMore } = await read(afterId);
    const id = newestId(samples);
    const items = samples.filter((sample) => sample.id > afterId);
    return { items, hasMore: hasMore && id > afterId, next: Math.max(afterId, id) };
  };
}

/** The highest id; 0 without samples. */
export function newestId(samples: readonly { id: number }[]): number {
  return samples.reduce((id, sample) => Math.max(id, sample.id), 0);
}
