/** The token manager under a test clock: one request for any number of callers, and none during a cooldown. */
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import type { Clock } from '../../../../src/lib/clock.js';
import { silentLogger } from '../../../../src/lib/logger.js';
import { CallerTokenManager, createTokenManager } from '../../../../src/rest/auth/tokenManager.js';
import type { IssuedToken } from '../../../../src/rest/auth/tokenRenewal.js';
import type { SharedTokenStore } from '../../../../src/rest/auth/tokenStateStore.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

const MINUTE_MS = 60_000;

/** A manager whose token requests the test settles one by one with `issue` and `fail`. */
function createManager() {
  const clock = createTestClock();
  const open: { resolve(token: IssuedToken): void; reject(error: unknown): void }[] = [];
  const state = { requests: 0 };
  const manager = createTokenManager({
    clock,
    logger: silentLogger,
    requestToken: () => {
      state.requests++;
      return new Promise((resolve, reject) => open.push({ resolve, reject }));
    },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    manager,
    requests: () => state.requests,
    async issue(accessToken: string, expiresIn: unknown = 3600) {
      await settle();
      open.shift()?.resolve({ accessToken, expiresIn });
      await settle();
    },
    async fail(error: unknown) {
      await settle();
      open.shift()?.reject(error);
      await settle();
    },
  };
}

/** A store that several processes could share. */
function createStore(clock: Clock) {
  const state: { text: string | undefined; reads: number } = { text: undefined, reads: 0 };
  const content = () => ({ text: state.text, version: '', nowMs: clock.now() });
  const store: SharedTokenStore = {
    async read() {
      state.reads += 1;
      return content();
    },
    async replace(_, next) {
      state.text = next;
      return { ...content(), isReplaced: true };
    },
  };
  return { store, state };
}

const sleep = (_: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));

function refusal(status: number, retryAfterMs?: number): GatewayError {
  const code = status === 429 ? 'PLATFORM_RATE_LIMITED' : 'PLATFORM_UNAUTHORIZED';
  return new GatewayError(code, 'No token.', { platform: { status }, retryAfterMs });
}

describe('a token', () => {
  it('is requested on first use, once for a thousand callers', async () => {
    const { manager, requests, issue } = createManager();
    expect(requests()).toBe(0);
    const callers = Array.from({ length: 1000 }, () => manager.get());
    await issue('first');
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['first']));
    expect(await manager.get()).toBe('first');
    expect(requests()).toBe(1);
  });

  it('is renewed early in the background, while the old one stays in use', async () => {
    const { manager, clock, requests, issue } = createManager();
    const first = manager.get();
    await issue('first');
    await first;
    clock.advance(50 * MINUTE_MS);
    expect(await Promise.all([manager.get(), manager.get()])).toEqual(['first', 'first']);
    expect(requests()).toBe(2);
    await issue('second');
    expect(await manager.get()).toBe('second');
  });

  it('stays in use if its renewal fails, and the renewal is retried later', async () => {
    const { manager, clock, requests, issue, fail } = createManager();
    const first = manager.get();
    await issue('first');
    await first;
    clock.advance(50 * MINUTE_MS);
    await manager.get();
    await fail(refusal(429));
    expect(await manager.get()).toBe('first');
    expect(requests()).toBe(2);
    clock.advance(MINUTE_MS);
    expect(await manager.get()).toBe('first');
    expect(requests()).toBe(3);
  });

  it('is awaited if the old one has expired', async () => {
    const { manager, clock, issue } = createManager();
    const first = manager.get();
    await issue('first');
    await first;
    clock.advance(60 * MINUTE_MS);
    expect(manager.status().remainingMs).toBeNull();
    const second = manager.get();
    await issue('second');
    expect(await second).toBe('second');
  });

  it('is renewed at the same age after the clock was set back by an hour', async () => {
    const { manager, clock, requests, issue } = createManager();
    const first = manager.get();
    await issue('first');
    await first;
    clock.advance(-60 * MINUTE_MS);
    expect(manager.getCurrent()).toBeUndefined();
    expect([await manager.get(), manager.getCurrent()]).toEqual(['first', 'first']);
    clock.advance(50 * MINUTE_MS);
    expect(manager.getCurrent()).toBeUndefined();
    expect([await manager.get(), requests()]).toEqual(['first', 2]);
  });
});

describe('a refused token', () => {
  it('is not used while another one can be requested, and stays in use if none is issued', async () => {
    const { manager, requests, issue, fail } = createManager();
    const first = manager.get();
    await issue('first');
    manager.refuse(await first);
    expect(manager.getCurrent()).toBeUndefined();
    const next = manager.get();
    await fail(refusal(503));
    expect([await next, await manager.get(), requests()]).toEqual(['first', 'first', 2]);
  });

  it('is used as before once an endpoint is known to refuse every token', async () => {
    const { manager, requests, issue } = createManager();
    const first = manager.get();
    await issue('first');
    manager.refuse(await first, '403 /v2.0/site');
    manager.confirmRefusal('first', '403 /v2.0/site');
    expect([manager.getCurrent(), requests()]).toEqual(['first', 1]);
  });

  it('is replaced once, even if other callers report it later', async () => {
    const { manager, requests, issue } = createManager();
    const first = manager.get();
    await issue('first');
    manager.refuse(await first);
    const second = manager.get();
    await issue('second');
    for (let late = 0; late < 100; late++) manager.refuse('first');
    expect(await second).toBe('second');
    expect(await manager.get()).toBe('second');
    expect(requests()).toBe(2);
  });

  it.each(['ahead', 'need'] as const)(
    'shares a renewal in flight where one is wanted: %s',
    async (purpose) => {
      const { manager, clock, requests, issue } = createManager();
      const first = manager.get();
      await issue('first');
      clock.advance(50 * MINUTE_MS);
      manager.refuse(await manager.get());
      const next = [manager.get(), manager.get('first', purpose)];
      await issue('second');
      expect([await first, ...(await Promise.all(next)), requests()]).toEqual([
        'first',
        'second',
        'second',
        2,
      ]);
    },
  );

  it('is replaced with a reserved attempt if other processes have used the attempts for renewals', async () => {
    const clock = createTestClock();
    const { store, state } = createStore(clock);
    let issued = 0;
    const requestToken = async () => ({ accessToken: `token${++issued}`, expiresIn: 3600 });
    const manager = createTokenManager({ clock, logger: silentLogger, requestToken, store, sleep });
    expect(await manager.get()).toBe('token1');
    clock.advance(50 * MINUTE_MS);
    const attempts = Array.from({ length: 12 }, (_, index) => ({ id: `other:${index}`, atMs: clock.now() }));
    state.text = JSON.stringify({ ...JSON.parse(state.text ?? ''), attempts });
    const tokens = await Promise.all([manager.get(), manager.get('token1', 'need')]);
    expect(tokens).toEqual(['token1', 'token2']);
  });
});

describe('a failed token request', () => {
  it('fails all waiting callers, and the next ones at once until the cooldown ends', async () => {
    const { manager, clock, requests, issue, fail } = createManager();
    const waiting = [manager.get(), manager.get()].map((token) => token.catch((error: unknown) => error));
    await fail(refusal(429, 5 * MINUTE_MS));
    expect(await Promise.all(waiting)).toEqual([
      expect.objectContaining({ code: 'PLATFORM_RATE_LIMITED' }),
      expect.objectContaining({ code: 'PLATFORM_RATE_LIMITED' }),
    ]);
    clock.advance(2 * MINUTE_MS);
    await expect(manager.get()).rejects.toMatchObject({
      code: 'PLATFORM_RATE_LIMITED',
      retryAfterMs: 3 * MINUTE_MS,
      platform: { status: 429 },
    });
    expect([requests(), manager.status().remainingAttempts]).toEqual([1, 0]);
    clock.advance(3 * MINUTE_MS);
    expect(manager.status().remainingAttempts).toBe(14);
    const healed = manager.get();
    await issue('first');
    expect(await healed).toBe('first');
  });

  it('costs a refused credential no more attempts than the platform allows, 15 in 15 minutes', async () => {
    const { manager, clock, requests, fail } = createManager();
    for (let second = 0; second < 15 * 60; second++) {
      const refused = expect(manager.get()).rejects.toMatchObject({ code: 'PLATFORM_UNAUTHORIZED' });
      await fail(refusal(401));
      await refused;
      clock.advance(1000);
    }
    expect(requests()).toBeLessThanOrEqual(15);
  });

  it('leaves attempts for the end of an outage of 3 minutes with a Retry-After of 5 s', async () => {
    const clock = createTestClock();
    const startMs = clock.now();
    const second = () => (clock.now() - startMs) / 1000;
    const manager = createTokenManager({
      clock,
      logger: silentLogger,
      async requestToken() {
        if (second() < 180) throw refusal(503, 5000);
        return { accessToken: 'first', expiresIn: 3600 };
      },
    });
    let token: string | undefined;
    while (token === undefined && second() < 300) {
      token = await manager.get().catch(() => undefined);
      clock.advance(1000);
    }
    expect(token).toBe('first');
  });

  it('causes one read of the shared state per second until the cooldown ends', async () => {
    const clock = createTestClock();
    const { store, state } = createStore(clock);
    const manager = createTokenManager({
      clock,
      logger: silentLogger,
      requestToken: () => Promise.reject(refusal(429, 5 * MINUTE_MS)),
      store,
      sleep,
    });
    const readsOfCalls = async () => {
      const before = state.reads;
      for (let call = 0; call < 10; call++)
        await expect(manager.get()).rejects.toMatchObject({ code: 'PLATFORM_RATE_LIMITED' });
      return state.reads - before;
    };
    await readsOfCalls();
    expect(await readsOfCalls()).toBe(0);
    clock.advance(1000);
    expect(await readsOfCalls()).toBe(1);
  });

  it('does not lengthen the cooldown of a failure that comes long after it', async () => {
    const { manager, clock, fail } = createManager();
    for (let failure = 0; failure < 5; failure++) {
      const refused = expect(manager.get()).rejects.toMatchObject({ retryAfterMs: 1000 * 2 ** failure });
      await fail(refusal(503));
      await refused;
      clock.advance(MINUTE_MS);
    }
    clock.advance(16 * MINUTE_MS);
    const refused = expect(manager.get()).rejects.toMatchObject({ retryAfterMs: 1000 });
    await fail(refusal(503));
    await refused;
  });

  it('hides internal errors from callers', async () => {
    const { manager, fail } = createManager();
    const refused = manager.get().catch((error: unknown) => error);
    await fail(new Error('secret detail'));
    expect(await refused).toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'The token request failed.',
    });
  });
});

describe("a caller's token", () => {
  it('is not used by another process after the platform has refused both the token and the credential', async () => {
    const clock = createTestClock();
    const { store } = createStore(clock);
    let isRefusing = false;
    let refusals = 0;
    const requestToken = async () => {
      if (isRefusing) throw new GatewayError('PLATFORM_UNAUTHORIZED', 'No.', { platform: { status: 401 } });
      return { accessToken: 'one', expiresIn: 3600 };
    };
    const options = { clock, logger: silentLogger, store, requestToken };
    const connect = () => new CallerTokenManager(options, () => refusals++);
    const first = connect();
    expect(await first.get()).toBe('one');
    expect(await connect().get()).toBe('one');
    isRefusing = true;
    await expect(first.get('one')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(connect().get()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(refusals).toBe(2);
    isRefusing = false;
    clock.advance(MINUTE_MS);
    expect(await connect().get()).toBe('one');
  });
});
