/** The websocket at `/graphql`: the same responses, errors and limits as over HTTP, and robustness against clients. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { CallerSession } from '../../../src/http/auth/callerSession.js';
import { serveWebsocket } from '../../../src/http/delivery/sockets/websocket.js';
import { type GraphqlBody, startTestGateway } from '../../support/gateway.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import { toUpgrade } from '../../support/http/hostileSocket.js';
import { createOpenEdge } from '../../support/http/openEdge.js';
import { askSocket, type Message, openInitialized, openSocket, PROTOCOL } from '../../support/http/socket.js';
import { createSilentFeed } from '../../support/live/liveEvents.js';

const gateway = await startTestGateway({ sandbox: { siteCount: 2 } });

interface Operation {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

async function askHttp(operation: Operation): Promise<GraphqlBody<unknown>> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(operation),
  });
  return (await response.json()) as GraphqlBody<unknown>;
}

/** The part that must be equal: everything except the request id. */
function comparable({ data, errors = [] }: GraphqlBody<unknown>) {
  return {
    data,
    errors: errors.map(({ message, path, extensions: { requestId: _, ...extensions } }) => {
      // Each call has its own id on the platform too.
      const { platform, ...rest } = extensions;
      return { message, path, extensions: rest, status: platform?.status };
    }),
  };
}

const site = 'query ($id: ID!) { site(id: $id) { id } }';
/** 26 tokens, and two for each id. */
const lookups = (count: number) => {
  const nodes = `nodes(ids: [${'"Site:1" '.repeat(count)}]) { id }`;
  return `{ a: ${nodes} b: ${nodes} }`;
};
const refused: [string, string, Operation][] = [
  ['not GraphQL', 'GRAPHQL_PARSE_FAILED', { query: '{ sites' }],
  ['without an operation', 'GRAPHQL_PARSE_FAILED', { query: '# nothing' }],
  ['one of 2,001 tokens', 'TOO_MANY_TOKENS', { query: `query ${lookups(987)}` }],
  ['an unknown field', 'GRAPHQL_VALIDATION_FAILED', { query: '{ nothing }' }],
  ['an unknown argument', 'GRAPHQL_VALIDATION_FAILED', { query: '{ sites(last: 1) { totalCount } }' }],
  ['an unknown mutation', 'GRAPHQL_VALIDATION_FAILED', { query: 'mutation { deleteAll }' }],
  ['a variable that is missing', 'BAD_USER_INPUT', { query: site }],
  ['a variable of another type', 'BAD_USER_INPUT', { query: site, variables: { id: { a: 1 } } }],
  ['an id of another type', 'BAD_USER_INPUT', { query: site, variables: { id: 'Stream:1' } }],
  [
    'two operations and no name',
    'OPERATION_RESOLUTION_FAILURE',
    { query: 'query A { __typename } query B { __typename }' },
  ],
  [
    'an unknown operation name',
    'OPERATION_RESOLUTION_FAILURE',
    { query: '{ __typename }', operationName: 'B' },
  ],
];

describe('an operation over the websocket', () => {
  it.each<[string, Operation]>([
    ['a nested query', { query: '{ sites { totalCount nodes { id name devices { serialNumber } } } }' }],
    ['a query with variables', { query: site, variables: { id: 'Site:1' } }],
    ['one of two', { query: 'query A { __typename } query B { sites { totalCount } }', operationName: 'B' }],
    ['a query of 2,000 tokens', { query: lookups(987) }],
  ])('that is %s gets the same response as over HTTP', async (_, operation) => {
    const result = await askSocket(gateway.url, operation);
    expect(result.errors).toBeUndefined();
    expect(result).toEqual(await askHttp(operation));
  });

  it.each(refused)('that is %s is refused with %s', async (_, code, operation) => {
    const result = await askSocket(gateway.url, operation);
    expect(result.errors?.[0]?.extensions).toMatchObject({ code, retryable: false });
    for (const { extensions } of result.errors ?? []) expect(extensions.requestId).toMatch(/^[\w-]{36}$/);
  });

  it.each(refused.filter(([, code]) => code !== 'OPERATION_RESOLUTION_FAILURE'))(
    'that is %s gets the same error as over HTTP, code %s',
    async (_, __, operation) => {
      expect(comparable(await askSocket(gateway.url, operation))).toEqual(
        comparable(await askHttp(operation)),
      );
    },
  );

  it('that fails on the platform gets the same error as over HTTP', async () => {
    const mend = gateway.sandbox.faults.add({ match: '/v2.0/user', status: 403 });
    const operation = { query: '{ users { totalCount } organizations { totalCount } }' };
    const [result, overHttp] = [await askSocket(gateway.url, operation), await askHttp(operation)];
    mend();
    expect(result.errors).toHaveLength(1);
    expect(comparable(result)).toEqual(comparable(overHttp));
  });

  it('that fails in the gateway gets no details', async () => {
    const schema = makeExecutableSchema({
      typeDefs: 'type Query { broken: Int } type Subscription { broken: Int }',
      resolvers: {
        Query: { broken: () => Promise.reject(new Error('secret at line 7')) },
        Subscription: { broken: { subscribe: () => Promise.reject(new Error('secret at line 8')) } },
      },
    });
    const { url, server } = await startPlainServer((_, response) => response.end());
    const endpoint = serveWebsocket({
      server,
      openSession: openBareSession,
      ...createOpenEdge(schema),
    });
    for (const query of ['{ broken }', 'subscription { broken }']) {
      const { errors } = await askSocket(url, { query });
      expect(errors).toMatchObject([
        { extensions: { code: 'INTERNAL_SERVER_ERROR', retryable: false, requestId: 'request-1' } },
      ]);
      expect(JSON.stringify(errors)).not.toContain('secret');
    }
    await endpoint.close(0);
  });
});

/** A session of operations without REST calls. */
async function openBareSession(): Promise<CallerSession> {
  const bare: unknown = { requestId: 'request-1', explain: undefined };
  return {
    caller: { name: 'anybody', scopes: new Set(['read']), organizationIds: undefined },
    authorizationKey: 'anybody',
    feed: createSilentFeed(),
    cacheVersion: () => 0,
    numbersVersion: () => 0,
    checkCredential: async () => undefined,
    createContext: () => bare as ReturnType<CallerSession['createContext']>,
    release: () => undefined,
  };
}

describe('a connection', () => {
  it.each([
    ['of another site', 'https://elsewhere.example'],
    ['of the same host at another port', 'http://127.0.0.1:1'],
    ['of the same host at the default port', 'http://127.0.0.1'],
    ['of a page without an origin', 'null'],
    ['that is not an origin', 'nonsense'],
    ['that is empty', ''],
  ])('with an Origin %s is refused', async (_, origin) => {
    await expect(openSocket(gateway.url, [PROTOCOL], { headers: { Origin: origin } })).rejects.toThrow('403');
  });

  it.each([
    ['the gateway’s own', { Origin: gateway.url }],
    [
      'its own at the default port of https, which a proxy names',
      { Origin: 'https://localhost', Host: 'localhost:443' },
    ],
    [
      'its own at the default port of http, which a proxy names',
      { Origin: 'http://localhost', Host: 'localhost:80' },
    ],
    ['none', {}],
  ])('with an Origin that is %s is accepted', async (_, headers) => {
    const raw = await openSocket(gateway.url, [PROTOCOL], { headers });
    raw.send({ type: 'connection_init' });
    expect((await raw.take('connection_ack')).type).toBe('connection_ack');
    raw.socket.close();
    await raw.closed;
  });

  it.each([[[]], [['graphql-ws']], [['soap', 'xmpp']]])(
    'with the sub-protocols %j is refused',
    async (protocols) => {
      const code = await openSocket(gateway.url, protocols).then(
        async ({ closed }) => (await closed).code,
        (error: Error) => error.message,
      );
      // A client that requests a protocol and gets none closes the connection.
      expect(code).toEqual(protocols.length === 0 ? 4406 : 'Server sent no subprotocol');
    },
  );

  it('at another address is refused with 404 and the right address', async () => {
    await expect(openSocket(`${gateway.url}/v2`)).rejects.toThrow('404');
    const upgrade = get(gateway.url, { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } });
    const [response] = (await once(upgrade, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(404);
    const message = 'Websockets are served at /graphql only.';
    expect(await json(response)).toMatchObject({
      errors: [{ message, extensions: { code: 'BAD_REQUEST' } }],
    });
  });
});

const subscribe = (id: string, query: string): Message => ({ type: 'subscribe', id, payload: { query } });

/** Whether the gateway still responds after any input. */
async function expectAlive(): Promise<void> {
  expect(await askSocket(gateway.url, { query: '{ __typename }' })).toEqual({
    data: { __typename: 'Query' },
  });
  expect(await askHttp({ query: '{ __typename }' })).toEqual({ data: { __typename: 'Query' } });
}

describe('a client that breaks the protocol', () => {
  it.each<[string, (Message | string | Buffer)[], number]>([
    ['subscribes before connection_init', [subscribe('1', '{ __typename }')], 4401],
    ['sends connection_init twice', [{ type: 'connection_init' }, { type: 'connection_init' }], 4429],
    ['sends text that is not JSON', ['{'], 4400],
    ['sends JSON of many levels', [`${'['.repeat(1000)}${']'.repeat(1000)}`], 4400],
    ['sends JSON that is not a message', ['null'], 4400],
    ['sends a message without a type', [{ type: 'nothing' }], 4400],
    [
      'sends an operation that is not a string',
      ['{"type":"subscribe","id":"1","payload":{"query":7}}'],
      4400,
    ],
    ['sends bytes', [Buffer.from([0, 255, 1, 254])], 4400],
    ['sends more than 256 KB', ['x'.repeat(256 * 1024 + 1)], 1009],
  ])('one that %s is disconnected', async (_, frames, code) => {
    const raw = await openSocket(gateway.url);
    for (const frame of frames) raw.send(frame);
    expect((await raw.closed).code).toBe(code);
    await expectAlive();
  });

  it.each([
    ['{', 'not JSON, or more than 200 levels.'],
    ['[]', 'not a JSON object.'],
    [{ type: 'start', id: '1' }, 'type is missing or unknown.'],
    [{ type: 'complete', id: 1 }, 'id must be a string, and not empty.'],
    [{ type: 'subscribe', payload: { query: '{ __typename }' } }, 'id must be a string, and not empty.'],
    [{ type: 'connection_init', payload: 'key' }, 'payload must be an object.'],
    [{ type: 'subscribe', id: '1', payload: {} }, 'payload.query is missing.'],
    [
      { type: 'subscribe', id: '1', payload: { query: '{ a }', variables: '{}' } },
      'payload: Send query and operationName as strings, and variables and extensions as objects.',
    ],
  ])('by the message %j gets the reason', async (message, reason) => {
    const raw = await openInitialized(gateway.url);
    raw.send(message as Message | string);
    expect(await raw.closed).toEqual({ code: 4400, reason: `Invalid message received: ${reason}` });
  });

  it('and divides a message into more than 1,024 fragments is disconnected', async () => {
    const raw = await openSocket(gateway.url);
    for (let fragment = 0; fragment <= 1024; fragment++) raw.socket.send('{', { fin: false });
    expect((await raw.closed).code).toBe(1008);
    await expectAlive();
  });

  it('and uses one id for two operations is disconnected', async () => {
    const raw = await openInitialized(gateway.url);
    raw.send(subscribe('1', 'subscription { sampleReceived { id } }'));
    raw.send(subscribe('1', '{ __typename }'));
    expect((await raw.closed).code).toBe(4409);
    await expectAlive();
  });

  it('can send a message of 256 KB', async () => {
    const raw = await openInitialized(gateway.url);
    const message = subscribe('1', '{ __typename }');
    const rest = 256 * 1024 - JSON.stringify({ ...message, padding: '' }).length;
    raw.send(JSON.stringify({ ...message, padding: ' '.repeat(rest) }));
    expect((await raw.take('next')).payload).toEqual({ data: { __typename: 'Query' } });
    raw.socket.close();
  });

  it('does not stop the gateway, with any message', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => `{"type":"subscribe","payload":${json}}`),
    );
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, bytes), { maxLength: 5 }),
        fc.boolean(),
        async (frames, initialises) => {
          const raw = initialises ? await openInitialized(gateway.url) : await openSocket(gateway.url);
          for (const frame of frames) raw.send(frame);
          raw.socket.close();
          const { code } = await raw.closed;
          expect([1005, 4400, 4401, 4429]).toContain(code);
        },
      ),
      { numRuns: 60 },
    );
    await expectAlive();
  });

  it('does not stop the gateway with bytes that are not websocket frames', async () => {
    const { port } = new URL(gateway.url);
    const printed = vi.spyOn(console, 'error');
    for (const garbage of ['\xff\xff\xff\xff', '\x00\x00\x00', '\x81\x05hello', '\x91\x00\x00']) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(toUpgrade(port));
      socket.write(Buffer.from(garbage, 'latin1'));
      socket.on('error', () => {});
      socket.resume();
      await new Promise((resolve) => socket.on('close', resolve));
    }
    await expectAlive();
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});
