/** Completes values that are no scalars: lists, objects, and what only the value tells the type of. */
import {
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
} from 'graphql';
import type { CompleteComposite } from './completeValue.js';
import { isPromise } from './executionContext.js';
import { compileList } from './list.js';
import type { FieldDetails } from './resolveInfo.js';
import { checkRuntimeType, readTypeName } from './runtimeType.js';
import { createFragmentCache, type FragmentCacheBudget } from './text/fragmentCache.js';

/** Compiles what is asked of the objects of one type at a field. */
export type CompileSelection = (field: FieldDetails, type: GraphQLObjectType) => CompleteComposite;

export interface CompositeContext {
  compileSelection: CompileSelection;
  /** For what is remembered of values that alone decide on what is asked below them; undefined where others do, too. */
  cacheBudget: FragmentCacheBudget | undefined;
}

/** Selections are compiled when the first object comes: what no answer reaches costs nothing. */
export function compileComposite(
  field: FieldDetails,
  type: GraphQLOutputType,
  parts: CompositeContext,
): CompleteComposite {
  const { compileSelection, cacheBudget } = parts;
  if (isListType(type)) {
    return compileList(field, type, {
      compileComposite: (one, itemType) => compileComposite(one, itemType, parts),
      fragmentCache: cacheBudget && createFragmentCache(cacheBudget),
    });
  }
  if (!isObjectType(type)) return compileAbstract(field, type as GraphQLAbstractType, compileSelection);
  let complete: CompleteComposite | undefined;
  return (value, context, path) => {
    complete ??= compileSelection(field, type);
    return complete(value, context, path);
  };
}

function compileAbstract(
  field: FieldDetails,
  type: GraphQLAbstractType,
  compileSelection: CompileSelection,
): CompleteComposite {
  const known = new Map<unknown, CompleteComposite>();
  const find = (name: unknown, value: unknown): CompleteComposite => {
    const found = known.get(name);
    if (found) return found;
    const complete = compileSelection(field, checkRuntimeType(field, type, name, value));
    known.set(name, complete);
    return complete;
  };
  return (value, context, path) => {
    const name = readTypeName(field, type, value, context, path);
    if (!isPromise(name)) return find(name, value)(value, context, path);
    return name.then((settled) => find(settled, value)(value, context, path));
  };
}
