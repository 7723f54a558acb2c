/** Resolves and completes one field of an object. */
import { type GraphQLFieldResolver, getArgumentValues } from 'graphql';
import { compileCompleteValue, type ValueContext } from './completeValue.js';
import {
  type ErrorLocation,
  type ExecutionContext,
  handleFieldError,
  isObjectLike,
  type JsonOutput,
  type ResponsePath,
} from './executionContext.js';
import { hasVariable } from './fieldDependence.js';
import { type FieldDetails, ResolveInfo, toPath } from './resolveInfo.js';

type FieldArguments = Readonly<Record<string, unknown>>;

const noArguments: FieldArguments = Object.freeze({});

/** Throws only if the type of the field is non-null. */
export type ExecuteField = (
  source: unknown,
  context: ExecutionContext,
  parent: ResponsePath | undefined,
) => JsonOutput;

/** Returns or throws the result of the field's resolver. */
type ResolveField = (source: unknown, context: ExecutionContext, parent: ResponsePath | undefined) => unknown;

export function compileField(
  field: FieldDetails,
  compileComposite: ValueContext['compileComposite'],
): ExecuteField {
  const { definition, parentType, responseName, nodes } = field;
  const { type, resolve } = definition;
  const resolveField = resolve ? compileResolver(field, resolve) : compileDefaultResolver(field);
  const complete = compileCompleteValue({ field, type, typename: parentType.name, compileComposite });
  const location: ErrorLocation = { nodes, type };
  return (source, context, parent) => {
    let value: unknown;
    try {
      value = resolveField(source, context, parent);
    } catch (error) {
      return handleFieldError(error, location, context, toPath(field, parent));
    }
    return complete(value, context, parent, responseName);
  };
}

function compileResolver(field: FieldDetails, resolve: GraphQLFieldResolver<unknown, unknown>): ResolveField {
  const readArguments = compileArguments(field);
  return (source, context, parent) =>
    resolve(source, readArguments(context), context.contextValue, new ResolveInfo(field, context, parent));
}

/** Like the default resolver of graphql-js: reads the property of the field's name, and calls it if it is a function. */
function compileDefaultResolver(field: FieldDetails): ResolveField {
  const { name } = field.definition;
  const readArguments = compileArguments(field);
  return (source, context, parent) => {
    const values = readArguments(context);
    if (!isObjectLike(source)) return undefined;
    const value = source[name];
    if (typeof value !== 'function') return value;
    context.nonRepeatableCount += 1;
    return value.call(source, values, context.contextValue, new ResolveInfo(field, context, parent));
  };
}

/**
 * Coerces arguments once for all executions if they contain no variables, else once per execution. The returned function
 * throws if an argument is invalid. Values are frozen, because objects and executions share them.
 */
function compileArguments(field: FieldDetails): (context: ExecutionContext) => FieldArguments {
  const { definition, nodes } = field;
  const [node] = nodes;
  if (definition.args.length === 0 || node === undefined) return () => noArguments;
  const coerce = (variables: FieldArguments) => Object.freeze(getArgumentValues(definition, node, variables));
  if (node.arguments?.some(({ value }) => hasVariable(value))) {
    return (context) => {
      const coerced = context.argumentValues.get(field);
      if (coerced !== undefined) return coerced;
      const values = coerce(context.variables);
      context.argumentValues.set(field, values);
      return values;
    };
  }
  let values: FieldArguments | undefined;
  return () => {
    values ??= coerce(noArguments);
    return values;
  };
}
