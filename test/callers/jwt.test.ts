/** Tokens of an issuer with a real key server: forged, foreign, stale and rotated ones, and what claims allow. */
import { createHmac } from 'node:crypto';
import { exportSPKI } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { type Claims, type Issuer, startIssuer, type TokenHead } from '../support/http/callers.js';
import { runningClock } from '../support/runningClock.js';

const KEYS_COOLDOWN_MS = 300;

let issuer: Issuer;
let gateway: TestGateway;

beforeAll(async () => {
  issuer = await startIssuer();
  const callerAuth = { ...issuer.settings, keysCooldownMs: KEYS_COOLDOWN_MS };
  gateway = await startTestGateway({ sandbox: { siteCount: 2 }, gateway: { callerAuth } });
});

function askWith(token: string) {
  return gateway.query<{ sites: { totalCount: number } }>(
    '{ sites { totalCount } }',
    {},
    { Authorization: `Bearer ${token}` },
  );
}

/** Whoever is turned away has cost the platform nothing. */
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

describe('a good token', () => {
  it.each<[string, Claims]>([
    ['as it is', {}],
    ['for several audiences', { aud: ['another', 'fieldgraph'] }],
    ['expired within the clock skew', { exp: seconds(-30) }],
    ['not yet begun within the clock skew', { nbf: seconds(30) }],
    ['with scopes as a list', { scope: ['read', 'write'] }],
    ['with scopes among others', { scope: 'openid read profile' }],
  ])('%s is let in', async (_, claims) => {
    const { status, body } = await askWith(await issuer.sign(claims));
    expect([status, body]).toEqual([200, { data: { sites: { totalCount: 2 } } }]);
  });
});

describe('a token that is not good', () => {
  it.each<[string, Claims, TokenHead?]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of no issuer', { iss: undefined }],
    ['for another audience', { aud: 'another' }],
    ['for no audience', { aud: undefined }],
    ['expired beyond the skew', { exp: seconds(-90) }],
    ['that never expires', { exp: undefined }],
    ['not yet begun beyond the skew', { nbf: seconds(90) }],
    ['by another algorithm of the same key', {}, { alg: 'PS256' }],
    ['of an unknown key', {}, { kid: 'nobody' }],
    ['that demands an extension', {}, { crit: ['exp'], exp: 1 } as TokenHead],
  ])('%s is turned away before any REST call', async (_, claims, head) => {
    const token = await issuer.sign(claims, head).catch(() => 'unsigned');
    expect(await codeOf(token)).toBe('UNAUTHENTICATED');
  });

  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

  it.each(['none', 'None', 'NONE', ''])('with the algorithm "%s" is turned away', async (alg) => {
    const [, payload, signature] = (await issuer.sign()).split('.');
    for (const end of ['', signature]) {
      expect(await codeOf(`${encode({ alg, typ: 'JWT' })}.${payload}.${end}`)).toBe('UNAUTHENTICATED');
    }
  });

  it('signed with the public key as a shared secret is turned away', async () => {
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

  it('that brings its own key is turned away', async () => {
    const forger = await startIssuer();
    const [key] = forger.keys();
    const embedded = { jwk: key?.jwk, jku: forger.settings.jwksUrl, kid: 'first' };
    expect(await codeOf(await forger.sign({}, embedded as TokenHead))).toBe('UNAUTHENTICATED');
    expect(forger.looks()).toBe(0);
  });

  it('with claims changed after signing is turned away', async () => {
    const [head, payload = '', signature] = (await issuer.sign({ scope: 'read' })).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    expect(await codeOf(`${head}.${encode({ ...claims, scope: 'read write' })}.${signature}`)).toBe(
      'UNAUTHENTICATED',
    );
  });

  it.each(['', 'x', 'a.b.c', '..', `${'a'.repeat(10_000)}`])(
    'such as "%.10s" is turned away',
    async (text) => {
      expect(await codeOf(text)).toBe('UNAUTHENTICATED');
    },
  );
});

/** The ids of the organizations that a token with these claims sees. */
async function organizationsOf(claims: Claims): Promise<string[]> {
  const headers = { Authorization: `Bearer ${await issuer.sign(claims)}` };
  const query = '{ organizations { nodes { id } } }';
  const { body } = await gateway.query<{ organizations: { nodes: { id: string }[] } }>(query, {}, headers);
  return body.data?.organizations.nodes.map(({ id }) => id) ?? [];
}

describe('claims', () => {
  it.each<[unknown]>([[undefined], [[]], ['310'], [310], [['x']], [[0]], [[1.5]], [{}], [[null]], [['*']]])(
    'refuse a token whose organizations are %j',
    async (organizations) => {
      expect(await codeOf(await issuer.sign({ organizations }))).toBe('FORBIDDEN');
    },
  );

  it.each<[unknown]>([
    [['Site:310']],
    [['Organization:']],
    [['organization:310']],
    [[310, 'Organization:0']],
  ])('refuse a token whose organizations are typed as %j', async (organizations) => {
    expect(await codeOf(await issuer.sign({ organizations }))).toBe('FORBIDDEN');
  });

  it('accept the ids of organizations as numbers, texts and typed ids', async () => {
    const [first = '', second = ''] = await organizationsOf({});
    const number = Number(first.split(':')[1]);
    expect(await organizationsOf({ organizations: [second] })).toEqual([second]);
    expect(await organizationsOf({ organizations: [number, second] })).toEqual([first, second]);
    expect(await organizationsOf({ organizations: [String(number)] })).toEqual([first]);
  });

  it('refuse a token without the scope', async () => {
    const { status, body } = await askWith(await issuer.sign({ scope: 'write readall' }));
    expect([status, body.errors?.[0]?.extensions.code, body.data]).toEqual([403, 'FORBIDDEN', undefined]);
  });
});

describe('keys', () => {
  it('are looked for again when they change, and the old ones are over', async () => {
    const old = await issuer.sign();
    expect(await codeOf(old)).toBeUndefined();
    await issuer.rotate('second');
    await new Promise((resolve) => setTimeout(resolve, KEYS_COOLDOWN_MS + 50));
    expect(await codeOf(await issuer.sign())).toBeUndefined();
    expect(await codeOf(old)).toBe('UNAUTHENTICATED');
  });

  it('are not looked for by every token of an unknown key', async () => {
    // Longer than the test takes on a busy machine.
    const callerAuth = { ...issuer.settings, keysCooldownMs: 600_000 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerAuth } });
    const looks = issuer.looks();
    const tokens = await Promise.all(Array.from({ length: 30 }, (_, n) => issuer.sign({}, { kid: `k${n}` })));
    const ask = (token: string) => other.query('{ __typename }', {}, { Authorization: `Bearer ${token}` });
    expect(new Set((await Promise.all(tokens.map(ask))).map(({ status }) => status))).toEqual(new Set([401]));
    expect(issuer.looks() - looks).toBeLessThanOrEqual(2);
  });

  it('that were known serve on while the issuer is away, whatever other tokens come', async () => {
    const away = await startIssuer();
    const callerAuth = { ...away.settings, keysCooldownMs: 20 };
    const other = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { callerAuth } });
    const statusOf = async (token: string) =>
      (await other.query('{ __typename }', {}, { Authorization: `Bearer ${token}` })).status;
    expect(await statusOf(await away.sign())).toBe(200);
    away.setUp(false);
    for (let tries = 0; tries < 3; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(await statusOf(await away.sign({}, { kid: 'unknown' }))).toBe(503);
      expect(await statusOf(await away.sign())).toBe(200);
      expect(await statusOf(`${await away.sign()}x`)).toBe(401);
    }
    away.setUp(true);
    await away.rotate('unknown');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await statusOf(await away.sign())).toBe(200);
  });

  it('that are away are no reason to call a token wrong, nor to ask for them with every token', async () => {
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
    expect(away.looks()).toBe(1);
  });
});
