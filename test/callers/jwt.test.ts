/** Tokens of an issuer with a real key server: forged, foreign, stale and rotated ones, and the effect of claims. */

import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { exportSPKI } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { type Claims, connectSocket, startIssuer, type TokenHead } from '../support/http/callers.js';
import { createRecordingLogger, startPlainServer, until } from '../support/http/edgeGateway.js';
import { runningClock } from '../support/runningClock.js';
import { WAIT_MS } from '../support/waiting.js';

const KEYS_COOLDOWN_MS = 300;
/** Repeats a request until the issuer's keys may be loaded again. */
const AFTER_COOLDOWN = { timeout: WAIT_MS, interval: 100 };

const issuer = await startIssuer();
const callerAuth = { ...issuer.settings, keysCooldownMs: KEYS_COOLDOWN_MS };
const gateway = await startTestGateway({ sandbox: { siteCount: 2 }, gateway: { callerAuth } });

function askWith(token: string) {
  return gateway.query<{ sites: { totalCount: number } }>(
    '{ sites { totalCount } }',
    {},
    { Authorization: `Bearer ${token}` },
  );
}

/** A refused caller causes no REST call. */
async function codeOf(token: string): Promise<string | undefined> {
  gateway.sandbox.calls.reset();
  const { status, body, headers } = await askWith(token);
  const code = body.errors?.[0]?.extensions.code;
  expect([status, headers.get('www-authenticate')]).toEqual(
    code === 'UNAUTHENTICATED' ? [401, 'Bearer realm="fieldgraph"'] : [expect.any(Number), null],
  );
  if (code !== undefined) expect(gateway.restCalls({ withToken: true })).toEqual([]);
  return code;
}

const seconds = (fromNow: number) => Math.floor(runningClock.now() / 1000) + fromNow;

describe('a valid token', () => {
  it.each<[string, Claims]>([
    ['without changes', {}],
    ['for several audiences', { aud: ['another', 'fieldgraph'] }],
    ['expired within the clock skew', { exp: seconds(-30) }],
    ['not yet valid within the clock skew', { nbf: seconds(30) }],
    ['without a subject', { sub: undefined }],
    ['with scopes as a list', { scope: ['read', 'write'] }],
    ['with scopes among others', { scope: 'openid read profile' }],
  ])('%s is accepted', async (_, claims) => {
    const { status, body } = await askWith(await issuer.sign(claims));
    expect([status, body]).toEqual([200, { data: { sites: { totalCount: 2 } } }]);
  });
});

describe('an invalid token', () => {
  it.each<[string, Claims, TokenHead?]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'another' }],
    ['without an audience', { aud: undefined }],
    ['expired beyond the skew', { exp: seconds(-90) }],
    ['that never expires', { exp: undefined }],
    ['not yet valid beyond the skew', { nbf: seconds(90) }],
    ['by another algorithm of the same key', {}, { alg: 'PS256' }],
    ['of an unknown key', {}, { kid: 'nobody' }],
    ['whose subject is null', { sub: null } as unknown as Claims],
    ['whose subject is a number', { sub: 5 } as unknown as Claims],
    ['whose subject is an object', { sub: {} } as unknown as Claims],
    ['with an unknown critical extension', {}, { crit: ['exp'], exp: 1 } as TokenHead],
  ])('%s is refused before any REST call', async (_, claims, head) => {
    const token = await issuer.sign(claims, head).catch(() => 'unsigned');
    expect(await codeOf(token)).toBe('UNAUTHENTICATED');
  });

  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

  it.each(['none', 'None', 'NONE', ''])('with the algorithm "%s" is refused', async (alg) => {
    const [, payload, signature] = (await issuer.sign()).split('.');
    for (const end of ['', signature]) {
      expect(await codeOf(`${encode({ alg, typ: 'JWT' })}.${payload}.${end}`)).toBe('UNAUTHENTICATED');
    }
  });

  it('signed with the public key as a shared secret is refused', async () => {
    const [, payload] = (await issuer.sign()).split('.');
    const [key] = issuer.keys();
    if (!key) throw new Error('There is no key.');
    const secrets = [await exportSPKI(key.publicKey), JSON.stringify(key.jwk), key.jwk.n ?? ''];
    for (const secret of secrets) {
      const head = encode({ alg: 'HS256', kid: key.kid });
      const signature = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url');
      expect(await codeOf(`${head}.${payload}.${signature}`)).toBe('UNAUTHENTICATED');
    }
  });

  it('that carries its own key is refused', async () => {
    const forger = await startIssuer();
    const [key] = forger.keys();
    const embedded = { jwk: key?.jwk, jku: forger.settings.keys.url, kid: 'first' };
    expect(await codeOf(await forger.sign({}, embedded as TokenHead))).toBe('UNAUTHENTICATED');
    expect(forger.keyRequests()).toBe(0);
  });

  it('with claims changed after signing is refused', async () => {
    const [head, payload = '', signature] = (await issuer.sign({ scope: 'read' })).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    expect(await codeOf(`${head}.${encode({ ...claims, scope: 'read write' })}.${signature}`)).toBe(
      'UNAUTHENTICATED',
    );
  });

  it.each(['', 'x', 'a.b.c', '..', `${'a'.repeat(10_000)}`])('such as "%.10s" is refused', async (text) => {
    expect(await codeOf(text)).toBe('UNAUTHENTICATED');
  });
});

/** The ids of the organizations that a token with these claims may see. */
async function organizationsOf(claims: Claims): Promise<string[]> {
  const headers = { Authorization: `Bearer ${await issuer.sign(claims)}` };
  const query = '{ organizations { nodes { id } } }';
  const { body } = await gateway.query<{ organizations: { nodes: { id: string }[] } }>(query, {}, headers);
  return body.data?.organizations.nodes.map(({ id }) => id) ?? [];
}

it('subjects have a rate of their own each, at one address', async () => {
  const callerLimits = { rate: { perSecond: 0.001, burst: 1 } };
  const limited = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: { callerAuth, callerLimits },
  });
  const statusOf = async (sub: string) => {
    const headers = { Authorization: `Bearer ${await issuer.sign({ sub })}` };
    return (await limited.query('{ __typename }', {}, headers)).status;
  };
  await until(async () => (await statusOf('first')) !== 503);
  expect(await statusOf('one')).toBe(200);
  expect(await statusOf('one')).toBe(429);
  expect(await statusOf('other')).toBe(200);
});

describe('claims', () => {
  it.each<[unknown]>([[undefined], [[]], ['310'], [310], [['x']], [[0]], [[1.5]], [{}], [[null]], [['*']]])(
    'with the organizations %j are refused',
    async (organizations) => {
      expect(await codeOf(await issuer.sign({ organizations }))).toBe('FORBIDDEN');
    },
  );

  it.each<[unknown]>([
    [['Site:310']],
    [['Organization:']],
    [['organization:310']],
    [[310, 'Organization:0']],
  ])('with the organizations %j of a wrong type are refused', async (organizations) => {
    expect(await codeOf(await issuer.sign({ organizations }))).toBe('FORBIDDEN');
  });

  it('can name organizations as numbers, strings and typed ids', async () => {
    const [first = '', second = ''] = await organizationsOf({});
    const number = Number(first.split(':')[1]);
    expect(await organizationsOf({ organizations: [second] })).toEqual([second]);
    expect(await organizationsOf({ organizations: [number, second] })).toEqual([first, second]);
    expect(await organizationsOf({ organizations: [String(number)] })).toEqual([first]);
  });

  it('without the scope are refused', async () => {
    const { status, body } = await askWith(await issuer.sign({ scope: 'write readall' }));
    expect([status, body.errors?.[0]?.extensions.code, body.data]).toEqual([403, 'FORBIDDEN', undefined]);
  });
});

describe('issuer keys', () => {
  it('are loaded again after a rotation, and the old ones are refused', async () => {
    const old = await issuer.sign();
    expect(await codeOf(old)).toBeUndefined();
    await issuer.rotate('second');
    const signed = await issuer.sign();
    await vi.waitFor(async () => expect(await codeOf(signed)).toBeUndefined(), AFTER_COOLDOWN);
    expect(await codeOf(old)).toBe('UNAUTHENTICATED');
  });

  it('are not loaded for every token with an unknown key id', async () => {
    // Longer than the test takes on a busy machine.
    const callerAuth = { ...issuer.settings, keysCooldownMs: 600_000 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerAuth } });
    const keyRequests = issuer.keyRequests();
    const tokens = await Promise.all(Array.from({ length: 30 }, (_, n) => issuer.sign({}, { kid: `k${n}` })));
    const ask = (token: string) => other.query('{ __typename }', {}, { Authorization: `Bearer ${token}` });
    expect(new Set((await Promise.all(tokens.map(ask))).map(({ status }) => status))).toEqual(new Set([401]));
    expect(issuer.keyRequests() - keyRequests).toBeLessThanOrEqual(2);
  });

  it('stay in use while the issuer is down, although other tokens arrive', async () => {
    const away = await startIssuer();
    const callerAuth = { ...away.settings, keysCooldownMs: 20 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerAuth } });
    const statusOf = async (token: string) =>
      (await other.query('{ __typename }', {}, { Authorization: `Bearer ${token}` })).status;
    expect(await statusOf(await away.sign())).toBe(200);
    away.setUp(false);
    for (let tries = 0; tries < 3; tries++) {
      const unknown = await away.sign({}, { kid: 'unknown' });
      await vi.waitFor(async () => expect(await statusOf(unknown)).toBe(503), AFTER_COOLDOWN);
      expect(await statusOf(await away.sign())).toBe(200);
      expect(await statusOf(`${await away.sign()}x`)).toBe(401);
    }
    away.setUp(true);
    await away.rotate('unknown');
    const rotated = await away.sign();
    await vi.waitFor(async () => expect(await statusOf(rotated)).toBe(200), AFTER_COOLDOWN);
  });

  it('stay in use for an hour while the issuer is down, and expired tokens end connections even after it', async () => {
    const away = await startIssuer();
    const callerAuth = { ...away.settings, keysCooldownMs: 20 };
    const settings = { callerAuth, clock: { now: () => Date.now() }, recheckIntervalMs: 50 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: settings });
    const startMs = Date.now();
    const token = await away.sign({ exp: Math.floor(startMs / 1000) + 5 * 3600 }, {}, startMs);
    const headers = { Authorization: `Bearer ${token}` };
    const statusOf = async () => (await other.query('{ __typename }', {}, headers)).status;
    await until(async () => (await statusOf()) === 200);
    const socket = connectSocket(other.url, { params: headers });
    expect(await socket.first('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    away.setUp(false);
    // The library reads the system's time to decide when it reads the keys again.
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const statusAfter = (minutes: number) => {
        vi.setSystemTime(startMs + minutes * 60_000);
        return statusOf();
      };
      expect(await statusAfter(30)).toBe(200);
      expect(await statusAfter(89)).toBe(200);
      expect(await statusAfter(91)).toBe(503);
      expect(await socket.first('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
      // Keys that have been read again are used for another hour.
      away.setUp(true);
      for (let minutes = 92; (await statusAfter(minutes)) !== 200; ) minutes += 0.001;
      away.setUp(false);
      expect(await statusAfter(110)).toBe(200);
      expect(await statusAfter(169)).toBe(200);
      expect(await statusAfter(171)).toBe(503);
      expect(await statusAfter(302)).toBe(401);
      expect(await socket.closed).toMatchObject({ code: 4401 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('stay in use while the issuer does not respond, without a wait for it', async () => {
    const away = await startIssuer();
    const sendKeys = (response: ServerResponse): unknown =>
      response.end(JSON.stringify({ keys: away.keys().map(({ jwk }) => jwk) }));
    let respond = sendKeys;
    const server = await startPlainServer((_, response) => respond(response));
    const callerAuth = { ...away.settings, keys: { url: server.url }, keysCooldownMs: 20 };
    const gateway = { callerAuth, clock: { now: () => Date.now() } };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway });
    const startMs = Date.now();
    const sign = () => away.sign({ exp: Math.floor(startMs / 1000) + 3600 }, {}, startMs);
    const token = await sign();
    const statusOf = async (sent = token) =>
      (await other.query('{ __typename }', {}, { Authorization: `Bearer ${sent}` })).status;
    expect(await statusOf()).toBe(200);
    // The library reads the system's time to decide when it reads the keys again.
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      respond = (response) => response.destroy();
      vi.setSystemTime(startMs + 11 * 60_000);
      expect(await statusOf()).toBe(200);
      const waiting: ServerResponse[] = [];
      respond = (response) => waiting.push(response);
      vi.setSystemTime(startMs + 12 * 60_000);
      expect([await statusOf(), await statusOf()]).toEqual([200, 200]);
      expect(waiting.filter(({ closed }) => closed)).toEqual([]);
      // A token with a new key waits for it.
      await until(() => waiting.length > 0);
      await away.rotate('second');
      const rotated = statusOf(await sign());
      for (let turn = 0; turn < 100; turn++) await setImmediate();
      for (const response of waiting) sendKeys(response);
      expect(await rotated).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are read at the start, and the gateway is ready once they have been read', async () => {
    const away = await startIssuer();
    away.setUp(false);
    const logger = createRecordingLogger();
    const callerAuth = { ...away.settings, keysCooldownMs: 20 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerAuth, logger } });
    const readiness = async () => {
      const response = await fetch(`${other.url}/readyz`);
      return [response.status, await response.json()];
    };
    await until(() => logger.lines.length > 0);
    expect(logger.lines[0]).toMatchObject({
      level: 'error',
      message: 'The keys at JWKS_URL could not be read',
      fields: { cause: { message: expect.stringContaining('200') } },
    });
    const unready = [503, { status: 'The keys at JWKS_URL could not be read. See the log.' }];
    expect(await readiness()).toEqual(unready);
    away.setUp(true);
    await vi.waitFor(
      async () => expect(await readiness()).toEqual([200, { status: 'ready' }]),
      AFTER_COOLDOWN,
    );
    away.setUp(false);
    const unknown = await away.sign({}, { kid: 'unknown' });
    await vi.waitFor(async () => {
      const { status } = await other.query('{ __typename }', {}, { Authorization: `Bearer ${unknown}` });
      expect(status).toBe(503);
    }, AFTER_COOLDOWN);
    expect((await readiness())[0]).toBe(200);
  });

  it('are not read from a response of more than 1 MB', async () => {
    const away = await startIssuer();
    const keys = away.keys().map(({ jwk }) => jwk);
    let padding = ' '.repeat(1024 * 1024);
    const server = await startPlainServer((_, response) => response.end(JSON.stringify({ keys, padding })));
    const callerAuth = { ...away.settings, keys: { url: server.url }, keysCooldownMs: 20 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerAuth } });
    const headers = { Authorization: `Bearer ${await away.sign()}` };
    expect((await other.query('{ __typename }', {}, headers)).status).toBe(503);
    padding = padding.slice(2048);
    await vi.waitFor(
      async () => expect((await other.query('{ __typename }', {}, headers)).status).toBe(200),
      AFTER_COOLDOWN,
    );
  });

  it('are read without a request, once', async () => {
    const away = await startIssuer();
    const gateway = { callerAuth: { ...away.settings, keysCooldownMs: 600_000 } };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway });
    await until(() => away.keyRequests() === 1);
    for (const path of ['/readyz', '/readyz']) expect((await fetch(other.url + path)).status).toBe(200);
    const headers = { Authorization: `Bearer ${await away.sign()}` };
    expect((await other.query('{ __typename }', {}, headers)).status).toBe(200);
    expect(away.keyRequests()).toBe(1);
  });

  it('that cannot be loaded are not reported as an invalid token, and are not requested for every token', async () => {
    const away = await startIssuer();
    away.setUp(false);
    const callerAuth = { ...away.settings, keysCooldownMs: 60_000 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerAuth } });
    const token = await away.sign();
    for (let tries = 0; tries < 5; tries++) {
      const { status, headers, body } = await other.query(
        '{ __typename }',
        {},
        { Authorization: `Bearer ${token}` },
      );
      expect([status, body.errors?.[0]?.extensions]).toMatchObject([
        503,
        { code: 'AUTHENTICATION_UNAVAILABLE', retryable: true },
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(away.keyRequests()).toBe(1);
  });
});
