/** A group with many members divides their starts, deliveries and heartbeats among turns of the event loop. */
import { expect, it } from 'vitest';
import { createBadInputError } from '../../../src/errors.js';
import { type ByteBudget, unlimitedBytes } from '../../../src/lib/byteBudget.js';
import { createTurns } from '../../../src/lib/fairQueue.js';
import { OperationTurns, TurnBudget } from '../../../src/lib/turnBudget.js';
import type { EventReplay, LiveEvents, PastBatch } from '../../../src/live/liveEvents.js';
import type { PayloadBatch } from '../../../src/live/payloads.js';
import { SubscriptionGroup } from '../../../src/live/subscriptionGroup.js';
import type { Heartbeat, SubscriptionEnd, SubscriptionSink } from '../../../src/live/subscriptionSink.js';
import { EventQueue, toLiveEvents } from '../../support/live/liveEvents.js';
import { createGate } from '../../support/waiting.js';

const MEMBERS = 20;
const MAX_TURNS = 10_000;
/** A stopped clock, so that a busy machine divides no delivery. */
const UNDIVIDED = new OperationTurns(new TurnBudget({ nowMs: () => 0 }));
/** Options of a group that never waits for a turn. */
const UNLIMITED = {
  takeTurn: () => undefined,
  takePastTurn: () => undefined,
  takeReplayTurn: () => undefined,
  takeHeartbeatTurn: () => undefined,
  deliveryTurns: UNDIVIDED,
  toErrorJson: () => '',
  onEmpty() {},
};

it('a group that starts late lets one waiting member read the past in each turn', async () => {
  const { open: start, opened: started } = createGate();
  const group = new SubscriptionGroup<number, string>({
    ...UNLIMITED,
    async subscribe() {
      await started;
      return toLiveEvents(new EventQueue());
    },
    execute: async () => [],
    takeReplayTurn: createTurns(1),
  });
  const reads: number[] = [];
  let turn = 0;
  const replay: EventReplay<number> = {
    from: [],
    async read() {
      reads.push(turn);
      return { events: [], isLast: true };
    },
    close() {},
  };
  const sink = { isFree: () => true, next() {}, heartbeat() {}, end() {} };
  const begun = Array.from({ length: MEMBERS }, () =>
    group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay }).begin(),
  );
  start();
  await Promise.all(begun);
  expect(reads.length).toBeLessThanOrEqual(1);
  for (; reads.length < MEMBERS && turn < MAX_TURNS; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toHaveLength(MEMBERS);
  expect(new Set(reads).size).toBeGreaterThanOrEqual(MEMBERS - 1);
});

it('groups that a sample wakes at once execute it in a turn of the event loop each', async () => {
  const takeTurn = createTurns(1);
  let turn = 0;
  const executed: number[] = [];
  const queues = Array.from({ length: MEMBERS }, () => new EventQueue<number>());
  for (const queue of queues) {
    const group = new SubscriptionGroup<number, string>({
      ...UNLIMITED,
      takeTurn,
      subscribe: async () => toLiveEvents(queue),
      async execute(events) {
        executed.push(turn);
        return events.map(String);
      },
    });
    const { sink } = createSink(true);
    await group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay: undefined }).begin();
  }
  for (const queue of queues) queue.push([1]);
  for (; executed.length < MEMBERS && turn < MAX_TURNS; turn++) await passTurn();
  expect(executed).toHaveLength(MEMBERS);
  expect(new Set(executed).size).toBeGreaterThanOrEqual(MEMBERS - 1);
});

it('groups whose events end at once end in the same turn, because a stop then closes the connections', async () => {
  const takeTurn = createTurns(1);
  const groups = Array.from({ length: MEMBERS }, () => ({
    queue: new EventQueue<number>(),
    ...createSink(true),
  }));
  for (const { queue, sink } of groups) {
    const subscribe = async () => toLiveEvents(queue);
    const group = new SubscriptionGroup<number, string>({
      ...UNLIMITED,
      takeTurn,
      subscribe,
      execute: async () => [],
    });
    await group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay: undefined }).begin();
  }
  for (const { queue } of groups) void queue.return();
  await passTurn();
  expect(groups.filter(({ state }) => state.ends.length === 1)).toHaveLength(MEMBERS);
});

/** A group that starts when the test decides, or fails to, and then reports a refused kind. */
function createWaitingGroup() {
  let settle = (_: Promise<void>) => {};
  const started = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let [empties, returns] = [0, 0];
  const group = new SubscriptionGroup<number, string>({
    ...UNLIMITED,
    async subscribe() {
      await started;
      const events = toLiveEvents(new EventQueue<number>(() => void returns++));
      return {
        ...events,
        start(onRefusal) {
          onRefusal?.('IMAGE', createBadInputError('kinds', 'No images.'));
          return events.start();
        },
      };
    },
    execute: async () => [],
    deliveryTurns: new OperationTurns(),
    toErrorJson: ({ message }) => message,
    onEmpty: () => void empties++,
  });
  const join = (sink: SubscriptionSink) =>
    group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay: undefined });
  return { group, join, settle, empties: () => empties, returns: () => returns };
}

it('a group that cannot start loses its members, so that later ones start another', async () => {
  const { group, join, settle, empties } = createWaitingGroup();
  const members = [createSink(true), createSink(true)].map(({ sink }) => join(sink));
  const begun = Promise.allSettled(members.map((member) => member.begin()));
  settle(Promise.reject(new Error('unreachable')));
  expect((await begun).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([group.size, empties()]).toEqual([0, 1]);
});

it('a group without members stops its events', async () => {
  const { join, settle, returns } = createWaitingGroup();
  const members = [join(createSink(true).sink), join(createSink(true).sink)];
  settle(Promise.resolve());
  await Promise.all(members.map((member) => member.begin()));
  members[0]?.close();
  await Promise.resolve();
  expect(returns()).toBe(0);
  members[1]?.close();
  await Promise.resolve();
  expect(returns()).toBe(1);
});

it('a member that leaves before the group has started receives nothing, the others its refusals', async () => {
  const { join, settle } = createWaitingGroup();
  const [left, stayed] = [createSink(true), createSink(true)];
  const [leaving, staying] = [join(left.sink), join(stayed.sink)];
  const begun = [leaving.begin(), staying.begin()];
  leaving.close();
  settle(Promise.resolve());
  await Promise.all(begun);
  expect([left.state.received.length, stayed.state.received.length]).toEqual([0, 1]);
});

/** A started group whose members record the turns in which they receive a result and a heartbeat. */
async function startGroup() {
  let nowMs = 0;
  const queue = new EventQueue<number>();
  const group = new SubscriptionGroup<number, string>({
    ...UNLIMITED,
    subscribe: async () => toLiveEvents(queue, 0),
    execute: async (events) => events.map(String),
    takeHeartbeatTurn: createTurns(3),
    // A clock that advances 1 ms at each reading: three members of each delivery fit into a turn.
    deliveryTurns: new OperationTurns(new TurnBudget({ maxTurnMs: 3, nowMs: () => nowMs++ })),
  });
  const turns = { next: [] as number[], heartbeat: [] as number[] };
  let turn = 0;
  const sink = {
    isFree: () => true,
    next: () => void turns.next.push(turn),
    heartbeat: () => void turns.heartbeat.push(turn),
    end() {},
  };
  const request = { sink, budget: unlimitedBytes, owner: 'caller', replay: undefined };
  const members = Array.from({ length: MEMBERS }, () => group.add(request));
  await Promise.all(members.map((member) => member.begin()));
  turns.heartbeat = [];
  return {
    group,
    members,
    queue,
    turns,
    async passTurns() {
      for (const end = turn + 2 * MEMBERS; turn < end; turn++)
        await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A turn of the test may contain the end of one turn of the group and the start of the next. */
const MAX_PER_TURN = 2 * 3;

/** The number of results in each turn. */
function countsOf(turns: readonly number[]): number[] {
  return [...new Set(turns)].map((turn) => turns.filter((one) => one === turn).length);
}

it('a group sends a result to a few members in each turn, once to each', async () => {
  const { queue, turns, passTurns } = await startGroup();
  queue.push([1]);
  await passTurns();
  expect(turns.next).toHaveLength(MEMBERS);
  expect(Math.max(...countsOf(turns.next))).toBeLessThanOrEqual(MAX_PER_TURN);
});

it('a group sends heartbeats to a few members in each turn, and none to a member that leaves meanwhile', async () => {
  const { group, members, turns, passTurns } = await startGroup();
  void group.heartbeat();
  members.at(-1)?.close();
  await passTurns();
  expect(turns.heartbeat).toHaveLength(MEMBERS - 1);
  expect(Math.max(...countsOf(turns.heartbeat))).toBeLessThanOrEqual(MAX_PER_TURN);
});

/** A budget that counts. */
function createCountingBudget() {
  let used = 0;
  return {
    ...unlimitedBytes,
    add: (bytes: number) => {
      used += bytes;
    },
    used: () => used,
  };
}

it('a member that has read the past between two turns of a delivery is charged once for it', async () => {
  const { group, queue, passTurns } = await startGroup();
  let endPage = () => {};
  const replay: EventReplay<number> = {
    from: [],
    read: () =>
      new Promise((resolve) => {
        endPage = () => resolve({ events: [], isLast: true });
      }),
    close() {},
  };
  const received: string[] = [];
  let isFree = false;
  const sink = {
    isFree: () => isFree,
    next: ({ payloads }: PayloadBatch) => void received.push(...payloads.map(({ text }) => text)),
    heartbeat() {},
    end() {},
  };
  const budget = createCountingBudget();
  const member = group.add({ sink, budget, owner: 'caller', replay });
  await member.begin();
  queue.push([1]);
  while (group.log.end === 0) await new Promise((resolve) => setImmediate(resolve));
  endPage();
  await passTurns();
  isFree = true;
  member.resume();
  expect(received).toEqual(['1']);
  expect(budget.used()).toBe(0);
});

const passTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A sink that can be paused, and collects what it receives. */
function createSink(isFree: boolean) {
  const state = { isFree, received: [] as string[], ends: [] as SubscriptionEnd[] };
  const sink = {
    isFree: () => state.isFree,
    next: ({ payloads }: PayloadBatch) => void state.received.push(...payloads.map(({ text }) => text)),
    heartbeat() {},
    end: (end: SubscriptionEnd) => void state.ends.push(end),
  };
  return { state, sink };
}

it('a member that reads on between two turns of a delivery is charged for nothing afterwards', async () => {
  const { group, queue, passTurns } = await startGroup();
  const { state, sink } = createSink(false);
  const budget = createCountingBudget();
  const member = group.add({ sink, budget, owner: 'caller', replay: undefined });
  await member.begin();
  queue.push([1]);
  await passTurns();
  expect(budget.used()).toBeGreaterThan(0);
  queue.push([2]);
  while (group.log.end === 1) await new Promise((resolve) => setImmediate(resolve));
  state.isFree = true;
  member.resume();
  await passTurns();
  expect(state.received).toEqual(['1', '2']);
  expect(budget.used()).toBe(0);
});

it('a member that has left is charged for nothing', async () => {
  const { group, queue, passTurns } = await startGroup();
  const budget = createCountingBudget();
  const { sink } = createSink(false);
  const member = group.add({ sink, budget, owner: 'caller', replay: undefined });
  await member.begin();
  queue.push([1]);
  await passTurns();
  expect(budget.used()).toBeGreaterThan(0);
  member.close();
  expect(budget.used()).toBe(0);
});

it('a member ends as a slow consumer if it lets results wait while the budget of its caller is exceeded', async () => {
  const { group, queue, passTurns } = await startGroup();
  const budget = { ...createCountingBudget(), isExceeded: () => true };
  const [reading, waiting] = [createSink(true), createSink(false)];
  for (const { sink } of [reading, waiting])
    await group.add({ sink, budget, owner: 'caller', replay: undefined }).begin();
  queue.push([1]);
  await passTurns();
  expect([reading.state.received, reading.state.ends]).toEqual([['1'], []]);
  expect(waiting.state.ends).toMatchObject([{ error: { code: 'SLOW_CONSUMER' } }]);
});

it('a member whose cursor is refused gets no cursor with the error', async () => {
  const { group, passTurns } = await startGroup();
  const { state, sink } = createSink(true);
  const replay: EventReplay<number> = {
    from: [{ kind: 'SCALAR', id: 7, cursor: 'ScalarSample:7' }],
    read: () => Promise.reject(createBadInputError('after', 'No such sample.')),
    close() {},
  };
  await group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay }).begin();
  await passTurns();
  expect(state.ends).toEqual([
    { error: expect.objectContaining({ code: 'BAD_USER_INPUT' }), cursor: undefined },
  ]);
});

it('a group is charged for results of the past only while a member reads it', async () => {
  const { group, members, passTurns } = await startGroup();
  const charges: number[] = [];
  const counting = createCountingBudget();
  const add = (bytes: number) => {
    counting.add(bytes);
    charges.push(counting.used());
  };
  const replay: EventReplay<number> = {
    from: [],
    read: async () => ({ events: [1, 2], isLast: true }),
    close() {},
  };
  const sink = { isFree: () => true, next() {}, heartbeat() {}, end() {} };
  const budget = { ...counting, add };
  const reader = group.add({ sink, budget, owner: 'caller', replay });
  for (const member of members) member.close();
  await reader.begin();
  await passTurns();
  expect(Math.max(...charges)).toBeGreaterThan(0);
  expect(budget.used()).toBe(0);
});

it('executions are for the caller of all members, and past events for that of their member', async () => {
  const queue = new EventQueue<number>();
  const executed: unknown[] = [];
  const group = new SubscriptionGroup<number, string>({
    ...UNLIMITED,
    subscribe: async () => toLiveEvents(queue, 0),
    async execute(events, _, caller) {
      executed.push([events, caller]);
      return events.map(String);
    },
  });
  const join = async (caller: string, past: number[] = []) => {
    const replay = { from: [], read: async () => ({ events: past, isLast: true }), close() {} };
    const request = {
      sink: createSink(true).sink,
      budget: { ...unlimitedBytes, caller },
      owner: 'owner',
      replay,
    };
    await group.add(request).begin();
    await passTurn();
  };
  const push = async (event: number) => {
    queue.push([event]);
    await passTurn();
  };
  await join('a');
  await join('a');
  await push(1);
  await join('b', [2]);
  await push(3);
  expect(executed).toEqual([
    [[1], 'a'],
    [[2], 'b'],
    [[3], undefined],
  ]);
});

it('replays that begin at different events of a page share executions', async () => {
  let executed = 0;
  const group = new SubscriptionGroup<number, string>({
    ...UNLIMITED,
    subscribe: async () => toLiveEvents(new EventQueue<number>()),
    async execute(events) {
      executed += events.length;
      return events.map(String);
    },
  });
  const page = Array.from({ length: 47 }, (_, index) => index);
  const replayFrom = (first: number): EventReplay<number> => ({
    from: [],
    read: async () => ({ events: page.slice(first), isLast: true }),
    close() {},
  });
  const received = await Promise.all(
    [0, 13].map(async (first) => {
      const { state, sink } = createSink(true);
      await group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay: replayFrom(first) }).begin();
      return state.received;
    }),
  );
  await passTurn();
  expect(received).toEqual([page.map(String), page.slice(13).map(String)]);
  // The batch in which the second one begins is executed for each.
  expect(executed).toBe(page.length + 4);
});

it('a member sends no past events while other subscriptions fill its connection during the wait for a turn', async () => {
  const { state, sink } = createSink(true);
  let turns = 0;
  let grant = () => {};
  const group = new SubscriptionGroup<number, string>({
    ...UNLIMITED,
    subscribe: async () => toLiveEvents(new EventQueue<number>()),
    execute: async (events) => events.map(String),
    takePastTurn: () =>
      new Promise((resolve) => {
        turns += 1;
        grant = resolve;
      }),
  });
  const replay: EventReplay<number> = {
    from: [],
    read: async () => ({ events: [1, 2], isLast: true }),
    close() {},
  };
  const member = group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay });
  await member.begin();
  await passTurn();
  state.isFree = false;
  grant();
  await passTurn();
  expect([turns, state.received]).toEqual([1, []]);
  state.isFree = true;
  member.resume();
  await passTurn();
  grant();
  await passTurn();
  expect([turns, state.received]).toEqual([2, ['1', '2']]);
});

interface Numbered {
  kind: string;
  id: number;
  /** Makes the result longer. */
  padding?: string;
}

const positionAt = (kind: string, id: number) => ({ kind, id, cursor: `${kind}:${id}` });

const from = [positionAt('SCALAR', 100), positionAt('RFID', 50)];

/** A group with events of two kinds, which begin after `from`. */
function createTwoKinds(
  takeReplayTurn: () => Promise<void> | undefined,
  {
    progress = () => ({ asOfMs: 0, positions: [] }),
    pause,
  }: Pick<LiveEvents<Numbered>, 'progress'> & { pause?: Promise<void> } = {},
) {
  const queue = new EventQueue<Numbered>();
  const group = new SubscriptionGroup<Numbered, string>({
    ...UNLIMITED,
    subscribe: async () => ({
      kinds: ['SCALAR', 'RFID'],
      replay: undefined,
      positionOf: ({ kind, id }) => (kind === 'IMAGE' ? undefined : positionAt(kind, id)),
      start: async () => ({
        from,
        next: async () => ({ value: [(await queue.next()).value], done: false as const }),
        return: async () => ({ value: undefined, done: true as const }),
      }),
      progress,
      [Symbol.asyncIterator]: () => queue,
    }),
    async execute(events) {
      await pause;
      return events.map(({ kind, id, padding = '' }) => `${kind}:${id}${padding}`);
    },
    takeReplayTurn,
  });
  /** Adds a member that can be paused, and collects what it receives. */
  async function join(
    replay: EventReplay<Numbered> | undefined,
    isFree = true,
    budget: ByteBudget = unlimitedBytes,
  ) {
    const state = {
      isFree,
      batches: [] as PayloadBatch[],
      heartbeats: [] as Heartbeat[],
      ends: [] as SubscriptionEnd[],
    };
    const sink = {
      isFree: () => state.isFree,
      next: (batch: PayloadBatch) => void state.batches.push(batch),
      heartbeat: (heartbeat: Heartbeat) => void state.heartbeats.push(heartbeat),
      end: (end: SubscriptionEnd) => void state.ends.push(end),
    };
    const member = group.add({ sink, budget, owner: 'caller', replay });
    await member.begin();
    const texts = () => state.batches.flatMap(({ payloads }) => payloads.map(({ text }) => text));
    return { state, member, texts };
  }
  return { group, queue, join };
}

it('a member that resumes one kind gets the others, which wait for the client meanwhile', async () => {
  const { open: takeTurn, opened: turn } = createGate();
  const { queue, join } = createTwoKinds(() => turn);
  const replay: EventReplay<Numbered> = {
    from: from.slice(0, 1),
    read: async () => ({ events: [], isLast: true }),
    close() {},
  };
  const { state, member, texts } = await join(replay, false);
  queue.push([{ kind: 'RFID', id: 51 }]);
  await passTurn();
  // The past is read, and has nothing, while the client reads nothing.
  takeTurn();
  await passTurn();
  expect(texts()).toEqual([]);
  state.isFree = true;
  member.resume();
  queue.push([{ kind: 'SCALAR', id: 101 }]);
  await passTurn();
  expect(texts()).toEqual(['RFID:51', 'SCALAR:101']);
});

/** A replay of one kind, whose pages arrive when the test resolves them. */
function createPagedReplay() {
  const pages: ((page: PastBatch<Numbered>) => void)[] = [];
  const replay: EventReplay<Numbered> = {
    from: from.slice(0, 1),
    read: () => new Promise((resolve) => pages.push(resolve)),
    close() {},
  };
  return { pages, replay };
}

/** A member that has requested the first page of a replay. */
async function joinPaged(budget?: ByteBudget) {
  const { queue, join } = createTwoKinds(() => undefined);
  const { pages, replay } = createPagedReplay();
  const { state, texts } = await join(replay, true, budget);
  await passTurn();
  return { queue, pages, state, texts };
}

it('a member that got another kind late, between two pages of the past, shares later batches', async () => {
  const { queue, join } = createTwoKinds(() => undefined);
  const { pages, replay } = createPagedReplay();
  const current = await join(undefined);
  const { state, member, texts } = await join(replay, false);
  await passTurn();
  queue.push([{ kind: 'RFID', id: 51 }]);
  await passTurn();
  pages.shift()?.({ events: [], isLast: false });
  await passTurn();
  // The member requested this page after it had read the tag.
  state.isFree = true;
  member.resume();
  pages.shift()?.({ events: [], isLast: true });
  await passTurn();
  for (const id of [101, 102, 103]) {
    queue.push([{ kind: 'SCALAR', id }]);
    await passTurn();
  }
  const all = ['RFID:51', 'SCALAR:101', 'SCALAR:102', 'SCALAR:103'];
  expect([texts(), current.texts()]).toEqual([all, all]);
  expect(state.batches.at(-1)).toBe(current.state.batches.at(-1));
});

it('a member reads a page of the past once, although events of its kind arrive meanwhile', async () => {
  const { queue, pages, texts } = await joinPaged();
  queue.push([{ kind: 'SCALAR', id: 101 }]);
  await passTurn();
  pages[0]?.({ events: [], isLast: true });
  await passTurn();
  expect([texts(), pages.length]).toEqual([['SCALAR:101'], 1]);
});

it('a member gets no event of the past again, although many of them wait for it in the log', async () => {
  const { queue, pages, texts } = await joinPaged();
  const events = Array.from({ length: 50 }, (_, index) => ({ kind: 'SCALAR', id: 101 + index }));
  for (const event of events) {
    queue.push([event]);
    await passTurn();
  }
  pages[0]?.({ events, isLast: true });
  await passTurn();
  expect(texts()).toEqual(events.map(({ id }) => `SCALAR:${id}`));
});

it('a member reads the past again if the log could not keep what arrived meanwhile', async () => {
  const { queue, pages, texts } = await joinPaged();
  const events = [101, 102, 103, 104].map((id) => ({ kind: 'SCALAR', id, padding: ' '.repeat(3_000_000) }));
  for (const event of events) {
    queue.push([event]);
    await passTurn();
  }
  pages[0]?.({ events: [], isLast: true });
  await passTurn();
  pages[1]?.({ events, isLast: true });
  await passTurn();
  expect(texts().map((text) => text.trim())).toEqual(events.map(({ id }) => `SCALAR:${id}`));
});

it('a member whose caller has used up the budget reads the past again instead of letting results wait', async () => {
  const budget = { ...createCountingBudget(), isExceeded: () => true };
  const { queue, pages, state, texts } = await joinPaged(budget);
  queue.push([{ kind: 'SCALAR', id: 101 }]);
  await passTurn();
  expect([state.ends, budget.used()]).toEqual([[], 0]);
  pages[0]?.({ events: [], isLast: true });
  await passTurn();
  pages[1]?.({ events: [{ kind: 'SCALAR', id: 101 }], isLast: true });
  await passTurn();
  expect([texts(), pages.length]).toEqual([['SCALAR:101'], 2]);
});

it('a member gets an event without a position once, although it arrives while a page of the past is read', async () => {
  const { queue, pages, texts } = await joinPaged();
  queue.push([{ kind: 'IMAGE', id: 7 }]);
  await passTurn();
  expect(texts()).toEqual(['IMAGE:7']);
  pages.shift()?.({ events: [], isLast: true });
  await passTurn();
  queue.push([{ kind: 'SCALAR', id: 101 }]);
  await passTurn();
  expect(texts()).toEqual(['IMAGE:7', 'SCALAR:101']);
});

/** A group that delivers an event, until `finish()`. */
async function startDelivery() {
  const { open: finish, opened: pause } = createGate();
  const asOfMs = Date.UTC(2026, 0, 1);
  const progress = () => ({ asOfMs, positions: [positionAt('SCALAR', 101)] });
  const { group, queue, join } = createTwoKinds(() => undefined, { progress, pause });
  const { state } = await join(undefined);
  queue.push([{ kind: 'SCALAR', id: 101 }]);
  await passTurn();
  return { group, state, finish, asOf: new Date(asOfMs).toISOString() };
}

it('a heartbeat names no event that has been polled and is not delivered yet', async () => {
  const { group, state, finish, asOf } = await startDelivery();
  await group.heartbeat();
  expect(state.heartbeats.at(-1)).toEqual({ asOf: undefined, cursor: 'SCALAR:100,RFID:50' });
  finish();
  await passTurn();
  await group.heartbeat();
  expect(state.heartbeats.at(-1)).toEqual({
    asOf,
    cursor: 'SCALAR:101,RFID:50',
  });
});

it('a heartbeat during a delivery waits for it, so that `asOf` advances', async () => {
  const { group, state, finish, asOf } = await startDelivery();
  const beating = group.heartbeat();
  finish();
  await beating;
  expect(state.heartbeats.at(-1)?.asOf).toBe(asOf);
});

it('a group keeps no result that all members have taken', async () => {
  const { group, queue, passTurns } = await startGroup();
  queue.push([1]);
  await passTurns();
  expect([group.log.start, group.log.end]).toEqual([1, 1]);
});

it('the memory of a group is charged to the first of its members', async () => {
  const group = new SubscriptionGroup<number, string>({
    ...UNLIMITED,
    async subscribe(budget) {
      budget.add(100);
      return toLiveEvents(new EventQueue());
    },
    execute: async () => [],
  });
  const budgets = [createCountingBudget(), createCountingBudget()];
  const used = () => budgets.map((budget) => budget.used());
  const { sink } = createSink(true);
  const members = budgets.map((budget) => group.add({ sink, budget, owner: 'caller', replay: undefined }));
  for (const member of members) await member.begin();
  expect(used()).toEqual([100, 0]);
  members[0]?.close();
  expect(used()).toEqual([0, 100]);
  members[1]?.close();
  expect(used()).toEqual([0, 0]);
});

it('a member that has read the past gets a heartbeat with `asOf` at once', async () => {
  const { group, passTurns } = await startGroup();
  const replay: EventReplay<number> = {
    from: [],
    read: async () => ({ events: [1], isLast: true }),
    close() {},
  };
  const sent: (string | undefined)[] = [];
  const sink = {
    isFree: () => true,
    next: ({ payloads }: PayloadBatch) => void sent.push(...payloads.map(({ text }) => text)),
    heartbeat: ({ asOf }: { asOf?: string | undefined }) => void sent.push(asOf),
    end() {},
  };
  await group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay }).begin();
  await passTurns();
  expect(sent).toEqual([undefined, '1', '1970-01-01T00:00:00.000Z']);
});
