/** Document caches stay within their bounds in bytes, and charge about as much as the heap grows. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCompiledQueries, MAX_COMPILED_BYTES } from '../../../../src/execution/compiledQueries.js';
import { createExecutor } from '../../../../src/execution/executor.js';
import type { Context } from '../../../../src/graphql/context.js';
import {
  createDocumentStore,
  createParsedDocuments,
  MAX_PARSED_BYTES,
  MAX_SENT_BYTES,
} from '../../../../src/graphql/documents/documentStore.js';
import { createOperationGuard, MAX_GUARD_BYTES } from '../../../../src/graphql/limits/operationGuard.js';
import { defaultOperationLimits } from '../../../../src/graphql/limits/operationLimits.js';
import { createSchema } from '../../../../src/graphql/schema.js';
import { createExecutionWorld } from '../../../support/execution/executionWorld.js';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  for (let round = 0; round < 3; round++) collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** The growth of the heap, in bytes, by all objects that `fill` keeps reachable. */
async function heapGrowth(fill: () => unknown): Promise<number> {
  const before = heapUsed();
  await fill();
  return heapUsed() - before;
}

const schema = createSchema();
const limits = { ...defaultOperationLimits, maxRepeats: 10_000, maxRootFields: 10_000 };

/** Texts as they come from a request: in one piece. */
const text = (source: string) => Buffer.from(source).toString();
const aSite =
  '{ id name devices { serialNumber channels { name type { name } } } streams { id name units } }';

const documents: readonly [name: string, toText: (index: number) => string, count: number][] = [
  ['short fields', (at) => `query q${at} { ${'__typename '.repeat(1900)} }`, 150],
  ['nested fields', (at) => `query q${at} { ${`sites { nodes ${aSite} } `.repeat(18)} }`, 200],
  ['empty lists', (at) => `query q${at} { sites(first: [${'[]'.repeat(900)}]) { totalCount } }`, 300],
  ['long strings', (at) => `query q${at} { site(id: "${'x'.repeat(20_000)}") { id } }`, 900],
  [
    'long strings of wide characters',
    (at) => `query q${at} { site(id: "${'€'.repeat(20_000)}") { id } }`,
    500,
  ],
  ['comments', (at) => `query q${at} { sites { totalCount } } ${'#x\n'.repeat(5000)}`, 1200],
  ['small operations', (at) => `query q${at} { sites { totalCount } }`, 4000],
];

/** Within a factor of 2 in both directions. */
function expectAbout(measured: number, charged: number): void {
  expect(measured).toBeLessThan(charged * 2);
  expect(measured).toBeGreaterThan(charged / 2);
}

describe.each(documents)('documents of %s', (_, toText, count) => {
  it('are charged by their memory in the guard', async () => {
    const guard = createOperationGuard(schema, limits);
    const growth = await heapGrowth(() => {
      for (let index = 0; index < count; index++) {
        guard.check({ source: text(toText(index)), operationName: undefined, variables: {} });
      }
    });
    const { bytes } = guard.usage();
    expect(bytes).toBeLessThanOrEqual(MAX_GUARD_BYTES);
    expect(bytes).toBeGreaterThan(1_000_000);
    expectAbout(growth, bytes);
  });

  it('are charged by their memory where they are stored with their locations', async () => {
    const store = createParsedDocuments();
    const growth = await heapGrowth(async () => {
      for (let index = 0; index < count; index++) {
        await store.set(`hash ${index}`, parse(text(toText(index))));
      }
    });
    const { bytes } = store.usage();
    expect(bytes).toBeLessThanOrEqual(MAX_PARSED_BYTES);
    expect(bytes).toBeGreaterThan(1_000_000);
    expectAbout(growth, bytes);
  });
});

it('registered texts are charged by their memory', async () => {
  const store = createDocumentStore(false);
  const growth = await heapGrowth(() => {
    for (let index = 0; index < 20_000; index++) {
      store.set(text(`${index}`.padStart(64, '0')), text(`{ a${index} }`));
    }
  });
  expectAbout(growth, MAX_SENT_BYTES);
});

describe('compiled operations', async () => {
  const world = await createExecutionWorld(3);

  it('are charged by what they and their documents take', async () => {
    const compiledQueries = createCompiledQueries(schema);
    const dependenciesOf = (context: unknown) => (context as Context).sources.dependencies;
    const execute = createExecutor(schema, { dependenciesOf, compiledQueries });
    const contextValue = world.createContext();
    const run = async (name: string) => {
      const document = parse(text(`query ${name} { sites { nodes ${aSite} } }`));
      const { errors } = await execute({ document, contextValue });
      expect(errors).toBeUndefined();
    };
    // Excludes the samples that are cached for all of them.
    await run('warm');
    const growth = await heapGrowth(async () => {
      for (let index = 0; index < 1500; index++) await run(`q${index}`);
    });
    const { bytes } = compiledQueries.usage();
    expect(bytes).toBeLessThanOrEqual(MAX_COMPILED_BYTES);
    expectAbout(growth, bytes);
  });
});
