/** The result of a request under each fault of the sandbox, and the number of calls. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { defaultResilienceLimits } from '../../../src/rest/resilience/resilienceLimits.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import {
  askToken,
  SITE_ATTRIBUTES,
  SITES,
  send,
  startResilience,
  untilSocketsAreClosed,
} from '../../support/rest/resilientTransport.js';
import { startSandbox } from '../../support/sandbox/sandbox.js';
import type { Fault } from '../../support/sandbox/testSandbox.js';

const { sandbox, createPlatform, get, post } = await startResilience();
const quickly = { attemptTimeoutMs: 150 };

/**
 * Sends while the clock of timeouts stands still. Attempts to which the platform does not respond time out when it has
 * received them, so that neither they nor others end early on a busy machine.
 */
async function timingOut<Result>(unanswered: number, sendAll: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const sending = sendAll();
    for (let attempt = 1; attempt <= unanswered; attempt++) {
      while (sandbox.calls.total() < attempt) await nextTurn();
      vi.advanceTimersByTime(defaultResilienceLimits.attemptTimeoutMs);
    }
    return await sending;
  } finally {
    vi.useRealTimers();
  }
}

const unansweredOf = (result: number | string, attempts: number) =>
  result === 'PLATFORM_TIMEOUT' ? attempts : 0;

describe('a status', () => {
  it('from 400 to 504 that persists is returned after one call, or after three if it is retryable', async () => {
    const calls: [number, number][] = [];
    for (let status = 400; status <= 504; status++) {
      const { platform } = createPlatform();
      const remove = sandbox.faults.add({ match: SITES, status });
      expect(await send(platform, get(SITES))).toBe(status);
      calls.push([status, sandbox.calls.total()]);
      remove();
      platform.close();
    }
    const repeated = calls.filter(([, count]) => count !== 1);
    expect(repeated).toEqual([408, 429, 502, 503, 504].map((status) => [status, 3]));
  });

  it.each([408, 429, 502, 503, 504])('%i is retried with success when it is temporary', async (status) => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, status, times: 2 });
    expect(await send(platform, get(SITES))).toBe(200);
    expect(sandbox.calls.total()).toBe(3);
  });

  it('204 and redirects are responses', async () => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, status: 204, times: 1 });
    expect(await send(platform, get(SITES))).toBe(204);
    sandbox.faults.add({ status: 302, headers: { Location: `${sandbox.url}/v2.0/device` } });
    expect(await send(platform, get(SITES))).toBe(302);
    expect(sandbox.calls.total()).toBe(2);
  });
});

describe('a connection', () => {
  const faults: [string, Fault, string][] = [
    ['reset', { destroySocket: true }, 'PLATFORM_UNAVAILABLE'],
    ['cut off in the body', { cutAfterBytes: 10 }, 'PLATFORM_UNAVAILABLE'],
    ['that hangs before the headers', { hangBeforeHeaders: true }, 'PLATFORM_TIMEOUT'],
    ['that hangs in the body', { hangAfterBytes: 10 }, 'PLATFORM_TIMEOUT'],
    ['that is slow', { latencyMs: 60_000 }, 'PLATFORM_TIMEOUT'],
  ];

  it.each(faults)('%s is tried three times when the fault persists', async (_, fault, code) => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, ...fault });
    expect(await timingOut(unansweredOf(code, 3), () => send(platform, get(SITES)))).toBe(code);
    expect(sandbox.calls.total()).toBe(3);
  });

  it.each(faults)('%s is retried with success when the fault is temporary', async (_, fault, code) => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, ...fault, times: 1 });
    expect(await timingOut(unansweredOf(code, 1), () => send(platform, get(SITES)))).toBe(200);
    expect(sandbox.calls.total()).toBe(2);
  });

  it('that was lost while it was idle is replaced at once, and does not count as a failure of the platform', async () => {
    const { platform, sleptMs } = createPlatform();
    const sendAll = () => Promise.all(Array.from({ length: 20 }, () => send(platform, get(SITES))));
    await sendAll();
    sandbox.faults.add({ match: SITES, destroySocket: true, times: 20 });
    expect(new Set(await sendAll())).toEqual(new Set([200]));
    expect([sandbox.calls.total(), sleptMs]).toEqual([60, []]);
    expect(platform.breakerStates()).toEqual({ site: 'closed' });
  });

  it('that was lost while it was idle counts as one of three attempts if the new one also fails', async () => {
    const { platform } = createPlatform();
    await send(platform, get(SITES));
    sandbox.faults.add({ match: SITES, destroySocket: true });
    expect(await send(platform, get(SITES))).toBe('PLATFORM_UNAVAILABLE');
    expect(sandbox.calls.total()).toBe(1 + 3);
  });

  it('that was lost while it was idle is not followed by another one in the retry', async () => {
    const served = new WeakSet<object>();
    const statuses: (number | 'lost')[] = [];
    let failing = 0;
    const { url } = await startPlainServer(({ socket }, response) => {
      const status = served.has(socket) ? 'lost' : failing-- > 0 ? 503 : 200;
      served.add(socket);
      statuses.push(status);
      if (status === 'lost') socket.destroy();
      else response.writeHead(status).end('[]');
    });
    const { platform, sleptMs } = createPlatform({ url });
    await Promise.all(Array.from({ length: 4 }, () => send(platform, get(SITES))));
    failing = 1;
    expect(await send(platform, get(SITES))).toBe(200);
    expect(statuses).toEqual([200, 200, 200, 200, 'lost', 503, 200]);
    expect(sleptMs).toHaveLength(1);
  });

  it('that is refused is tried three times', async () => {
    const gone = await startSandbox({ siteCount: 3 });
    await gone.close();
    const { platform, sleptMs } = createPlatform({ url: gone.url });
    expect(await send(platform, get(SITES))).toBe('PLATFORM_UNAVAILABLE');
    expect(sleptMs).toHaveLength(2);
  });

  it('that is slow but within the timeout succeeds', async () => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, latencyMs: 300 });
    expect(await send(platform, get(SITES))).toBe(200);
    expect(sandbox.calls.total()).toBe(1);
  });

  it('closes its sockets after every failure', async () => {
    const { platform } = createPlatform({ limits: quickly });
    for (const [, fault] of faults) {
      sandbox.faults.add({ match: SITES, ...fault });
      await send(platform, get(SITES));
      sandbox.faults.clear();
    }
    await untilSocketsAreClosed();
  });
});

describe('a POST', () => {
  const faults: [string, Fault, number | string][] = [
    ['503', { status: 503 }, 503],
    ['429', { status: 429, retryAfter: 1 }, 429],
    ['a reset', { destroySocket: true }, 'PLATFORM_UNAVAILABLE'],
    ['a body cut off', { status: 200, body: 'x'.repeat(50), cutAfterBytes: 5 }, 'PLATFORM_UNAVAILABLE'],
    ['a hang', { hangBeforeHeaders: true }, 'PLATFORM_TIMEOUT'],
  ];

  it.each(faults)('that encounters %s is sent once', async (_, fault, result) => {
    const { platform, sleptMs } = createPlatform();
    sandbox.faults.add(fault);
    const sendPost = () => send(platform, post(SITE_ATTRIBUTES));
    expect(await timingOut(unansweredOf(result, 1), sendPost)).toBe(result);
    expect([sandbox.calls.total(), sleptMs]).toEqual([1, []]);
  });

  it.each(faults)(
    'for a token that encounters %s is sent once, and can be sent again later',
    async (_, fault, result) => {
      const { platform } = createPlatform();
      sandbox.faults.add({ ...fault, times: 1 });
      expect(await timingOut(unansweredOf(result, 1), () => send(platform, askToken()))).toBe(result);
      expect(sandbox.calls.total()).toBe(1);
      expect(await send(platform, askToken())).toBe(200);
    },
  );

  it('is never sent on a reused socket', async () => {
    const { platform } = createPlatform();
    await send(platform, get(SITES));
    const { headers } = await platform.send(post(SITE_ATTRIBUTES));
    expect(headers['connection']).toBe('close');
    expect((await platform.send(get(SITES))).headers['connection']).toBe('keep-alive');
  });
});
