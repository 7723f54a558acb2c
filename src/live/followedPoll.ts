/** A poll that a feed follows, and its progress. */
import { type Clock, toMonotonicClock } from '../lib/clock.js';
import type { PolledSamples, PollSubscription } from './samplePoll.js';
import type { TailPosition } from './sampleTail.js';

/** Shared by all listeners to its kind. */
export class FollowedPoll {
  readonly poll: PollSubscription;
  /** How far the kind has been polled. Undefined before the poll has begun. */
  position: TailPosition | undefined;
  readonly #clock: Clock;
  /** Like `position.asOfMs`, but by the monotonic clock of this process. */
  #polledAtMs: number | undefined;
  #isWoken = true;
  #onStep: () => void = () => {};

  constructor(poll: PollSubscription, clock: Clock) {
    this.poll = poll;
    this.#clock = clock;
  }

  /** Milliseconds since `position.asOfMs`. Undefined if that is undefined. */
  lagMs(): number | undefined {
    return this.#polledAtMs === undefined
      ? undefined
      : toMonotonicClock(this.#clock).now() - this.#polledAtMs;
  }

  /** Records where the poll has begun, unless a step has already been recorded. */
  recordStart(position: TailPosition): void {
    if (this.position === undefined) this.#recordPosition(position);
  }

  recordStep({ asOfMs, position, refusal }: PolledSamples): void {
    this.#onStep();
    if (refusal !== undefined) return;
    this.#isWoken = false;
    this.#recordPosition({ id: position.id, asOfMs });
  }

  /** Wakes the poll for a new listener, once for each step. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    this.poll.wake();
  }

  /**
   * Resolves when a poll that begins now has been delivered; if another worker polls, when its next poll has been
   * delivered.
   */
  async untilPolled(): Promise<void> {
    const hasStarted = await this.poll.ready.then(
      () => true,
      () => false,
    );
    const stepped = new Promise<void>((resolve) => {
      this.#onStep = resolve;
    });
    if (!hasStarted || (await this.poll.pollNow())) return;
    this.poll.wake();
    await stepped;
  }

  /** Without a time, the previous one remains valid. */
  #recordPosition({ id, asOfMs }: TailPosition): void {
    this.position = { id, asOfMs: asOfMs ?? this.position?.asOfMs };
    if (asOfMs === undefined) return;
    this.#polledAtMs = toMonotonicClock(this.#clock).now() - Math.max(0, this.#clock.now() - asOfMs);
  }
}
