/** Requests that share one execution: the log names the internal error of each. */
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterAll, expect, it } from 'vitest';
import { createApolloServer } from '../../../../src/graphql/apollo/apolloServer.js';
import { createErrorReporter } from '../../../../src/graphql/apollo/formatError.js';
import type { Context } from '../../../../src/graphql/context.js';
import type { CallerSession } from '../../../../src/http/auth/callerSession.js';
import { createGraphqlHandler } from '../../../../src/http/server/graphqlHandler.js';
import { createResponseFreshness } from '../../../../src/sources/core/responseFreshness.js';
import { createRecordingLogger, startPlainServer } from '../../../support/http/edgeGateway.js';
import { createOpenEdge } from '../../../support/http/openEdge.js';

const REQUESTS = 2;
let begun = 0;
let fail = (_: Error) => {};
const failing = new Promise<number>((_, reject) => {
  fail = reject;
});
const schema = makeExecutableSchema({
  typeDefs: 'type Query { a: Int }',
  resolvers: { Query: { a: () => failing } },
});

const session = {
  caller: { name: undefined, scopes: new Set(['read']), organizationIds: undefined },
  authorizationKey: 'everybody',
  // Read just before the request shares the execution in flight.
  cacheVersion() {
    begun += 1;
    if (begun === REQUESTS) setImmediate(() => fail(new TypeError('a defect')));
    return 0;
  },
  numbersVersion: () => 0,
  createContext: ({ requestId }: { requestId: string }) =>
    ({
      requestId,
      caller: { scopes: new Set(['read']), organizationIds: undefined },
      freshness: createResponseFreshness(Date.now),
      sources: {},
    }) as unknown as Context,
  release() {},
} as unknown as CallerSession;

const logger = createRecordingLogger();
const edge = {
  ...createOpenEdge(schema),
  logger,
  reportErrors: createErrorReporter(logger, () => undefined),
};
const apolloServer = createApolloServer({ schema, ...edge });
afterAll(() => apolloServer.stop());

it('logs the request id of each internal error, and the cause once', async () => {
  await apolloServer.start();
  const handle = createGraphqlHandler({ ...edge, apolloServer, openSession: async () => session });
  const { url } = await startPlainServer(
    (request, response) => void handle(request, response, String(request.headers['x-request-id'])),
  );
  const ids = Array.from({ length: REQUESTS }, (_, index) => `request-${index}`);
  const bodies = await Promise.all(
    ids.map(async (id) => {
      const headers = { 'Content-Type': 'application/json', 'X-Request-Id': id };
      const response = await fetch(url, { method: 'POST', headers, body: '{"query":"{ a }"}' });
      return (await response.json()) as { errors: { extensions: object }[] };
    }),
  );
  for (const [index, { errors }] of bodies.entries()) {
    const extensions = { code: 'INTERNAL_SERVER_ERROR', retryable: false, requestId: ids[index] };
    expect(errors.map((error) => error.extensions)).toEqual([extensions]);
  }
  const linesOf = (text: string) =>
    logger.lines.filter(({ message }) => message === text).map(({ fields }) => fields);
  const executed = linesOf('A resolver failed');
  const shared = linesOf('A shared response has an internal error');
  const executedId = Reflect.get(executed[0] ?? {}, 'requestId');
  expect(executed).toMatchObject([{ path: 'a', cause: new TypeError('a defect') }]);
  expect(shared).toEqual(
    ids.filter((id) => id !== executedId).map((requestId) => ({ requestId, sharedWith: executedId })),
  );
});
