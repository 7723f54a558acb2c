/** Random operations over HTTP: body, status and headers equal those of the same server with graphql-js. */
import { type GraphQLSchema, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApolloServer } from '../../../src/graphql/apollo/apolloServer.js';
import { createSchema } from '../../../src/graphql/schema.js';
import { createGraphqlHandler } from '../../../src/http/server/graphqlHandler.js';
import { createExecutionWorld, type ExecutionWorld } from '../../support/execution/executionWorld.js';
import { createRandomOperation, type RandomOperation } from '../../support/execution/randomOperation.js';
import { required, STILL_NOW_MS } from '../../support/gateway.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import { createOpenEdge } from '../../support/http/openEdge.js';
import { TEST_SEED } from '../../support/seed.js';

const OPERATIONS = 300;
/** Set TEST_SEED to the seed of a failure. */
const FIRST_SEED = TEST_SEED;

const schema = createSchema();
let world: ExecutionWorld;
let compiledUrl: string;
let plainUrl: string;

beforeAll(async () => {
  world = await createExecutionWorld(1);
  compiledUrl = await serve(schema);
  plainUrl = await serve(toPlain(createSchema()));
});

/** An `isTypeOf` on a type leaves all operations to graphql-js. */
function toPlain(changed: GraphQLSchema): GraphQLSchema {
  const type = required(changed.getType('UiPreferences'), 'type');
  if (isObjectType(type)) type.isTypeOf = () => true;
  return changed;
}

async function serve(served: GraphQLSchema): Promise<string> {
  const edge = createOpenEdge(served);
  const apolloServer = createApolloServer({ schema: served, ...edge });
  await apolloServer.start();
  // The clock of this world, so that the remaining freshness of a response is equal too.
  const clock = { now: () => STILL_NOW_MS };
  const { openSession } = world;
  const handle = createGraphqlHandler({
    ...edge,
    apolloServer,
    openSession,
    clock,
  });
  const { url } = await startPlainServer((request, response) => void handle(request, response, 'random'));
  return `${url}/graphql`;
}

async function ask(url: string, { query, variables }: RandomOperation) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const headers = [...response.headers].filter(([name]) => !['date', 'content-length'].includes(name));
  return { status: response.status, headers, text: sortErrors(await response.text()) };
}

/** The order in which two calls end is random. Responses without errors stay unchanged, byte for byte. */
function sortErrors(text: string): string {
  if (!text.startsWith('{"errors"')) return text;
  const { errors, ...rest } = JSON.parse(text) as { errors: unknown[] };
  return JSON.stringify({ errors: errors.map((error) => JSON.stringify(error)).sort(), ...rest });
}

describe('a response over HTTP', () => {
  it('is the same from both executors', { timeout: 600_000 }, async () => {
    const statuses = new Map<number, number>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + OPERATIONS; seed += 1) {
      const size = { depth: 4, width: 3, size: 8 };
      const operation = createRandomOperation({ schema, scalars: world.scalars, ...size }, seed);
      const [plain, compiled] = [await ask(plainUrl, operation), await ask(compiledUrl, operation)];
      // Apollo Server has validated the document of the second request before.
      const repeated = await ask(compiledUrl, operation);
      expect([compiled, repeated], `seed ${seed}: ${JSON.stringify(operation)}`).toEqual([plain, plain]);
      statuses.set(plain.status, (statuses.get(plain.status) ?? 0) + 1);
    }
    expect(statuses.get(200)).toBeGreaterThan(OPERATIONS / 2);
    expect(statuses.get(400)).toBeGreaterThan(0);
  });
});
