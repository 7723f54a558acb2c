/** Completes the value of a field or list item: JSON text, or null and an error. */
import { type GraphQLOutputType, isLeafType, isNonNullType } from 'graphql';
import { ignoreRejections } from '../lib/maybePromise.js';
import {
  type ErrorLocation,
  type ExecutionContext,
  handleFieldError,
  isPromiseLike,
  type JsonOutput,
  type ResponsePath,
} from './executionContext.js';
import type { FieldDetails } from './resolveInfo.js';
import { createLeafSerializer } from './text/leafSerializer.js';

/** Throws only if the type is non-null. */
export type CompleteValue = (
  value: unknown,
  context: ExecutionContext,
  parent: ResponsePath | undefined,
  key: string | number,
) => JsonOutput;

/** Completes a value other than null of a list, object, interface or union type. Throws the error of an invalid value. */
export type CompleteComposite = (value: unknown, context: ExecutionContext, path: ResponsePath) => JsonOutput;

export interface ValueContext {
  field: FieldDetails;
  type: GraphQLOutputType;
  /** The parent type of the field; undefined for an item of a list. */
  typename: string | undefined;
  /** Called only for types other than scalars and enums. */
  compileComposite(field: FieldDetails, type: GraphQLOutputType): CompleteComposite;
}

export function compileCompleteValue(valueContext: ValueContext): CompleteValue {
  const { type } = valueContext;
  const nullableType = isNonNullType(type) ? type.ofType : type;
  if (!isLeafType(nullableType)) return compileCompositeValue(valueContext, nullableType);
  return compileLeafValue(valueContext, createLeafSerializer(nullableType, createNullHandler(valueContext)));
}

/** Returns the text for null. The handler of a non-null type throws instead. */
function createNullHandler({ type, field }: Pick<ValueContext, 'type' | 'field'>): () => string {
  if (!isNonNullType(type)) return () => 'null';
  const { parentType, definition } = field;
  return () => {
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`);
  };
}

function compileLeafValue(
  { field, type, typename }: ValueContext,
  serialize: (value: unknown) => string,
): CompleteValue {
  const location: ErrorLocation = { nodes: field.nodes, type };
  return (value, context, prev, key) => {
    try {
      if (!isPromiseLike(value)) return serialize(value);
      return value
        .then(serialize)
        .then(undefined, (error) => handleFieldError(error, location, context, { prev, key, typename }));
    } catch (error) {
      return handleFieldError(error, location, context, { prev, key, typename });
    }
  };
}

function compileCompositeValue(valueContext: ValueContext, nullableType: GraphQLOutputType): CompleteValue {
  const { field, type, typename } = valueContext;
  const location: ErrorLocation = { nodes: field.nodes, type };
  const handleNull = createNullHandler(valueContext);
  const completeNonNull = valueContext.compileComposite(field, nullableType);
  const complete: CompleteComposite = (value, context, path) => {
    if (value instanceof Error) throw value;
    return value == null ? handleNull() : completeNonNull(value, context, path);
  };
  const completeCounted: CompleteComposite = (value, context, path) => {
    const { characters } = context;
    const output = complete(value, context, path);
    // Includes the lists in the value, which have counted their own items.
    if (typeof output === 'string') context.characters = characters + output.length;
    return output;
  };
  const completeLoaded: CompleteComposite = (value, context, path) => {
    const { slices } = context;
    if (!slices.isFullForLoaded()) return completeCounted(value, context, path);
    ignoreRejections(value);
    return slices.continueLater(context, () => completeCounted(value, context, path));
  };
  return (value, context, prev, key) => {
    const path: ResponsePath = { prev, key, typename };
    try {
      const output = isPromiseLike(value)
        ? value.then((settled) => completeLoaded(settled, context, path))
        : complete(value, context, path);
      if (typeof output === 'string') return output;
      return output.then(undefined, (error) => handleFieldError(error, location, context, path));
    } catch (error) {
      return handleFieldError(error, location, context, path);
    }
  };
}
