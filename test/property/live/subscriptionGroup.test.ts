/**
 * For any order of arrivals, and of listeners that join, stop reading, leave and resume: each listener receives every event
 * once and in order, and each event is executed once for those that are current.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBytes } from '../../../src/lib/byteBudget.js';
import type { EventPosition, EventReplay, LiveEvents } from '../../../src/live/liveEvents.js';
import { SubscriptionGroup } from '../../../src/live/subscriptionGroup.js';
import type { Heartbeat, SubscriptionEnd, SubscriptionSink } from '../../../src/live/subscriptionSink.js';
import { EventQueue } from '../../support/live/liveEvents.js';
import { createRandom, type Random } from '../../support/random.js';

interface Event {
  id: number;
  text: string;
}

const PAGE = 3;
const KIND = 'COUNT';

/** A platform with a queue of events that is polled, and whose past is read in pages; both take several turns. */
class Platform {
  readonly events: Event[] = [];
  readonly group: SubscriptionGroup<Event, string>;
  executions = 0;
  /** The position of another kind, which has no events. */
  others: number | undefined;
  /** Whether executions of the group wait. */
  holdsGroup = false;
  readonly waiting: (() => void)[] = [];
  /** Past events in a batch; undefined: any number up to a page. */
  pastBatch: number | undefined;
  /** Whether deliveries and heartbeats to several members are interrupted at random. */
  dividesWork = false;
  readonly #queue = new EventQueue<Event>();
  readonly #random: Random;
  #polled = 0;

  constructor(random: Random) {
    this.#random = random;
    this.group = new SubscriptionGroup<Event, string>({
      subscribe: async () => this.#live(),
      execute: async (events, owner) => {
        if (owner !== 'past') this.executions += events.length;
        if (owner !== 'past' && this.holdsGroup)
          await new Promise<void>((resolve) => this.waiting.push(resolve));
        await this.pause();
        return events.map(({ id, text }) => `${id} ${text}`);
      },
      takeTurn: () => undefined,
      toErrorJson: ({ message }) => message,
      takePastTurn: () => this.pause(),
      takeReplayTurn: () => this.pause(),
      takeHeartbeatTurn: () => (this.dividesWork ? this.pause() : undefined),
      deliveryTurns: {
        measure: () => this.dividesWork && this.#random.chance(0.3),
        later: async (work) => {
          await this.pause();
          return work();
        },
      },
      onEmpty() {},
    });
  }

  async pause(): Promise<void> {
    for (let turns = this.#random.below(4); turns > 0; turns--) await Promise.resolve();
  }

  add(count: number, text = ''): void {
    for (let index = 0; index < count; index++) this.events.push({ id: this.events.length + 1, text });
  }

  poll(): void {
    const events = this.events.slice(this.#polled);
    this.#polled = this.events.length;
    if (events.length > 0) this.#queue.push(events);
  }

  replayAfter(after: number, others: readonly EventPosition[]): EventReplay<Event> {
    let lastId = after;
    let rest: readonly Event[] = [];
    let isLastPage = false;
    return {
      from: [{ kind: KIND, id: after, cursor: `${after}` }, ...others],
      read: async () => {
        await this.pause();
        if (rest.length === 0) {
          rest = this.events.slice(lastId, lastId + PAGE);
          lastId += rest.length;
          isLastPage = rest.length < PAGE;
        }
        const events = rest.slice(0, this.pastBatch ?? 1 + this.#random.below(PAGE));
        rest = rest.slice(events.length);
        const hasPendingEvents = rest.length > 0;
        await this.pause();
        return { events, isLast: isLastPage && !hasPendingEvents, hasPendingEvents: hasPendingEvents };
      },
      close() {},
    };
  }

  #live(): LiveEvents<Event> {
    const queue = this.#queue;
    return {
      kinds: [KIND],
      replay: undefined,
      positionOf: ({ id }) => ({ kind: KIND, id, cursor: `${id}` }),
      // The time is the number of events.
      progress: () => ({
        asOfMs: this.#polled,
        positions: [
          { kind: KIND, id: this.#polled, cursor: `${this.#polled}` },
          ...(this.others === undefined
            ? []
            : [{ kind: 'OTHER', id: this.others, cursor: `other${this.others}` }]),
        ],
      }),
      async start() {
        return {
          async next() {
            const events = await queue.nextBatch(PAGE);
            return { value: events, done: false };
          },
          return: async () => ({ value: undefined, done: true }),
        };
      },
      [Symbol.asyncIterator]: () => queue,
    };
  }
}

class Listener implements SubscriptionSink {
  readonly ids: number[] = [];
  readonly ends: SubscriptionEnd[] = [];
  readonly after: number;
  heartbeats = 0;
  batch: unknown;
  cursor: string | undefined;
  isReading = true;

  constructor(after: number) {
    this.after = after;
  }

  isFree(): boolean {
    return this.isReading;
  }

  next(batch: Parameters<SubscriptionSink['next']>[0]): void {
    this.batch = batch;
    for (const { text, cursor } of batch.payloads) {
      this.ids.push(Number(text.split(' ')[0]));
      this.cursor = cursor;
    }
  }

  /** The time and the cursor are those of the last event that has been received. */
  heartbeat({ asOf, cursor }: Heartbeat): void {
    if (asOf !== undefined) expect(Date.parse(asOf)).toBeLessThanOrEqual(this.#receivedUpTo());
    if (this.ids.length > 0) expect(cursor?.split(',')[0]).toBe(`${this.ids.at(-1)}`);
    this.heartbeats += 1;
  }

  #receivedUpTo(): number {
    return this.ids.at(-1) ?? this.after;
  }

  end(end: SubscriptionEnd): void {
    this.ends.push(end);
  }
}

function join(
  platform: Platform,
  after?: number,
  budget = unlimitedBytes,
  others: readonly EventPosition[] = [],
) {
  const listener = new Listener(after ?? 0);
  const replay = after === undefined ? undefined : platform.replayAfter(after, others);
  const owner = after === undefined ? 'present' : 'past';
  const member = platform.group.add({ sink: listener, budget, owner, replay });
  return { listener, member, begun: member.begin(), after };
}

type Joined = ReturnType<typeof join>;

const untilIdle = () => new Promise((resolve) => setImmediate(resolve));

/** Listeners that join, stop reading, leave and resume at random. */
class Audience {
  readonly open: Joined[] = [];
  readonly #platform: Platform;
  readonly #random: Random;

  constructor(platform: Platform, random: Random) {
    this.#platform = platform;
    this.#random = random;
  }

  act(step: number): void {
    const some = this.open[this.#random.below(Math.max(1, this.open.length))];
    if (step === 2)
      this.open.push(join(this.#platform, this.#random.below(this.#platform.events.length + 1)));
    else if (step === 3 && some) some.listener.isReading = this.#random.chance(0.5);
    else if (step === 4 && some) this.#reconnect(some);
    for (const { listener, member } of this.open) if (listener.isReading) member.resume();
  }

  readAll(): void {
    for (const { listener, member } of this.open) {
      listener.isReading = true;
      member.resume();
    }
  }

  #reconnect(joined: Joined): void {
    joined.member.end(undefined);
    const after = Number(joined.listener.ends.at(-1)?.cursor ?? joined.after);
    expect(after).toBe(joined.listener.ids.at(-1) ?? joined.after);
    this.open.splice(this.open.indexOf(joined), 1, join(this.#platform, after));
  }
}

async function run(seed: number, steps: readonly number[]): Promise<void> {
  const random = createRandom(seed);
  const platform = new Platform(random);
  platform.dividesWork = random.chance(0.5);
  const audience = new Audience(platform, random);
  const first = join(platform);
  await first.begun;
  for (const step of steps) {
    if (step === 0) platform.add(1 + random.below(7));
    else if (step === 1) platform.poll();
    else if (step === 5) {
      // Timers run when the turn has ended.
      await untilIdle();
      void platform.group.heartbeat();
    }
    audience.act(step);
    await platform.pause();
  }
  platform.poll();
  audience.readAll();
  for (let turn = 0; turn < 50; turn++) await untilIdle();
  const all = platform.events.map(({ id }) => id);
  for (const { listener, after = 0 } of [first, ...audience.open]) {
    expect(listener.ends).toEqual([]);
    expect(listener.ids).toEqual(all.slice(after));
  }
  expect(first.listener.cursor).toBe(all.length === 0 ? undefined : `${all.length}`);
  await platform.group.heartbeat();
  for (const { listener } of [first, ...audience.open]) expect(listener.heartbeats).toBeGreaterThan(0);
  for (const { member } of [first, ...audience.open]) member.close();
}

it('a group loses, repeats and reorders nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1e9 }), fc.array(fc.nat({ max: 5 }), { maxLength: 40 }), run),
    { numRuns: 200 },
  );
});

it('a resumed member receives what arrives while it takes the rest of the last page', async () => {
  const platform = new Platform(createRandom(1));
  platform.pastBatch = 1;
  platform.add(2);
  const resumed = join(platform, 0);
  resumed.listener.isReading = false;
  await resumed.begun;
  await untilIdle();
  platform.poll();
  platform.add(1);
  platform.poll();
  await untilIdle();
  resumed.listener.isReading = true;
  resumed.member.resume();
  await untilIdle();
  expect(resumed.listener.ids).toEqual([1, 2, 3]);
  resumed.member.close();
});

it('the cursor of a resumed member covers the past that it has read, although the group lags', async () => {
  const platform = new Platform(createRandom(1));
  const first = join(platform);
  await first.begun;
  platform.holdsGroup = true;
  platform.add(2 * PAGE - 1);
  platform.poll();
  const resumed = join(platform, 0);
  for (let turn = 0; turn < 20; turn++) await untilIdle();
  expect([first.listener.ids, resumed.listener.ids]).toEqual([[], [1, 2, 3, 4, 5]]);
  platform.waiting.shift()?.();
  for (let turn = 0; turn < 20; turn++) await untilIdle();
  expect([first.listener.ids, resumed.listener.ids]).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4, 5],
  ]);
  for (const { member } of [first, resumed]) member.end(undefined);
  expect([first, resumed].map(({ listener }) => listener.ends[0]?.cursor)).toEqual(['3', '5']);
});

it('a resumed member shares its payloads once the group has passed its cursor, also in kinds without events', async () => {
  const platform = new Platform(createRandom(1));
  const first = join(platform);
  const resumed = join(platform, 0, unlimitedBytes, [{ kind: 'OTHER', id: 7, cursor: 'other7' }]);
  await Promise.all([first.begun, resumed.begun]);
  await untilIdle();
  const deliver = async () => {
    platform.add(1);
    platform.poll();
    await untilIdle();
    return [first, resumed].map(({ listener }) => listener.batch);
  };
  const [shared, own] = await deliver();
  expect(resumed.listener.cursor).toBe('1,other7');
  expect(own).not.toBe(shared);
  platform.others = 7;
  await platform.group.heartbeat();
  await deliver();
  const [theirs, same] = await deliver();
  expect(same).toBe(theirs);
  for (const { member } of [first, resumed]) member.close();
});

describe('a group with many members that read nothing', () => {
  it('keeps a bounded log, and ends them with the cursor to resume from', async () => {
    const platform = new Platform(createRandom(1));
    const slow = Array.from({ length: 1000 }, () => join(platform));
    const fast = join(platform);
    await Promise.all([...slow, fast].map(({ begun }) => begun));
    const text = 'x'.repeat(10_000);
    platform.add(3, text);
    platform.poll();
    await untilIdle();
    for (const { listener } of slow) listener.isReading = false;
    for (let round = 0; round < 100; round++) {
      platform.add(12, text);
      platform.poll();
      await untilIdle();
      expect((platform.group.log.end - platform.group.log.start) * text.length).toBeLessThan(9e6);
    }
    expect(fast.listener.ids).toEqual(platform.events.map(({ id }) => id));
    expect(platform.executions).toBe(platform.events.length);
    for (const { listener } of slow) {
      expect(listener.ids).toEqual([1, 2, 3]);
      expect(listener.ends).toMatchObject([{ error: { code: 'SLOW_CONSUMER' }, cursor: '3' }]);
    }
    expect(platform.group.size).toBe(1);
    fast.member.close();
  });
});
