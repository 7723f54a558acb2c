/** For any responses, callers and times, the token budget is respected, and nothing blocks for ever. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createTokenWorld,
  maxInWindow,
  settle,
  type TokenResponse,
  type TokenWorld,
  take,
} from '../../../support/rest/tokenWorld.js';

const RUNS = 40;
const MINUTE_MS = 60_000;

const anyExpiresIn = fc.oneof(
  fc.constantFrom<unknown>(0, -1, '3600', 'soon', null, undefined, {}, 1, 30, 3600, 1e12),
  fc.integer({ min: -5, max: 7200 }),
);
const anyResponse: fc.Arbitrary<TokenResponse> = fc.oneof(
  anyExpiresIn.map((expiresIn) => ({ expiresIn })),
  fc.constantFrom(0, 400, 401, 403, 500, 503).map((status) => ({ status })),
  fc
    .option(fc.integer({ min: 0, max: 2_000_000 }), { nil: undefined })
    .map((retryAfterMs) => ({ status: 429, retryAfterMs })),
);

/** A sequence of events. */
const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('get' as const), process: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('refuse' as const),
      process: fc.nat(2),
      place: fc.nat(30),
      refusesAll: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(5000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(3 * MINUTE_MS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(90 * MINUTE_MS) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Steps do not wait for each other: work in flight continues during the next step. */
async function play(world: TokenWorld, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'pass') await world.pass(step.ms);
    else take(world, step).catch(() => undefined);
    await settle();
  }
  await world.pass(2 * MINUTE_MS);
}

const anySchedule = {
  steps: fc.array(anyStep, { minLength: 20, maxLength: 120 }),
  responses: fc.array(anyResponse, { minLength: 1, maxLength: 20 }),
  latencyMs: fc.constantFrom(0, 200, 10_000),
};

function inTurn(responses: readonly TokenResponse[]): () => TokenResponse {
  let count = 0;
  return () => responses[count++ % responses.length] ?? { expiresIn: 3600 };
}

describe('the token budget', () => {
  it('is never exceeded by processes that share it, for any events', async () => {
    const property = fc.asyncProperty(fc.record(anySchedule), async ({ steps, responses, latencyMs }) => {
      const world = createTokenWorld({ processes: 3, latencyMs, respond: inTurn(responses) });
      await play(world, steps);
      expect(maxInWindow(world.requests.map(({ atMs }) => atMs))).toBeLessThanOrEqual(15);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('is never exceeded by a single process, nor by one whose store fails at times', async () => {
    const property = fc.asyncProperty(
      fc.record({ ...anySchedule, outages: fc.array(fc.boolean(), { minLength: 1 }) }),
      async ({ steps, responses, latencyMs, outages }) => {
        const world = createTokenWorld({ processes: 3, latencyMs, respond: inTurn(responses) });
        for (const [index, step] of steps.entries()) {
          world.setStoreReachable(outages[index % outages.length] ?? true);
          await play(world, [step]);
        }
        for (const process of [0, 1, 2]) {
          const own = world.requests.filter((request) => request.process === process);
          expect(maxInWindow(own.map(({ atMs }) => atMs))).toBeLessThanOrEqual(15);
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  it('is used to its end and not beyond where every token is short-lived and refused everywhere', async () => {
    const world = createTokenWorld({ processes: 3, respond: () => ({ expiresIn: 1 }) });
    for (let second = 0; second < 3600; second++) {
      const step = { kind: 'refuse' as const, process: second, place: second, refusesAll: true };
      take(world, step).catch(() => undefined);
      await world.pass(1000);
    }
    expect(maxInWindow(world.requests.map(({ atMs }) => atMs))).toBe(15);
    // Spread over time: a later window is used to its end as well.
    expect(world.requests.length).toBeGreaterThan(45);
  });

  it('reserves 3 attempts for blocked callers: refusals and early renewals never use them', async () => {
    const world = createTokenWorld({ respond: () => ({ expiresIn: 3600 }) });
    const [manager] = world.managers;
    for (let place = 0; place < 40; place++) {
      await take(world, { kind: 'refuse', process: 0, place, refusesAll: true }).catch(() => undefined);
      await world.pass(1000);
    }
    expect(world.requests).toHaveLength(12);
    expect(manager?.status().remainingAttempts).toBe(3);
    await expect(manager?.get()).resolves.toBe('token-12');
  });

  it('lasts while the endpoint refuses for hours, with attempts left for its recovery', async () => {
    let isDown = true;
    const world = createTokenWorld({ respond: () => (isDown ? { status: 401 } : { expiresIn: 3600 }) });
    for (let second = 0; second < 2 * 3600; second += 10) {
      await play(world, [{ kind: 'get', process: 0 }]);
      await world.pass(10_000);
    }
    expect(maxInWindow(world.requests.map(({ atMs }) => atMs))).toBeLessThanOrEqual(15);
    isDown = false;
    await world.pass(2 * MINUTE_MS);
    await expect(world.managers[0]?.get()).resolves.toMatch(/^token-/);
  });
});

describe('a 429', () => {
  it('stops every process from requesting a token before its time', async () => {
    const property = fc.asyncProperty(fc.record(anySchedule), async ({ steps, responses }) => {
      const world = createTokenWorld({ processes: 3, respond: inTurn(responses) });
      await play(world, steps);
      for (const [index, { atMs, response }] of world.requests.entries()) {
        const next = world.requests[index + 1];
        if (!next || !('status' in response) || response.status !== 429) continue;
        expect(next.atMs - atMs).toBeGreaterThanOrEqual(response.retryAfterMs ?? MINUTE_MS);
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('sets retryAfterMs of callers', async () => {
    const world = createTokenWorld({ processes: 2, respond: () => ({ status: 429, retryAfterMs: 300_000 }) });
    const limited = { code: 'PLATFORM_RATE_LIMITED', retryAfterMs: 300_000 };
    await expect(world.managers[0]?.get()).rejects.toMatchObject(limited);
    await world.pass(100_000);
    await expect(world.managers[1]?.get()).rejects.toMatchObject({ ...limited, retryAfterMs: 200_000 });
    expect(world.requests).toHaveLength(1);
  });
});

describe('any `expires_in`', () => {
  it('costs no more renewals than fit into the budget, and a token is always available', async () => {
    const property = fc.asyncProperty(anyExpiresIn, async (expiresIn) => {
      const world = createTokenWorld({ respond: () => ({ expiresIn }) });
      for (let step = 0; step < 200; step++) {
        await expect(world.managers[0]?.get()).resolves.toMatch(/^token-/);
        await world.pass(10_000);
      }
      expect(maxInWindow(world.requests.map(({ atMs }) => atMs))).toBeLessThanOrEqual(12);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

describe('a jump of the clock', () => {
  const anyJump = fc.oneof(
    fc.integer({ min: -5 * 3_600_000, max: 5 * 3_600_000 }),
    fc.constantFrom(-86_400_000 * 365, 86_400_000 * 365, -1, 1, 0),
  );

  it('costs at most one token, and delays callers for a moment only', async () => {
    const property = fc.asyncProperty(
      fc.boolean(),
      fc.array(anyJump, { minLength: 1, maxLength: 10 }),
      async (isShared, jumps) => {
        const world = createTokenWorld({ processes: 2, isShared, respond: () => ({ expiresIn: 3600 }) });
        const askAll = async () => {
          const tokens = Promise.all(world.managers.map((manager) => manager.get()));
          await world.pass(2000);
          await tokens;
        };
        await askAll();
        for (const jump of jumps) {
          world.setClock(jump);
          await askAll();
          await askAll();
        }
        expect(world.requests.length).toBeLessThanOrEqual((isShared ? 1 : 2) * (1 + jumps.length));
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  it('extends no cooldown and no budget', async () => {
    const property = fc.asyncProperty(fc.boolean(), anyJump, async (isShared, jump) => {
      let isDown = true;
      const respond = (): TokenResponse => (isDown ? { status: 503 } : { expiresIn: 3600 });
      const world = createTokenWorld({ processes: 2, isShared, respond });
      for (let second = 0; second < 600; second += 5) {
        await play(world, [{ kind: 'get', process: second % 2 }]);
      }
      world.setClock(jump);
      isDown = false;
      await world.managers[0]?.get().catch(() => undefined);
      await world.pass(910_000);
      await expect(world.managers[0]?.get()).resolves.toMatch(/^token-/);
    });
    await fc.assert(property, { numRuns: 10 });
  });
});
