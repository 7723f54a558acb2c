/** Variables are coerced with the same values and errors as by graphql-js. */
import fc from 'fast-check';
import { buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { coerceVariables } from '../../../src/execution/executor.js';

const schema = buildSchema(`
  enum Level { LOW HIGH }
  input Range { from: Int! to: Int = 5 }
  scalar Time
  type Query { field(id: ID, number: Float): Int }`);

const types = fc.constantFrom(
  'ID',
  'String',
  'Boolean',
  'Int',
  'Float',
  'Level',
  'Range',
  'Time',
  '[ID!]',
  'Query',
);
const definition = fc.record({
  type: types,
  isRequired: fc.boolean(),
  hasDefault: fc.boolean(),
});
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    'LOW',
    'text',
    true,
    false,
    0,
    -0,
    7,
    2.5,
    2 ** 31,
    -(2 ** 31),
  ),
  fc.constantFrom<unknown>(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    10n,
    [],
    ['a'],
    {},
    { from: 1 },
    { from: '1' },
  ),
);

it('for all types and values', () => {
  const variables = fc.array(fc.record({ definition, value, isAbsent: fc.boolean() }), { maxLength: 4 });
  fc.assert(
    fc.property(variables, fc.boolean(), (parts, hideSuggestions) => {
      const definitions = parts.map(({ definition: { type, isRequired, hasDefault } }, index) => {
        const defaultValue = hasDefault ? ' = null' : '';
        return `$v${index}: ${type}${isRequired ? '!' : ''}${isRequired ? '' : defaultValue}`;
      });
      const source = `query${definitions.length > 0 ? `(${definitions.join(', ')})` : ''} { field }`;
      const [operation] = parse(source).definitions as OperationDefinitionNode[];
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has an operation.');
      const provided = parts.flatMap((part, index) =>
        part.isAbsent ? [] : [[`v${index}`, part.value] as const],
      );
      const inputs = Object.fromEntries(provided);
      const options = { maxErrors: 50, hideSuggestions };
      const expected = getVariableValues(schema, operation.variableDefinitions ?? [], inputs, options);
      expect(coerceVariables(schema, operation, inputs, options)).toStrictEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

it('for a variable with the name of the prototype', () => {
  const [operation] = parse('query($__proto__: ID!) { field(id: $__proto__) }').definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has an operation.');
  const { coerced } = coerceVariables(schema, operation, JSON.parse('{"__proto__":"7"}'), {
    hideSuggestions: false,
  });
  expect(Object.entries(coerced ?? {})).toEqual([['__proto__', '7']]);
});
