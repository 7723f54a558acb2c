/** Work that is divided over turns of the event loop by time. */
import { describe, expect, it } from 'vitest';
import { OperationTurns, scheduleBatch, TurnBudget } from '../../../src/lib/turnBudget.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Only the work advances the clock. */
function createWorld(maxTurnMs = 10) {
  let nowMs = 0;
  const budget = new TurnBudget({ maxTurnMs, nowMs: () => nowMs });
  const work = (ms: number) => {
    nowMs += ms;
  };
  return { budget, work, createTurns: (callerId?: string) => new OperationTurns(budget, callerId) };
}

describe('a turn', () => {
  it('is spent once the time since its first measurement is used up, until the next turn', async () => {
    const { createTurns, work } = createWorld();
    const turns = createTurns();
    work(100);
    expect(turns.measure()).toBe(false);
    work(9);
    expect(turns.measure()).toBe(false);
    work(1);
    expect(turns.isExhausted()).toBe(false);
    expect(turns.measure()).toBe(true);
    expect(turns.isExhausted()).toBe(true);
    await nextTurn();
    expect(turns.isExhausted()).toBe(false);
    expect(turns.measure()).toBe(false);
  });

  it('runs waiting work in order until its time is used up, with the time of microtasks, and at least one piece', async () => {
    const { createTurns, work } = createWorld();
    const turns = createTurns();
    const done: string[] = [];
    const add = (name: string, ms: number) => turns.later(() => done.push(name)).then(() => work(ms));
    const all = [add('a', 6), add('b', 6), add('c', 50), add('d', 1)];
    expect(done).toEqual([]);
    await nextTurn();
    expect(done).toEqual(['a', 'b']);
    await nextTurn();
    expect(done).toEqual(['a', 'b', 'c']);
    await nextTurn();
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    await Promise.all(all);
  });

  it('is shared by operations, which alternate', async () => {
    const { createTurns, work } = createWorld();
    const [one, other] = [createTurns(), createTurns()];
    const done: string[] = [];
    const add = (turns: OperationTurns, name: string) =>
      turns.later(() => {
        done.push(name);
        work(5);
      });
    for (const name of ['a1', 'a2', 'a3']) void add(one, name);
    void add(other, 'b1');
    await nextTurn();
    expect(done).toEqual(['a1', 'b1']);
    await nextTurn();
    expect(done).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('is shared by callers, which alternate, whatever the number of their operations', async () => {
    const { createTurns, work } = createWorld(100);
    const done: string[] = [];
    const add = (callerId: string, names: string[]) => {
      const turns = createTurns(callerId);
      for (const name of names) void turns.later(() => done.push(name)).then(() => work(1));
    };
    for (const name of ['A1', 'A2', 'A3']) add('A', [`${name}a`, `${name}b`]);
    add('B', ['Ba', 'Bb', 'Bc']);
    await nextTurn();
    expect(done).toEqual(['A1a', 'Ba', 'A2a', 'Bb', 'A3a', 'Bc', 'A1b', 'A2b', 'A3b']);
  });
});

describe('work in a later turn', () => {
  it('rejects with what it throws, and does not stop other work', async () => {
    const turns = createWorld().createTurns();
    const failing = turns.later(() => {
      throw new Error('failed');
    });
    const other = turns.later(() => 1);
    await expect(failing).rejects.toThrow('failed');
    await expect(other).resolves.toBe(1);
    expect(turns.isWaiting()).toBe(false);
  });
});

describe('a batch', () => {
  it('is dispatched before the next turn where no work waits', async () => {
    const turns = createWorld().createTurns();
    let isDispatched = false;
    scheduleBatch(turns, () => {
      isDispatched = true;
    });
    await nextTurn();
    expect(isDispatched).toBe(true);
  });

  it('waits for work of its own operation, and for work that this work leaves', async () => {
    const { createTurns, work } = createWorld();
    const [turns, other] = [createTurns(), createTurns()];
    const done: string[] = [];
    const slice = async (name: string) => {
      await turns.later(() => work(10));
      done.push(name);
    };
    void slice('first').then(() => slice('second'));
    scheduleBatch(turns, () => done.push('batch'));
    scheduleBatch(other, () => done.push('other batch'));
    for (let turn = 0; turn < 4; turn++) await nextTurn();
    expect(done).toEqual(['other batch', 'first', 'second', 'batch']);
  });
});
