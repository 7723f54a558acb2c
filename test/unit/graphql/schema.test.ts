/** The SDL is validated here instead of at each start. */
import { buildSchema, validateSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema, readSchemaText } from '../../../src/graphql/schema.js';

describe.each([
  ['the graph', false],
  ['the subgraph', true],
])('the SDL of %s', (_, isSubgraph) => {
  it('is valid', () => {
    expect(() => buildSchema(readSchemaText({ isSubgraph }))).not.toThrow();
  });

  it('describes a valid schema', () => {
    expect(validateSchema(createSchema({ isSubgraph }))).toEqual([]);
  });
});
