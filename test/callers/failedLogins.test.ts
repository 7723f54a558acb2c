/** Failed logins are rate limited for each address, and block no caller that was accepted before. */
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { connectSocket, createKeysFile, type Issuer, startIssuer } from '../support/http/callers.js';
import { runningClock } from '../support/runningClock.js';
import { createTestClock } from '../support/sandbox/sandbox.js';

/** Two failed logins at once, then one every ten seconds. */
const callerLimits = { rate: { perSecond: 1, burst: 20 } };
const HERE = '127.0.0.1';
const ELSEWHERE = '127.0.0.9';

interface LoginResult {
  status: number;
  code: string | undefined;
  retryAfter: string | undefined;
}

/** Sends requests from a loopback address. */
function askFrom(
  localAddress: string,
  url: string,
  authorization?: string,
  path = '/graphql',
): Promise<LoginResult> {
  const headers = {
    'Content-Type': 'application/json',
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method: 'POST', localAddress, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      const isJson = String(response.headers['content-type']).includes('json');
      const { errors } = JSON.parse(isJson ? text : '{}') as { errors?: { extensions: { code: string } }[] };
      const retryAfter = response.headers['retry-after'];
      resolve({ status: response.statusCode ?? 0, code: errors?.[0]?.extensions.code, retryAfter });
    });
    sent.once('error', reject);
    sent.end('{"query":"{ __typename }"}');
  });
}

const wrongKey = (index: number) => `Bearer fg_${'0'.repeat(16)}_${String(index).padStart(43, 'A')}`;
const unauthenticated = { status: 401, code: 'UNAUTHENTICATED', retryAfter: undefined };
const letIn = { status: 200, code: undefined, retryAfter: undefined };

/** A gateway with API keys that has already accepted one of them. */
async function startWithKeys() {
  const clock = createTestClock(runningClock.now());
  const file = await createKeysFile();
  const [known, fresh] = [await file.add({ name: 'known' }), await file.add({ name: 'fresh' })];
  const { url } = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: {
      callerAuth: { kind: 'api-key', file: file.file },
      callerLimits,
      clock,
    },
  });
  expect(await askFrom(HERE, url, `Bearer ${known}`)).toEqual(letIn);
  return { url, file, known, fresh, pass: clock.advance };
}

describe('wrong keys from one address', () => {
  it('are refused unchecked after too many, with Retry-After', async () => {
    const { url, fresh, pass } = await startWithKeys();
    expect(await askFrom(HERE, url, wrongKey(1))).toEqual(unauthenticated);
    expect(await askFrom(HERE, url, wrongKey(2))).toEqual(unauthenticated);
    const limited = { status: 429, code: 'RATE_LIMITED', retryAfter: '1' };
    expect(await askFrom(HERE, url, wrongKey(3))).toEqual(limited);
    // A valid key, which is not even checked.
    expect(await askFrom(HERE, url, `Bearer ${fresh}`)).toEqual(limited);
    pass(1000);
    expect(await askFrom(HERE, url, `Bearer ${fresh}`)).toEqual(letIn);
    expect(await askFrom(HERE, url, wrongKey(4))).toEqual(unauthenticated);
    expect(await askFrom(HERE, url, wrongKey(5))).toEqual({ ...limited, retryAfter: '10' });
  });

  it('block no caller that was accepted before and no other address, and count against neither', async () => {
    const { url, known, fresh } = await startWithKeys();
    for (let index = 0; index < 3; index++) await askFrom(HERE, url, wrongKey(index));
    expect(await askFrom(HERE, url, `Bearer ${known}`)).toEqual(letIn);
    expect(await askFrom(ELSEWHERE, url, wrongKey(9))).toEqual(unauthenticated);
    expect(await askFrom(ELSEWHERE, url, `Bearer ${fresh}`)).toEqual(letIn);
    expect(await askFrom(HERE, url, `Bearer ${fresh}`)).toEqual(letIn);
  });

  it('are counted, while requests without a key are not', async () => {
    const { url, fresh } = await startWithKeys();
    for (let index = 0; index < 5; index++) expect(await askFrom(HERE, url)).toEqual(unauthenticated);
    expect(await askFrom(HERE, url, `Bearer ${fresh}`)).toEqual(letIn);
  });

  it('are limited apart from requests without a key, which cost as much as pages', async () => {
    const { url, known } = await startWithKeys();
    const results: LoginResult[] = [];
    for (let index = 0; index < 201; index++)
      results.push(await askFrom(HERE, url, undefined, index % 2 === 0 ? '/graphql' : '/schema.graphql'));
    expect(new Set(results.slice(0, 200).map(({ status }) => status))).toEqual(new Set([401]));
    expect(results[200]).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfter: '1' });
    expect(await askFrom(ELSEWHERE, url)).toEqual(unauthenticated);
    expect(await askFrom(HERE, url, `Bearer ${known}`)).toEqual(letIn);
  });

  it('count together over HTTP and websocket, and close the websocket with a time to retry', async () => {
    const { url, known, fresh } = await startWithKeys();
    const closed = await connectSocket(url, { params: { authorization: wrongKey(1) } }).closed;
    expect(closed.code).toBe(4401);
    expect(await askFrom(HERE, url, wrongKey(2))).toEqual(unauthenticated);
    const limited = await connectSocket(url, { params: { authorization: `Bearer ${fresh}` } }).closed;
    expect(limited).toEqual({ code: 1013, reason: expect.stringMatching(/this address/) });
    const socket = connectSocket(url, { params: { authorization: `Bearer ${known}` } });
    expect(await socket.first('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  });

  it('do not keep a websocket open whose key is removed', async () => {
    const { url, file, known } = await startWithKeys();
    const socket = connectSocket(url, { params: { authorization: `Bearer ${known}` } });
    expect(await socket.first('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    for (let index = 0; index < 3; index++) await askFrom(HERE, url, wrongKey(index));
    await file.remove('known');
    await expect.poll(() => askFrom(ELSEWHERE, url, `Bearer ${known}`)).toEqual(unauthenticated);
    void socket.first('{ __typename }').catch(() => undefined);
    expect(await socket.closed).toMatchObject({ code: 4401 });
  });

  it('do not block the caller of an open connection, which is in use for more than an hour', async () => {
    const { url, known, pass } = await startWithKeys();
    const socket = connectSocket(url, { params: { authorization: `Bearer ${known}` } });
    for (let hour = 0; hour < 3; hour++) {
      expect(await socket.first('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
      pass(3_000_000);
    }
    for (let index = 0; index < 3; index++) await askFrom(HERE, url, wrongKey(index));
    expect(await askFrom(HERE, url, `Bearer ${known}`)).toEqual(letIn);
  });

  it('count on the metrics endpoint too', async () => {
    const { url, fresh, known } = await startWithKeys();
    const metrics = (authorization: string) => askFrom(HERE, url, authorization, '/metrics');
    for (let index = 0; index < 2; index++) expect((await metrics(wrongKey(index))).status).toBe(401);
    expect(await metrics(wrongKey(3))).toEqual({ status: 429, code: 'RATE_LIMITED', retryAfter: '1' });
    expect((await askFrom(HERE, url, `Bearer ${fresh}`)).status).toBe(429);
    expect(await askFrom(HERE, url, `Bearer ${known}`)).toEqual(letIn);
    expect(await askFrom(ELSEWHERE, url, `Bearer ${fresh}`, '/metrics')).toEqual(letIn);
  });

  it('limit an address no longer than stated when the clock is set back', async () => {
    const { url, fresh, pass } = await startWithKeys();
    for (let index = 0; index < 3; index++) await askFrom(HERE, url, wrongKey(index));
    pass(-7_200_000);
    expect((await askFrom(HERE, url, `Bearer ${fresh}`)).status).toBe(429);
    pass(10_000);
    expect(await askFrom(HERE, url, `Bearer ${fresh}`)).toEqual(letIn);
  });

  it('are refused after they were valid, once the key is removed', async () => {
    const { url, file, known, pass } = await startWithKeys();
    await file.remove('known');
    await expect.poll(() => askFrom(ELSEWHERE, url, `Bearer ${known}`)).toEqual(unauthenticated);
    for (let index = 0; index < 2; index++) await askFrom(HERE, url, wrongKey(index));
    expect((await askFrom(HERE, url, `Bearer ${known}`)).status).toBe(429);
    pass(1000);
    expect(await askFrom(HERE, url, `Bearer ${known}`)).toEqual(unauthenticated);
  });
});

describe('forged tokens from one address', () => {
  let issuer: Issuer;
  let target: TestGateway;
  beforeAll(async () => {
    issuer = await startIssuer();
    target = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { callerAuth: { ...issuer.settings, keysCooldownMs: 0 }, callerLimits },
    });
  });

  it('load no issuer keys after too many', async () => {
    const forged = async (kid: string) => `Bearer ${await issuer.sign({}, { kid })}`;
    expect(await askFrom(HERE, target.url, await forged('a'))).toEqual(unauthenticated);
    expect(await askFrom(HERE, target.url, await forged('b'))).toEqual(unauthenticated);
    const keyRequests = issuer.keyRequests();
    expect((await askFrom(HERE, target.url, await forged('c'))).status).toBe(429);
    expect(issuer.keyRequests()).toBe(keyRequests);
  });

  it('count even where a valid token names no organizations', async () => {
    const useless = await issuer.sign({ organizations: undefined });
    for (let index = 0; index < 2; index++) {
      expect((await askFrom(ELSEWHERE, target.url, `Bearer ${useless}`)).status).toBe(403);
    }
    expect((await askFrom(ELSEWHERE, target.url, `Bearer ${useless}`)).status).toBe(429);
  });
});

it('wrong platform credentials cause no platform login after too many', async () => {
  const nowMs = runningClock.now();
  const { url, sandbox } = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: { callerAuth: { kind: 'platform' }, callerLimits, clock: { now: () => nowMs } },
  });
  const basic = (secret: string) => `Basic ${Buffer.from(`sandbox:${secret}`).toString('base64')}`;
  for (const secret of ['one', 'two']) expect((await askFrom(HERE, url, basic(secret))).status).toBe(401);
  sandbox.calls.reset();
  expect((await askFrom(HERE, url, basic('three'))).status).toBe(429);
  expect(sandbox.calls.list()).toEqual([]);
});

it('invented platform credentials from one address never block a first-time caller from another', async () => {
  const { url, sandbox } = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: { callerAuth: { kind: 'platform' } },
  });
  const basic = (key: string) => `Basic ${Buffer.from(`${key}:sandbox`).toString('base64')}`;
  sandbox.calls.reset();
  const statuses: number[] = [];
  for (let index = 0; index < 70; index++) {
    statuses.push((await askFrom(HERE, url, basic(`made-up ${index}`))).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(60).fill(429)]);
  expect(sandbox.calls.list()).toHaveLength(10);
  expect(await askFrom(ELSEWHERE, url, basic('sandbox'))).toEqual(letIn);
});
