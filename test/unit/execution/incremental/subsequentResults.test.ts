/** When later parts are executed, and which come together. */
import { setImmediate } from 'node:timers/promises';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createIncrementalExecutor } from '../../../../src/execution/executor.js';
import { createIncrementalWriter } from '../../../../src/execution/incremental/incrementalFormat.js';
import { mergeParts } from '../../../support/execution/mergeParts.js';

async function afterTurns(turns: number): Promise<string> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  return String(turns);
}

interface Running {
  now: number;
  most: number;
}

const LONG = 'x'.repeat(100_000);

const schema = makeExecutableSchema({
  typeDefs: `
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
    type Query { at(turn: Int!): String, longAt(turn: Int!): String, fail(turn: Int!): String!, list: [String],
      counted(count: Int!): [Counted], strict(count: Int!): [Counted!] }
    type Counted { value: Int, long: String, inner: [Counted], failing(turn: Int = 0): Int, firstFails(turn: Int!): Int! }
    type Written { by: String, read(by: String): String }
    type Mutation { write(by: String!): Written }`,
  resolvers: {
    Query: {
      at: (_, { turn }: { turn: number }) => afterTurns(turn),
      longAt: (_, { turn }: { turn: number }) => afterTurns(turn).then(() => LONG),
      fail: (_, { turn }: { turn: number }) => afterTurns(turn).then(() => null),
      list: () => [10, 20, 30].map(afterTurns),
      counted: (_, { count }: { count: number }) => Array.from({ length: count }, () => ({})),
      strict: (_, { count }: { count: number }) => Array.from({ length: count }, (__, index) => ({ index })),
    },
    Counted: {
      long: () => LONG,
      value: async (_, __, running: Running) => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await afterTurns(2);
        running.now -= 1;
        return 1;
      },
      inner: () => [{}, {}],
      failing: async (_, { turn }: { turn: number }) => {
        await afterTurns(turn);
        throw new Error('It fails.');
      },
      firstFails: ({ index }: { index: number }, { turn }: { turn: number }) =>
        index === 0 ? afterTurns(turn).then(() => null) : 1,
    },
    Mutation: {
      write: async (_, { by }: { by: string }, log: string[]) => {
        log.push(`begin ${by}`);
        await afterTurns(3);
        log.push(`end ${by}`);
        return { by };
      },
    },
    Written: { read: ({ by }: { by: string }, __, log: string[]) => log.push(`read ${by}`) && by },
  },
});

const DEFERRED =
  '{ ... @defer { a: at(turn: 10) } ... @defer { b: at(turn: 20) } ... @defer { c: at(turn: 30) } }';

/** The texts of the parts in each batch. */
async function readBatches(query: string, minBatchIntervalMs: number): Promise<string[][]> {
  const execute = createIncrementalExecutor(schema, { minBatchIntervalMs });
  const executed = await execute({ document: parse(query), contextValue: {} }, 'v0.2');
  const batches: string[][] = [];
  for (let batch = await executed?.later?.next(); batch; batch = await executed?.later?.next()) {
    batches.push(batch.added.flatMap((part) => ('texts' in part ? part.texts : [part.text])));
  }
  return batches;
}

it('lists the errors of all parts up to one bound', async () => {
  const query = '{ counted(count: 700) { failing ... @defer { later: failing } } }';
  const executed = await createIncrementalExecutor(schema)(
    { document: parse(query), contextValue: {} },
    'v0.2',
  );
  const messages = (executed?.result.errors ?? []).map(({ message }) => message);
  expect(messages).toHaveLength(700);
  for (let batch = await executed?.later?.next(); batch; batch = await executed?.later?.next()) {
    for (const { errors } of batch.added) messages.push(...errors.map(({ message }) => message));
    expect(batch.completed.flatMap(({ errors = [] }) => errors)).toEqual([]);
  }
  expect(messages).toHaveLength(1001);
  expect(messages.indexOf(messages.at(-1) ?? '')).toBe(1000);
});

it.each([
  [
    'a streamed item that fails and the items behind it',
    'strict(count: 100) @stream { failing firstFails(turn: 9) }',
  ],
  ['a part that failed before', '... @defer { fail(turn: 1) counted(count: 100) { failing(turn: 9) } }'],
  [
    'fragments that fail because of other groups',
    `... @defer { fail(turn: 8) counted(count: 100) { failing } }
     ... @defer { other: fail(turn: 9) counted(count: 100) { failing } }`,
  ],
  [
    'groups that are executed after their fragments failed',
    `... @defer { fail(turn: 1) counted(count: 100) { failing(turn: 9) } }
     ... @defer { other: fail(turn: 2) counted(count: 100) { failing(turn: 9) } }`,
  ],
])('does not count the errors of %s', async (_, failing) => {
  const later = '... @defer { at(turn: 20) ... @defer { later: counted(count: 1000) { failing } } }';
  const execute = createIncrementalExecutor(schema, { minBatchIntervalMs: 0 });
  const document = parse(`{ ${failing} ${later} }`);
  const executed = await execute({ document, contextValue: {} }, 'v0.2');
  const messages: string[] = [];
  let failed = 0;
  for (let batch = await executed?.later?.next(); batch; batch = await executed?.later?.next()) {
    for (const { errors } of batch.added) messages.push(...errors.map(({ message }) => message));
    failed += batch.completed.filter(({ errors }) => errors !== undefined).length;
  }
  expect(failed).toBeGreaterThan(0);
  expect(messages).toEqual(Array.from({ length: 1000 }, () => 'It fails.'));
});

it('sends parts as they complete', async () => {
  expect(await readBatches(DEFERRED, 0)).toEqual([['{"a":"10"}'], ['{"b":"20"}'], ['{"c":"30"}']]);
  expect(await readBatches('{ list @stream }', 0)).toEqual([['"10"'], ['"20"'], ['"30"']]);
});

it('sends the first at once, and then those of an interval together', async () => {
  const endless = 1_000_000;
  expect(await readBatches(DEFERRED, endless)).toEqual([['{"a":"10"}'], ['{"b":"20"}', '{"c":"30"}']]);
  expect(await readBatches('{ list @stream }', endless)).toEqual([['"10"'], ['"20"', '"30"']]);
});

it('sends fields that were executed for a failed fragment with another one that is announced later', async () => {
  const query = `{ ...A @defer ...C @defer }
    fragment A on Query { shared: at(turn: 1) fail(turn: 10) }
    fragment C on Query { at(turn: 30) ...B @defer }
    fragment B on Query { shared: at(turn: 1) ... @defer { inner: at(turn: 2) } }`;
  const execute = createIncrementalExecutor(schema, { minBatchIntervalMs: 0 });
  const executed = await execute({ document: parse(query), contextValue: {} }, 'v0.2');
  const writer = createIncrementalWriter('v0.2', (errors) => errors.map((error) => error.toJSON()));
  const later = executed?.later;
  const results = [{ ...executed?.result, ...writer.initial(later?.announced ?? []) }];
  for (let batch = await later?.next(); batch; batch = await later?.next()) {
    results.push(JSON.parse(writer.later(batch, {}) ?? '{}'));
  }
  const counts = { announced: 0, failed: 0 };
  const { data } = mergeParts(JSON.parse(JSON.stringify(results)), counts);
  expect(data).toEqual({ at: '30', shared: '1', inner: '2' });
  // The fragments A, B and C, and the one within B.
  expect(counts).toEqual({ announced: 4, failed: 1 });
});

it('executes the root fields of a mutation one after another, and then the parts', async () => {
  const execute = createIncrementalExecutor(schema, { minBatchIntervalMs: 0 });
  const log: string[] = [];
  const query =
    'mutation { a: write(by: "a") { ... @defer { read } } b: write(by: "b") { by ... @defer { read } } }';
  const executed = await execute({ document: parse(query), contextValue: log }, 'v0.2');
  expect(JSON.stringify(executed?.result)).toBe('{"data":{"a":{},"b":{"by":"b"}}}');
  expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  await executed?.later?.next();
  expect(log.slice(4)).toEqual(['read a', 'read b']);
});

it.each([
  ['deferred fragments', '{ counted(count: 3000) { ... @defer { value } } }', 3000],
  ['streamed items', '{ counted(count: 3000) @stream { value } }', 3000],
  ['streamed lists', '{ counted(count: 1500) { inner @stream { value } } }', 3000],
  [
    'streamed lists in deferred fragments',
    '{ counted(count: 1500) { ... @defer { value inner @stream { value } } } }',
    4500,
  ],
])('executes %s in groups of a bounded size', async (_, query, total) => {
  const execute = createIncrementalExecutor(schema, { minBatchIntervalMs: 0 });
  const running: Running = { now: 0, most: 0 };
  const executed = await execute({ document: parse(query), contextValue: running }, 'v0.2');
  let values = 0;
  for (let batch = await executed?.later?.next(); batch; batch = await executed?.later?.next()) {
    const texts = batch.added.flatMap((part) => ('texts' in part ? part.texts : [part.text]));
    values += texts.filter((text) => text.includes('"value":1')).length;
  }
  expect(values).toBe(total);
  expect(running.most).toBeLessThan(1100);
  expect(running.most).toBeGreaterThanOrEqual(100);
});

describe('a response with long parts', () => {
  /** Room for nine of the long texts. */
  const maxResultCharacters = 1_000_000;
  const TOO_LARGE =
    'The result has more than 1000000 characters. Request fewer items, or fewer fields of each.';

  async function readLong(query: string) {
    const executed = await createIncrementalExecutor(schema, { maxResultCharacters, minBatchIntervalMs: 0 })(
      { document: parse(query), contextValue: { now: 0, most: 0 } },
      'v0.2',
    );
    const { result, later } = executed ?? {};
    let delivered = 0;
    const failures: { message: string; path: unknown }[] = [];
    for (let batch = await later?.next(); batch; batch = await later?.next()) {
      delivered += batch.added.flatMap((part) => ('texts' in part ? part.texts : [part.text])).length;
      for (const { errors = [] } of batch.completed) {
        failures.push(...errors.map(({ message, path }) => ({ message, path })));
      }
    }
    return {
      data: JSON.parse(JSON.stringify(result?.data)),
      errors: result?.errors ?? [],
      delivered,
      failures,
    };
  }

  it('delivers the fragments for which there is room, and the error of each further one', async () => {
    const { delivered, failures } = await readLong('{ counted(count: 30) { ... @defer { long } } }');
    expect(delivered).toBe(9);
    expect(failures).toHaveLength(21);
    expect(failures[0]).toEqual({ message: TOO_LARGE, path: ['counted', 9] });
  });

  it('ends a streamed list at the first item for which there is no room', async () => {
    const { delivered, failures } = await readLong('{ counted(count: 30) @stream { long } }');
    expect(delivered).toBe(9);
    expect(failures).toEqual([{ message: TOO_LARGE, path: ['counted', 9] }]);
  });

  it('has room again when parts are delivered', async () => {
    const nested = (levels: number): string =>
      levels === 0 ? '__typename' : `... @defer { long inner { ${nested(levels - 1)} } }`;
    expect(await readLong(`{ counted(count: 1) { ${nested(4)} } }`)).toMatchObject({
      delivered: 1 + 2 + 4 + 8,
      failures: [],
    });
    expect(
      await readLong('{ counted(count: 1) @stream { ... @defer { long } } list @stream }'),
    ).toMatchObject({
      delivered: 1 + 1 + 3,
      failures: [],
    });
  });

  it.each([
    ['before', 1],
    ['after', 9],
  ])('has room again when a list fails %s its other items are complete', async (_, turn) => {
    const query = `{ strict(count: 9) @stream { long value firstFails(turn: ${turn}) }
      ... @defer { at(turn: 40) counted(count: 9) { ... @defer { long } } } }`;
    expect(await readLong(query)).toMatchObject({
      delivered: 1 + 9,
      failures: [
        {
          message: expect.stringContaining('null for non-nullable field'),
          path: ['strict', 0, 'firstFails'],
        },
      ],
    });
  });

  /** The text of each fragment is complete long before its other fields; two fragments share it. */
  const waiting = (count: number, slow: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => {
      const shared = `long${index}: longAt(turn: ${2 * index + 1})`;
      return `... @defer { ${shared} a${index}: ${slow(index)} } ... @defer { ${shared} b${index}: ${slow(index)} }`;
    }).join(' ');

  it('counts fields that wait for other fields of their fragments', async () => {
    const { failures } = await readLong(`{ ${waiting(12, () => 'at(turn: 100)')} }`);
    expect(failures).toHaveLength(2 * 3);
    expect(new Set(failures.map(({ message }) => message))).toEqual(new Set([TOO_LARGE]));
  });

  it('has room again when fields that wait are delivered, or fail with their fragments', async () => {
    const slow = (index: number) => (index % 2 === 0 ? 'at(turn: 40)' : 'fail(turn: 40)');
    const { failures } = await readLong(
      `{ ${waiting(9, slow)} ... @defer { at(turn: 80) counted(count: 9) { ... @defer { long } } } }`,
    );
    expect(failures.filter(({ message }) => message === TOO_LARGE)).toEqual([]);
    expect(failures).toHaveLength(2 * 4);
  });

  it('has no data and no parts if the initial result is too long', async () => {
    const query = '{ counted(count: 30) { long failing ... @defer { value } } }';
    expect(await readLong(query)).toMatchObject({
      data: null,
      errors: [{ message: TOO_LARGE }],
      delivered: 0,
      failures: [],
    });
  });
});
