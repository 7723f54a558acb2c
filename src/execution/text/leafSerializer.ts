/** Writes the values of scalars and enums as JSON, coerced exactly as graphql-js does it. */
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
  isEnumType,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';

export type SerializeLeaf = (value: unknown) => string;

/** What JSON escapes: quotes, backslashes, controls; and surrogates, of which `JSON.stringify` looks whether they are pairs. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

export function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * `createNullHandler` answers or throws. Throws what the type's own `serialize` throws, and a value that is an `Error`.
 * The usual values are written by a short way, all others by that of graphql-js.
 */
export function createLeafSerializer(type: GraphQLLeafType, whenNull: () => string): SerializeLeaf {
  const others: SerializeLeaf = (value) => {
    if (value instanceof Error) throw value;
    return value == null ? whenNull() : serializeWithType(type, value);
  };
  if (type === GraphQLString || type === GraphQLID) {
    return (value) => (typeof value === 'string' ? quote(value) : others(value));
  }
  if (type === GraphQLFloat) return (value) => (isFiniteNumber(value) ? `${value}` : others(value));
  if (type === GraphQLInt) return (value) => (isInt32(value) ? `${value}` : others(value));
  if (type === GraphQLBoolean) return (value) => (typeof value === 'boolean' ? `${value}` : others(value));
  if (isEnumType(type)) {
    const names = new Map(type.getValues().map(({ value, name }) => [value, quote(name)]));
    return (value) => names.get(value) ?? others(value);
  }
  return others;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && value - value === 0;
}

function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

function serializeWithType(type: GraphQLLeafType, value: unknown): string {
  const serialized: unknown = type.serialize(value);
  if (typeof serialized === 'string') return quote(serialized);
  if (serialized == null) {
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to ` +
        `return non-nullable value, returned: ${inspect(serialized)}`,
    );
  }
  return JSON.stringify(serialized);
}
