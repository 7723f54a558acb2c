/** The queue between the sample feed and one subscriber: order, end, and overflow. */
import { describe, expect, it } from 'vitest';
import { createStoppingError } from '../../../src/errors.js';
import { unlimitedBytes } from '../../../src/lib/byteBudget.js';
import { FeedListener, FeedListeners } from '../../../src/live/feedListener.js';
import {
  createTestListener as createListener,
  takeIds,
  testSamples,
} from '../../support/live/testListener.js';

const stopped = createStoppingError();

describe('a listener', () => {
  it('returns samples in order, those that are queued and those that arrive later', async () => {
    const { listener } = createListener();
    listener.push(testSamples(1, 2));
    expect(await takeIds(listener)).toEqual([1, 2]);
    const waited = takeIds(listener);
    listener.push([]);
    await Promise.resolve();
    listener.push(testSamples(3));
    listener.push(testSamples(4));
    expect(await waited).toEqual([3, 4]);
  });

  it('returns at most a batch at a time', async () => {
    const { listener } = createListener({ maxBatch: 2 });
    listener.push(testSamples(1, 2, 3));
    expect(await takeIds(listener)).toEqual([1, 2]);
    expect(await takeIds(listener)).toEqual([3]);
  });

  it('ends once, after its samples, with the reason', async () => {
    const { listener, ends, used } = createListener();
    listener.push(testSamples(1));
    listener.end(stopped);
    listener.end();
    listener.push(testSamples(2));
    expect(await takeIds(listener)).toEqual([1]);
    expect(await listener.next()).toEqual({ value: stopped, done: true });
    expect(await listener.next()).toEqual({ value: stopped, done: true });
    await listener.ended;
    expect([ends(), used()]).toEqual([1, 0]);
  });

  it.each(['end', 'return'] as const)('charges the streams that it selects until its %s', async (way) => {
    const streamIds = new Set(Array.from({ length: 1000 }, (_, index) => index + 1));
    const { listener, used } = createListener({ streamIds });
    const selected = used();
    expect(selected).toBeGreaterThan(50_000);
    listener.push(testSamples(1));
    expect(used()).toBeGreaterThan(selected);
    await takeIds(listener);
    expect(used()).toBe(selected);
    void listener[way]();
    listener.end();
    expect(used()).toBe(0);
  });

  it('returns the end to a waiting read', async () => {
    const { listener } = createListener();
    const waited = listener.next();
    listener.end(stopped);
    expect(await waited).toEqual({ value: stopped, done: true });
  });

  it('ends as a slow consumer when it is full and others arrive', async () => {
    const { listener, ends } = createListener({ capacity: 3 });
    listener.push(testSamples(1, 2));
    listener.push(testSamples(3));
    expect(ends()).toBe(0);
    listener.push(testSamples(4));
    expect(ends()).toBe(1);
    listener.push(testSamples(5));
    expect(await takeIds(listener)).toEqual([1, 2, 3]);
    expect(await listener.next()).toMatchObject({ value: { code: 'SLOW_CONSUMER' }, done: true });
  });

  it('accepts samples while it has none, although its caller has used up the budget elsewhere', async () => {
    const { listener, ends } = createListener({ capacity: 0 });
    for (const id of [1, 2]) {
      listener.push(testSamples(id));
      expect(await takeIds(listener)).toEqual([id]);
    }
    expect(ends()).toBe(0);
  });

  it('accepts a batch beyond its capacity if the previous one has been read', async () => {
    const { listener, ends } = createListener({ capacity: 3 });
    const ids = Array.from({ length: 5000 }, (_, index) => index);
    for (let round = 0; round < 3; round++) {
      listener.push(testSamples(...ids));
      const taken: number[] = [];
      while (taken.length < ids.length) taken.push(...(await takeIds(listener)));
      expect(taken).toEqual(ids);
    }
    expect(ends()).toBe(0);
  });

  it('frees the room of samples that were read, for any number of them', async () => {
    const { listener, ends } = createListener({ capacity: 3, maxBatch: 1 });
    for (let index = 0; index < 5000; index++) {
      listener.push(testSamples(index));
      if (index >= 2) expect(await takeIds(listener)).toEqual([index - 2]);
    }
    expect(ends()).toBe(0);
  });

  it('discards its samples where the consumer stops', async () => {
    const { listener, ends, used } = createListener();
    listener.push(testSamples(1, 2));
    expect(await listener.return()).toEqual({ value: undefined, done: true });
    listener.push(testSamples(3));
    listener.end(stopped);
    expect(await listener.next()).toEqual({ value: undefined, done: true });
    expect([ends(), used()]).toEqual([1, 0]);
  });

  it('resolves a waiting read when the consumer stops', async () => {
    const { listener, ends } = createListener();
    const waited = listener.next();
    await listener.return();
    expect(await waited).toEqual({ value: undefined, done: true });
    expect(ends()).toBe(1);
  });
});

it.each([[undefined], [new Set([1])]])(
  'a listener to images gets no numbers, whether it selects streams or not',
  async (streamIds) => {
    const selection = { kinds: ['IMAGE' as const], streamIds, budget: unlimitedBytes };
    const listener = new FeedListener(selection, () => {});
    const listeners = new FeedListeners();
    listeners.add(listener);
    listeners.push('SCALAR', testSamples(1));
    listeners.push('IMAGE', testSamples(2));
    expect(await takeIds(listener)).toEqual([2]);
  },
);
