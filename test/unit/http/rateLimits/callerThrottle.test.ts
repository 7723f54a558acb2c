/** A caller that floods the gateway is deprioritised, and gets its refusals late. */
import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { createCallerRateLimiter } from '../../../../src/http/rateLimits/callerRateLimiter.js';
import {
  createCallerThrottle,
  isOperationRefusal,
  MAX_REFUSED_CALLERS,
  type PausableConnection,
} from '../../../../src/http/rateLimits/callerThrottle.js';

const START_MS = 1_700_000_000_000;
const TOO_OFTEN = new GatewayError('RATE_LIMITED', 'Too often.');

function createResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

function createPace() {
  let nowMs = START_MS;
  const clock = { now: () => nowMs };
  const pace = createCallerThrottle(createCallerRateLimiter({ perSecond: 0, burst: 1 }, clock), clock);
  return { pace, pass: (ms: number) => (nowMs += ms) };
}

it('the caller throttle passes callers without refusals at once', () => {
  const { pace, pass } = createPace();
  expect(pace.admit('good')).toBeUndefined();
  pace.recordRefusal('bad');
  expect(pace.admit('good')).toBeUndefined();
  expect(pace.admit('bad')).toBeInstanceOf(Promise);
  pass(10_000);
  expect(pace.admit('bad')).toBeUndefined();
});

it('the caller throttle records 10,000 refused callers, and evicts the least recently active one', () => {
  const { pace } = createPace();
  for (let caller = 0; caller <= MAX_REFUSED_CALLERS; caller++) pace.recordRefusal(String(caller));
  expect(pace.admit('0')).toBeUndefined();
  expect(pace.admit('1')).toBeInstanceOf(Promise);
});

it('the caller throttle passes one refused request at each turn of the event loop', async () => {
  const { pace } = createPace();
  for (const caller of ['bad', 'worse']) pace.recordRefusal(caller);
  const seen: string[] = [];
  const entered = ['bad', 'worse', 'bad'].map(async (caller, index) => {
    await pace.admit(caller);
    seen.push(`${caller} ${index}`);
  });
  for (let turn = 0; turn < 3; turn++) {
    immediate(() => seen.push('a turn'));
    await setImmediate();
  }
  await Promise.all(entered);
  const orderOfCallers = seen.filter((each) => each !== 'a turn');
  expect(orderOfCallers).toEqual(['bad 0', 'worse 1', 'bad 2']);
  for (const [index, each] of seen.entries()) {
    if (each !== 'a turn') expect(seen[index + 1] ?? 'a turn').toBe('a turn');
  }
});

it('the caller throttle limits a caller after a few refused operations', () => {
  const clock = { now: () => START_MS };
  const pace = createCallerThrottle(createCallerRateLimiter({ perSecond: 10, burst: 20 }, clock), clock);
  for (let refusal = 0; refusal < 2; refusal++) pace.recordRefusal('bad');
  expect(() => pace.admit('bad')).toThrow('Rate limited');
  expect(pace.admit('good')).toBeUndefined();
});

it.each([
  ['RATE_LIMITED', false],
  ['PERSISTED_QUERY_NOT_FOUND', false],
  ['TOO_DEEP', true],
] as const)('an operation that is refused with %s counts as refused: %s', (code, counts) => {
  expect(isOperationRefusal(new GatewayError(code, 'No.'))).toBe(counts);
});

it('the caller throttle pauses a connection until its refusal is sent', async () => {
  const { pace } = createPace();
  const heard: string[] = [];
  const connection = { pause: () => heard.push('pause'), resume: () => heard.push('resume') };
  expect(pace.delayRefusal(connection, new GatewayError('TOO_DEEP', 'Too deep.'))).toBeUndefined();
  expect(heard).toEqual([]);
  const delayed = pace.delayRefusal(connection, TOO_OFTEN);
  expect(heard).toEqual(['pause']);
  await delayed;
  expect(heard).toEqual(['pause', 'resume']);
});

it('the caller throttle delays the refusals of one connection together, until it is closed', async () => {
  const { pace } = createPace();
  const heard: string[] = [];
  const connection = Object.assign(new EventEmitter(), {
    pause: () => heard.push('pause'),
    resume: () => heard.push('resume'),
  });
  const delayed = [1, 2].map(() => pace.delayRefusal(connection, TOO_OFTEN));
  expect(heard).toEqual(['pause']);
  connection.emit('close');
  // In this turn of the event loop, before any timer.
  expect(await Promise.race([Promise.all(delayed).then(() => 'ended'), setImmediate('delayed')])).toBe(
    'ended',
  );
  expect([heard, connection.listenerCount('close')]).toEqual([['pause', 'resume'], 0]);
});

it('the caller throttle delays connections up to a bound, and refuses requests of further ones at once', async () => {
  const { pace } = createPace();
  const connections = Array.from({ length: 1001 }, () => ({ pause() {}, resume() {} }));
  const delayed = connections.map((connection) => pace.delayRefusal(connection, TOO_OFTEN));
  expect(delayed.map((each) => each instanceof Promise)).toEqual([...Array(1000).fill(true), false]);
  expect(pace.delayRefusal(connections[0] as PausableConnection, TOO_OFTEN)).toBe(delayed[0]);
  await Promise.all(delayed);
  expect(pace.delayRefusal({ pause() {}, resume() {} }, TOO_OFTEN)).toBeInstanceOf(Promise);
});

it('an operation leaves the queue of refused callers when its client disconnects', async () => {
  const { pace } = createPace();
  pace.recordRefusal('bad');
  const responses = Array.from({ length: 1000 }, createResponse);
  const gone = responses.map((response) => pace.admit('bad', response));
  for (const response of responses) response.emit('close');
  const results = await Promise.allSettled(gone);
  expect(results.every((each) => each.status === 'rejected' && each.reason.code === 'CANCELLED')).toBe(true);
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = immediate(count);
  };
  let counting = immediate(count);
  await pace.admit('bad', createResponse());
  clearImmediate(counting);
  expect(turns).toBeLessThan(3);
});
