/** Counts the polls that this process makes. */
import type { SampleKind } from './sampleTail.js';

/** The names are values of a metric label. */
type PollOutcome = 'success' | 'failure';

export interface PollCount {
  kind: SampleKind;
  outcome: PollOutcome;
  count: number;
}

export class PollMetrics {
  readonly #counts: PollCount[] = [];

  record(kind: SampleKind, outcome: PollOutcome): void {
    const known = this.#counts.find((one) => one.kind === kind && one.outcome === outcome);
    if (known) known.count += 1;
    else this.#counts.push({ kind, outcome, count: 1 });
  }

  counts(): readonly PollCount[] {
    return this.#counts;
  }
}
