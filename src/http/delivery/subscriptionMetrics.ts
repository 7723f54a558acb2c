/** Counts subscriptions and what they receive, by transport. */
import type { ErrorCode } from '../../errors.js';
import { createDurationHistogram, type DurationCounts } from '../../lib/durationHistogram.js';
import type { PayloadBatch } from '../../live/payloads.js';

/** The names are values of a metric label. */
export type LiveTransport = 'websocket' | 'sse' | 'multipart';

type TransportCounts = ReturnType<typeof createCounts>;

function createCounts() {
  return { open: 0, deliveries: 0, delays: createDurationHistogram() };
}

export interface SubscriptionCounts {
  open: [transport: LiveTransport, count: number][];
  deliveries: [transport: LiveTransport, count: number][];
  /** Durations from the end of a poll until an event is written to the socket. Past events are not counted. */
  delays: [transport: LiveTransport, counts: DurationCounts][];
  /** Subscriptions that began after a cursor. */
  resumes: number;
  ended: [code: string, count: number][];
}

export class SubscriptionMetrics {
  readonly #byTransport: Readonly<Record<LiveTransport, TransportCounts>> = {
    websocket: createCounts(),
    sse: createCounts(),
    multipart: createCounts(),
  };
  readonly #ended = new Map<string, number>();
  #resumes = 0;

  recordOpen(transport: LiveTransport): void {
    this.#byTransport[transport].open += 1;
  }

  /** The code is undefined if the client disconnected or the events have ended. */
  recordEnd(transport: LiveTransport, code: ErrorCode | undefined): void {
    this.#byTransport[transport].open -= 1;
    if (code !== undefined) this.#ended.set(code, (this.#ended.get(code) ?? 0) + 1);
  }

  recordResume(): void {
    this.#resumes += 1;
  }

  recordDelivery(transport: LiveTransport, { payloads }: PayloadBatch): void {
    const counts = this.#byTransport[transport];
    counts.deliveries += payloads.length;
    const arrivedAtMs = payloads[0]?.arrivedAtMs;
    if (arrivedAtMs !== undefined) counts.delays.observe(performance.now() - arrivedAtMs);
  }

  counts(): SubscriptionCounts {
    const all = Object.entries(this.#byTransport) as [LiveTransport, TransportCounts][];
    return {
      open: all.map(([transport, { open }]) => [transport, open]),
      deliveries: all.map(([transport, { deliveries }]) => [transport, deliveries]),
      delays: all.map(([transport, { delays }]) => [transport, delays.counts()]),
      resumes: this.#resumes,
      ended: [...this.#ended],
    };
  }
}
