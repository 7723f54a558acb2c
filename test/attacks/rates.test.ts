/** What holds over many requests: rates, trusted documents, REST calls of one operation, other sites' pages. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { spendTokens, takeToken } from '../../src/http/rateLimits/callerRateLimiter.js';
import { startTestGateway } from '../support/gateway.js';
import { socketErrors, startAttackTarget } from '../support/http/attackTarget.js';
import { runningClock } from '../support/runningClock.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a caller who asks too often', () => {
  it('waits as long as told, over HTTP and websocket alike, and is then answered', async () => {
    let nowMs = runningClock.now();
    const clock = { now: () => nowMs };
    const callerLimits = { rate: { perSecond: 1, burst: 3 } };
    const { url, ask } = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { clock, callerLimits },
    });
    for (let round = 0; round < 3; round++) await ask('{ __typename }');
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 1000 } }],
    });
    const [error] = await socketErrors(url, { query: '{ __typename }' });
    expect(error?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1000 });
    nowMs += 1000;
    await ask('{ __typename }');
  });

  it('is answered sooner where it sends what is refused: each counts as ten', async () => {
    const clock = { now: () => 1_700_000_000_000 };
    const callerLimits = { rate: { perSecond: 1, burst: 20 } };
    const gateway = { clock, callerLimits };
    const { url, query } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway });
    const bomb = `{ ${Array.from({ length: 16 }, (_, i) => `a${i}: __typename`).join(' ')} }`;
    expect((await query(bomb)).body.errors?.[0]?.extensions.code).toBe('TOO_MANY_ALIASES');
    const [unknown] = await socketErrors(url, { query: '{ nothing }' });
    expect(unknown?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect((await query('{ __typename }')).body.errors?.[0]?.extensions).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 3000,
    });
  });

  it('has a bucket that never holds more than the burst, nor fills up by a clock that goes back', () => {
    const limit = { perSecond: 10, burst: 5 };
    expect(takeToken(limit, { tokens: 5, atMs: 0 }, 1_000_000)).toEqual({
      bucket: { tokens: 4, atMs: 1_000_000 },
      waitMs: 0,
    });
    expect(takeToken(limit, { tokens: 0, atMs: 1000 }, 0).waitMs).toBe(100);
  });

  it('owes what was taken elsewhere beyond what it held, a burst at most', () => {
    const limit = { perSecond: 10, burst: 5 };
    expect(spendTokens(limit, undefined, 3, 0)).toEqual({ tokens: 2, atMs: 0 });
    expect(spendTokens(limit, { tokens: 1, atMs: 0 }, 4, 100)).toEqual({ tokens: -2, atMs: 100 });
    expect(spendTokens(limit, { tokens: -4, atMs: 0 }, 400, 0)).toEqual({ tokens: -5, atMs: 0 });
    expect(takeToken(limit, { tokens: -2, atMs: 0 }, 0).waitMs).toBe(300);
  });
});

describe('an operation that takes too many REST calls', () => {
  it('is answered as far as its calls reach, and says why no further', async () => {
    const target = await startTestGateway({
      sandbox: { siteCount: 6 },
      gateway: { callerLimits: { maxRestCalls: 4 } },
    });
    const { body } = await target.query<{ devices: { nodes: { lastLog: unknown }[] } }>(
      '{ devices { nodes { name lastLog { message } } } }',
    );
    expect(target.restCalls()).toHaveLength(4);
    expect(body.data?.devices.nodes.filter(({ lastLog }) => lastLog !== null)).toHaveLength(3);
    expect(new Set(body.errors?.map(({ extensions }) => extensions.code))).toEqual(
      new Set(['TOO_MANY_REST_CALLS']),
    );
    expect(body.errors?.[0]?.message).toMatch(/more than 4 REST calls/);
  });
});

describe('documents', () => {
  let directory: string;
  const inFile = '{ sites { totalCount } }\n';
  const listed = 'query Listed { devices { totalCount } }';
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'fieldgraph-'));
    await writeFile(path.join(directory, 'sites.graphql'), inFile);
    await writeFile(path.join(directory, 'manifest.json'), JSON.stringify({ [sha256(listed)]: listed }));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const byHash = (hash: string, query = '') => ({
    query,
    extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
  });

  it('that are trusted are the only ones answered where that is said, on every way in', async () => {
    const callerLimits = { trustedDocuments: directory, trustedDocumentsOnly: true };
    const { errorsOf } = await startAttackTarget({ callerLimits });
    for (const way of ['POST', 'websocket'] as const) {
      expect(await errorsOf(way, { query: inFile })).toEqual([]);
      expect(await errorsOf(way, byHash(sha256(listed)))).toEqual([]);
      for (const payload of [
        { query: '{ __typename }' },
        byHash(sha256('{ a }')),
        byHash(sha256('{ __typename }'), '{ __typename }'),
      ]) {
        const [error] = await errorsOf(way, payload);
        expect(error?.extensions.code).toBe('DOCUMENT_NOT_TRUSTED');
      }
    }
  });

  it('that a caller has sent are known by their hash from then on', async () => {
    const target = await startAttackTarget();
    const hash = sha256(listed);
    const [unknown] = await target.errorsOf('POST', byHash(hash));
    expect(unknown?.extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(await target.errorsOf('POST', byHash(hash, listed))).toEqual([]);
    expect(await target.errorsOf('POST', byHash(hash))).toEqual([]);
    expect(await target.errorsOf('websocket', byHash(hash))).toEqual([]);
  });
});

describe("another site's page", () => {
  const origin = 'https://dashboard.example';
  const preflight = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type',
  };

  function opens(url: string): Promise<boolean> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { origin });
    return new Promise((resolve) => {
      socket.once('open', () => resolve(true)).once('error', () => resolve(false));
    }).then((isOpen) => {
      socket.terminate();
      return isOpen === true;
    });
  }

  it('may read nothing until it is named, and then all, but no other', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const closed = await fetch(`${url}/graphql`, {
      method: 'OPTIONS',
      headers: { Origin: origin, ...preflight },
    });
    expect(closed.headers.get('access-control-allow-origin')).toBeNull();
    expect(await opens(url)).toBe(false);

    const named = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { callerLimits: { corsOrigins: [origin] } },
    });
    const headersFor = async (from: string) =>
      (await fetch(`${named.url}/graphql`, { method: 'OPTIONS', headers: { Origin: from, ...preflight } }))
        .headers;
    const headers = await headersFor(origin);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-headers')).toMatch(/Content-Type/);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(
      (await headersFor('https://dashboard.example.evil')).get('access-control-allow-origin'),
    ).toBeNull();
    expect((await headersFor('null')).get('access-control-allow-origin')).toBeNull();
    expect(await opens(named.url)).toBe(true);
  });

  it('may send what browser SDKs add to each request, and what the operator names', async () => {
    const { url } = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { callerLimits: { corsOrigins: [origin], corsHeaders: ['X-Tenant'] } },
    });
    const { headers } = await fetch(`${url}/graphql`, {
      method: 'OPTIONS',
      headers: { Origin: origin, ...preflight },
    });
    const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    for (const name of [
      ...['content-type', 'authorization', 'if-none-match', 'x-api-key'],
      ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
      ...['apollographql-client-name', 'apollographql-client-version'],
      ...['apollo-require-preflight', 'x-apollo-operation-name', 'x-tenant'],
    ]) {
      expect(allowed).toContain(name);
    }
  });
});
