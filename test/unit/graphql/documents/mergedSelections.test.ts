/** All merged selection sets are visited, each once. */
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { collectFragments } from '../../../../src/execution/collectFields.js';
import { eachMergedSelection } from '../../../../src/graphql/documents/mergedSelections.js';

it('selection sets are visited together where they are merged, and alone in the fragments that they are from', () => {
  const source = `{ ...A ...B ...B } fragment A on Site { x { one } } fragment B on Site { x { two } }
    fragment C on Site { x { three } }`;
  const document = parse(source, { noLocation: true });
  const visited: string[] = [];
  eachMergedSelection(document, collectFragments(document), ({ fields }) => {
    visited.push([...fields.keys()].join());
    return true;
  });
  expect(visited).toEqual(['x', 'one,two', 'x', 'one', 'x', 'two', 'x', 'three']);
});
