/** The platform connections of callers with their own credentials: admission, eviction and closing. */
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../src/errors.js';
import { type CallerConnection, CallerConnections } from '../../src/gateway/callerConnections.js';
import type { CallerCredential } from '../../src/http/auth/caller.js';
import { createUnauthenticatedError } from '../../src/http/responses/sendError.js';
import { until } from '../support/http/edgeGateway.js';
import { createTestClock } from '../support/sandbox/sandbox.js';

/**
 * A platform that refuses Secrets with `wrong`, limits those with `limited`, responds to those with `silent` only with the
 * given failure, and accepts all others. Records the logins and the closed connections.
 */
function createPlatform(maxConnections = 2) {
  const clock = createTestClock();
  const requested: string[] = [];
  const closed: string[] = [];
  const refuse = new Map<string, () => void>();
  const failures = new Map<string, (error: Error) => void>();
  const connections = new CallerConnections({
    clock,
    maxConnections,
    sweepIntervalMs: 5,
    idleMs: 60_000,
    connect(credential, onRefused) {
      const name = nameOf(credential);
      refuse.set(name, onRefused);
      const platform = {
        name,
        async checkReady() {
          requested.push(name);
          if (name.includes('silent')) await new Promise((_, reject) => failures.set(name, reject));
          if (name.includes('wrong')) throw createUnauthenticatedError('No.');
          if (name.includes('limited')) throw createRateLimit(600_000);
        },
      };
      const feed = { stop() {} };
      return { platform, feed, close: async () => void closed.push(name) } as unknown as CallerConnection;
    },
  });
  const lease = (name: string, address = '127.0.0.1') => {
    const [key = '', secret = ''] = name.split(':');
    return connections.lease({ kind: 'client', key, secret }, address);
  };
  return { clock, requested, closed, refuse, failures, lease };
}

const createRateLimit = (retryAfterMs: number) =>
  new GatewayError('PLATFORM_RATE_LIMITED', 'Later.', { retryAfterMs, platform: { status: 429 } });

const nameOf = (credential: CallerCredential) =>
  credential.kind === 'client' ? `${credential.key}:${credential.secret}` : credential.token;

describe('the connections of callers', () => {
  it('are shared by equal credentials, after one login', async () => {
    const { requested, lease } = createPlatform();
    const leases = await Promise.all([lease('a:1'), lease('a:1'), lease('a:1')]);
    expect(new Set(leases.map(({ platform }) => platform)).size).toBe(1);
    expect(requested).toEqual(['a:1']);
  });

  it('evict the one that is idle longest, and never one in use', async () => {
    const { requested, closed, lease } = createPlatform(2);
    const inUse = await lease('a:1');
    (await lease('b:1')).release();
    (await lease('c:1')).release();
    expect(closed).toEqual(['b:1']);
    const another = await lease('c:1');
    await expect(lease('d:1')).rejects.toMatchObject({ code: 'AUTHENTICATION_UNAVAILABLE', retryable: true });
    expect(requested).not.toContain('d:1');
    inUse.release();
    another.release();
    await lease('d:1');
    expect(closed).toEqual(['b:1', 'a:1']);
  });

  it('are not evicted for wrong credentials', async () => {
    const { closed, requested, lease } = createPlatform(2);
    (await lease('a:1')).release();
    (await lease('b:1')).release();
    for (let n = 0; n < 10; n++)
      await expect(lease(`k${n}:wrong`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    requested.length = 0;
    await lease('a:1');
    await lease('b:1');
    expect(requested).toEqual([]);
    expect(closed.every((name) => name.endsWith('wrong'))).toBe(true);
  });

  it('are closed after a long idle time, and not while they are in use', async () => {
    const { clock, closed, lease } = createPlatform(3);
    const inUse = await lease('a:1');
    (await lease('b:1')).release();
    clock.advance(59_000);
    (await lease('c:1')).release();
    clock.advance(1000);
    await until(() => closed.length > 0);
    expect(closed).toEqual(['b:1']);
    clock.advance(600_000);
    await until(() => closed.length > 1);
    expect(closed).toEqual(['b:1', 'c:1']);
    inUse.release();
  });

  it('end when the platform refuses them: the last user closes them, and the next login is a new one', async () => {
    const { closed, requested, refuse, lease } = createPlatform();
    const leased = await lease('a:1');
    refuse.get('a:1')?.();
    expect(closed).toEqual([]);
    const anew = await lease('a:1');
    expect(anew.platform).not.toBe(leased.platform);
    expect(requested).toEqual(['a:1', 'a:1']);
    leased.release();
    leased.release();
    expect(closed).toEqual(['a:1']);
  });
});

describe('wrong credentials', () => {
  const code = (lease: Promise<unknown>) =>
    lease.then(
      () => 'in',
      (error: { code: string }) => error.code,
    );

  it('reach the platform once a minute', async () => {
    const { clock, requested, lease } = createPlatform();
    for (let n = 0; n < 5; n++) expect(await code(lease('a:wrong'))).toBe('UNAUTHENTICATED');
    expect(requested).toHaveLength(1);
    clock.advance(60_000);
    expect(await code(lease('a:wrong'))).toBe('UNAUTHENTICATED');
    expect(requested).toHaveLength(2);
  });

  it('of one Key reach the platform five times in 15 minutes, the right one included', async () => {
    const { clock, requested, lease } = createPlatform();
    const codes = await Promise.all([1, 2, 3, 4, 5].map((n) => code(lease(`a:wrong${n}`))));
    expect(codes).toEqual(Array(5).fill('UNAUTHENTICATED'));
    expect(await code(lease('a:wrong6'))).toBe('AUTHENTICATION_UNAVAILABLE');
    expect(await code(lease('a:1'))).toBe('AUTHENTICATION_UNAVAILABLE');
    expect(await code(lease('b:1'))).toBe('in');
    clock.advance(17 * 60_000);
    expect(await code(lease('a:1'))).toBe('in');
    expect(requested).toHaveLength(7);
  });

  it('sent together, of one Key, reach the platform five times, and an accepted one does not wait for them', async () => {
    const { requested, refuse, lease } = createPlatform();
    (await lease('a:1')).release();
    refuse.get('a:1')?.();
    requested.length = 0;
    const guesses = Array.from({ length: 20 }, (_, n) => code(lease(`a:wrong${n}`)));
    const accepted = code(lease('a:1'));
    expect(requested).toEqual(['a:wrong0', 'a:1']);
    expect(await accepted).toBe('in');
    const codes = await Promise.all(guesses);
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('UNAUTHENTICATED'));
    expect(new Set(codes.slice(5))).toEqual(new Set(['AUTHENTICATION_UNAVAILABLE']));
    expect(requested).toEqual(['a:wrong0', 'a:1', 'a:wrong1', 'a:wrong2', 'a:wrong3', 'a:wrong4']);
  });

  it('of one address reach the platform 10 times a minute, and block no other address', async () => {
    const { clock, requested, lease } = createPlatform();
    for (let n = 0; n < 100; n++) await code(lease(`key${n}:wrong`));
    expect(requested).toHaveLength(10);
    expect(await code(lease('fine:1'))).toBe('RATE_LIMITED');
    expect(await code(lease('fine:1', '127.0.0.9'))).toBe('in');
    clock.advance(70_000);
    expect(await code(lease('other:1'))).toBe('in');
  });

  it('wait for others of their Key for 10 s, and no longer if the platform does not respond', async () => {
    const { clock, requested, failures, lease } = createPlatform();
    const codes = [1, 2, 3].map((n) => code(lease(`a:silent${n}`)));
    clock.advance(10_000);
    failures.get('a:silent1')?.(new GatewayError('PLATFORM_TIMEOUT', 'No.'));
    expect(await codes[0]).toBe('PLATFORM_TIMEOUT');
    expect(await codes[2]).toBe('AUTHENTICATION_UNAVAILABLE');
    expect(requested).toEqual(['a:silent1', 'a:silent2']);
  });

  it('beyond a hundred that wait are refused at once, and others of another Key are not', async () => {
    const { requested, failures, lease } = createPlatform();
    const codes = Array.from({ length: 103 }, (_, n) => code(lease(`a:silent${n}`)));
    expect(await Promise.all(codes.slice(101))).toEqual(Array(2).fill('AUTHENTICATION_UNAVAILABLE'));
    expect(await code(lease('b:1'))).toBe('in');
    expect(requested).toEqual(['a:silent0', 'b:1']);
    for (let n = 0; n <= 100; n++) {
      failures.get(`a:silent${n}`)?.(new GatewayError('PLATFORM_TIMEOUT', 'No.'));
      expect(await codes[n]).toBe('PLATFORM_TIMEOUT');
    }
    expect(requested).toHaveLength(102);
  });

  it('sent together from one address reach the platform 10 times, and 30 right ones all do', async () => {
    const { requested, lease } = createPlatform(100);
    const right = await Promise.all(
      Array.from({ length: 30 }, (_, n) => code(lease(`key${n}:1`, '127.0.0.9'))),
    );
    expect(new Set(right)).toEqual(new Set(['in']));
    requested.length = 0;
    const wrong = await Promise.all(Array.from({ length: 30 }, (_, n) => code(lease(`key${n}:wrong`))));
    expect(wrong.slice(0, 10)).toEqual(Array(10).fill('UNAUTHENTICATED'));
    expect(new Set(wrong.slice(10))).toEqual(new Set(['RATE_LIMITED']));
    expect(requested).toHaveLength(10);
  });

  it('of one IPv6 network count together', async () => {
    const { requested, lease } = createPlatform();
    for (let n = 0; n < 100; n++) await code(lease(`key${n}:wrong`, `2001:db8:0:1::${n + 1}`));
    expect(requested).toHaveLength(10);
    expect(await code(lease('fine:1', '2001:db8:0:2::1'))).toBe('in');
  });

  it('sent every 0.9 s from one address never block a first-time caller from another', async () => {
    const { clock, lease } = createPlatform(1000);
    for (let n = 0; n < 200; n++) {
      await code(lease(`key${n}:wrong`));
      expect(await code(lease(`fine${n}:1`, '127.0.0.9'))).toBe('in');
      clock.advance(900);
    }
  });

  it('of many addresses leave a part of the limit to addresses without failures', async () => {
    const { clock, requested, lease } = createPlatform(100);
    for (let n = 0; n < 100; n++) await code(lease(`key${n}:wrong`, `127.0.1.${n % 10}`));
    expect(requested).toHaveLength(40);
    expect(await code(lease('fine:1', '127.0.0.9'))).toBe('in');
    for (let n = 0; n < 100; n++) await code(lease(`new${n}:wrong`, `127.0.2.${n}`));
    expect(requested).toHaveLength(61);
    expect(await code(lease('late:1', '127.0.0.8'))).toBe('AUTHENTICATION_UNAVAILABLE');
    clock.advance(70_000);
    expect(await code(lease('late:1', '127.0.0.8'))).toBe('in');
  });

  it('block no caller that was accepted before, from the same address included', async () => {
    const { clock, closed, lease } = createPlatform(10);
    (await lease('a:1')).release();
    clock.advance(600_000);
    await until(() => closed.length > 0);
    for (let n = 0; n < 20; n++) await code(lease(`key${n}:wrong`));
    expect(await code(lease('a:1'))).toBe('in');
    expect(await code(lease('b:1'))).toBe('RATE_LIMITED');
  });

  it('expire on time when the clock is set back', async () => {
    const { clock, lease } = createPlatform();
    expect(await code(lease('a:wrong'))).toBe('UNAUTHENTICATED');
    for (let n = 0; n < 20; n++) await code(lease(`key${n}:wrong`));
    clock.advance(-7_200_000);
    expect(await code(lease('b:1'))).toBe('RATE_LIMITED');
    clock.advance(70_000);
    expect(await code(lease('b:1'))).toBe('in');
  });
});

describe('a Key whose token requests the platform limits', () => {
  it('is not tried with any Secret before the time that the platform names, and others are', async () => {
    const { clock, requested, lease } = createPlatform(3);
    await lease('other:1');
    await expect(lease('a:limited')).rejects.toMatchObject({ code: 'PLATFORM_RATE_LIMITED' });
    clock.advance(599_000);
    for (const secret of ['1', 'limited', 'wrong']) {
      await expect(lease(`a:${secret}`)).rejects.toMatchObject({
        ...{ code: 'PLATFORM_RATE_LIMITED', retryAfterMs: 1000, platform: { status: 429 } },
      });
    }
    await lease('other:2');
    clock.advance(1000);
    await lease('a:1');
    expect(requested).toEqual(['other:1', 'a:limited', 'other:2', 'a:1']);
  });

  it('is still tried with a Secret that was accepted in the last hour', async () => {
    const { requested, refuse, lease } = createPlatform();
    await lease('a:1');
    refuse.get('a:1')?.();
    await expect(lease('a:limited')).rejects.toMatchObject({ code: 'PLATFORM_RATE_LIMITED' });
    await lease('a:1');
    expect(requested).toEqual(['a:1', 'a:limited', 'a:1']);
  });
});
