/** The queue between the sample feed and one subscriber: order, end, and overflow. */
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/live/feedListener.js';

function createQueue(capacity = 3): { queue: EventQueue<string>; ends: () => number } {
  let ends = 0;
  const queue = new EventQueue<string>({
    capacity,
    createOverflowEvent: () => 'too slow',
    onEnd: () => {
      ends += 1;
    },
  });
  return { queue, ends: () => ends };
}

async function rest(queue: EventQueue<string>): Promise<string[]> {
  const taken: string[] = [];
  for await (const event of queue) taken.push(event);
  return taken;
}

const end = { value: undefined, done: true };

describe('an event queue', () => {
  it('returns events in order, those that are queued and those that arrive later', async () => {
    const { queue } = createQueue();
    queue.push(['a', 'b']);
    expect(await queue.next()).toEqual({ value: 'a', done: false });
    expect(await queue.next()).toEqual({ value: 'b', done: false });
    const waited = [queue.next(), queue.next()];
    queue.push(['c']);
    queue.push([]);
    queue.push(['d']);
    expect(await Promise.all(waited)).toEqual([
      { value: 'c', done: false },
      { value: 'd', done: false },
    ]);
  });

  it('ends once, after its events and a last event', async () => {
    const { queue, ends } = createQueue();
    queue.push(['a']);
    queue.end('last');
    queue.end('never told');
    queue.push(['never told']);
    expect(await rest(queue)).toEqual(['a', 'last']);
    expect(await queue.next()).toEqual(end);
    expect(ends()).toBe(1);
  });

  it('returns the last event to a waiting read, and the end to further ones', async () => {
    const { queue } = createQueue();
    const waited = [queue.next(), queue.next(), queue.next()];
    queue.end('last');
    expect(await waited[0]).toEqual({ value: 'last', done: false });
    await queue.return();
    expect(await Promise.all(waited.slice(1))).toEqual([end, end]);
  });

  it('ends with the overflow event when it is full and others arrive', async () => {
    const { queue, ends } = createQueue(3);
    queue.push(['a', 'b']);
    queue.push(['c']);
    expect(ends()).toBe(0);
    queue.push(['d']);
    expect(ends()).toBe(1);
    queue.push(['e']);
    expect(await rest(queue)).toEqual(['a', 'b', 'c', 'too slow']);
  });

  it('accepts a batch beyond its capacity if the previous one has been read', async () => {
    const { queue, ends } = createQueue(3);
    const batch = Array.from({ length: 5000 }, (_, index) => `event ${index}`);
    for (let round = 0; round < 3; round++) {
      queue.push(batch);
      for (const event of batch) expect(await queue.next()).toEqual({ value: event, done: false });
    }
    expect(ends()).toBe(0);
  });

  it('frees the room of events that were read, for any number of them', async () => {
    const { queue, ends } = createQueue(3);
    for (let index = 0; index < 5000; index++) {
      queue.push([`event ${index}`]);
      if (index >= 2) expect(await queue.next()).toEqual({ value: `event ${index - 2}`, done: false });
    }
    expect(ends()).toBe(0);
  });

  it('discards its events where the consumer stops', async () => {
    const { queue, ends } = createQueue();
    queue.push(['a', 'b']);
    expect(await queue.return()).toEqual(end);
    queue.push(['c']);
    queue.end('last');
    expect(await queue.next()).toEqual(end);
    expect(ends()).toBe(1);
  });

  it('resolves waiting reads when the consumer stops', async () => {
    const { queue, ends } = createQueue();
    const waited = [queue.next(), queue.next()];
    await queue.return();
    expect(await Promise.all(waited)).toEqual([end, end]);
    expect(ends()).toBe(1);
  });

  it('stops when a loop over it ends', async () => {
    const { queue, ends } = createQueue();
    queue.push(['a', 'b']);
    for await (const event of queue) {
      expect(event).toBe('a');
      break;
    }
    expect(ends()).toBe(1);
    expect(await queue.next()).toEqual(end);
  });
});
