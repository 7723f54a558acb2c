/** Limits that span several requests: rate limits, trusted documents, the REST call limit of an operation, CORS. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { spendTokens, takeToken } from '../../src/http/rateLimits/callerRateLimiter.js';
import { type GraphqlError, STILL_NOW_MS, startTestGateway } from '../support/gateway.js';
import { socketErrors, startAttackTarget } from '../support/http/attackTarget.js';
import { openConnection } from '../support/http/rawConnection.js';
import { runningClock } from '../support/runningClock.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a rate-limited caller', () => {
  it('gets a response after the wait of Retry-After, over HTTP and websocket', async () => {
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

  it('is limited earlier when its requests are refused, since each of them counts as ten', async () => {
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

  it('gets pages at ten times the rate of operations, and health checks always', async () => {
    let nowMs = runningClock.now();
    const callerLimits = { rate: { perSecond: 1, burst: 2 } };
    const gateway = { clock: { now: () => nowMs }, callerLimits };
    const { url, ask } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway });
    const statusOf = async (path: string) => (await fetch(url + path)).status;
    for (let round = 0; round < 4; round++) {
      const statuses = await Promise.all(['/metrics', '/nowhere', '/', '/explorer/none'].map(statusOf));
      expect(statuses).toEqual([200, 404, 200, 404]);
    }
    let more = 0;
    while (more < 5 && (await statusOf('/nowhere')) === 404) more += 1;
    expect(more).toBeLessThanOrEqual(4);
    const refused = await fetch(`${url}/metrics`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
    expect(await Promise.all(['/nowhere', '/'].map(statusOf))).toEqual([429, 429]);
    expect(await Promise.all(['/healthz', '/readyz'].map(statusOf))).toEqual([200, 200]);
    await ask('{ __typename }');
    nowMs += 100;
    expect(await statusOf('/metrics')).toBe(200);
  });

  it.each([
    ['visits of a browser', 'GET', '/graphql', 'localhost', 303],
    ['requests for a foreign host', 'GET', '/healthz', 'foreign.example', 421],
    ['preflight requests', 'OPTIONS', '/graphql', 'localhost', 403],
    ['preflight requests for the schema', 'OPTIONS', '/schema.graphql', 'localhost', 403],
  ])('is limited in %s as in pages', async (_, method, path, host, status) => {
    const callerLimits = { rate: { perSecond: 1, burst: 1 } };
    const gateway = { clock: { now: () => STILL_NOW_MS }, callerLimits };
    const { url, ask } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway });
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 11; count++) {
      const { send } = await openConnection(url);
      const headers = `Host: ${host}\r\nAccept: text/html\r\nAccess-Control-Request-Method: POST\r\n`;
      const [result] = await send(`${method} ${path} HTTP/1.1\r\n${headers}\r\n`);
      statuses.push(result?.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => status), 429]);
    await ask('{ __typename }');
  });

  it('has a bucket that never exceeds the burst and does not refill when the clock goes back', () => {
    const limit = { perSecond: 10, burst: 5 };
    expect(takeToken(limit, { tokens: 5, atMs: 0 }, 1_000_000)).toEqual({
      bucket: { tokens: 4, atMs: 1_000_000 },
      waitMs: 0,
    });
    expect(takeToken(limit, { tokens: 0, atMs: 1000 }, 0).waitMs).toBe(100);
  });

  it('owes at most one burst for requests that other processes counted', () => {
    const limit = { perSecond: 10, burst: 5 };
    expect(spendTokens(limit, undefined, 3, 0)).toEqual({ tokens: 2, atMs: 0 });
    expect(spendTokens(limit, { tokens: 1, atMs: 0 }, 4, 100)).toEqual({ tokens: -2, atMs: 100 });
    expect(spendTokens(limit, { tokens: -4, atMs: 0 }, 400, 0)).toEqual({ tokens: -5, atMs: 0 });
    expect(takeToken(limit, { tokens: -2, atMs: 0 }, 0).waitMs).toBe(300);
  });
});

describe('an operation with too many REST calls', () => {
  it('returns the fields that it could load, and an error for the others', async () => {
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

describe('a document', () => {
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

  it('is executed only if it is trusted, over every transport, when only trusted documents are allowed', async () => {
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

  it('is known by its hash after its first request', async () => {
    const target = await startAttackTarget();
    const hash = sha256(listed);
    const [unknown] = await target.errorsOf('POST', byHash(hash));
    expect(unknown?.extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(await target.errorsOf('POST', byHash(hash, listed))).toEqual([]);
    expect(await target.errorsOf('POST', byHash(hash))).toEqual([]);
    expect(await target.errorsOf('websocket', byHash(hash))).toEqual([]);
  });

  it('is not found by a hash in a list, which would pass by the limits of the operation', async () => {
    const target = await startAttackTarget();
    const query =
      'query ($n: Int) { sites(first: $n) { nodes { streams { samples(first: $n) { nodes { value } } } } } }';
    const hash = sha256(query);
    const cheap = { ...byHash(hash, query), variables: { n: 1 } };
    expect(await target.errorsOf('POST', cheap)).toEqual([]);
    const expensive = { ...byHash(hash), variables: { n: 1000 } };
    expect(await codesOf(target.errorsOf('POST', expensive))).toEqual(['COST_TOO_HIGH']);
    const extensions = { persistedQuery: { version: 1, sha256Hash: [hash] } };
    for (const way of ['POST', 'websocket'] as const) {
      const errors = target.attack(() => target.errorsOf(way, { ...expensive, extensions }));
      expect(await codesOf(errors)).toEqual(['BAD_REQUEST']);
    }
    const search = { variables: expensive.variables, extensions };
    expect(await target.attack(() => statusAndCode(target.url, search))).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('a GET with parameters that cannot be read', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
  it.each([
    ['too deep', `{"n":1000,"other":${deep}}`],
    ['cut off', '{"n":1000'],
  ])('because they are %s is refused, also for a stream and in parts', async (_, variables) => {
    const target = await startAttackTarget();
    const query =
      'query ($n: Int) { sites(first: $n) { nodes { streams { samples(first: $n) { nodes { value } } } } } }';
    const accepted = [
      'application/json',
      'text/event-stream',
      'multipart/mixed;incrementalSpec=v0.2, application/json',
    ];
    for (const Accept of accepted) {
      const found = target.attack(() => statusAndCode(target.url, { query, variables }, { Accept }));
      expect([Accept, ...(await found)]).toEqual([Accept, 400, 'BAD_REQUEST']);
    }
  });
});

async function codesOf(errors: Promise<readonly GraphqlError[]>) {
  return (await errors).map(({ extensions }) => extensions.code);
}

/** The status and the code of the first error of a GET. Parameters that are not strings are written as JSON. */
async function statusAndCode(
  url: string,
  parameters: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const response = await fetch(`${url}/graphql?${search}`, {
    headers: { 'Apollo-Require-Preflight': '1', ...headers },
  });
  const { errors } = (await response.json()) as { errors?: readonly GraphqlError[] };
  return [response.status, errors?.[0]?.extensions.code];
}

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

  it('can read no response unless its origin is allowed', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const closed = await fetch(`${url}/graphql`, {
      method: 'OPTIONS',
      headers: { Origin: origin, ...preflight },
    });
    expect(closed.headers.get('access-control-allow-origin')).toBeNull();
    expect(closed.status).toBe(403);
    expect(await closed.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('CORS_ORIGINS'), extensions: { code: 'CSRF_REFUSED' } }],
    });
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

  it('can read why its operation is refused, because its preflight requests are delayed instead of refused', async () => {
    const callerLimits = { rate: { perSecond: 1, burst: 1 }, corsOrigins: [origin] };
    const gateway = { clock: { now: () => STILL_NOW_MS }, callerLimits };
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway });
    const headers = { Origin: origin, ...preflight };
    for (const path of ['/graphql', '/schema.graphql']) {
      for (let count = 0; count < 11; count++) {
        const response = await fetch(url + path, { method: 'OPTIONS', headers });
        expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      }
    }
    const send = () =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { Origin: origin, 'Content-Type': 'application/json' },
        body: '{"query":"{ __typename }"}',
      });
    expect((await send()).status).toBe(200);
    const refused = await send();
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, origin]);
  });

  it('can send the headers of browser SDKs and those that the operator allows', async () => {
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
