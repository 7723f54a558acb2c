/** How many fragments of one selection set are deferred. */
import { buildSchema, type FragmentDefinitionNode, getOperationAST, Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type DeferMode, planOperation, type SelectionPlan } from '../../../src/execution/collectFields.js';
import { chainFragments, countVisits } from '../../support/execution/countVisits.js';

const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { ${Array.from({ length: 150 }, (_, index) => `f${index}: ID`).join(' ')} }
`);

function plan(text: string, mode: DeferMode): { plan: SelectionPlan; visits: number } {
  const document = parse(text);
  const visits = countVisits(document);
  const operation = getOperationAST(document);
  const type = schema.getQueryType();
  if (!operation || !type) throw new Error('There is no query.');
  const definitions = document.definitions.filter(
    (one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION,
  );
  const fragments = Object.fromEntries(definitions.map((one) => [one.name.value, one]));
  const context = { schema, fragments, conditions: {}, mode, parentUsages: new Set<never>() };
  return { plan: planOperation(context, type, operation.selectionSet), visits: visits() };
}

const namesOf = ({ fields, deferred }: SelectionPlan) =>
  [{ fields }, ...deferred].map((part) => [...part.fields.keys()]);

describe('deferred fragments of one selection set', () => {
  it('with equal spreads stand for a bounded number of parts', () => {
    const fragments = chainFragments('Query', 12, (next) => `f0 ${next} @defer ${next} @defer`, 'f1');
    const { plan: planned, visits } = plan(`{ ...F0 } ${fragments}`, 'separate');
    expect(planned.opened).toHaveLength(100);
    expect(visits).toBeLessThan(100 * 13 + 13);
    // The initial result has the fragments that are no longer deferred.
    expect(namesOf(planned)[0]).toEqual(['f0', 'f1']);
    expect(namesOf(planned)).toContainEqual(['f1']);
  });

  it.each<DeferMode>(['shared', 'separate'])('are 100 at most (%s)', (mode) => {
    const selections = Array.from({ length: 150 }, (_, index) => `... @defer { f${index} }`);
    const { plan: planned } = plan(`{ ${selections.join(' ')} }`, mode);
    const [initial, ...deferred] = namesOf(planned);
    expect(deferred).toEqual(Array.from({ length: 100 }, (_, index) => [`f${index}`]));
    expect(initial).toEqual(Array.from({ length: 50 }, (_, index) => `f${index + 100}`));
  });
});
