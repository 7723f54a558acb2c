/** Refused calls: a 403 ends or renews the token only if other endpoints also refuse the token. */
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { createCancellation } from '../../../../src/lib/cancellation.js';
import type { Clock } from '../../../../src/lib/clock.js';
import { silentLogger } from '../../../../src/lib/logger.js';
import { createAuthorizedSend } from '../../../../src/rest/auth/authorizedSend.js';
import {
  createFixedTokenManager,
  createTokenManager,
  type TokenManager,
} from '../../../../src/rest/auth/tokenManager.js';
import type { PlatformRequest, TransportResponse } from '../../../../src/rest/transport/platformRequest.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

const PROBE_PATH = '/v2.0/user/uiPreferences';
/** Called if the probe is forbidden. */
const ORGANIZATIONS = '/v2.0/account/organization';
/** Called if the probe and the organizations are forbidden. */
const SITES = '/v2.0/site';

const REQUEST: PlatformRequest = { method: 'GET', template: '/v2.0/user', path: '/v2.0/user', headers: {} };

type Respond = () => TransportResponse | Promise<TransportResponse>;

function respond(status: number): Respond {
  return () => ({ status, headers: {}, body: Buffer.from('{}') });
}

async function failWithOpenCircuit(): Promise<TransportResponse> {
  throw new GatewayError('PLATFORM_UNAVAILABLE', 'The circuit is open.', { retryable: true });
}

/** Failures that say nothing about the token. */
const FAILURES: readonly [name: string, probe: Respond][] = [
  ['status 500', respond(500)],
  ['status 429', respond(429)],
  ['an open circuit', failWithOpenCircuit],
];

/** Sends calls to an endpoint with this status, while the endpoint of the probe responds with `probe`. */
function createSend(tokens: TokenManager, probe: Respond, status = 403) {
  const paths: string[] = [];
  const deadlines: (number | undefined)[] = [];
  const transport = {
    async send({ path, deadlineAtMs }: PlatformRequest) {
      paths.push(path);
      deadlines.push(deadlineAtMs);
      return path === PROBE_PATH ? probe() : respond(status)();
    },
  };
  const clock = createTestClock();
  const sendAuthorized = createAuthorizedSend({ tokens, transport, clock });
  const send = (limits: Pick<PlatformRequest, 'deadlineAtMs' | 'cancellation'> = {}) =>
    sendAuthorized({ ...REQUEST, ...limits });
  return { paths, deadlines, clock, send };
}

/** Sends calls with the response of each path, and records the paths. */
function createRecordedSend(tokens: TokenManager, respondTo: (path: string) => ReturnType<Respond>) {
  const paths: string[] = [];
  const transport = {
    async send({ path }: PlatformRequest) {
      paths.push(path);
      return respondTo(path);
    },
  };
  return { paths, send: createAuthorizedSend({ tokens, transport, clock: createTestClock() }) };
}

function createFixedToken() {
  const refused = { count: 0 };
  const onRefused = () => {
    refused.count += 1;
  };
  return { refused, tokens: createFixedTokenManager('token', onRefused, createTestClock()) };
}

describe('a 403 with the token of a caller', () => {
  it.each(FAILURES)('is the response if the check of the token fails with %s', async (_name, probe) => {
    const { tokens, refused } = createFixedToken();
    const { send, paths } = createSend(tokens, probe);
    expect((await send()).status).toBe(403);
    expect(refused.count).toBe(0);
    expect(paths).toEqual(['/v2.0/user', PROBE_PATH]);
  });

  it('is the response if the check of the token hangs, unless the call is cancelled', async () => {
    const { tokens } = createFixedToken();
    const { send, paths, deadlines, clock } = createSend(tokens, () => new Promise(() => undefined));
    expect((await send({ deadlineAtMs: clock.now() + 20 })).status).toBe(403);
    expect(paths).toEqual(['/v2.0/user', PROBE_PATH]);
    expect(deadlines[1]).toBe(clock.now() + 5_000);
    const leaving = createCancellation();
    const left = send({ cancellation: leaving });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('is checked again by the next call after the check failed', async () => {
    const { tokens, refused } = createFixedToken();
    const responses = [respond(500), respond(401)];
    const { send } = createSend(tokens, () => (responses.shift() ?? respond(401))());
    expect((await send()).status).toBe(403);
    await expect(send()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(refused.count).toBe(1);
  });

  it('is the response of an endpoint that is forbidden', async () => {
    const { tokens, refused } = createFixedToken();
    const { send, paths } = createSend(tokens, respond(200));
    expect([(await send()).status, (await send()).status]).toEqual([403, 403]);
    expect(refused.count).toBe(0);
    expect(paths.filter((path) => path === PROBE_PATH)).toHaveLength(1);
  });
});

it('a 401 ends the access of a caller without a check', async () => {
  const { tokens, refused } = createFixedToken();
  const { send, paths } = createSend(tokens, respond(500), 401);
  await expect(send()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(refused.count).toBe(1);
  expect(paths).toEqual(['/v2.0/user']);
});

/** After `maxTokens` tokens the platform issues the last one again. */
function createTokens(maxTokens = Number.POSITIVE_INFINITY, clock: Clock = createTestClock()) {
  const requests = { count: 0 };
  const tokens = createTokenManager({
    clock,
    logger: silentLogger,
    async requestToken() {
      requests.count += 1;
      return { accessToken: `token ${Math.min(requests.count, maxTokens)}`, expiresIn: 3600 };
    },
  });
  return { requests, tokens };
}

describe('a 403 with a Key and Secret', () => {
  it.each(FAILURES)('costs no token request if the check fails with %s', async (_name, probe) => {
    const { tokens, requests } = createTokens();
    const { send } = createSend(tokens, probe);
    expect([(await send()).status, (await send()).status]).toEqual([403, 403]);
    expect(requests.count).toBe(1);
  });

  it('costs one if other endpoints also refuse the token', async () => {
    const { tokens, requests } = createTokens();
    const { send } = createSend(tokens, respond(403));
    expect((await send()).status).toBe(403);
    expect(requests.count).toBe(2);
  });

  it.each([
    [1, [PROBE_PATH, ORGANIZATIONS]],
    [2, [PROBE_PATH, ORGANIZATIONS, SITES]],
  ])(
    'costs none for any endpoint if the first endpoints of the check (%i) are also forbidden',
    async (_, probes) => {
      const { tokens, requests } = createTokens();
      const { paths, send } = createRecordedSend(tokens, (path) =>
        respond(path === probes.at(-1) ? 200 : 403)(),
      );
      for (const template of ['/v2.0/user', '/v2.0/user', '/v2.0/device', '/v2.0/channel', '/v2.0/channel']) {
        const { status } = await send({ method: 'GET', template, path: template, headers: {} });
        expect(status).toBe(403);
      }
      expect(requests.count).toBe(1);
      const checks = paths.filter((path) => [PROBE_PATH, ORGANIZATIONS, SITES].includes(path));
      expect(checks).toEqual([...probes, ...probes, ...probes]);
    },
  );
});

it('an endpoint of the check is not called for a check of its own 403', async () => {
  const { tokens, requests } = createTokens();
  const { paths, send } = createRecordedSend(tokens, (path) => respond(path === PROBE_PATH ? 403 : 200)());
  const request: PlatformRequest = { method: 'GET', template: PROBE_PATH, path: PROBE_PATH, headers: {} };
  expect((await send(request)).status).toBe(403);
  expect(paths).toEqual([PROBE_PATH, ORGANIZATIONS, PROBE_PATH]);
  expect(requests.count).toBe(1);
});

describe('a 403 that the platform does not repeat', () => {
  /** The endpoint refuses its first calls, this many. */
  function createBrieflyForbidden(refusals: number) {
    const { tokens, requests } = createTokens();
    let left = refusals;
    const recorded = createRecordedSend(tokens, (path) =>
      respond(path === REQUEST.path && left-- > 0 ? 403 : 200)(),
    );
    return { ...recorded, requests };
  }

  it('costs a read one check and one repeat with the same token', async () => {
    const { send, paths, requests } = createBrieflyForbidden(1);
    expect((await send(REQUEST)).status).toBe(200);
    expect(paths).toEqual(['/v2.0/user', PROBE_PATH, '/v2.0/user']);
    expect(requests.count).toBe(1);
  });

  it('is the response to a write, which is sent once', async () => {
    const { send, paths } = createBrieflyForbidden(1);
    expect((await send({ ...REQUEST, method: 'POST' })).status).toBe(403);
    expect(paths).toEqual(['/v2.0/user', PROBE_PATH]);
  });

  it('is repeated by one of the calls that share the check', async () => {
    const { send, paths } = createBrieflyForbidden(Number.POSITIVE_INFINITY);
    const responses = await Promise.all([send(REQUEST), send(REQUEST), send(REQUEST)]);
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(paths.filter((path) => path === REQUEST.path)).toHaveLength(4);
    expect(paths).toHaveLength(5);
  });

  it('does not count as forbidden afterwards', async () => {
    const { tokens, requests } = createTokens();
    let isRevoked = false;
    let calls = 0;
    const { send } = createRecordedSend(tokens, (path) => {
      if (path === REQUEST.path) calls += 1;
      return respond(
        (isRevoked && requests.count === 1) || (path === REQUEST.path && calls === 1) ? 403 : 200,
      )();
    });
    expect((await send(REQUEST)).status).toBe(200);
    isRevoked = true;
    expect((await send(REQUEST)).status).toBe(200);
    expect(requests.count).toBe(2);
  });
});

describe('a 401 while no token request is allowed', () => {
  /** Sends a call with a token that its endpoint refuses, after 12 token requests. */
  async function refuseLate(probe: Respond, maxTokens?: number) {
    const { tokens, requests } = createTokens(maxTokens);
    while (requests.count < 12) await tokens.get(await tokens.get());
    const valid = await tokens.get();
    let sent = 0;
    const sendAuthorized = createAuthorizedSend({
      tokens,
      clock: createTestClock(),
      transport: {
        async send({ path, headers: { Authorization } }) {
          if (path === PROBE_PATH) return probe();
          sent += 1;
          return respond(Authorization === `Bearer ${valid}` ? 401 : 200)();
        },
      },
    });
    const result = await sendAuthorized(REQUEST).then(
      ({ status }) => status,
      (error: GatewayError) => error.code,
    );
    return { result, requests: requests.count, sent };
  }

  it('takes a reserved one if another endpoint also refuses the token', async () => {
    expect(await refuseLate(respond(401))).toEqual({ result: 200, requests: 13, sent: 2 });
  });

  it('is the response if another endpoint accepts the token', async () => {
    expect(await refuseLate(respond(200))).toEqual({ result: 401, requests: 12, sent: 1 });
  });

  it('takes none if the check of the token fails', async () => {
    expect(await refuseLate(respond(500))).toEqual({
      result: 'PLATFORM_RATE_LIMITED',
      requests: 12,
      sent: 1,
    });
  });

  it('is the response if the platform issues the same token again', async () => {
    expect(await refuseLate(respond(401), 12)).toEqual({ result: 401, requests: 13, sent: 1 });
  });
});

it('a refused token costs one token request although the endpoint responds with 429', async () => {
  const requests = { count: 0 };
  const clock = createTestClock();
  const tokens = createTokenManager({
    clock,
    logger: silentLogger,
    async requestToken() {
      requests.count += 1;
      if (requests.count === 1) return { accessToken: 'token', expiresIn: 3600 };
      throw new GatewayError('PLATFORM_RATE_LIMITED', 'Later.', {
        platform: { status: 429 },
        retryAfterMs: 1000,
      });
    },
  });
  const transport = {
    async send() {
      // A check takes longer than the pause.
      clock.advance(2000);
      return respond(401)();
    },
  };
  const sendAuthorized = createAuthorizedSend({ tokens, clock, transport });
  await expect(sendAuthorized(REQUEST)).rejects.toMatchObject({ code: 'PLATFORM_RATE_LIMITED' });
  expect(requests.count).toBe(2);
});

describe('a second token that is refused a moment after the first', () => {
  /**
   * Sends calls to an endpoint that responds with 401 once, then accepts the repeated call, then responds with 401
   * again.
   */
  async function refuseTwice(probe: Respond) {
    const { tokens, requests } = createTokens();
    const statuses = [401, 200, 401];
    const { paths, send } = createRecordedSend(tokens, (path) =>
      path === PROBE_PATH ? probe() : respond(statuses.shift() ?? 200)(),
    );
    expect((await send(REQUEST)).status).toBe(200);
    const { status } = await send(REQUEST);
    return { status, requests: requests.count, probes: paths.filter((path) => path === PROBE_PATH).length };
  }

  it('is replaced if another endpoint also refuses it', async () => {
    expect(await refuseTwice(respond(401))).toEqual({ status: 200, requests: 3, probes: 1 });
  });

  it('stays, and is sent once more, if another endpoint accepts it', async () => {
    expect(await refuseTwice(respond(200))).toEqual({ status: 200, requests: 2, probes: 1 });
  });
});

describe('calls that return after their token was refused elsewhere', () => {
  /** Sends one call for each path. Each call with the first token waits until `refuse` responds with 403. */
  async function sendWithFirstToken(paths: readonly string[], tokens: TokenManager) {
    const first = await tokens.get();
    const probes = { count: 0 };
    const waiting = new Map<string, () => void>();
    const send = createAuthorizedSend({
      tokens,
      clock: createTestClock(),
      transport: {
        async send({ path, headers: { Authorization } }) {
          if (path === PROBE_PATH) probes.count += 1;
          if (Authorization !== `Bearer ${first}`) return respond(200)();
          if (paths.includes(path)) await new Promise<void>((resolve) => waiting.set(path, resolve));
          return respond(403)();
        },
      },
    });
    const statuses = paths.map((path) =>
      send({ method: 'GET', template: path, path, headers: {} }).then(({ status }) => status),
    );
    return { first, probes, statuses, refuse: (path: string) => waiting.get(path)?.() };
  }

  it('are repeated without a check if it has been replaced', async () => {
    const { tokens, requests } = createTokens();
    const { first, probes, statuses, refuse } = await sendWithFirstToken(['/v2.0/user'], tokens);
    await tokens.get(first);
    refuse('/v2.0/user');
    expect([await statuses[0], requests.count, probes.count]).toEqual([200, 2, 0]);
  });

  it('share the result of its check while it is being replaced', async () => {
    const issue: (() => void)[] = [];
    let count = 0;
    const tokens = createTokenManager({
      clock: createTestClock(),
      logger: silentLogger,
      async requestToken() {
        count += 1;
        if (count > 1) await new Promise<void>((resolve) => issue.push(resolve));
        return { accessToken: `token ${count}`, expiresIn: 3600 };
      },
    });
    const { probes, statuses, refuse } = await sendWithFirstToken(['/v2.0/user', '/v2.0/device'], tokens);
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    refuse('/v2.0/user');
    await settle();
    refuse('/v2.0/device');
    await settle();
    issue[0]?.();
    expect([await Promise.all(statuses), count, probes.count]).toEqual([[200, 200], 2, 1]);
  });
});

describe('an endpoint that refuses every token', () => {
  it('costs one token request and no check, and then neither', async () => {
    const { tokens, requests } = createTokens();
    const { send, paths } = createSend(tokens, respond(200), 401);
    expect([(await send()).status, (await send()).status]).toEqual([401, 401]);
    expect([requests.count, paths]).toEqual([2, [REQUEST.path, REQUEST.path, REQUEST.path]]);
  });

  it('costs a check instead of a token request when it still does so a minute later', async () => {
    const clock = createTestClock();
    const { tokens, requests } = createTokens(2, clock);
    const { send, paths } = createSend(tokens, respond(200), 401);
    await send();
    clock.advance(60_000);
    expect((await send()).status).toBe(401);
    expect([requests.count, paths.filter((path) => path === PROBE_PATH)]).toEqual([2, [PROBE_PATH]]);
  });

  it('costs one token request if the platform issues the same token again', async () => {
    const { tokens, requests } = createTokens(1);
    const { send, paths } = createSend(tokens, respond(401), 401);
    expect([(await send()).status, (await send()).status]).toEqual([401, 401]);
    expect([requests.count, paths]).toEqual([2, [REQUEST.path, REQUEST.path]]);
  });
});

it('a token that is issued again is checked again 5 s after a check found it refused', async () => {
  const { tokens, requests } = createTokens(1);
  const clock = createTestClock();
  const probes = [401, 200];
  const send = createAuthorizedSend({
    tokens,
    clock,
    transport: { send: async ({ path }) => respond(path === PROBE_PATH ? (probes.shift() ?? 500) : 403)() },
  });
  expect((await send(REQUEST)).status).toBe(403);
  clock.advance(5000);
  expect((await send({ ...REQUEST, template: '/v2.0/device', path: '/v2.0/device' })).status).toBe(403);
  expect([requests.count, probes]).toEqual([2, []]);
});

it('a 403 for a token that is being renewed ahead of time costs a check, and does not wait for the renewal', async () => {
  const clock = createTestClock();
  let count = 0;
  const tokens = createTokenManager({
    clock,
    logger: silentLogger,
    sleep: () => new Promise(() => undefined),
    async requestToken() {
      count += 1;
      if (count > 1) await new Promise(() => undefined);
      return { accessToken: 'token', expiresIn: 3600 };
    },
  });
  await tokens.get();
  clock.advance(3_000_000);
  const { paths, send } = createRecordedSend(tokens, (path) => respond(path === PROBE_PATH ? 200 : 403)());
  expect((await send(REQUEST)).status).toBe(403);
  expect([paths, count]).toEqual([['/v2.0/user', PROBE_PATH, '/v2.0/user'], 2]);
});
