/** Scopes for each kind of operation, over both transports, on a schema that has all three kinds. */
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApolloServer } from '../../src/graphql/apollo/apolloServer.js';
import type { Context } from '../../src/graphql/context.js';
import type { Scope } from '../../src/graphql/scopes.js';
import type { OpenSession } from '../../src/http/auth/callerSession.js';
import { serveWebsocket } from '../../src/http/delivery/sockets/websocket.js';
import { AccessLog } from '../../src/http/requests/accessLog.js';
import { createUnauthenticatedError } from '../../src/http/responses/sendError.js';
import { createGraphqlHandler } from '../../src/http/server/graphqlHandler.js';
import { systemClock } from '../../src/lib/clock.js';
import { createResponseFreshness } from '../../src/sources/core/responseFreshness.js';
import { connectSocket } from '../support/http/callers.js';
import { createRecordingLogger, startPlainServer } from '../support/http/edgeGateway.js';
import { createOpenEdge } from '../support/http/openEdge.js';
import { createSilentFeed, toLiveEvents } from '../support/live/liveEvents.js';

const ran: string[] = [];
let open = 0;

async function* readEvents() {
  ran.push('subscription');
  yield { a: 1 };
}

const schema = makeExecutableSchema({
  typeDefs: 'type Query { a: Int } type Mutation { a: Int } type Subscription { a: Int }',
  resolvers: {
    Query: { a: () => ran.push('query') },
    Mutation: { a: () => ran.push('mutation') },
    Subscription: {
      a: {
        subscribe: () => toLiveEvents(readEvents()),
      },
    },
  },
});

/** Accepts a list of scopes as the credential, such as `read,write`; `none` has no scope. */
const openSession: OpenSession = async ({ bearer }) => {
  if (bearer === undefined) throw createUnauthenticatedError('Say who you are.');
  const scopes = new Set(bearer.split(',').filter((scope): scope is Scope => scope !== 'none'));
  open += 1;
  return {
    caller: { name: bearer, scopes, organizationIds: undefined },
    authorizationKey: bearer,
    feed: createSilentFeed(),
    cacheVersion: () => 0,
    numbersVersion: () => 0,
    checkCredential: async () => undefined,
    createContext: ({ requestId }) =>
      ({
        requestId,
        caller: { scopes, organizationIds: undefined },
        freshness: createResponseFreshness(Date.now),
        sources: {},
        logRefusedWrite() {},
      }) as unknown as Context,
    release() {
      open -= 1;
    },
  };
};

let url: string;
const logger = createRecordingLogger();
const accessLog = new AccessLog({ accessLog: 1, logger, clock: systemClock });
const edge = createOpenEdge(schema);
const apolloServer = createApolloServer({ schema, ...edge });

beforeAll(async () => {
  await apolloServer.start();
  const handle = createGraphqlHandler({ apolloServer, openSession, accessLog, ...edge });
  const plain = await startPlainServer((request, response) => void handle(request, response, 'test'));
  url = plain.url;
  serveWebsocket({ server: plain.server, openSession, ...edge });
});
afterAll(() => apolloServer.stop());

const cases: [string, string, boolean][] = ['none', 'read', 'write', 'read,write'].flatMap((scopes) =>
  (['query', 'mutation', 'subscription'] as const).map((kind): [string, string, boolean] => [
    scopes,
    kind,
    scopes.includes(kind === 'mutation' ? 'write' : 'read'),
  ]),
);

describe('a credential with the scopes', () => {
  it.each(cases.filter(([, kind]) => kind !== 'subscription'))(
    '%s runs a %s over HTTP: %s',
    async (scopes, kind, isAllowed) => {
      ran.length = 0;
      logger.lines.length = 0;
      // The document starts with another operation; the one chosen by name decides.
      const query = `query Other { a } ${kind} Wanted { a }`;
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${scopes}` },
        body: JSON.stringify({ query, operationName: 'Wanted' }),
      });
      const { data, errors } = (await response.json()) as {
        data?: unknown;
        errors?: { extensions: unknown }[];
      };
      if (isAllowed) expect([response.status, data]).toEqual([200, { a: 1 }]);
      else
        expect([response.status, data, errors]).toMatchObject([
          403,
          undefined,
          [{ extensions: { code: 'FORBIDDEN' } }],
        ]);
      expect(ran).toEqual(isAllowed ? [kind] : []);
      expect(open).toBe(0);
      const outcome = { status: response.status, response: isAllowed ? 'executed' : 'refused' };
      expect(logger.lines.map(({ fields }) => fields)).toMatchObject([outcome]);
    },
  );

  it.each(cases)('%s runs a %s over a websocket: %s', async (scopes, kind, isAllowed) => {
    ran.length = 0;
    const socket = connectSocket(url, { params: { authorization: `Bearer ${scopes}` } });
    const result = await socket.first(`${kind} { a }`).catch((reason: unknown) => reason);
    if (isAllowed) expect(result).toEqual({ data: { a: 1 } });
    else expect(result).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(ran).toEqual(isAllowed ? [kind] : []);
    await socket.client.dispose();
    // The session of the connection, and those that verified its credential again.
    await expect.poll(() => open).toBe(0);
  });
});

it('an unknown caller is refused before the body is read', async () => {
  const body = JSON.stringify({ query: 'mutation { a }', padding: 'x'.repeat(300_000) });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="fieldgraph"',
  ]);
});
