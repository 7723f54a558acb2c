/** Sends writes to the platform, and invalidates the cached data that a write makes stale. */
import type { RestWrites } from '../../rest/restWrites.js';
import type { WireAttributeValue, WireThresholdLevel } from '../../rest/wire.js';
import type { Reader } from '../core/reader.js';
import type { QueueKind } from '../samples/sampleQueues.js';

export type Writes = ReturnType<typeof createWrites>;

/** Sends checked input once, without retries. Rejects if the platform has refused it or may not have received it. */
export function createWrites(rest: RestWrites, reader: Reader) {
  const { options } = reader;

  /** Invalidates even after a failure, since the platform may have executed the write. */
  async function invalidateAfter(
    sent: Promise<void>,
    stale: Parameters<Reader['invalidate']>[0],
  ): Promise<void> {
    try {
      await sent;
    } finally {
      await reader.invalidate(stale);
    }
  }

  return {
    siteAttributes: (values: readonly WireAttributeValue[]) =>
      invalidateAfter(rest.setSiteAttributes(values, options), [{ kind: 'attributes' }]),
    streamAttributes: (values: readonly WireAttributeValue[]) =>
      invalidateAfter(rest.setStreamAttributes(values, options), [{ kind: 'attributes' }]),
    threshold: (streamId: number, levels: readonly WireThresholdLevel[]) =>
      invalidateAfter(rest.setThreshold(streamId, levels, options), [
        { kind: 'threshold', parameter: streamId },
        { kind: 'thresholdStatus', parameter: streamId },
      ]),
    // No cached data depends on the position of a queue.
    acknowledge: (kind: QueueKind, sampleId: number, agent: string | undefined) =>
      (kind === 'SCALAR' ? rest.acknowledgeSamples : rest.acknowledgeRfidReads)({ sampleId, agent }, options),
    backfill: (kind: QueueKind, sinceMs: number, agent: string | undefined) =>
      (kind === 'SCALAR' ? rest.backfillSamples : rest.backfillRfidReads)({ sinceMs, agent }, options),
  };
}
