/** Completes values of list, object, interface and union types. */
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
import { checkRuntimeType, resolveTypeName } from './runtimeType.js';
import { FragmentCache, type FragmentCacheBudget } from './text/fragmentCache.js';

/** Compiles the selection set of a field for one object type. */
export type CompileSelection = (field: FieldDetails, type: GraphQLObjectType) => CompleteComposite;

export interface CompositeContext {
  compileSelection: CompileSelection;
  /** The budget for cached chunks of lists; undefined if the text of an item depends on more than the item. */
  cacheBudget: FragmentCacheBudget | undefined;
}

/** Compiles each selection set when its first object arrives, so that unreached parts of a query cost nothing. */
export function compileComposite(
  field: FieldDetails,
  type: GraphQLOutputType,
  compositeContext: CompositeContext,
): CompleteComposite {
  const { compileSelection, cacheBudget } = compositeContext;
  if (isListType(type)) {
    return compileList(field, type, {
      compileComposite: (itemField, itemType) => compileComposite(itemField, itemType, compositeContext),
      fragmentCache: cacheBudget && new FragmentCache(cacheBudget),
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
  const compiledByTypeName = new Map<unknown, CompleteComposite>();
  const compileFor = (name: unknown, value: unknown): CompleteComposite => {
    const compiled = compiledByTypeName.get(name);
    if (compiled) return compiled;
    const complete = compileSelection(field, checkRuntimeType(field, type, name, value));
    compiledByTypeName.set(name, complete);
    return complete;
  };
  return (value, context, path) => {
    const name = resolveTypeName(field, type, value, context, path);
    if (!isPromise(name)) return compileFor(name, value)(value, context, path);
    return name.then((settled) => compileFor(settled, value)(value, context, path));
  };
}
