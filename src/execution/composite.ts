/** Completes values of list, object, interface and union types. */
import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';
import { ChunkedList } from '../lib/chunkedList.js';
import { ignoreRejections } from '../lib/maybePromise.js';
import { type CompleteComposite, compileCompleteValue, type ValueContext } from './completeValue.js';
import { type ExecutionContext, isObjectLike, isPromiseLike, type ResponsePath } from './executionContext.js';
import { type StreamedItems, splitList } from './incremental/streamedList.js';
import {
  createCachedWriter,
  createChunkWriter,
  createItemWriter,
  WHOLE_LIST,
  type WriteItems,
} from './listItems.js';
import { type FieldDetails, ResolveInfo } from './resolveInfo.js';
import { FragmentCache, type FragmentCacheBudget } from './text/fragmentCache.js';

/** Compiles the selection set of a field for one object type. */
export type CompileSelection = (field: FieldDetails, type: GraphQLObjectType) => CompleteComposite;

interface CompositeContext {
  compileSelection: CompileSelection;
  /** The budget for cached lists and chunks of lists; undefined if the text of an item depends on more than the item. */
  cacheBudget: FragmentCacheBudget | undefined;
  /** For a list with `@stream`; undefined for other fields. */
  streamed: StreamedItems | undefined;
}

/** Compiles each selection set when its first object arrives, so that unreached parts of a query cost nothing. */
export function compileComposite(
  field: FieldDetails,
  type: GraphQLOutputType,
  compositeContext: CompositeContext,
): CompleteComposite {
  const { compileSelection, cacheBudget, streamed } = compositeContext;
  if (isListType(type)) {
    // Only the outer list of nested lists is streamed.
    const itemContext = { ...compositeContext, streamed: undefined };
    return compileList(field, type, {
      compileComposite: (itemField, itemType) => compileComposite(itemField, itemType, itemContext),
      streamed,
      cacheBudget,
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
    if (!isPromiseLike(name)) return compileFor(name, value)(value, context, path);
    return name.then((settled) => compileFor(settled, value)(value, context, path));
  };
}

/** The type name or a promise of it. Resolvers can return anything: check the name with `checkRuntimeType`. */
function resolveTypeName(
  field: FieldDetails,
  type: GraphQLAbstractType,
  value: unknown,
  context: ExecutionContext,
  path: ResponsePath,
): unknown {
  if (!type.resolveType && isObjectLike(value) && typeof value['__typename'] === 'string') {
    return value['__typename'];
  }
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return resolveType(value, context.contextValue, new ResolveInfo(field, context, toParentPath(path)), type);
}

/** The path of the object that the field belongs to. Skips list indexes. */
function toParentPath({ key, prev }: ResponsePath): ResponsePath | undefined {
  return typeof key === 'number' && prev !== undefined ? toParentPath(prev) : prev;
}

/**
 * Throws unless the name is that of an object type that belongs to the abstract type. Its errors have no location,
 * because the caller did not cause them.
 */
function checkRuntimeType(
  { operation: { schema }, parentType, definition }: FieldDetails,
  type: GraphQLAbstractType,
  name: unknown,
  value: unknown,
): GraphQLObjectType {
  const expectation = `must resolve to an Object type at runtime for field "${parentType.name}.${definition.name}"`;
  if (name == null) {
    throw new GraphQLError(
      `Abstract type "${type.name}" ${expectation}. Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
    );
  }
  if (typeof name !== 'string') {
    const received = `with value ${inspect(value)}, received "${inspect(name)}".`;
    throw new GraphQLError(`Abstract type "${type.name}" ${expectation} ${received}`);
  }
  const runtimeType = schema.getType(name);
  const resolved = `Abstract type "${type.name}" was resolved to a`;
  if (!runtimeType)
    throw new GraphQLError(`${resolved} type "${name}" that does not exist inside the schema.`);
  if (!isObjectType(runtimeType)) throw new GraphQLError(`${resolved} non-object type "${name}".`);
  if (schema.isSubType(type, runtimeType)) return runtimeType;
  throw new GraphQLError(`Runtime Object type "${name}" is not a possible type for "${type.name}".`);
}

interface ListContext extends Pick<CompositeContext, 'cacheBudget' | 'streamed'> {
  compileComposite: ValueContext['compileComposite'];
}

function compileList(
  field: FieldDetails,
  { ofType }: GraphQLList<GraphQLOutputType>,
  { compileComposite, streamed, cacheBudget }: ListContext,
): CompleteComposite {
  const completeItem = compileCompleteValue({ field, type: ofType, typename: undefined, compileComposite });
  const hasObjects = !isLeafType(getNamedType(ofType));
  const completeItems = createItemWriter(completeItem, hasObjects);
  if (streamed) return compileStreamedList(field, ofType, completeItems, streamed);
  const completeChunks = cacheBudget && createChunkWriter(completeItems, new FragmentCache(cacheBudget));
  const completeArray =
    cacheBudget && hasObjects ? createCachedWriter(completeItems, new FragmentCache(cacheBudget)) : undefined;
  return (value, context, path) => {
    if (completeArray && Array.isArray(value)) return completeArray(value, WHOLE_LIST, context, path);
    if (completeChunks && value instanceof ChunkedList) return completeChunks(value, context, path);
    if (isIterable(value)) return completeItems(value, WHOLE_LIST, context, path);
    throw createNoListError(field);
  };
}

/** Completes the initial items. The others are streamed after the part that the list belongs to. */
function compileStreamedList(
  field: FieldDetails,
  type: GraphQLOutputType,
  completeItems: WriteItems,
  { field: itemField, stream, compileComposite }: StreamedItems,
): CompleteComposite {
  const location = { nodes: field.nodes, type };
  const completeStreamed = compileCompleteValue({
    field: itemField,
    type,
    typename: undefined,
    compileComposite,
  });
  return (value, context, path) => {
    if (!isIterable(value)) throw createNoListError(field);
    ignoreRejections(value);
    const { initial, rest } = splitList(value, stream.readInitialCount(context.variables));
    const output = completeItems(initial, WHOLE_LIST, context, path);
    if (rest) {
      const start = { index: initial.length, label: stream.label, path, location };
      context.part?.stream({ ...start, items: rest, complete: completeStreamed });
    }
    return output;
  };
}

function createNoListError({ parentType, definition }: FieldDetails): GraphQLError {
  const name = `${parentType.name}.${definition.name}`;
  return new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.iterator in value &&
    typeof value[Symbol.iterator] === 'function'
  );
}
