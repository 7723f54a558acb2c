/** Serializes scalar and enum values as JSON, with the same coercion as graphql-js. */
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

type SerializeLeaf = (value: unknown) => string;

/**
 * The extension of a scalar type whose strings have no character that JSON escapes. They are written without `serialize`:
 * looking for such characters took a third of the time of writing a date.
 */
export const IS_PLAIN_TEXT = 'isPlainText';

/** Characters that `JSON.stringify` may escape: quotes, backslashes, control characters and unpaired surrogates. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

export function toJsonString(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * `handleNull` returns the text for null or throws. The serializer throws a value that is an `Error`, and the errors of the
 * type's `serialize`. It does not call `serialize` for values that already have the JavaScript type of the result.
 */
export function createLeafSerializer(type: GraphQLLeafType, handleNull: () => string): SerializeLeaf {
  const serializeOther: SerializeLeaf = (value) => {
    if (value instanceof Error) throw value;
    return value == null ? handleNull() : serializeWithType(type, value);
  };
  if (type === GraphQLString || type === GraphQLID) {
    return (value) => (typeof value === 'string' ? toJsonString(value) : serializeOther(value));
  }
  if (type.extensions[IS_PLAIN_TEXT] === true) {
    return (value) => (typeof value === 'string' ? `"${value}"` : serializeOther(value));
  }
  if (type === GraphQLFloat) return (value) => (isFiniteNumber(value) ? `${value}` : serializeOther(value));
  if (type === GraphQLInt) return (value) => (isInt32(value) ? `${value}` : serializeOther(value));
  if (type === GraphQLBoolean)
    return (value) => (typeof value === 'boolean' ? `${value}` : serializeOther(value));
  if (isEnumType(type)) {
    const quotedNames = new Map(type.getValues().map(({ value, name }) => [value, toJsonString(name)]));
    return (value) => quotedNames.get(value) ?? serializeOther(value);
  }
  return serializeOther;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && value - value === 0;
}

function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

function serializeWithType(type: GraphQLLeafType, value: unknown): string {
  const serialized: unknown = type.serialize(value);
  if (typeof serialized === 'string') return toJsonString(serialized);
  if (serialized == null) {
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to ` +
        `return non-nullable value, returned: ${inspect(serialized)}`,
    );
  }
  return JSON.stringify(serialized);
}
