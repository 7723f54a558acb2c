/** A caller that floods the gateway is deprioritised, and gets its refusals late. */
import { expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { createCallerRateLimiter } from '../../../../src/http/rateLimits/callerRateLimiter.js';
import {
  createCallerThrottle,
  isOperationRefusal,
  MAX_REFUSED_CALLERS,
} from '../../../../src/http/rateLimits/callerThrottle.js';

const START_MS = 1_700_000_000_000;

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

it('the caller throttle remembers 10,000 refused callers, and forgets the least recently active one', () => {
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
    setImmediate(() => seen.push('a turn'));
    await new Promise((resolve) => setImmediate(resolve));
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
  const held = pace.delayRefusal(connection, new GatewayError('RATE_LIMITED', 'Too often.'));
  expect(heard).toEqual(['pause']);
  await held;
  expect(heard).toEqual(['pause', 'resume']);
});

it('the caller throttle delays up to a bound, and refuses further requests at once', async () => {
  const { pace } = createPace();
  const connection = { pause() {}, resume() {} };
  const tooOften = new GatewayError('RATE_LIMITED', 'Too often.');
  const held = Array.from({ length: 1000 }, () => pace.delayRefusal(connection, tooOften));
  expect(pace.delayRefusal(connection, tooOften)).toBeUndefined();
  await Promise.all(held);
  expect(pace.delayRefusal(connection, tooOften)).toBeInstanceOf(Promise);
});
