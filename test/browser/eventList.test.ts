/** The explorer's list of subscription events. */
import { expect, it } from 'vitest';
import { addEvent, type EventList, listEvents, MAX_EVENTS } from '../../explorer/requests/eventList.js';

it('the event list keeps the newest events first, and counts those that it has discarded', () => {
  let list: EventList = { received: 0, events: [] };
  const count = MAX_EVENTS + 50;
  for (let event = 1; event <= count; event++) list = addEvent(list, event);
  expect(list.received).toBe(count);
  expect(list.events).toHaveLength(MAX_EVENTS);
  expect(list.events.slice(0, 3)).toEqual([count, count - 1, count - 2]);
});

it('the event list shows a failure without counting it as received, and counts events that have errors beside their data', async () => {
  const failure = { data: null, errors: [{ message: 'The gateway is stopping.' }] };
  const partial = { data: { sampleReceived: { value: null } }, errors: [{ message: 'Not found.' }] };
  async function* source() {
    yield partial;
    await new Promise((resolve) => setTimeout(resolve, 10));
    yield failure;
  }
  const lists = listEvents(source());
  expect((await lists.next()).value).toEqual({ received: 1, events: [partial] });
  expect((await lists.next()).value).toEqual({ received: 1, events: [failure, partial] });
  expect((await lists.next()).done).toBe(true);
});

it('the event list ends with the subscription, after its last events', async () => {
  async function* burst() {
    yield* [1, 2, 3];
  }
  const lists = listEvents(burst());
  expect((await lists.next()).value).toEqual({ received: 3, events: [3, 2, 1] });
  expect(await lists.next()).toEqual({ value: undefined, done: true });
});

it('the event list can be stopped while it waits for an event', async () => {
  const stopped: string[] = [];
  const silent = {
    next: () => new Promise<IteratorResult<unknown>>(() => {}),
    async return() {
      stopped.push('source');
      return { value: undefined, done: true as const };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  const lists = listEvents(silent);
  const next = lists.next();
  await lists.return?.();
  expect(await next).toEqual({ value: undefined, done: true });
  expect(stopped).toEqual(['source']);
});

it('the event list ends with the failure of its source, in words for the visitor, and keeps its events', async () => {
  async function* source() {
    yield 'first';
    await new Promise((resolve) => setTimeout(resolve, 10));
    throw new Error('Socket closed with event 1006');
  }
  const events = listEvents(source(), (error) => ({ message: `reported: ${(error as Error).message}` }));
  expect((await events.next()).value).toEqual({ received: 1, events: ['first'] });
  const failure = { errors: [{ message: 'reported: Socket closed with event 1006' }] };
  expect((await events.next()).value).toEqual({ received: 1, events: [failure, 'first'] });
  expect(await events.next()).toEqual({ value: undefined, done: true });
});

it('the event list shows nothing more after it is stopped, however many events arrive', async () => {
  let isOpen = true;
  async function* busy() {
    for (let event = 1; isOpen; event++) {
      yield event;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const lists = listEvents(busy());
  await lists.next();
  const next = lists.next();
  const stopped = lists.return?.();
  isOpen = false;
  await stopped;
  expect(await next).toEqual({ value: undefined, done: true });
});

it('the event list shows the times of heartbeats before the first event and beside later ones, and none after its end', async () => {
  let send = (_event: string) => {};
  async function* source() {
    yield await new Promise<string>((resolve) => {
      send = resolve;
    });
  }
  const lists = listEvents(source());
  lists.setAsOf('2026-03-01T08:00:00Z');
  expect((await lists.next()).value).toEqual({ received: 0, events: [], asOf: '2026-03-01T08:00:00Z' });
  lists.setAsOf('2026-03-01T08:00:05Z');
  expect((await lists.next()).value).toMatchObject({ received: 0, asOf: '2026-03-01T08:00:05Z' });
  send('first');
  expect((await lists.next()).value).toEqual({
    received: 1,
    events: ['first'],
    asOf: '2026-03-01T08:00:05Z',
  });
  expect(await lists.next()).toEqual({ value: undefined, done: true });
  lists.setAsOf('2026-03-01T08:00:10Z');
  expect(await lists.next()).toEqual({ value: undefined, done: true });
});
