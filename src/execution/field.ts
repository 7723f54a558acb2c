/** Reads and completes one field of an object. */
import type { GraphQLFieldResolver } from 'graphql';
import { compileCompleteValue, type ValueContext } from './completeValue.js';
import {
  type ErrorLocation,
  type ExecutionContext,
  handleFieldError,
  isObjectLike,
  type JsonOutput,
  type ResponsePath,
} from './executionContext.js';
import { compileArguments } from './fieldArguments.js';
import { type FieldDetails, ResolveInfo, toPath } from './resolveInfo.js';

/** Throws only where the field may not be null. */
export type ExecuteField = (
  source: unknown,
  context: ExecutionContext,
  parent: ResponsePath | undefined,
) => JsonOutput;

/** What the resolver answers, or throws. */
type ReadField = (source: unknown, context: ExecutionContext, parent: ResponsePath | undefined) => unknown;

export function compileField(
  field: FieldDetails,
  compileComposite: ValueContext['compileComposite'],
): ExecuteField {
  const { definition, parentType, responseName, nodes } = field;
  const { type, resolve } = definition;
  const read = resolve ? readByResolver(field, resolve) : readByProperty(field);
  const complete = compileCompleteValue({ field, type, typename: parentType.name, compileComposite });
  const failing: ErrorLocation = { nodes, type };
  return (source, context, parent) => {
    let value: unknown;
    try {
      value = read(source, context, parent);
    } catch (error) {
      return handleFieldError(error, failing, context, toPath(field, parent));
    }
    return complete(value, context, parent, responseName);
  };
}

function readByResolver(field: FieldDetails, resolve: GraphQLFieldResolver<unknown, unknown>): ReadField {
  const argumentsOf = compileArguments(field);
  return (source, context, parent) =>
    resolve(source, argumentsOf(context), context.contextValue, new ResolveInfo(field, context, parent));
}

/** As the default resolver of graphql-js: a property of the field's name, called where it is a function. */
function readByProperty(field: FieldDetails): ReadField {
  const { name } = field.definition;
  const argumentsOf = compileArguments(field);
  return (source, context, parent) => {
    const values = argumentsOf(context);
    if (!isObjectLike(source)) return undefined;
    const value = source[name];
    if (typeof value !== 'function') return value;
    context.nonRepeatableCount += 1;
    return value.call(source, values, context.contextValue, new ResolveInfo(field, context, parent));
  };
}
