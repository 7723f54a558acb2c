/** Hostile requests: bodies, content types, cross-site forms, crafted ids and variables. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GraphqlBody, startTestGateway, type TestGateway } from '../support/gateway.js';
import { type AttackTarget, startAttackTarget } from '../support/http/attackTarget.js';
import { WAIT } from '../support/http/live.js';
import { openConnection, postText } from '../support/http/rawConnection.js';
import { openInitialized } from '../support/http/socket.js';

let target: AttackTarget;
beforeAll(async () => {
  target = await startAttackTarget();
});

interface Refusal {
  status: number;
  code: string | undefined;
  requestId: string | undefined;
  namedId: string | null;
}

async function send(init: RequestInit, search = ''): Promise<Refusal> {
  const response = await fetch(`${target.url}/graphql${search}`, init);
  const body = (await response.json()) as GraphqlBody<unknown>;
  const extensions = body.errors?.[0]?.extensions;
  const namedId = response.headers.get('x-request-id');
  return { status: response.status, code: extensions?.code, requestId: extensions?.requestId, namedId };
}

const json = { 'Content-Type': 'application/json' };
const query = JSON.stringify({ query: '{ sites { totalCount } }' });
const mutation =
  'mutation { backfillSamples(input: { kind: SCALAR, since: "2026-01-01T00:00:00Z" }) { userErrors { code } } }';
const asForm = new URLSearchParams({ query: mutation }).toString();

describe('a request', () => {
  it.each<[string, number, string, RequestInit, string?]>([
    [
      'a list of operations',
      400,
      'BATCHING_REFUSED',
      { method: 'POST', headers: json, body: `[${query},${query}]` },
    ],
    ['an empty list', 400, 'BATCHING_REFUSED', { method: 'POST', headers: json, body: '[]' }],
    [
      'a list of 10,000 operations',
      400,
      'BODY_TOO_LARGE',
      { method: 'POST', headers: json, body: `[${Array.from({ length: 10_000 }, () => query).join()}]` },
    ],
    ['a large body', 400, 'BODY_TOO_LARGE', { method: 'POST', headers: json, body: ' '.repeat(262_145) }],
    [
      'a large body without Content-Length',
      400,
      'BODY_TOO_LARGE',
      { method: 'POST', headers: json, body: new Blob([' '.repeat(600_000)]).stream(), duplex: 'half' },
    ],
    [
      'a compressed body',
      400,
      'BODY_COMPRESSED',
      {
        method: 'POST',
        headers: { ...json, 'Content-Encoding': 'gzip' },
        body: gzipSync(' '.repeat(10_000_000)),
      },
    ],
    ['deep JSON', 400, 'BAD_REQUEST', { method: 'POST', headers: json, body: '['.repeat(100_000) }],
    [
      'a form',
      400,
      'CSRF_REFUSED',
      { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: asForm },
    ],
    [
      'a form with files',
      400,
      'CSRF_REFUSED',
      { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: '--x--' },
    ],
    [
      'plain text',
      400,
      'CSRF_REFUSED',
      { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: query },
    ],
    [
      'a content type that resembles JSON',
      400,
      'CSRF_REFUSED',
      { method: 'POST', headers: { 'Content-Type': 'text/plain; application/json' }, body: query },
    ],
    [
      'a page of another site that reads',
      400,
      'CSRF_REFUSED',
      { method: 'GET' },
      `?query=${encodeURIComponent('{ sites { totalCount } }')}`,
    ],
    [
      'a page of another site that writes',
      400,
      'CSRF_REFUSED',
      { method: 'GET' },
      `?query=${encodeURIComponent(mutation)}`,
    ],
    [
      'a GET that writes',
      405,
      'BAD_REQUEST',
      { method: 'GET', headers: { 'Apollo-Require-Preflight': '1' } },
      `?query=${encodeURIComponent(mutation)}`,
    ],
    ['a PUT', 405, 'BAD_REQUEST', { method: 'PUT', headers: json, body: query }],
    [
      'a bomb in a GET',
      400,
      'TOO_MANY_ALIASES',
      { method: 'GET', headers: { 'Apollo-Require-Preflight': '1' } },
      `?query=${encodeURIComponent(`{ ${Array.from({ length: 99 }, (_, i) => `a${i}: __typename`).join(' ')} }`)}`,
    ],
  ])('that is %s gets %i %s', async (_, status, code, init, search) => {
    const refusal = await target.attack(() => send(init, search));
    expect(refusal).toEqual({ status, code, requestId: refusal.namedId, namedId: expect.any(String) });
  });
});

it('a request that is too large leaves its connection usable', async () => {
  const { hostname, port } = new URL(target.url);
  const socket = connect(Number(port), hostname);
  const body = `493e0\r\n${' '.repeat(300_000)}\r\n`.repeat(3);
  const chunked = `Host: ${hostname}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`;
  socket.write(`POST /graphql HTTP/1.1\r\n${chunked}`);
  let heard = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    heard += chunk;
    if (heard.endsWith('}') && !heard.includes('"data"')) {
      const next = '{"query":"{ __typename }"}';
      const head = `Host: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${next.length}`;
      socket.write(`POST /graphql HTTP/1.1\r\n${head}\r\n\r\n${next}`);
    }
    if (heard.includes('"data"')) break;
  }
  expect(heard).toContain('BODY_TOO_LARGE');
  expect(heard).toContain('"data":{"__typename":"Query"}');
});

describe('long requests of one caller', () => {
  async function outcome({ query }: TestGateway): Promise<unknown[]> {
    const { status, body } = await query('{ __typename }');
    return [status, body.errors?.[0]?.extensions.code];
  }

  const start = () =>
    startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { callerLimits: { maxCallerBytes: 1_048_576 } },
    });

  it.each([
    ['Content-Length: 262144', ' '],
    ['Transfer-Encoding: chunked', `30d40\r\n${' '.repeat(200_000)}\r\n`],
  ])('are refused while others arrive slowly (%s)', async (length, body) => {
    const gateway = await start();
    const head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
    const slow = await Promise.all(Array.from({ length: 3 }, () => openConnection(gateway.url)));
    for (const { socket } of slow) socket.write(head + body);
    await expect.poll(() => outcome(gateway), WAIT).toEqual([429, 'RATE_LIMITED']);
    for (const { socket } of slow) socket.destroy();
    await expect.poll(() => outcome(gateway), WAIT).toEqual([200, undefined]);
  });

  it('do not include short ones that end slowly', async () => {
    const gateway = await start();
    const head =
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const slow = await Promise.all(Array.from({ length: 20 }, () => openConnection(gateway.url)));
    for (const { socket } of slow) socket.write(`${head}5\r\n     \r\n`);
    for (const { send } of slow) {
      const text = '{"query":"{ __typename }"}';
      const [result] = await send(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`);
      expect(result?.status).toBe(200);
    }
  });

  const payload = {
    query: '{ users { nodes { id } } }',
    variables: { unused: Array.from({ length: 100_000 }, () => 0) },
  };
  const body = JSON.stringify(payload);

  /** Sends an operation that does not end, and returns a function that disconnects. */
  const transports: Record<string, (url: string) => Promise<() => void>> = {
    async POST(url) {
      const { socket } = await openConnection(url);
      socket.write(postText(body));
      return () => socket.destroy();
    },
    async SSE(url) {
      const { socket } = await openConnection(url);
      socket.write(postText(body, { Accept: 'text/event-stream' }));
      return () => socket.destroy();
    },
    async websocket(url) {
      const { socket, send } = await openInitialized(url);
      send({ type: 'subscribe', id: '1', payload } as Parameters<typeof send>[0]);
      return () => socket.terminate();
    },
  };

  it.each(Object.entries(transports))('are refused while others are executed (%s)', async (_, sendLong) => {
    const gateway = await start();
    gateway.sandbox.faults.add({ match: '/v2.0/user', hangBeforeHeaders: true });
    const ends = await Promise.all(Array.from({ length: 3 }, () => sendLong(gateway.url)));
    await expect.poll(() => outcome(gateway), WAIT).toEqual([429, 'RATE_LIMITED']);
    for (const end of ends) end();
    await expect.poll(() => outcome(gateway), WAIT).toEqual([200, undefined]);
  });
});

describe('a body in small chunks', () => {
  const head =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';

  async function untilClosed(body: string): Promise<void> {
    const { hostname, port } = new URL(target.url);
    // The connection is reset, because the gateway does not read the rest.
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.resume().write(`${head}\r\n\r\n${body}`);
    await new Promise((resolve) => socket.on('close', resolve));
  }

  it('is read', async () => {
    const text = JSON.stringify({ query: `{ __typename } #${' ä'.repeat(600)}` });
    const bytes = [...Buffer.from(text)].map((byte) => String.fromCharCode(byte));
    const { hostname, port } = new URL(target.url);
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    socket.write(`${bytes.map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`, 'latin1');
    const heard = await socket.toArray();
    expect(heard.join('')).toContain('"data":{"__typename":"Query"}');
  });

  it.each([
    ['that does not end', '1\r\n \r\n'.repeat(200_000)],
    [
      'that is too large',
      `${'1\r\n \r\n'.repeat(4000)}493e0\r\n${' '.repeat(300_000)}\r\n${'1\r\n \r\n'.repeat(97)}`,
    ],
  ])('%s ends the connection', async (_, body) => {
    await target.attack(() => untilClosed(body));
  });
});

describe('an id', () => {
  const ids = [
    '../account/organization',
    '..%2faccount%2forganization',
    '16801/../../user',
    '16801%2f..%2fuser',
    '16801?x=1',
    '16801#x',
    '16801\r\nX-Injected: 1',
    '16801\u0000',
    '..\\..\\user',
    '\u2025/\u2025/user',
    '\uff0e\uff0e\uff0fuser',
    '\ud800',
    '１６８０１',
    'Site:16801/devices',
    '-1',
    '1e3',
    '9'.repeat(5000),
    '__proto__',
    '; DROP TABLE site',
  ];
  it.each(ids.map((id) => ({ id })))('$id finds no object', async ({ id }) => {
    const errors = await target.attack(() =>
      target.errorsOf('POST', {
        query: 'query ($id: ID!) { site(id: $id) { name } device(id: $id) { name } node(id: $id) { id } }',
        variables: { id },
      }),
    );
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('BAD_USER_INPUT'));
  });

  it.each(['..', '.', '\ud800', '', 'x'.repeat(257)])(
    '%j finds no object as a serial number',
    async (serialNumber) => {
      const errors = await target.attack(() =>
        target.errorsOf('POST', {
          query:
            'query ($serialNumber: String!) { deviceBySerialNumber(serialNumber: $serialNumber) { name } }',
          variables: { serialNumber },
        }),
      );
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    },
  );

  it.each(['../id/1', '%2e%2e', 'a\r\nX-Injected: 1', 'x/channels', '?a=b', '\u2025', 'x'.repeat(256)])(
    '%j stays one path segment as a serial number',
    async (serialNumber) => {
      target.sandbox.calls.reset();
      const { body } = await target.query(
        'query ($s: String!) { deviceBySerialNumber(serialNumber: $s) { name } }',
        { s: serialNumber },
      );
      expect(body).toEqual({ data: { deviceBySerialNumber: null } });
      expect(target.restCalls().map(({ pathTemplate }) => pathTemplate)).toEqual([
        '/v2.0/device/{serialNumber}',
      ]);
    },
  );
});

describe('variables', () => {
  it.each([
    '{"__proto__": {"polluted": true}, "first": 1}',
    '{"constructor": {"prototype": {"polluted": true}}, "first": 1}',
    '{"first": 1, "filter": {"__proto__": {"polluted": true}}}',
  ])('%s change no prototype', async (variables) => {
    const body = `{"query": "query ($first: Int, $filter: SiteFilter) { sites(first: $first, filter: $filter) { totalCount } }", "variables": ${variables}, "__proto__": {"polluted": true}}`;
    await fetch(`${target.url}/graphql`, { method: 'POST', headers: json, body });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await target.ask('{ sites { totalCount } }')).toEqual({ sites: { totalCount: 3 } });
  });

  it.each([
    ['"r": {"from": {"toString": 1}, "to": {}}, "m": 1'],
    ['"r": {"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}, "m": {"toString": 1}'],
    ['"r": {"__proto__": null, "constructor": {}}, "m": [[]]'],
    ['"r": 7, "m": "__proto__"'],
  ])('are refused for an invalid range (%s)', async (variables) => {
    const query =
      'query ($r: TimeRange!, $m: Int!) { stream(id: 1) { aggregates(range: $r, every: { minutes: $m }) { avg } } }';
    const body = `{"query": ${JSON.stringify(query)}, "variables": {${variables}}}`;
    const refusal = await target.attack(() => send({ method: 'POST', headers: json, body }));
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' });
  });

  it.each([
    ['of extensions', '"extensions": {"persistedQuery": {"__proto__": null}}'],
    ['an operation of this name', '"operationName": "__proto__"'],
    ['as a list', '"variables": [1]'],
    ['as a text', '"variables": "{}"'],
  ])('with unknown parameters (%s) are ignored', async (_, parameter) => {
    const body = `{"query": "{ __typename }", ${parameter}}`;
    const { status } = await target.attack(() => send({ method: 'POST', headers: json, body }));
    expect(status).toBe(400);
  });
});
