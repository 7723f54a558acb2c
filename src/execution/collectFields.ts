/**
 * Collects the fields of selection sets, and divides them into those of the current part of a response and those that
 * `@defer` moves to later parts. Pure; works on documents, so that it runs once per compiled query.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';

/**
 * How deferred fragments are delivered. `none`: `@defer` and `@stream` are ignored. `shared`: no field is delivered twice,
 * so that fragments may share fields (`incrementalSpec=v0.2`). `separate`: each fragment is delivered with all of its
 * fields (`deferSpec=20220824`).
 */
export type DeferMode = 'none' | 'shared' | 'separate';

/** One place of a document where `@defer` is active. */
export interface DeferUsage {
  readonly label: string | undefined;
  /** The deferred fragment around this one. */
  readonly parent: DeferUsage | undefined;
}

/** The nodes of one response name, which are executed as one field. */
export interface FieldSelection {
  readonly nodes: readonly FieldNode[];
  /** The innermost deferred fragment of each node. */
  readonly usages: readonly (DeferUsage | undefined)[];
}

/** By response name. */
type FieldSelections = ReadonlyMap<string, FieldSelection>;

/** Fields that are executed together, for all fragments that select them. */
export interface DeferredFields {
  readonly usages: ReadonlySet<DeferUsage>;
  readonly fields: FieldSelections;
}

export interface SelectionPlan {
  readonly fields: FieldSelections;
  /** The fragments that are deferred here. Their fields may be deeper. */
  readonly opened: readonly DeferUsage[];
  readonly deferred: readonly DeferredFields[];
}

export interface CollectContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  /** The values of the variables in conditions. For an absent variable, the default of the directive applies. */
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly mode: DeferMode;
  /** The fragments that the current part belongs to; empty in the initial result. */
  readonly parentUsages: ReadonlySet<DeferUsage>;
}

interface CollectedNode {
  readonly node: FieldNode;
  readonly usage: DeferUsage | undefined;
}

const NO_USAGES: ReadonlySet<DeferUsage> = new Set();

/**
 * Maximum number of deferred fragments in one selection set. The fields of further fragments belong to the enclosing
 * part. With separate fragments, a few fragments that spread each other would otherwise expand to exponentially many.
 */
const MAX_DEFERRED_FRAGMENTS = 100;

/** Plans the selection set of an operation. */
export function planOperation(
  context: CollectContext,
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode,
): SelectionPlan {
  return plan(context, type, [{ selectionSet, usage: undefined }]);
}

/** Plans the merged selection sets below a field. */
export function planSubfields(
  context: CollectContext,
  type: GraphQLObjectType,
  { nodes, usages }: FieldSelection,
): SelectionPlan {
  const sources = nodes.flatMap(({ selectionSet }, index) =>
    selectionSet ? [{ selectionSet, usage: usages[index] }] : [],
  );
  return plan(context, type, sources);
}

/** The field without its deferred fragments: streamed items are delivered whole, apart from fragments deferred below. */
export function withoutUsages<Selection extends FieldSelection>(selection: Selection): Selection {
  return { ...selection, usages: selection.nodes.map(() => undefined) };
}

function plan(
  context: CollectContext,
  type: GraphQLObjectType,
  sources: readonly { selectionSet: SelectionSetNode; usage: DeferUsage | undefined }[],
): SelectionPlan {
  const collector = new FieldCollector(context, type);
  for (const { selectionSet, usage } of sources) collector.collect(selectionSet, usage, collector.visited);
  const { nodes, opened } = collector;
  return context.mode === 'separate' ? planSeparately(nodes, opened) : planShared(nodes, opened, context);
}

/** By fragment name: whether the fragment was visited only by deferred spreads. */
type VisitedFragments = Map<string, boolean>;

/**
 * Marks a fragment as visited. Returns false if it has already been visited. A visit with `@defer` does not replace one
 * without it.
 */
function visit(name: string, isDeferred: boolean, visited: VisitedFragments): boolean {
  const isVisited = isDeferred ? visited.has(name) : visited.get(name) === false;
  if (!isVisited) visited.set(name, isDeferred);
  return !isVisited;
}

/** Collects like graphql-js, in the same order. */
class FieldCollector {
  readonly nodes: CollectedNode[] = [];
  readonly opened: DeferUsage[] = [];
  readonly visited: VisitedFragments = new Map();
  readonly #context: CollectContext;
  readonly #type: GraphQLObjectType;

  constructor(context: CollectContext, type: GraphQLObjectType) {
    this.#context = context;
    this.#type = type;
  }

  collect({ selections }: SelectionSetNode, usage: DeferUsage | undefined, visited: VisitedFragments): void {
    for (const selection of selections) {
      if (!isIncluded(selection, this.#context.conditions)) continue;
      if (selection.kind === Kind.FIELD) this.nodes.push({ node: selection, usage });
      else this.#collectFragment(selection, usage, visited);
    }
  }

  #collectFragment(
    node: InlineFragmentNode | FragmentSpreadNode,
    usage: DeferUsage | undefined,
    visited: VisitedFragments,
  ): void {
    const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : undefined;
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#context.fragments[node.name.value] : node;
    if (fragment === undefined || !appliesTo(fragment, this.#type, this.#context)) return;
    const directive = this.#findDefer(node);
    const isSeparate = directive !== undefined && this.#context.mode === 'separate';
    if (name !== undefined && !isSeparate && !visit(name, directive !== undefined, visited)) return;
    if (directive === undefined) {
      this.collect(fragment.selectionSet, usage, visited);
      return;
    }
    const opened = { label: readLabel(directive), parent: usage };
    this.opened.push(opened);
    // A separate fragment repeats fragments of the initial result, because it is delivered with all of its fields.
    this.collect(fragment.selectionSet, opened, isSeparate ? new Map() : visited);
  }

  #findDefer(node: InlineFragmentNode | FragmentSpreadNode): DirectiveNode | undefined {
    const { mode } = this.#context;
    if (mode === 'none' || this.opened.length >= MAX_DEFERRED_FRAGMENTS) return undefined;
    return findActive(node, 'defer', this.#context);
  }
}

/** By name, in the order of the document. It has no prototype, because callers choose the names. */
export type Fragments = Record<string, FragmentDefinitionNode>;

export function collectFragments({ definitions }: DocumentNode): Fragments {
  const fragments: Fragments = Object.create(null);
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** Whether the condition of a fragment is true for objects of the type. */
export function appliesTo(
  { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
  type: GraphQLObjectType,
  { schema }: Pick<CollectContext, 'schema'>,
): boolean {
  if (!typeCondition) return true;
  const condition = typeFromAST(schema, typeCondition);
  return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
}

/** Whether `@skip` and `@include` allow the selection. */
export function isIncluded(node: SelectionNode, conditions: Readonly<Record<string, unknown>>): boolean {
  if (!node.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, conditions)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, conditions)?.['if'] !== false;
}

/** The directive unless its argument `if` is false. */
export function findActive(
  { directives = [] }: { directives?: readonly DirectiveNode[] },
  name: 'defer' | 'stream',
  { conditions }: Pick<CollectContext, 'conditions'>,
): DirectiveNode | undefined {
  const directive = directives.find((candidate) => candidate.name.value === name);
  const value = directive?.arguments?.find((argument) => argument.name.value === 'if')?.value;
  if (value?.kind === Kind.BOOLEAN && !value.value) return undefined;
  if (value?.kind === Kind.VARIABLE && conditions[value.name.value] === false) return undefined;
  return directive;
}

/** Validation allows no variable as a label. */
export function readLabel(directive: DirectiveNode): string | undefined {
  const value = directive.arguments?.find((argument) => argument.name.value === 'label')?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

function planSeparately(nodes: readonly CollectedNode[], opened: readonly DeferUsage[]): SelectionPlan {
  const collected = new Map<DeferUsage | undefined, CollectedNode[]>();
  for (const { node, usage } of nodes) {
    const own = { node, usage: undefined };
    const existing = collected.get(usage);
    if (existing) existing.push(own);
    else collected.set(usage, [own]);
  }
  const select = (usage: DeferUsage | undefined) => group(collected.get(usage) ?? []);
  const deferred = opened.map((usage) => ({ usages: new Set([usage]), fields: select(usage) }));
  return { fields: select(undefined), opened, deferred: deferred.filter(({ fields }) => fields.size > 0) };
}

/** A field that several fragments select is executed once, for all of them. */
function planShared(
  nodes: readonly CollectedNode[],
  opened: readonly DeferUsage[],
  { parentUsages }: CollectContext,
): SelectionPlan {
  const all = group(nodes);
  if (opened.length === 0 && nodes.every(({ usage }) => usage === undefined) && parentUsages.size === 0) {
    return { fields: all, opened, deferred: [] };
  }
  const fields = new Map<string, FieldSelection>();
  const deferred: { usages: ReadonlySet<DeferUsage>; fields: Map<string, FieldSelection> }[] = [];
  for (const [name, selection] of all) {
    const usages = outermost(selection.usages);
    if (isSameSet(usages, parentUsages)) {
      fields.set(name, selection);
      continue;
    }
    const existing = deferred.find((one) => isSameSet(one.usages, usages));
    if (existing) existing.fields.set(name, selection);
    else deferred.push({ usages, fields: new Map([[name, selection]]) });
  }
  return { fields, opened, deferred };
}

/**
 * Omits fragments that are nested in another deferred fragment. Empty if some selection of the field is not
 * deferred.
 */
function outermost(usages: readonly (DeferUsage | undefined)[]): ReadonlySet<DeferUsage> {
  const set = new Set(usages.filter((usage) => usage !== undefined));
  if (usages.includes(undefined)) return NO_USAGES;
  return new Set([...set].filter((usage) => !hasAncestorIn(usage, set)));
}

function hasAncestorIn({ parent }: DeferUsage, set: ReadonlySet<DeferUsage>): boolean {
  return parent !== undefined && (set.has(parent) || hasAncestorIn(parent, set));
}

function isSameSet(one: ReadonlySet<DeferUsage>, other: ReadonlySet<DeferUsage>): boolean {
  return one.size === other.size && [...one].every((usage) => other.has(usage));
}

function group(nodes: readonly CollectedNode[]): FieldSelections {
  const selections = new Map<string, { nodes: FieldNode[]; usages: (DeferUsage | undefined)[] }>();
  for (const { node, usage } of nodes) {
    const name = (node.alias ?? node.name).value;
    const selection = selections.get(name);
    if (selection) {
      selection.nodes.push(node);
      selection.usages.push(usage);
    } else selections.set(name, { nodes: [node], usages: [usage] });
  }
  return selections;
}
