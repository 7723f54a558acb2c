/** The seven REST endpoints that write, one method each. No write is retried after it may have taken effect. */
import type { CallOptions } from './callRecord.js';
import { toUnixSeconds } from './endpointKinds.js';
import type { RestCaller } from './restCaller.js';
import type { WireAttributeValue, WireThresholdLevel } from './wire.js';

/** Names the consumer of a delivery queue in the platform's logs. */
type Agent = { agent?: string | undefined };

export type RestWrites = ReturnType<typeof createRestWrites>;

/** Each method resolves when the platform accepted the write, and rejects as `RestCaller.write` does. */
export function createRestWrites({ write }: RestCaller) {
  const attributes = (template: string) => (values: readonly WireAttributeValue[], options: CallOptions) =>
    write({ template, body: { attributes: values } }, options);
  const acknowledgement =
    (template: string, name: string) =>
    ({ sampleId, agent }: Agent & { sampleId: number }, options: CallOptions) =>
      write({ template, query: { [name]: sampleId, agent } }, options);
  const backfill =
    (template: string, name: string) =>
    ({ sinceMs, agent }: Agent & { sinceMs: number }, options: CallOptions) =>
      write({ template, query: { [name]: toUnixSeconds(sinceMs), agent } }, options);

  return {
    setSiteAttributes: attributes('/v2.0/site/customAttributes'),
    setStreamAttributes: attributes('/v2.0/stream/customAttributes'),
    setThreshold: (streamId: number, levels: readonly WireThresholdLevel[], options: CallOptions) =>
      write({ template: '/v2.0/stream/{streamId}/threshold', value: streamId, body: { levels } }, options),
    acknowledgeSamples: acknowledgement('/v2.0/sample/batch/ack', 'sampleId'),
    backfillSamples: backfill('/v2.0/sample/batch/backfill', 'sampleDate'),
    // The platform spells these parameters differently from those of scalar samples.
    acknowledgeRfidReads: acknowledgement('/v2.0/sample/rfid/batch/ack', 'sample_id'),
    backfillRfidReads: backfill('/v2.0/sample/rfid/batch/backfill', 'sample_date'),
  };
}
