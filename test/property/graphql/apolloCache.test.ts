/** Apollo Client with its default options: no value in its normalized cache differs from the server's response. */
import { ApolloClient, HttpLink, InMemoryCache, setLogVerbosity } from '@apollo/client';
import { type DocumentNode, parse, print } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/graphql/schema.js';
import { type CacheComparison, compareWithCache, sum } from '../../support/cache/cacheDifferences.js';
import { createScalars } from '../../support/execution/executionWorld.js';
import type { ScalarValues } from '../../support/execution/randomArguments.js';
import { createRandomOperation, type RandomOperation } from '../../support/execution/randomOperation.js';
import { startStillGateway, type TestGateway } from '../../support/gateway.js';
import { TEST_SEED } from '../../support/seed.js';

const CLIENTS = 30;
const MIN_COMPARED = 2000;
const OPERATIONS_PER_CLIENT = 12;
/** Set TEST_SEED to the seed of a failure. */
const FIRST_SEED = TEST_SEED;

const schema = createSchema();
let gateway: TestGateway;
let scalars: ScalarValues;

beforeAll(async () => {
  // It warns of each fragment on an interface, because it does not know the implementing types.
  setLogVerbosity('silent');
  gateway = await startStillGateway({ sandbox: { siteCount: 3, historyDays: 0.1 } });
  scalars = createScalars(await findIds());
});

async function findIds() {
  const found = await gateway.ask<Record<string, { nodes: Named[] }>>(
    `{ ${['sites', 'devices', 'streams', 'channels', 'organizations', 'users']
      .map((list) => `${list}(first: 4) { nodes { id platformId } }`)
      .join(' ')}
    samples: streams(first: 4) { nodes { lastSample { id platformId } } } }`,
  );
  const formsOf = (list: string) =>
    (found[list]?.nodes ?? [])
      .map((node) => node.lastSample ?? node)
      .flatMap(({ id, platformId }) => (id && platformId ? [id, platformId] : []));
  const kinds = ['site', 'device', 'stream', 'channel', 'organization', 'user'];
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, formsOf(`${kind}s`)])),
    samples: formsOf('samples'),
    wrong: ['Site:424242', 'nonsense'],
  };
}

interface Named {
  id?: string;
  platformId?: string;
  lastSample?: Named | null;
}

function createClient(): ApolloClient {
  return new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: `${gateway.url}/graphql` }),
  });
}

interface ExecutedOperation {
  document: DocumentNode;
  variables: RandomOperation['variables'];
  /** As the server wrote it. */
  data: unknown;
}

/** Sends operations as an application does. Skips responses with errors, which Apollo Client does not store. */
async function runAll(
  client: ApolloClient,
  operations: readonly RandomOperation[],
): Promise<ExecutedOperation[]> {
  const executed: ExecutedOperation[] = [];
  for (const { query, variables } of operations) {
    // With the `__typename` that the client adds everywhere, so that both requests are the same.
    const document = client.cache.transformDocument(parse(query));
    const { body } = await gateway.query(print(document), variables);
    if (body.errors) continue;
    await client.query({ query: document, variables, fetchPolicy: 'network-only' });
    executed.push({ document, variables, data: body.data });
  }
  return executed;
}

/** Reads each operation from the cache after all of them have been written to it. */
function compareAll({ cache }: ApolloClient, executed: readonly ExecutedOperation[]): CacheComparison {
  return sum(
    executed.map(({ document, variables, data }) => {
      const options = { query: document, variables, returnPartialData: true, optimistic: false };
      return compareWithCache(data, cache.diff(options).result);
    }),
  );
}

async function compareOperations(operations: readonly RandomOperation[]): Promise<CacheComparison> {
  const client = createClient();
  return compareAll(client, await runAll(client, operations));
}

describe('the cache of Apollo Client', () => {
  it('contains the server’s response, after any other operations', { timeout: 120_000 }, async () => {
    const total = { compared: 0, missing: 0 };
    // Some seeds return little data: further clients then compare enough of it.
    const needsMore = (client: number) => total.compared <= MIN_COMPARED && client < 2 * CLIENTS;
    for (let client = 0; client < CLIENTS || needsMore(client); client += 1) {
      const firstSeed = FIRST_SEED + client * OPERATIONS_PER_CLIENT;
      const operations = Array.from({ length: OPERATIONS_PER_CLIENT }, (_, index) =>
        createRandomOperation({ schema, scalars, depth: 5, width: 4, size: 12 }, firstSeed + index),
      );
      const { differences, compared, missing } = await compareOperations(operations);
      expect(differences, `seeds from ${firstSeed}: ${JSON.stringify(operations)}`).toEqual([]);
      total.compared += compared;
      total.missing += missing;
    }
    expect(total.compared).toBeGreaterThan(MIN_COMPARED);
    expect(total.missing).toBeLessThan(total.compared);
  });

  const constant = (query: string): RandomOperation => ({ query, variables: {} });
  const near = (longitude: number) =>
    constant(`{ sites(filter: { near: { latitude: 39.1, longitude: ${longitude}, radiusKm: 20000 } }) {
      edges { distanceKm node { id name distanceKm(from: { latitude: 39.1, longitude: ${longitude} }) } } } }`);

  it.each([
    [
      'types and statuses, whose numbers overlap',
      [
        constant(`{ streams { nodes { id type { platformId name } status { platformId name } } }
          channels { nodes { id type { platformId name } status { platformId name } } } }`),
      ],
    ],
    [
      'distances from several points',
      [near(-84.51), near(10), constant('{ sites { edges { distanceKm node { id } } } }')],
    ],
    [
      'samples of all kinds on several paths',
      [
        constant(`{ streams { nodes { id lastSample { id value rawValue } lastImage { id url } lastRfidRead { id rawTagIds }
          samples(first: 50) { nodes { id sampledAt value rawValue } } } } }`),
        constant('{ sites { nodes { id samplesAfter { id sampledAt value rawValue } } } }'),
        constant('{ images(since: "2026-03-13T00:00:00Z") { nodes { id url width } } }'),
        constant(
          '{ sampleBatch(kind: SCALAR) { samples { id sampledAt ... on ScalarSample { rawValue } } } }',
        ),
      ],
    ],
  ])('contains %s correctly and completely', async (_, operations) => {
    const { differences, compared, missing } = await compareOperations(operations);
    expect({ differences, missing }).toEqual({ differences: [], missing: 0 });
    expect(compared).toBeGreaterThan(10);
  });
});
