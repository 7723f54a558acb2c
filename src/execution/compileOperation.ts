/** Compiles one operation of a document into functions that resolve its fields and write their JSON text. */
import { type DirectiveNode, type GraphQLObjectType, OperationTypeNode, TypeNameMetaFieldDef } from 'graphql';
import {
  type CollectContext,
  type DeferMode,
  type DeferUsage,
  type FieldSelection,
  findActive,
  planOperation,
  planSubfields,
  type SelectionPlan,
  withoutUsages,
} from './collectFields.js';
import type { ValueContext } from './completeValue.js';
import { type CompileSelection, compileComposite } from './composite.js';
import { compileField } from './field.js';
import { type FieldDependence, SubtreeDependences } from './fieldDependence.js';
import { readStream, type StreamedItems } from './incremental/streamedList.js';
import type { SelectedField } from './instructions.js';
import type { FieldDetails, OperationDetails } from './resolveInfo.js';
import { createDeferringSelection, createSelectionExecutor, type ExecuteSelection } from './selection.js';
import type { FragmentCacheBudget } from './text/fragmentCache.js';
import { toJsonString } from './text/leafSerializer.js';

interface CompilerOptions {
  operation: OperationDetails;
  /** The values of the variables in `@skip` and `@include`. They decide which fields are selected. */
  conditions: Readonly<Record<string, unknown>>;
  cacheBudget: FragmentCacheBudget;
  /** Called with the number of compiled fields when the first object of their type arrives. */
  onCompiled(fields: number): void;
  mode: DeferMode;
}

interface CompilerContext extends CompilerOptions {
  dependences: SubtreeDependences;
  selections: CompiledSelections;
  /** The deferred fragments that the fields belong to; empty in the initial result. */
  parentUsages: ReadonlySet<DeferUsage>;
  /** Whether an enclosing fragment cache already stores the text of these fields. */
  isCached?: boolean;
}

/**
 * Returns undefined if graphql-js has to execute the operation: for introspection, and for mutations that are not
 * delivered incrementally. The result of a subscription executes one event.
 */
export function compileOperation(options: CompilerOptions): ExecuteSelection | undefined {
  const { schema, operation } = options.operation;
  const type = schema.getRootType(operation.operation);
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  if (!type || (isMutation && options.mode === 'none')) return undefined;
  const dependences = new SubtreeDependences({ ...options.operation, ...options });
  const selections = new CompiledSelections();
  const compiler: CompilerContext = { ...options, dependences, selections, parentUsages: new Set() };
  const plan = planOperation(toCollectContext(compiler), type, operation.selectionSet);
  const all = [plan, ...plan.deferred].flatMap(({ fields }) => [...fields.values()]);
  const names = all.map(({ nodes: [node] }) => node?.name.value);
  if (names.includes('__schema') || names.includes('__type')) return undefined;
  return isMutation ? compileSerially(compiler, type, plan) : compilePlan(compiler, type, plan);
}

/**
 * The compiled selection sets of an operation, by their source. Each is compiled only once, because fragments that
 * spread others repeatedly can lead to it by exponentially many paths.
 */
class CompiledSelections {
  readonly #compiled = new Map<string, ExecuteSelection>();
  readonly #ids = new Map<unknown, number>();

  get(parts: readonly unknown[], compile: () => ExecuteSelection): ExecuteSelection {
    const key = parts.map((part) => this.#idOf(part)).join();
    const compiled = this.#compiled.get(key) ?? compile();
    this.#compiled.set(key, compiled);
    return compiled;
  }

  #idOf(part: unknown): number {
    const id = this.#ids.get(part) ?? this.#ids.size;
    this.#ids.set(part, id);
    return id;
  }
}

/** Root fields of mutations are executed one after another. Validation does not allow deferred ones. */
function compileSerially(
  compiler: CompilerContext,
  type: GraphQLObjectType,
  { fields, opened }: SelectionPlan,
): ExecuteSelection | undefined {
  if (opened.length > 0) return undefined;
  const executors = [...fields].map((field) => compileFields(compiler, type, new Map([field])));
  return async (source, context, path) => {
    const texts: string[] = [];
    for (const execute of executors) texts.push((await execute(source, context, path)).slice(1, -1));
    return `{${texts.join(',')}}`;
  };
}

function toCollectContext({ operation, ...compiler }: CompilerContext): CollectContext {
  return { ...operation, ...compiler };
}

function compilePlan(
  compiler: CompilerContext,
  parentType: GraphQLObjectType,
  { fields, opened, deferred }: SelectionPlan,
): ExecuteSelection {
  const execute = compileFields(compiler, parentType, fields);
  if (opened.length === 0 && deferred.length === 0) return execute;
  const compile = (parentUsages: ReadonlySet<DeferUsage>, own: SelectionPlan['fields']) =>
    compileFields({ ...compiler, parentUsages }, parentType, own);
  return createDeferringSelection({ execute, opened, deferred, compile });
}

function compileFields(
  compiler: CompilerContext,
  parentType: GraphQLObjectType,
  fields: SelectionPlan['fields'],
): ExecuteSelection {
  const isCacheable = !compiler.isCached && isSourceModel(parentType);
  const selected: SelectedField[] = [];
  for (const [responseName, { nodes, usages }] of fields) {
    const name = nodes[0]?.name.value ?? '';
    const definition = parentType.getFields()[name];
    if (name === TypeNameMetaFieldDef.name) {
      const value = toJsonString(parentType.name);
      selected.push({ responseName, value, dependence: 'object', isCached: true });
    } else if (definition) {
      const field = { operation: compiler.operation, parentType, definition, responseName, nodes, usages };
      selected.push(selectField(compiler, field, isCacheable));
    }
  }
  compiler.onCompiled(selected.length + 1);
  return createSelectionExecutor(selected, compiler.cacheBudget);
}

/**
 * `isCacheable`: the parent objects are the same in every execution, and no enclosing fragment cache stores their text.
 * Fields that depend only on the object and the sources are then cached with everything below them.
 */
function selectField(compiler: CompilerContext, field: FieldDetails, isCacheable: boolean): SelectedField {
  const { responseName } = field;
  const dependence = compiler.dependences.ofField(field);
  const cachesSubtree = isCacheable && dependence === 'sources';
  const compileSubselection = createSubselectionCompiler(
    { ...compiler, isCached: compiler.isCached || cachesSubtree },
    dependence,
  );
  return {
    responseName,
    value: compileField(field, compileSubselection),
    dependence,
    isCached: cachesSubtree || dependence === 'object',
  };
}

function createSubselectionCompiler(
  compiler: CompilerContext,
  dependence: FieldDependence,
): ValueContext['compileComposite'] {
  const cacheBudget = dependence === 'object' ? compiler.cacheBudget : undefined;
  return (field, type) => {
    const directive = findStream(compiler, field);
    const streamed = directive && toStreamedItems(compiler, field, directive);
    const compileSelection = createSelectionCompiler(compiler);
    return compileComposite(field, type, { compileSelection, cacheBudget, streamed });
  };
}

function createSelectionCompiler(compiler: CompilerContext): CompileSelection {
  const { selections, isCached = false, parentUsages } = compiler;
  return (field, type) =>
    selections.get([type, isCached, parentUsages, ...field.nodes, ...field.usages], () =>
      compilePlan(compiler, type, planSubfields(toCollectContext(compiler), type, field)),
    );
}

function findStream(compiler: CompilerContext, { nodes: [node] }: FieldSelection) {
  return compiler.mode === 'none' || !node ? undefined : findActive(node, 'stream', compiler);
}

/** Streamed items belong to no deferred fragment. */
function toStreamedItems(
  compiler: CompilerContext,
  field: FieldDetails,
  directive: DirectiveNode,
): StreamedItems {
  const compileSelection = createSelectionCompiler({ ...compiler, parentUsages: new Set() });
  const context = { compileSelection, cacheBudget: undefined, streamed: undefined };
  return {
    field: withoutUsages(field),
    stream: readStream(directive),
    compileComposite: (itemField, itemType) => compileComposite(itemField, itemType, context),
  };
}

/** Whether the sources cache objects of this type and return the same object again. All types with a node id qualify. */
function isSourceModel(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node');
}
