/** Polls the platform for one kind of sample, step after step, until it is stopped. */
import { GatewayError } from '../errors.js';
import { type Clock, toMonotonicClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { RestClient } from '../rest/restClient.js';
import type { PolledLastSamples } from '../sources/samples/polledSamples.js';
import type { Sample } from '../sources/samples/samples.js';
import { isRefusal, type RefusalReason, toRefusalReason } from './refusals.js';
import { createSampleTail, type SampleKind, type SampleTail, type TailPosition } from './sampleTail.js';

export interface PolledSamples {
  /** The samples since the last poll, in the order of arrival, at most a page of them; may be empty. */
  samples: readonly Sample[];
  /**
   * When the poll began, by the gateway's clock: every sample that had arrived by then is delivered. Undefined if the
   * platform has more samples or has refused the poll: the time of the previous step then remains valid.
   */
  asOfMs: number | undefined;
  position: TailPosition;
  /** True if a row was unreadable and is therefore missing from the samples. */
  isPartial?: boolean | undefined;
  /** Set if the platform has refused the poll. Then `samples` is empty, and `position` has not moved. */
  refusal?: RefusalReason | undefined;
}

export interface PollSubscription {
  /**
   * Resolves when all samples that arrive from now on will be delivered, to the position after which they begin, with the
   * time up to which the platform has been polled. Rejects if the poll cannot start.
   */
  ready: Promise<TailPosition>;
  /** Called for each new subscription: polls at once if the platform is polled less often because it was idle. */
  wake(): void;
  stop(): void;
  /**
   * Polls at once, if this process can. Resolves to whether it could, when the samples of the poll are delivered or the
   * poll has failed. Call it after `ready` has resolved.
   */
  pollNow(): Promise<boolean>;
}

interface PollIntervals {
  pollMs: number;
  /** Milliseconds between two polls of a platform that has been idle for long. */
  maxPollMs: number;
}

interface PollOptions extends PollIntervals {
  metrics?: PollMetrics | undefined;
  /** Whether all subscribers can take another page of a backlog; by default, they can. */
  hasRoom?(kind: SampleKind): boolean;
  /** Updated with the numeric samples that polls return. */
  lastSamples?: PolledLastSamples | undefined;
  rest: RestClient;
  clock: Clock;
  logger: Logger;
}

export interface SamplePoll extends PollSubscription {
  /** The duration of the current start or step in milliseconds; 0 between two steps. */
  busyMs(): number;
}

/**
 * Starts a poll at a position, or at the present. With a position, the first step follows at once. The next step waits
 * for the promise of `onStep`.
 */
export type StartPoll = (
  kind: SampleKind,
  from: TailPosition | undefined,
  onStep: (step: PolledSamples) => void | Promise<void>,
) => SamplePoll;

/** Starts a poll, or follows one of another process. */
export type FollowPoll = (...parameters: Parameters<StartPoll>) => PollSubscription;

/** A sample is delayed by at most this share of the time that the platform was idle before it. */
const IDLE_DELAY_SHARE = 0.1;

/**
 * The part of an interval after which the first poll follows the start. Its samples take the longest to process,
 * because caches are empty and code is not compiled yet, so there should be few of them.
 */
const FIRST_INTERVAL_SHARE = 0.25;

/** Milliseconds between two checks whether subscribers can take the next page of a backlog. */
const ROOM_CHECK_MS = 20;

/** Milliseconds between two polls of a platform whose last sample or subscriber arrived `idleMs` ago. */
export function toPollIntervalMs(idleMs: number, { pollMs, maxPollMs }: PollIntervals): number {
  return Math.max(pollMs, Math.min(idleMs * IDLE_DELAY_SHARE, maxPollMs));
}

export function createPollStarter(options: PollOptions): StartPoll {
  return (...parameters) => new RunningPoll(options, ...parameters);
}

class RunningPoll implements SamplePoll {
  readonly ready: Promise<TailPosition>;
  readonly #options: PollOptions;
  readonly #kind: SampleKind;
  readonly #onStep: Parameters<StartPoll>[2];
  readonly #tail: SampleTail;
  readonly #monotonic: Clock;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #polling: Promise<void> = Promise.resolve();
  /** Undefined between two steps. */
  #busySinceMs: number | undefined;
  #polledAtMs = Number.NEGATIVE_INFINITY;
  /** When the last sample or subscriber arrived. */
  #activeAtMs: number;
  /** Whether the next page of a backlog follows at once. */
  #hasMore = false;
  #failures = 0;

  constructor(options: PollOptions, ...[kind, from, onStep]: Parameters<StartPoll>) {
    const { rest, clock } = options;
    this.#options = options;
    this.#kind = kind;
    this.#onStep = onStep;
    this.#tail = createSampleTail(kind, rest, () => clock.now(), from);
    this.#monotonic = toMonotonicClock(clock);
    this.#activeAtMs = this.#monotonic.now();
    this.ready = this.#start(from);
  }

  busyMs(): number {
    return this.#busySinceMs === undefined ? 0 : this.#monotonic.now() - this.#busySinceMs;
  }

  wake(): void {
    const now = this.#monotonic.now();
    this.#activeAtMs = now;
    if (this.#timer === undefined || this.#hasMore) return;
    clearTimeout(this.#timer);
    this.#schedule(Math.max(0, this.#polledAtMs + this.#options.pollMs - now));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async pollNow(): Promise<boolean> {
    this.#polling = this.#polling.then(() => this.#poll());
    await this.#polling;
    return !this.#isStopped;
  }

  async #start(from: TailPosition | undefined): Promise<TailPosition> {
    const startedAtMs = this.#monotonic.now();
    this.#busySinceMs = startedAtMs;
    let asOfMs: number | undefined;
    if (from === undefined) {
      asOfMs = this.#options.clock.now();
      const window = await this.#tail.start();
      if (this.#kind === 'SCALAR' && !this.#isStopped) this.#options.lastSamples?.setWindow(window, asOfMs);
      this.#polledAtMs = startedAtMs;
    }
    this.#options.logger.debug({ kind: this.#kind }, 'Polling for samples started');
    this.#busySinceMs = undefined;
    this.#schedule(from === undefined ? this.#options.pollMs * FIRST_INTERVAL_SHARE : 0);
    return { ...this.#tail.position(), asOfMs };
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      if (this.#isWaiting()) this.#schedule(ROOM_CHECK_MS);
      else this.#polling = this.#poll();
    }, delayMs);
  }

  /** Subscribers get at most the time between two polls to take a page, so that a slow one does not stop the others. */
  #isWaiting(): boolean {
    const { hasRoom, pollMs } = this.#options;
    const isLate = this.#monotonic.now() - this.#polledAtMs >= pollMs;
    return this.#hasMore && !isLate && hasRoom?.(this.#kind) === false;
  }

  #logSuccess(): void {
    if (this.#failures === 0) return;
    const fields = { kind: this.#kind, failures: this.#failures };
    this.#failures = 0;
    this.#options.logger.info(fields, 'Polling for samples succeeded after failures');
  }

  /** Logs less and less often during an outage: the first failure in a row, the second, the fourth, the eighth. */
  #logFailure(error: unknown): void {
    this.#failures += 1;
    if (!Number.isInteger(Math.log2(this.#failures))) return;
    const fields = { kind: this.#kind, failures: this.#failures };
    const reason =
      error instanceof GatewayError
        ? { code: error.code, endpoint: error.endpoint, platform: error.platform, cause: error.cause }
        : { cause: error };
    this.#options.logger.warn({ ...fields, ...reason }, 'Polling for samples failed');
  }

  /**
   * The interval includes the time of the step, so polls are evenly spaced. After a slow step, the next poll waits for
   * at least half an interval.
   */
  #nextPollInMs(): number {
    const now = this.#monotonic.now();
    const intervalMs = toPollIntervalMs(now - this.#activeAtMs, this.#options);
    return Math.max(this.#polledAtMs + intervalMs - now, intervalMs / 2);
  }

  /** Reports the refusal after each poll, for processes that have joined since the last one. */
  async #report(refusal: RefusalReason): Promise<void> {
    if (this.#isStopped) return;
    const step = { samples: [], position: this.#tail.position(), asOfMs: undefined, refusal };
    // A process that does not respond is reported elsewhere.
    await Promise.resolve(this.#onStep(step)).catch(() => undefined);
  }

  async #poll(): Promise<void> {
    const { clock, metrics } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isStopped) return;
    this.#polledAtMs = this.#monotonic.now();
    this.#busySinceMs = this.#polledAtMs;
    this.#hasMore = false;
    try {
      const nowMs = clock.now();
      const { samples, isPartial, hasMore } = await this.#tail.step().catch((error: unknown) => {
        metrics?.record(this.#kind, 'failure');
        throw error;
      });
      metrics?.record(this.#kind, 'success');
      if (samples.length > 0) this.#activeAtMs = this.#monotonic.now();
      const asOfMs = hasMore ? undefined : nowMs;
      const step = { samples, position: this.#tail.position(), asOfMs, isPartial };
      if (!this.#isStopped) await this.#onStep(step);
      this.#hasMore = hasMore;
      this.#logSuccess();
    } catch (error) {
      if (!this.#isStopped) this.#logFailure(error);
      if (isRefusal(error)) await this.#report(toRefusalReason(error));
    }
    this.#busySinceMs = undefined;
    this.#schedule(this.#hasMore ? 0 : this.#nextPollInMs());
  }
}

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
    const existing = this.#counts.find((one) => one.kind === kind && one.outcome === outcome);
    if (existing) existing.count += 1;
    else this.#counts.push({ kind, outcome, count: 1 });
  }

  counts(): readonly PollCount[] {
    return this.#counts;
  }
}
