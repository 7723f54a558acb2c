/** An operation is compiled in steps that grow with its document, however many paths its fragments stand for. */
import { buildSchema, execute as executePlainly, getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import type { DeferMode } from '../../../src/execution/collectFields.js';
import { createCompiledQueries } from '../../../src/execution/compiledQueries.js';
import { createExecutor, createIncrementalExecutor } from '../../../src/execution/executor.js';
import { chainFragments } from '../../support/execution/countVisits.js';

const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { item: Item }
  type Item { id: ID left: Item right: Item }
`);

/** An endless tree. */
const item: object = { id: 'a', left: () => item, right: () => item };

const LEVELS = 10;
const FRAGMENTS = chainFragments('Item', LEVELS, (next) => `id left { ${next} id } right { ${next} }`);
/** Compiling each path would take several megabytes. */
const MAX_BYTES = 500_000;

/** The text of an operation, with the estimated size of its compiled query. */
async function run(query: string, mode: DeferMode) {
  const compiledQueries = createCompiledQueries(schema);
  const document = parse(query);
  expect(getOperationAST(document)).toBeTruthy();
  const request = { document, contextValue: {}, rootValue: { item } };
  if (mode === 'none') {
    const { data } = await createExecutor(schema, { compiledQueries })(request);
    return { texts: [JSON.stringify(data)], bytes: compiledQueries.usage().bytes };
  }
  const execute = createIncrementalExecutor(schema, { compiledQueries, minBatchIntervalMs: 0 });
  const executed = await execute(request, mode === 'shared' ? 'v0.2' : '20220824');
  const texts: string[] = [];
  for (let batch = await executed?.later?.next(); batch; batch = await executed?.later?.next()) {
    texts.push(...batch.added.flatMap((part) => ('text' in part ? part.text : [])));
  }
  return { texts, bytes: compiledQueries.usage().bytes };
}

it('compiles each selection set once', async () => {
  const query = `{ item { ...F0 } } ${FRAGMENTS}`;
  const { texts, bytes } = await run(query, 'none');
  const expected = await executePlainly({ schema, document: parse(query), rootValue: { item } });
  expect(texts).toEqual([JSON.stringify(expected.data)]);
  expect(bytes).toBeLessThan(MAX_BYTES);
});

it.each<DeferMode>(['shared', 'separate'])('compiles it once for a deferred fragment (%s)', async (mode) => {
  const { texts, bytes } = await run(`{ item { ... @defer { left { ...F0 } } } } ${FRAGMENTS}`, mode);
  const plain = await executePlainly({
    schema,
    document: parse(`{ item { left { ...F0 } } } ${FRAGMENTS}`),
    rootValue: { item },
  });
  expect(texts).toEqual([JSON.stringify(plain.data?.['item'])]);
  expect(bytes).toBeLessThan(MAX_BYTES);
});
