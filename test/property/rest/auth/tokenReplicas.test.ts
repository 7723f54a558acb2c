/** The behaviour of several processes and endpoints with one token, in simulated time. */
import { describe, expect, it } from 'vitest';
import { createTokenWorld, type TokenResponse, take } from '../../../support/rest/tokenWorld.js';

const MINUTE_MS = 60_000;

function inTurn(responses: readonly TokenResponse[]): () => TokenResponse {
  let count = 0;
  return () => responses[count++ % responses.length] ?? { expiresIn: 3600 };
}

describe('many processes', () => {
  it.each([1, 2, 20])(
    '%i started at once make one request, however slow the endpoint is',
    async (processes) => {
      const world = createTokenWorld({ processes, latencyMs: 20_000, respond: () => ({ expiresIn: 3600 }) });
      const tokens = Promise.all(world.managers.flatMap((manager) => [manager.get(), manager.get()]));
      await world.pass(30_000);
      expect(new Set(await tokens)).toEqual(new Set(['token-1']));
      expect(world.requests).toHaveLength(1);
    },
  );

  it('renew a refused token once for all of them', async () => {
    const world = createTokenWorld({ processes: 5, latencyMs: 300, respond: () => ({ expiresIn: 3600 }) });
    const first = Promise.all(world.managers.map((manager) => manager.get()));
    await world.pass(2000);
    const [token = ''] = await first;
    const another = Promise.all(
      world.managers.flatMap((manager) =>
        Array.from({ length: 200 }, (_, index) => {
          expect(manager.refuse(token, `/place/${index % 5}`)).toBe('renew');
          return manager.get(token);
        }),
      ),
    );
    await world.pass(2000);
    expect(new Set(await another)).toEqual(new Set(['token-2']));
    expect(world.requests).toHaveLength(2);
  });

  it('renew early once for all of them, without blocking callers', async () => {
    const world = createTokenWorld({ processes: 5, latencyMs: 300, respond: () => ({ expiresIn: 3600 }) });
    const first = Promise.all(world.managers.map((manager) => manager.get()));
    await world.pass(50 * MINUTE_MS);
    await first;
    for (const manager of world.managers) expect(await manager.get()).toBe('token-1');
    await world.pass(2000);
    for (const manager of world.managers) expect(await manager.get()).toBe('token-2');
    expect(world.requests).toHaveLength(2);
  });
});

describe('an endpoint that refuses every token', () => {
  it('costs fewer and fewer renewals, and does not affect other callers', async () => {
    const world = createTokenWorld({ respond: () => ({ expiresIn: 3600 }) });
    const [manager] = world.managers;
    for (let second = 0; second < 3 * 3600; second += 10) {
      await take(world, { kind: 'refuse', process: 0, place: 7, refusesAll: true });
      await world.pass(10_000);
    }
    expect(manager?.status().remainingMs).toBeGreaterThan(0);
    // 3 hours take 4 tokens anyway; the rest was spent on the endpoint, at most one in each 15 minutes at the end.
    expect(world.requests.length).toBeLessThanOrEqual(4 + 5 + 12);
  });

  it('does not prevent the replacement of a revoked token elsewhere', async () => {
    const world = createTokenWorld({ respond: () => ({ expiresIn: 3600 }) });
    const [manager] = world.managers;
    const first = (await manager?.get()) ?? '';
    expect(manager?.refuse(first, '/forbidden')).toBe('renew');
    const second = (await manager?.get(first)) ?? '';
    expect(manager?.refuse(second, '/forbidden')).toBe('final');
    expect(await manager?.get()).toBe(second);
    expect(manager?.refuse(second, '/elsewhere')).toBe('renew');
    expect(await manager?.get(second)).toBe('token-3');
  });

  it('does not block the others when no other token is available', async () => {
    const responses: TokenResponse[] = [{ expiresIn: 3600 }, { status: 503 }];
    const world = createTokenWorld({ respond: inTurn(responses) });
    const [manager] = world.managers;
    const first = (await manager?.get()) ?? '';
    expect(manager?.refuse(first, '/forbidden')).toBe('renew');
    await expect(manager?.get(first)).rejects.toMatchObject({
      platform: { status: 503 },
      retryAfterMs: 1000,
    });
    expect(await manager?.get()).toBe(first);
    expect(world.requests).toHaveLength(2);
  });
});
