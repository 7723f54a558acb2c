/** The times of requests for any behaviour of the platform, in simulated time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { silentLogger } from '../../../../src/lib/logger.js';
import { ResilientTransport } from '../../../../src/rest/resilience/resilientTransport.js';
import type { PlatformRequest, TransportResponse } from '../../../../src/rest/transport/platformRequest.js';
import type { Transport } from '../../../../src/rest/transport/transport.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

/** The platform's behaviour in one attempt. */
interface Act {
  does: number | 'fault' | 'silence';
  latencyMs: number;
  retryAfterSeconds: number | null;
  isDate: boolean;
}

interface Scene {
  acts: Act[];
  isPost: boolean;
  deadlineInMs: number;
  /** How far the clock jumps during the first wait. */
  jumpMs: number;
  randoms: number[];
}

interface Try {
  sentAtMs: number;
  endedAtMs: number;
  act: Act;
}

const act: fc.Arbitrary<Act> = fc.record({
  does: fc.constantFrom<Act['does']>(
    200,
    204,
    400,
    401,
    404,
    408,
    429,
    500,
    502,
    503,
    504,
    'fault',
    'silence',
  ),
  latencyMs: fc.integer({ min: 0, max: 20_000 }),
  retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 8 })),
  isDate: fc.boolean(),
});
/** Mostly retryable outcomes, so that sequences get long. */
const troubled = fc.record({
  does: fc.constantFrom<Act['does']>(408, 429, 502, 503, 504, 'fault', 'silence'),
  latencyMs: fc.integer({ min: 0, max: 500 }),
  retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 6 })),
  isDate: fc.boolean(),
});
const scene: fc.Arbitrary<Scene> = fc.record({
  acts: fc.array(fc.oneof(act, { arbitrary: troubled, weight: 3 }), { minLength: 4, maxLength: 4 }),
  isPost: fc.boolean(),
  deadlineInMs: fc.integer({ min: 1, max: 40_000 }),
  jumpMs: fc.constant(0),
  randoms: fc.array(fc.double({ min: 0, max: 0.999999, noNaN: true }), { minLength: 4, maxLength: 4 }),
});

const TRY_TIMEOUT_MS = 15_000;

function headersOf({ retryAfterSeconds, isDate }: Act, nowMs: number): TransportResponse['headers'] {
  if (retryAfterSeconds === null) return {};
  const date = new Date(nowMs + retryAfterSeconds * 1000).toUTCString();
  return { 'retry-after': isDate ? date : String(retryAfterSeconds) };
}

/** A platform in simulated time, which it alone advances. */
function createActedTransport({ acts }: Scene, clock: ReturnType<typeof createTestClock>, tries: Try[]) {
  const transport: Transport = {
    async send(_, timeoutMs = Number.POSITIVE_INFINITY) {
      const next = acts[tries.length];
      if (!next) throw new Error('More tries than acts.');
      const sentAtMs = clock.now();
      const isLate = next.does === 'silence' || next.latencyMs >= timeoutMs;
      clock.advance(isLate ? timeoutMs : next.latencyMs);
      tries.push({ sentAtMs, endedAtMs: clock.now(), act: next });
      if (isLate) throw new GatewayError('PLATFORM_TIMEOUT', 'late', { retryable: true });
      if (next.does === 'fault') throw new GatewayError('PLATFORM_UNAVAILABLE', 'cut', { retryable: true });
      return { status: Number(next.does), headers: headersOf(next, clock.now()), body: Buffer.alloc(0) };
    },
    close() {},
  };
  return transport;
}

async function play(one: Scene) {
  const clock = createTestClock();
  const startMs = clock.now();
  const tries: Try[] = [];
  const sleptMs: number[] = [];
  const randoms = [...one.randoms];
  const platform = new ResilientTransport({
    transport: createActedTransport(one, clock, tries),
    clock,
    random: () => randoms.shift() ?? 0,
    logger: silentLogger,
    async sleep(ms) {
      sleptMs.push(ms);
      clock.advance(ms + (sleptMs.length === 1 ? one.jumpMs : 0));
    },
    limits: { attemptTimeoutMs: TRY_TIMEOUT_MS },
  });
  const request: PlatformRequest = {
    method: one.isPost ? 'POST' : 'GET',
    template: '/v2.0/site',
    path: '/v2.0/site',
    headers: {},
    deadlineAtMs: startMs + one.deadlineInMs,
  };
  const result = await platform.send(request).then(
    ({ status }) => status,
    (error: GatewayError) => error.code,
  );
  return { tries, sleptMs, result, endedInMs: clock.now() - startMs };
}

/** The caller's error if this was the last attempt. */
function resultOf({ act: last, sentAtMs, endedAtMs }: Try, leftMs: number): number | string {
  const wasLate = last.does === 'silence' || endedAtMs - sentAtMs >= Math.min(TRY_TIMEOUT_MS, leftMs);
  if (wasLate) return 'PLATFORM_TIMEOUT';
  return last.does === 'fault' ? 'PLATFORM_UNAVAILABLE' : Number(last.does);
}

const RETRIED: readonly unknown[] = [408, 429, 502, 503, 504, 'PLATFORM_UNAVAILABLE', 'PLATFORM_TIMEOUT'];

describe('retries', () => {
  it('are made three times at most, after retryable failures, within their delays and before the deadline', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        const { tries, sleptMs, result, endedInMs } = await play(given);
        expect(tries.length).toBeLessThanOrEqual(given.isPost ? 1 : 3);
        expect(sleptMs.length).toBe(tries.length - 1);
        expect(endedInMs).toBeLessThanOrEqual(given.deadlineInMs);
        const startMs = tries[0]?.sentAtMs ?? 0;
        const results = tries.map((one) => resultOf(one, given.deadlineInMs - (one.sentAtMs - startMs)));
        expect(result).toBe(results.at(-1));
        for (const before of results.slice(0, -1)) expect(RETRIED).toContain(before);
        for (const [index, ms] of sleptMs.entries())
          expectDelay(ms, index, tries[index]?.act, typeof results[index] === 'number');
      }),
      { numRuns: 400 },
    );
  });

  it('shift by no more than the jump when the clock jumps, and end', async () => {
    const jumpMs = fc.integer({ min: -86_400_000, max: 86_400_000 });
    await fc.assert(
      fc.asyncProperty(scene, jumpMs, async (given, jump) => {
        const { tries, sleptMs, result } = await play({ ...given, jumpMs: jump });
        expect(tries.length).toBeLessThanOrEqual(given.isPost ? 1 : 3);
        for (const ms of sleptMs) expect(ms).toBeLessThanOrEqual(5_000 + 2_000 + 1);
        expect(result).toBeDefined();
      }),
    );
  });

  it('are made whenever no rule forbids them', async () => {
    const quick = { latencyMs: 1, retryAfterSeconds: null, isDate: false };
    const acts: Act[] = [
      { does: 503, ...quick },
      { does: 'fault', ...quick },
      { does: 200, ...quick },
    ];
    const given = { acts, isPost: false, deadlineInMs: 10_000, jumpMs: 0, randoms: [0.5, 0.5] };
    const { tries, sleptMs, result } = await play(given);
    expect([tries.length, sleptMs, result]).toEqual([3, [50, 100], 200]);
  });
});

/**
 * `index` counts from 0. A 429 without `Retry-After`, or with a date in the past, pauses for a second, the next for
 * two.
 */
function expectDelay(ms: number, index: number, last: Act | undefined, hadResponse: boolean): void {
  const namedMs = hadResponse ? (last?.retryAfterSeconds ?? 0) * 1000 : 0;
  const isPast = last?.isDate && last.retryAfterSeconds === 0;
  const isOwnPause = hadResponse && last?.does === 429 && (last.retryAfterSeconds === null || isPast);
  // An HTTP date has no milliseconds.
  const leastMs = last?.isDate ? Math.max(0, namedMs - 1000) : namedMs;
  expect(ms).toBeGreaterThanOrEqual(isOwnPause ? 1_000 : leastMs);
  const longestMs = hadResponse ? Math.max(namedMs, isOwnPause ? 2_000 : 0) + 1 : 0;
  expect(ms).toBeLessThanOrEqual(longestMs + 100 * 2 ** index);
}
