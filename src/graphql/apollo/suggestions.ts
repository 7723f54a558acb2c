/** Suggestions at the end of error messages. They name parts of the schema, so they are hidden with `INTROSPECTION=off`. */
import { type GraphQLFormattedError, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';

const SUGGESTION = ' Did you mean ';
const UNKNOWN_FIELD = /^Cannot query field "(\w+)" on type "(\w+)"\.$/;

/** Returns a function that adds or removes the suggestion of an error that callers see. */
export function createSuggestions(
  schema: GraphQLSchema,
  areHidden: boolean,
): (error: GraphQLFormattedError) => GraphQLFormattedError {
  return areHidden ? withoutSuggestion : (error) => withNodes(schema, error);
}

/**
 * With `hideSuggestions`, validation and coercion add none, except for one rule that ignores the option and ends its
 * message with the suggestion. Searches from the end without a regular expression, so that the time is linear in the
 * length of the message.
 */
function withoutSuggestion(error: GraphQLFormattedError): GraphQLFormattedError {
  const { message } = error;
  const start = message.endsWith('?') ? message.lastIndexOf(SUGGESTION) : -1;
  return start === -1 ? error : { ...error, message: message.slice(0, start) };
}

/**
 * Suggests `nodes` when a field of the items is queried on the connection itself. graphql-js suggests only similar
 * names.
 */
function withNodes(schema: GraphQLSchema, error: GraphQLFormattedError): GraphQLFormattedError {
  const [, field = '', typeName = ''] = UNKNOWN_FIELD.exec(error.message) ?? [];
  const nodes = fieldTypeOf(schema.getType(typeName), 'nodes');
  if (fieldTypeOf(nodes, field) === undefined) return error;
  return { ...error, message: `${error.message}${SUGGESTION}"nodes { ${field} }"?` };
}

function fieldTypeOf(type: unknown, name: string) {
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  return field && getNamedType(field.type);
}
