/**
 * Derives the events of subscription fields from samples: converts samples to threshold changes, and limits
 * restricted callers to the streams that they can see. All callers share one feed.
 */
import { toGatewayError } from '../../errors.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import { createTurns } from '../../lib/fairQueue.js';
import { filterAsync } from '../../lib/maybePromise.js';
import { MAX_BATCH_EVENTS } from '../../live/feedListener.js';
import type { EventBatches, EventPosition, EventReplay, LiveEvents } from '../../live/liveEvents.js';
import { type ThresholdChange, ThresholdEvaluator } from '../../live/thresholdChanges.js';
import type { Sample } from '../../sources/samples/samples.js';
import type { Context } from '../context.js';

/** How long the caller's access to streams is reused. Shorter than the deadline of the sources. */
const ACCESS_TTL_MS = 10_000;

/** New samples wake all subscriptions at once. Each converts them in a turn of its own. */
const takeTurn = createTurns(1);

type StreamEvent = { streamId: number };

/** The parts of `LiveEvents` that depend on what the events are made of. */
export type EventParts<Event> = Pick<
  LiveEvents<Event>,
  'kinds' | 'streamIds' | 'start' | 'replay' | 'progress'
>;

/** Converts a batch of events into zero or more other events, in the same order. Rejects if it cannot. */
interface Conversion<From, To> {
  convert(events: readonly From[]): Promise<readonly To[]>;
  /** Releases its memory. */
  close(): void;
}

/**
 * Creates the events of a subscription field. Callers that are restricted to organizations receive the events of streams
 * that they can see. If the check fails, the events end with the error, because skipping an event would lose it silently.
 */
export function createEvents<Event extends StreamEvent>(
  parts: Omit<LiveEvents<Event>, typeof Symbol.asyncIterator>,
  context: Context,
): LiveEvents<Event> {
  const isRestricted = !context.sources.accessScope.isWholeAccount;
  const { budget } = context;
  const visible = isRestricted
    ? convertEvents(parts, budget, () => createAccessCheck<Event>(context))
    : parts;
  return {
    ...parts,
    ...visible,
    [Symbol.asyncIterator]() {
      throw new Error('Events are read in batches.');
    },
  };
}

/** The changes of threshold levels that the samples of these streams cause; undefined: of all streams. */
export function toThresholdChanges(
  samples: EventParts<Sample>,
  streamIds: ReadonlySet<number> | undefined,
  context: Context,
): EventParts<ThresholdChange> {
  const { budget, feed, nowMs } = context;
  return convertEvents(samples, budget, (from) => {
    const start = from?.find(({ kind }) => kind === 'SCALAR');
    const evaluator = new ThresholdEvaluator({
      nowMs,
      isPast: from === undefined,
      ...(start && { lastSamples: feed.lastSamplesUpTo(start.id, streamIds) }),
      renewSources() {
        context.resetSources();
        return context.sources;
      },
    });
    let charged = 0;
    let isClosed = false;
    const charge = (bytes: number) => {
      budget.add(bytes - charged);
      charged = bytes;
    };
    return {
      async convert(batch) {
        const changes = await evaluator.evaluate(batch);
        if (!isClosed) charge(evaluator.bytes);
        return changes;
      },
      close() {
        isClosed = true;
        charge(0);
      },
    };
  });
}

/**
 * Converts present and past events with separate conversions, because a conversion may be stateful. `from`: the
 * positions after which the present begins; undefined for past events. `budget` names the caller, for turns.
 */
function convertEvents<From, To>(
  events: EventParts<From>,
  budget: Pick<ByteBudget, 'caller'>,
  begin: (from: readonly EventPosition[] | undefined) => Conversion<From, To>,
): EventParts<To> {
  const { replay } = events;
  let batches: ConvertedBatches<From, To> | undefined;
  return {
    ...events,
    async start(onRefusal) {
      const started = await events.start(onRefusal);
      batches = new ConvertedBatches(started, begin(started.from ?? []), budget);
      return batches;
    },
    replay: replay && convertReplay(replay, begin(undefined)),
    progress: () => (batches?.isConverting ? undefined : events.progress?.()),
  };
}

function convertReplay<From, To>(
  replay: EventReplay<From>,
  { convert, close }: Conversion<From, To>,
): EventReplay<To> {
  return {
    from: replay.from,
    refused: replay.refused,
    async read() {
      const { events, ...batch } = await replay.read();
      return { ...batch, events: await convert(events) };
    },
    close() {
      replay.close();
      close();
    },
  };
}

/** Not an async generator, because a generator that awaits the next batch cannot be stopped before the batch arrives. */
class ConvertedBatches<From, To> implements EventBatches<To> {
  readonly #batches: EventBatches<From>;
  readonly #conversion: Conversion<From, To>;
  readonly #budget: Pick<ByteBudget, 'caller'>;
  /** Converted events that are not delivered. */
  #ready: readonly To[] = [];
  #isConverting = false;

  constructor(
    batches: EventBatches<From>,
    conversion: Conversion<From, To>,
    budget: Pick<ByteBudget, 'caller'>,
  ) {
    this.#batches = batches;
    this.#conversion = conversion;
    this.#budget = budget;
  }

  get from() {
    return this.#batches.from ?? [];
  }

  get asOfMs() {
    return this.#batches.asOfMs;
  }

  /** Whether some polled events have not been delivered yet. */
  get isConverting(): boolean {
    return this.#isConverting || this.#ready.length > 0;
  }

  async next() {
    for (;;) {
      if (this.#ready.length > 0) return { value: this.#takeReady(), done: false as const };
      const result = await this.#batches.next();
      if (result.done) {
        this.#conversion.close();
        return result;
      }
      this.#isConverting = true;
      try {
        await takeTurn(this.#budget.caller);
        this.#ready = await this.#conversion.convert(result.value);
      } catch (error) {
        await this.return();
        return { value: toGatewayError(error), done: true as const };
      } finally {
        this.#isConverting = false;
      }
    }
  }

  #takeReady(): readonly To[] {
    const batch = this.#ready.slice(0, MAX_BATCH_EVENTS);
    this.#ready = this.#ready.slice(MAX_BATCH_EVENTS);
    return batch;
  }

  async return() {
    this.#conversion.close();
    await this.#batches.return();
    return { value: undefined, done: true as const };
  }
}

/** Leaves out the events of streams that the caller cannot see. */
function createAccessCheck<Event extends StreamEvent>(context: Context): Conversion<Event, Event> {
  let { accessScope } = context.sources;
  let checkedAtMs = context.nowMs();
  return {
    async convert(events) {
      const ageMs = context.nowMs() - checkedAtMs;
      if (ageMs < 0 || ageMs >= ACCESS_TTL_MS) {
        context.resetSources();
        accessScope = context.sources.accessScope;
        checkedAtMs = context.nowMs();
      }
      return filterAsync(events, ({ streamId }) => accessScope.canSeeStream(streamId));
    },
    close() {},
  };
}
