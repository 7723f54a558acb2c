/**
 * Fragments that spread others repeatedly are compiled in a bounded number of steps, and what may be cached does not
 * change.
 */
import { buildSchema, type GraphQLObjectType, getOperationAST, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { DeferMode } from '../../../src/execution/collectFields.js';
import { createCompiledQueries } from '../../../src/execution/compiledQueries.js';
import {
  dependsOnSources,
  type FieldDependence,
  SubtreeDependences,
} from '../../../src/execution/fieldDependence.js';
import { createSchema } from '../../../src/graphql/schema.js';
import { chainFragments, countVisits } from '../../support/execution/countVisits.js';

const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
  interface Named { id: ID }
  type Query { item: Item named: Named }
  type Item implements Named { id: ID left: Item right: Item loaded(by: ID): Item now: ID list: [Item] }
`);
const itemFields = (schema.getType('Item') as GraphQLObjectType).getFields();
const toResolver = <Resolve extends () => unknown>(name: string, resolve: Resolve) =>
  Object.assign(itemFields[name] ?? {}, { resolve });
toResolver(
  'loaded',
  dependsOnSources(() => null),
);
toResolver('now', () => null);

function dependenceOf(text: string, mode: DeferMode = 'none'): FieldDependence {
  const document = parse(`query ($id: ID, $on: Boolean! = false) ${text}`);
  const operation = getOperationAST(document);
  const [node] = operation?.selectionSet.selections ?? [];
  const fragments = Object.fromEntries(
    document.definitions.flatMap((one) => (one.kind === 'FragmentDefinition' ? [[one.name.value, one]] : [])),
  );
  const definition = schema.getQueryType()?.getFields()[node && 'name' in node ? node.name.value : ''];
  if (node?.kind !== 'Field' || !definition) throw new Error(`${text} has no field.`);
  const dependences = new SubtreeDependences({ schema, fragments, conditions: { on: false }, mode });
  return dependences.ofField({ definition, nodes: [node], usages: [undefined] });
}

describe('the dependence of a field', () => {
  it.each<[FieldDependence, string]>([
    ['object', '{ item { id left { id } } }'],
    ['sources', '{ item { left { loaded(by: 1) { id } } right { id } } }'],
    ['request', '{ item { loaded(by: $id) { id } } }'],
    ['request', '{ item { left { ...Now } loaded { id } } } fragment Now on Item { right { now } }'],
    ['request', '{ item { ... on Named { ... on Item { now } } } }'],
    ['request', '{ named { id } }'],
    ['object', '{ item { id now @skip(if: true) ...Now @include(if: $on) } } fragment Now on Item { now }'],
  ])('is %s with %s', (dependence, text) => {
    expect(dependenceOf(text)).toBe(dependence);
  });

  it.each([['{ item { left { ... @defer { id } } } }'], ['{ item { list @stream { id } } }']])(
    'is request if a part of it is delivered later: %s',
    (text) => {
      expect(dependenceOf(text)).toBe('object');
      expect(dependenceOf(text, 'shared')).toBe('request');
      expect(dependenceOf(text, 'separate')).toBe('request');
      expect(dependenceOf(text.replace(/@(defer|stream)/, '@$1(if: false)'), 'shared')).toBe('object');
    },
  );
});

const LEVELS = 16;

/** Compiles an operation. Returns how often selection sets were visited. */
function countCompilation(text: string, from = schema): number {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('There is no operation.');
  const visits = countVisits(document);
  expect(createCompiledQueries(from).get(document, operation, {})).toBeTypeOf('function');
  return visits();
}

describe('a chain of fragments that spread each other repeatedly', () => {
  it('is compiled in steps that grow with the document', () => {
    const fragments = chainFragments('Item', LEVELS, (next) => `left { ${next} } right { ${next} }`);
    const visits = countCompilation(`{ item { ...F0 } } ${fragments}`);
    expect(visits).toBeGreaterThan(LEVELS);
    expect(visits).toBeLessThan(20 * LEVELS);
  });

  it('is not followed below a root field that loads', () => {
    const fragments = chainFragments(
      'Stream',
      8,
      (next) =>
        `lastSample { stream { ${next} } } lastImage { stream { ${next} } } channel { streams { ${next} } }`,
    );
    const text = `{ samplesOf(streamIds: []) { stream { ...F0 } } } ${fragments}`;
    expect(countCompilation(text, createSchema())).toBeLessThan(300);
  });
});
