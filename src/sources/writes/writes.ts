/** Writes to the platform, and forgets everywhere what a write has made stale. */
import type { ResourceKind } from '../../cache/policies.js';
import type { PathValue } from '../../rest/path.js';
import type { RestWrites } from '../../rest/restWrites.js';
import type { WireAttributeValue, WireThresholdLevel } from '../../rest/wire.js';
import type { Reader } from '../core/reader.js';
import type { QueueKind } from '../samples/sampleQueues.js';

type StaleResource = { kind: ResourceKind; parameter?: PathValue };

export type Writes = ReturnType<typeof createWrites>;

/** What has been checked before is sent, once. Rejects where the platform did not take it, or might not have. */
export function createWrites(rest: RestWrites, reader: Reader) {
  const { options } = reader;

  /** Whatever came of it, what was known may no longer hold. */
  async function thenDrop(sent: Promise<void>, stale: readonly StaleResource[]): Promise<void> {
    try {
      await sent;
    } finally {
      await reader.invalidate(stale);
    }
  }

  return {
    siteAttributes: (values: readonly WireAttributeValue[]) =>
      thenDrop(rest.setSiteAttributes(values, options), [{ kind: 'attributes' }]),
    streamAttributes: (values: readonly WireAttributeValue[]) =>
      thenDrop(rest.setStreamAttributes(values, options), [{ kind: 'attributes' }]),
    threshold: (streamId: number, levels: readonly WireThresholdLevel[]) =>
      thenDrop(rest.setThreshold(streamId, levels, options), [
        { kind: 'threshold', parameter: streamId },
        { kind: 'thresholdStatus', parameter: streamId },
      ]),
    // Nothing that is kept depends on where a queue stands.
    acknowledge: (kind: QueueKind, sampleId: number, agent: string | undefined) =>
      (kind === 'SCALAR' ? rest.acknowledgeSamples : rest.acknowledgeRfidReads)({ sampleId, agent }, options),
    backfill: (kind: QueueKind, sinceMs: number, agent: string | undefined) =>
      (kind === 'SCALAR' ? rest.backfillSamples : rest.backfillRfidReads)({ sinceMs, agent }, options),
  };
}
