/** Completes the value at one place of an answer, a field or an item of a list: text, or null and an error. */
import { type GraphQLOutputType, isLeafType, isNonNullType } from 'graphql';
import {
  type ErrorLocation,
  type ExecutionContext,
  handleFieldError,
  isPromise,
  type JsonOutput,
  type ResponsePath,
} from './executionContext.js';
import type { FieldDetails } from './resolveInfo.js';
import { createLeafSerializer } from './text/leafSerializer.js';

/** Throws only where the place may not be null. */
export type CompleteValue = (
  value: unknown,
  context: ExecutionContext,
  parent: ResponsePath | undefined,
  key: string | number,
) => JsonOutput;

/** Completes a value that is there, of a type with fields or items. Throws what is wrong with it. */
export type CompleteComposite = (value: unknown, context: ExecutionContext, path: ResponsePath) => JsonOutput;

export interface ValueContext {
  field: FieldDetails;
  type: GraphQLOutputType;
  /** The type whose field it is; undefined for an item of a list. */
  typename: string | undefined;
  /** Not called for scalars and enums. */
  compileComposite(field: FieldDetails, type: GraphQLOutputType): CompleteComposite;
}

export function compileCompleteValue(parts: ValueContext): CompleteValue {
  const { type } = parts;
  const named = isNonNullType(type) ? type.ofType : type;
  if (!isLeafType(named)) return compileCompositeValue(parts, named);
  return compileLeafValue(parts, createLeafSerializer(named, createNullHandler(parts)));
}

/** What is written for null; throws where it may not be. */
export function createNullHandler({ type, field }: Pick<ValueContext, 'type' | 'field'>): () => string {
  if (!isNonNullType(type)) return () => 'null';
  const { parentType, definition } = field;
  return () => {
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`);
  };
}

function compileLeafValue(
  { field, type, typename }: ValueContext,
  toText: (value: unknown) => string,
): CompleteValue {
  const failing: ErrorLocation = { nodes: field.nodes, type };
  return (value, context, prev, key) => {
    try {
      if (!isPromise(value)) return toText(value);
      return value
        .then(toText)
        .then(undefined, (error) => handleFieldError(error, failing, context, { prev, key, typename }));
    } catch (error) {
      return handleFieldError(error, failing, context, { prev, key, typename });
    }
  };
}

function compileCompositeValue(parts: ValueContext, named: GraphQLOutputType): CompleteValue {
  const { field, type, typename } = parts;
  const failing: ErrorLocation = { nodes: field.nodes, type };
  const nothing = createNullHandler(parts);
  const completeThere = parts.compileComposite(field, named);
  const complete: CompleteComposite = (value, context, path) => {
    if (value instanceof Error) throw value;
    return value == null ? nothing() : completeThere(value, context, path);
  };
  return (value, context, prev, key) => {
    const path: ResponsePath = { prev, key, typename };
    try {
      const text = isPromise(value)
        ? value.then((settled) => complete(settled, context, path))
        : complete(value, context, path);
      if (typeof text === 'string') return text;
      return text.then(undefined, (error) => handleFieldError(error, failing, context, path));
    } catch (error) {
      return handleFieldError(error, failing, context, path);
    }
  };
}
