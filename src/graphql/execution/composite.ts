/** Completes values that are no scalars: lists, objects, and what only the value tells the type of. */
import {
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
} from 'graphql';
import { compileList } from './list.js';
import type { CompleteComposite } from './place.js';
import type { FieldFacts } from './resolveInfo.js';
import { isPromise } from './run.js';
import { checkRuntimeType, readTypeName } from './runtimeType.js';
import { createTextMemory, type TextBudget } from './textMemory.js';

/** Compiles what is asked of the objects of one type at a field. */
export type CompileSelection = (field: FieldFacts, type: GraphQLObjectType) => CompleteComposite;

export interface CompositeParts {
  compileSelection: CompileSelection;
  /** For what is remembered of values that alone decide on what is asked below them; undefined where others do, too. */
  budget: TextBudget | undefined;
}

/** Selections are compiled when the first object comes: what no answer reaches costs nothing. */
export function compileComposite(
  field: FieldFacts,
  type: GraphQLOutputType,
  parts: CompositeParts,
): CompleteComposite {
  const { compileSelection, budget } = parts;
  if (isListType(type)) {
    return compileList(field, type, {
      compileComposite: (one, itemType) => compileComposite(one, itemType, parts),
      memory: budget && createTextMemory(budget),
    });
  }
  if (!isObjectType(type)) return compileAbstract(field, type as GraphQLAbstractType, compileSelection);
  let complete: CompleteComposite | undefined;
  return (value, run, path) => {
    complete ??= compileSelection(field, type);
    return complete(value, run, path);
  };
}

function compileAbstract(
  field: FieldFacts,
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
  return (value, run, path) => {
    const name = readTypeName(field, type, value, run, path);
    if (!isPromise(name)) return find(name, value)(value, run, path);
    return name.then((settled) => find(settled, value)(value, run, path));
  };
}
