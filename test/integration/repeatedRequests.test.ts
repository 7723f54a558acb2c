/** The same bytes again and again over one connection: answered as by the long way, and held to the same rules. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createKeysFile, type KeysFile } from '../support/callers.js';
import { until } from '../support/edgeGateway.js';
import { required, startTestGateway, type TestGateway } from '../support/gateway.js';
import { openConnection, postText, type RawAnswer } from '../support/rawConnection.js';
import { createTestClock } from '../support/sandbox.js';

const QUERY = '{ sites { nodes { id name status } } }';
const ETAG = /"[\w-]+"/;

let keys: KeysFile;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  keys = await createKeysFile();
  key = await keys.add({ name: 'reader' });
  const callerAuth = { kind: 'api-key' as const, file: keys.file };
  gateway = await startTestGateway({
    sandbox: { siteCount: 3 },
    gateway: { callerAuth, callerLimits: { corsOrigins: ['https://dashboard.example.com'] } },
  });
});

const requestOf = (query: string, headers: Record<string, string> = {}) =>
  postText(JSON.stringify({ query }), { 'X-API-Key': key, ...headers });

/** From the third on they are recognised: the first is executed, the second kept, the third given as kept and remembered. */
async function sendOften(request: string, times = 5): Promise<RawAnswer[]> {
  const { send } = await openConnection(gateway.url);
  const answers: RawAnswer[] = [];
  while (answers.length < times) answers.push(...(await send(request)));
  return answers;
}

const changing = new Set(['x-request-id', 'date', 'cache-control']);
/** By their lower-case names, which are what counts. */
const lasting = ({ headers }: RawAnswer) =>
  headers
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((header) => !changing.has(header.slice(0, header.indexOf(':'))))
    .sort();
const headerOf = ({ headers }: RawAnswer, wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

async function countKept(): Promise<number> {
  const page = await (await fetch(`${gateway.url}/metrics`, { headers: { 'X-API-Key': key } })).text();
  return Number(/^fieldgraph_operation_duration_seconds_count\{.*kept.*\} (\d+)/m.exec(page)?.[1] ?? 0);
}

describe('a request in the bytes of one before', () => {
  it('is answered byte for byte, with the same headers', async () => {
    const answers = await sendOften(requestOf(QUERY));
    const third = required(answers[2]);
    for (const answer of answers.slice(3)) {
      expect(answer.status).toBe(200);
      expect(answer.body).toBe(third.body);
      expect(lasting(answer)).toEqual(lasting(third));
      expect(headerOf(answer, 'cache-control')).toMatch(/^private, max-age=\d+$/);
    }
    expect(new Set(answers.map((answer) => headerOf(answer, 'x-request-id'))).size).toBe(5);
  });

  it('keeps the name that it brings, and what is said to pages of other sites', async () => {
    const headers = { 'X-Request-Id': 'mine', Origin: 'https://dashboard.example.com' };
    const answers = await sendOften(requestOf(`${QUERY} # named`, headers));
    for (const answer of answers) {
      expect(headerOf(answer, 'x-request-id')).toBe('mine');
      expect(headerOf(answer, 'access-control-allow-origin')).toBe('https://dashboard.example.com');
    }
    expect(lasting(required(answers[4]))).toEqual(lasting(required(answers[2])));
  });

  it('may be a GET, with each header once and a name of its own', async () => {
    const path = `/graphql?query=${encodeURIComponent(QUERY)}`;
    const answers = await sendOften(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nApollo-Require-Preflight: 1\r\nX-API-Key: ${key}\r\n\r\n`,
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(answers.map((answer) => headerOf(answer, 'x-request-id'))).size).toBe(5);
    for (const { headers } of answers) {
      const names = headers.map(([name]) => name.toLowerCase());
      expect(names).toEqual([...new Set(names)]);
    }
    expect(lasting(required(answers[4]))).toEqual(lasting(required(answers[2])));
  });

  it('is answered with 304 where the caller has the answer', async () => {
    const [first] = await sendOften(requestOf(QUERY), 1);
    const tag = required(ETAG.exec(headerOf(required(first), 'etag') ?? '')?.[0]);
    const answers = await sendOften(requestOf(QUERY, { 'If-None-Match': tag }));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(5).fill([304, '']));
    expect(lasting(required(answers[4]))).toEqual(lasting(required(answers[0])));
  });

  it('is counted', async () => {
    const before = await countKept();
    await sendOften(requestOf(`${QUERY} # counted`), 10);
    expect((await countKept()) - before).toBe(8);
  });

  it('carries answers of any length', async () => {
    const long =
      '{ streams(first: 100) { nodes { id name units channel { id name } site { id name status } customAttributes { name value } channel { device { id name serialNumber } } } } }';
    const answers = await sendOften(requestOf(long), 5);
    expect(required(answers[4]).body.length).toBeGreaterThan(5000);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });
});

describe('it is answered no more', () => {
  it('when its key is withdrawn', async () => {
    const other = await keys.add({ name: 'leaving' });
    const headers = { 'X-API-Key': other };
    await until(async () => (await gateway.query(QUERY, {}, headers)).status === 200);
    const { send } = await openConnection(gateway.url);
    const request = requestOf(QUERY, headers);
    for (let times = 0; times < 5; times += 1) expect((await send(request))[0]?.status).toBe(200);
    await keys.remove('leaving');
    await until(async () => (await send(request))[0]?.status === 401);
  });

  it('beyond its rate', async () => {
    const held = await startTestGateway({
      sandbox: { siteCount: 1 },
      // On a clock that stands still no token comes back, however slow the machine is.
      gateway: { callerLimits: { rate: { perSecond: 1, burst: 6 } }, clock: createTestClock() },
    });
    const { send } = await openConnection(held.url);
    const statuses: (number | undefined)[] = [];
    for (let times = 0; times < 8; times += 1)
      statuses.push((await send(postText(JSON.stringify({ query: QUERY }))))[0]?.status);
    expect(statuses.slice(0, 6)).toEqual(Array(6).fill(200));
    expect(statuses.at(-1)).toBe(429);
  });

  it('after a write', async () => {
    const writer = await keys.add({ name: 'writer', scopes: ['read', 'write'] });
    const headers = { 'X-API-Key': writer };
    await until(async () => (await gateway.query(QUERY, {}, headers)).status === 200);
    const [row] = gateway.sql<{ id: number }>(
      'SELECT min(id) AS id FROM site WHERE account_id = ?',
      gateway.accountId,
    );
    const id = `Site:${required(row).id}`;
    const names = requestOf('{ sites { nodes { id customAttributes { name value } } } }', headers);
    const { send } = await openConnection(gateway.url);
    for (let times = 0; times < 5; times += 1) await send(names);
    const write =
      'mutation($id: ID!) { setSiteCustomAttributes(input: { attributes: [{ siteId: $id, name: "Asset owner", value: "repeated" }] }) { userErrors { message } } }';
    const { body } = await gateway.query(write, { id }, headers);
    expect(body.errors).toBeUndefined();
    expect(required((await send(names))[0]).body).toContain('"repeated"');
  });

  it('when the gateway is about to stop', async () => {
    const leaving = await startTestGateway({ sandbox: { siteCount: 1 } });
    const request = postText(JSON.stringify({ query: QUERY }));
    const { send } = await openConnection(leaving.url);
    for (let times = 0; times < 4; times += 1) await send(request);
    const stopping = leaving.stop();
    await expect(
      send(request).then(
        ([answer]) => answer?.status ?? 503,
        () => 503,
      ),
    ).resolves.toBe(503);
    await stopping;
  });
});
