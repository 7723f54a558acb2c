/** Reads the delivery queues of the platform. Reading does not move a queue; only an acknowledgement does. */

import type { CallOptions } from '../../rest/callRecord.js';
import type { QueuePosition } from '../../rest/endpointKinds.js';
import type { Batch } from '../../rest/restCaller.js';
import type { RestClient } from '../../rest/restClient.js';
import type { ReadPage } from '../core/paginator.js';
import { convertLongBatch, type Sample, toRfidSample, toScalarSample } from './samples.js';

export type QueueKind = 'SCALAR' | 'RFID';

/** Reads the page of a queue behind an id, in order of arrival. */
export type QueueReader<Sample> = ReadPage<Sample, number>;

export type SampleQueues = ReturnType<typeof createSampleQueues>;

export function createSampleQueues(rest: RestClient, options: CallOptions) {
  return {
    async read(kind: QueueKind, position: QueuePosition): Promise<Batch<Sample>> {
      return kind === 'SCALAR'
        ? convertLongBatch(await rest.queuedSamples(position, options), toScalarSample)
        : convertLongBatch(await rest.queuedRfidReads(position, options), toRfidSample);
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

/** Pages of a queue by rising ids. A page that does not get past the cursor is the last one. */
export function queuePages<Sample extends { id: number }>(
  read: (afterId: number) => Promise<Batch<Sample>>,
): QueueReader<Sample> {
  return async (afterId) => {
    const { samples, hasMore } = await read(afterId);
    const id = newestId(samples);
    return { items: samples, hasMore: hasMore && id > afterId, next: Math.max(afterId, id) };
  };
}

/** The highest id; 0 without samples. */
export function newestId(samples: readonly { id: number }[]): number {
  return samples.reduce((id, sample) => Math.max(id, sample.id), 0);
}
