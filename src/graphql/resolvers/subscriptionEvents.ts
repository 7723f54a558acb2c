/**
 * Derives the events of subscription fields from samples: converts samples to threshold changes, and limits
 * restricted callers to the streams that they can see. All callers share one feed.
 */
import { toGatewayError } from '../../errors.js';
import { createTurns } from '../../lib/fairQueue.js';
import { filterAsync } from '../../lib/maybePromise.js';
import { MAX_BATCH_EVENTS } from '../../live/feedListener.js';
import type { EventBatches, EventPosition, EventReplay, LiveEvents } from '../../live/liveEvents.js';
import { type ThresholdChange, ThresholdEvaluator } from '../../live/thresholdChanges.js';
import type { Sample } from '../../sources/samples/samples.js';
import type { Context } from '../context.js';

/** How long the caller's access to streams is reused while samples are queued. Shorter than the deadline of the sources. */
const ACCESS_TTL_MS = 10_000;

/** New samples wake all subscriptions at once. Each converts them in a turn of its own. */
const takeTurn = createTurns(1);

type StreamEvent = { streamId: number };

/** The parts of `LiveEvents` that depend on what the events are made of. */
export type EventParts<Event> = Pick<
  LiveEvents<Event>,
  'kinds' | 'streamIds' | 'start' | 'replay' | 'progress'
>;

/** `budget` names the caller in whose turns events are converted. */
type ConversionContext = Pick<Context, 'budget' | 'resetSources'>;

/** Converts a batch of events into zero or more other events, in the same order. Rejects if it cannot. */
interface Conversion<From, To> {
  convert(events: readonly From[]): Promise<readonly To[]>;
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
  const isRestricted = context.caller.organizationIds !== undefined;
  const visible = isRestricted
    ? convertEvents(parts, context, () => createAccessCheck<Event>(context))
    : parts;
  return {
    ...parts,
    ...visible,
    [Symbol.asyncIterator]() {
      throw new Error('Events are read in batches.');
    },
  };
}

/** The changes of threshold levels that the samples of these streams cause; of all streams if undefined. */
export function toThresholdChanges(
  samples: EventParts<Sample>,
  streamIds: ReadonlySet<number> | undefined,
  context: Context,
): EventParts<ThresholdChange> {
  const { budget, feed, nowMs } = context;
  return convertEvents(samples, context, (from) => {
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
    const charge = () => {
      const bytes = isClosed ? 0 : evaluator.bytes;
      budget.add(bytes - charged);
      charged = bytes;
    };
    // Before the first sample, so that further subscriptions are refused in time.
    void evaluator.ready.then(charge);
    return {
      async convert(batch) {
        const changes = await evaluator.evaluate(batch);
        charge();
        return changes;
      },
      close() {
        isClosed = true;
        charge();
      },
    };
  });
}

/**
 * Converts present and past events with separate conversions, because a conversion may be stateful. `from`: the
 * positions after which the present begins; undefined for past events. The sources of the context are released while it
 * waits for events: each of thousands of subscriptions could otherwise keep other versions of the account's lists.
 */
function convertEvents<From, To>(
  events: EventParts<From>,
  context: ConversionContext,
  begin: (from: readonly EventPosition[] | undefined) => Conversion<From, To>,
): EventParts<To> {
  const { replay } = events;
  let batches: ConvertedBatches<From, To> | undefined;
  return {
    ...events,
    async start(onRefusal) {
      const started = await events.start(onRefusal);
      batches = new ConvertedBatches(started, begin(started.from ?? []), context);
      return batches;
    },
    replay: replay && convertReplay(replay, begin(undefined), context),
    progress: () => (batches?.isConverting ? undefined : events.progress?.()),
  };
}

function convertReplay<From, To>(
  replay: EventReplay<From>,
  { convert, close }: Conversion<From, To>,
  context: ConversionContext,
): EventReplay<To> {
  return {
    from: replay.from,
    refused: replay.refused,
    async read() {
      const { events, ...batch } = await replay.read();
      const converted = await convert(events);
      context.resetSources();
      return { ...batch, events: converted };
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
  readonly #context: ConversionContext;
  /** Converted events that are not delivered. */
  #ready: readonly To[] = [];
  #isConverting = false;
  /** Whether the subscribers have left. */
  #isStopped = false;

  constructor(batches: EventBatches<From>, conversion: Conversion<From, To>, context: ConversionContext) {
    this.#batches = batches;
    this.#conversion = conversion;
    this.#context = context;
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

  get isIdle(): boolean {
    return !this.isConverting && this.#batches.isIdle === true;
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
        await takeTurn(this.#context.budget.caller);
        if (this.#isStopped) return { value: undefined, done: true as const };
        this.#ready = await this.#conversion.convert(result.value);
        if (this.#batches.isIdle) this.#context.resetSources();
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
    this.#isStopped = true;
    this.#conversion.close();
    await this.#batches.return();
    return { value: undefined, done: true as const };
  }
}

/** Leaves out the events of streams that the caller cannot see. */
function createAccessCheck<Event extends StreamEvent>(context: Context): Conversion<Event, Event> {
  let checkedAtMs = context.nowMs();
  return {
    async convert(events) {
      const ageMs = context.nowMs() - checkedAtMs;
      if (ageMs < 0 || ageMs >= ACCESS_TTL_MS) {
        context.resetSources();
        checkedAtMs = context.nowMs();
      }
      const { sources } = context;
      return filterAsync(events, ({ streamId }) => sources.canSeeStream(streamId));
    },
    close() {},
  };
}
