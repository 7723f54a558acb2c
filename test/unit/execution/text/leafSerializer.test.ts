import { GraphQLScalarType, GraphQLString } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createLeafSerializer, IS_PLAIN_TEXT } from '../../../../src/execution/text/leafSerializer.js';

const toNullText = () => 'null';
const PlainDate = new GraphQLScalarType({
  name: 'PlainDate',
  extensions: { [IS_PLAIN_TEXT]: true },
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
});

describe('a scalar type of plain texts', () => {
  const serialize = createLeafSerializer(PlainDate, toNullText);

  test('writes a text between quotes', () => {
    expect(serialize('2026-03-01T12:00:00Z')).toBe('"2026-03-01T12:00:00Z"');
  });

  test('calls serialize for other values, and handles null', () => {
    expect(serialize(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
    expect(serialize(null)).toBe('null');
    expect(() => serialize(new Error('no date'))).toThrow('no date');
  });
});

test('other texts are escaped', () => {
  const serialize = createLeafSerializer(GraphQLString, toNullText);
  expect(['a"b', 'a\\b', 'a\u0001b', '\ud800'].map(serialize)).toEqual(
    ['a"b', 'a\\b', 'a\u0001b', '\ud800'].map((text) => JSON.stringify(text)),
  );
});
