/** The platform's delivery queues, read without moving them: only an acknowledgement does that. */
import type { QueuePosition } from '../../rest/endpointKinds.js';
import type { CallOptions } from '../../rest/restCaller.js';
import type { RestClient } from '../../rest/restClient.js';
import type { SamplePage } from './samplePages.js';
import { convertBatch, type Sample, toRfidSample, toScalarSample } from './samples.js';

export type QueueKind = 'SCALAR' | 'RFID';

export type SampleQueues = ReturnType<typeof createSampleQueues>;

export function createSampleQueues(rest: RestClient, options: CallOptions) {
  return {
    async read(kind: QueueKind, position: QueuePosition): Promise<SamplePage<Sample>> {
      return kind === 'SCALAR'
        ? convertBatch(await rest.queuedSamples(position, options), toScalarSample)
        : convertBatch(await rest.queuedRfidReads(position, options), toRfidSample);
    },
    /** The last acknowledged sample; null where none has been. */
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
