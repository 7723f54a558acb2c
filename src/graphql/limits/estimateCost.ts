/**
 * Estimates the cost of an operation before it is executed: 0.1 per scalar, 1 per object or deferred fragment, and the
 * weight of fields that need REST calls, multiplied by the assumed number of list items.
 */
import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { type FieldCost, GatewayError } from '../../errors.js';
import { type Fragments, findActive } from '../../execution/collectFields.js';
import { hasVariable } from '../../execution/fieldDependence.js';
import { toRecord } from '../../lib/records.js';
import { countDays, estimateIntervals } from '../arguments/timeArguments.js';
import { withVariableDefaults } from '../documents/fragments.js';
import {
  type CostTable,
  type FieldCostRules,
  LEAF_WEIGHT,
  type ListSize,
  OBJECT_WEIGHT,
} from './costTable.js';

export interface CostRequest {
  table: CostTable;
  fragments: Fragments;
  operation: OperationDefinitionNode;
  /** Values as received, not yet coerced. */
  variables: Readonly<Record<string, unknown>>;
  rootType: string;
  /** Selections that may be estimated; those of a fragment count for each scope that it is spread in. */
  maxSelections: number;
  maxCost: number;
}

/**
 * The part of the limit that `__schema` or `__type` costs. graphql-js executes each of these fields in one piece, which
 * takes up to 15 ms. With this share an operation can have three of them, so it delays other callers by 45 ms at most.
 */
const INTROSPECTION_SHARE = 0.3;
const introspectionFields: ReadonlySet<string> = new Set(['__schema', '__type']);

/** The assumed number of items of a list without a bound. */
const DEFAULT_LIST_SIZE = 10;

/** This many characters of an alias cost as much as a scalar, because each value is sent with its alias. */
const ALIAS_CHARACTERS = 32;

/**
 * Replaces the type of everything below introspection fields, and below unknown fields, which validation refuses later.
 */
const INTROSPECTION = '';

/** The scope of a selection set: its type, and the sizes that its parent fields declare. */
interface SelectionScope {
  typeName: string;
  /** Fields of this type that contain the items of the parent field. */
  sizedFields: readonly string[];
  /** The number of items in those fields. */
  size: number;
  enclosing: Sizes;
}

/** Sizes by the path of an argument, from the nearest enclosing field with that argument; undefined without a value. */
type Sizes = ReadonlyMap<string, number | undefined>;

const NO_SIZES: Sizes = new Map();

/** The cost of a field or of a selection set. The spreads of a fragment share one. */
interface CostNode {
  /** Such as `Stream.lastSample`; undefined for a selection set. */
  coordinate: string | undefined;
  /** The cost of the field with all its items. */
  own: number;
  /** The selections of one item. */
  parts: readonly CostNode[];
  /** How often the parts count. */
  factor: number;
  total: number;
  /** How often the node counts in the operation; 0 until that is computed. */
  times: number;
}

/**
 * `fragments` must not be circular. A fragment is estimated once for each different scope that it is spread in. Throws
 * COST_TOO_HIGH if the estimates for different scopes exceed their bound. `isConstant`: whether the cost is independent
 * of the variables.
 */
export function estimateCost(request: CostRequest): { cost: number; isConstant: boolean } {
  const { root, isConstant } = sumCosts(request);
  return { cost: root.total, isConstant };
}

/** The fields that cost most, most expensive first, at most `count`. */
export function listCostliestFields(request: CostRequest, count: number): FieldCost[] {
  const { root, nodes } = sumCosts(request);
  const costs = new Map<string, number>();
  root.times = 1;
  for (const { coordinate, own, parts, factor, times } of nodes.toReversed()) {
    if (coordinate !== undefined) costs.set(coordinate, (costs.get(coordinate) ?? 0) + times * own);
    for (const part of parts) part.times += times * factor;
  }
  return [...costs]
    .map(([field, cost]) => ({ field, cost }))
    .sort((left, right) => right.cost - left.cost)
    .slice(0, count);
}

/** `nodes`: in post-order, so that each node follows its parts. */
function sumCosts(request: CostRequest): { root: CostNode; nodes: CostNode[]; isConstant: boolean } {
  const { table, fragments, operation, variables, rootType, maxSelections, maxCost } = request;
  let isConstant = true;
  let estimated = 0;
  const nodes: CostNode[] = [];
  const fragmentCosts = new Map<string, CostNode>();
  const values = withVariableDefaults(operation, variables);

  function add(coordinate: string | undefined, own: number, factor: number, parts: CostNode[]): CostNode {
    const total = own + factor * parts.reduce((sum, part) => sum + part.total, 0);
    const node = { coordinate, own, parts, factor, total, times: 0 };
    nodes.push(node);
    return node;
  }

  function ofSet(set: SelectionSetNode | undefined, scope: SelectionScope): CostNode {
    const parts = (set?.selections ?? []).map((selection) => ofSelection(selection, scope));
    return add(undefined, 0, 1, parts);
  }

  function ofSelection(selection: SelectionNode, scope: SelectionScope): CostNode {
    estimated += 1;
    if (estimated > maxSelections) throw createScopesError();
    if (selection.kind === Kind.FIELD) return ofField(selection, scope);
    const inner =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? ofFragment(selection.name.value, scope)
        : ofSet(selection.selectionSet, withType(scope, selection.typeCondition?.name.value));
    // A deferred fragment costs as much as an object, at each object that contains it. A variable condition may be true.
    const isDeferred = findActive(selection, 'defer', { conditions: {} }) !== undefined;
    return isDeferred ? add('@defer', OBJECT_WEIGHT, 1, [inner]) : inner;
  }

  function ofFragment(name: string, scope: SelectionScope): CostNode {
    const key = `${name} ${scope.size} ${scope.sizedFields.join()} ${scope.typeName} ${[...scope.enclosing].join()}`;
    const fragment = fragments[name];
    const cost =
      fragmentCosts.get(key) ??
      ofSet(fragment?.selectionSet, withType(scope, fragment?.typeCondition.name.value));
    fragmentCosts.set(key, cost);
    return cost;
  }

  function ofField(node: FieldNode, scope: SelectionScope): CostNode {
    const field = table.get(scope.typeName)?.get(node.name.value);
    const coordinate = `${scope.typeName}.${node.name.value}`;
    // `__typename`, introspection, and unknown fields, which validation refuses later.
    if (!field) {
      const unknown = ofSet(node.selectionSet, toSelectionScope(INTROSPECTION, undefined, 0, NO_SIZES));
      const repeats = scope.typeName === INTROSPECTION ? INTROSPECTED_FIELDS : 1;
      const weight = introspectionFields.has(node.name.value) ? INTROSPECTION_SHARE * maxCost : LEAF_WEIGHT;
      return add(coordinate, weight + repeats * weighAlias(node), 1, [unknown]);
    }
    const read = (argument: string) => {
      const provided = node.arguments?.find(({ name }) => name.value === argument)?.value;
      if (provided && hasVariable(provided)) isConstant = false;
      const value = (provided && readValue(provided, values)) ?? field.defaults.get(argument);
      return field.listArguments.has(argument) ? toList(value) : value;
    };
    const size = requestedSize(field, read, scope.enclosing);
    const items = itemCountOf(field, node.name.value, scope, size);
    const weight = weighField(field, read) + weighAlias(node);
    if (field.isLeaf) return add(coordinate, weight + items * LEAF_WEIGHT, 0, []);
    const enclosing = withOwnSizes(scope.enclosing, field, read);
    const inner = ofSet(node.selectionSet, toSelectionScope(field.typeName, field.size, size, enclosing));
    // Counts at least once, even below an empty list, because validation, compilation and the prefetch read the
    // whole document.
    return add(coordinate, weight + items * OBJECT_WEIGHT, Math.max(1, items), [inner]);
  }

  const root = ofSet(operation.selectionSet, toSelectionScope(rootType, undefined, 0, NO_SIZES));
  return { root, nodes, isConstant };
}

function createScopesError(): GatewayError {
  const message =
    'The cost of the operation cannot be estimated: its fragments are spread below too many different arguments. Spread them less often.';
  return new GatewayError('COST_TOO_HIGH', message, { costliestFields: [] });
}

/** Introspection lists the fields of all types, about this many, without a cost for each. */
const INTROSPECTED_FIELDS = 1000;

function weighAlias({ alias }: FieldNode): number {
  return LEAF_WEIGHT * Math.floor((alias?.value.length ?? 0) / ALIAS_CHARACTERS);
}

/** The cost of the field itself, without its items. */
function weighField(field: FieldCostRules, read: ReadArgument): number {
  const days = field.perDay > 0 ? field.perDay * countDays(read('range')) : 0;
  return field.weighed.reduce((sum, { name, weightOf }) => sum + weightOf(read(name)), field.weight + days);
}

function toSelectionScope(
  typeName: string,
  listSize: ListSize | undefined,
  size: number,
  enclosing: Sizes,
): SelectionScope {
  return { typeName, sizedFields: listSize?.sizedFields ?? [], size, enclosing };
}

/**
 * Returns the scope of a fragment. Below introspection fields, fragments stay in the introspection scope, so that
 * aliases in them also cost more.
 */
function withType(scope: SelectionScope, typeName: string | undefined): SelectionScope {
  return typeName === undefined || scope.typeName === INTROSPECTION ? scope : { ...scope, typeName };
}

/** An argument of this field hides arguments with the same name on enclosing fields, even without a value. */
function withOwnSizes(enclosing: Sizes, field: FieldCostRules, read: ReadArgument): Sizes {
  if (field.enclosing.length === 0) return enclosing;
  const own = field.enclosing.map(({ path, name, inner }) => {
    const value = inner.reduce((outer, key) => toList(toRecord(outer)[key]), read(name));
    return [path, toSize(value)] as const;
  });
  return new Map([...enclosing, ...own]);
}

/** The assumed number of items of a field; 1 unless it is a list. */
function itemCountOf(field: FieldCostRules, name: string, scope: SelectionScope, size: number): number {
  if (!field.isList) return 1;
  if (scope.sizedFields.includes(name)) return scope.size;
  return size;
}

/** Reads an argument of the current field: the provided value, or the default. */
type ReadArgument = (name: string) => unknown;

/** The smallest bound that the arguments and the schema set. */
function requestedSize({ size }: FieldCostRules, read: ReadArgument, enclosing: Sizes): number {
  if (!size) return DEFAULT_LIST_SIZE;
  const { slicingArguments, enclosingArguments, intervalArguments, factors, assumedSize } = size;
  const [range, every] = intervalArguments;
  const intervals =
    range === undefined || every === undefined ? undefined : estimateIntervals(read(range), read(every));
  const sliced = intervals === undefined ? slicingArguments.map((name) => toSize(read(name))) : [intervals];
  const perItem = [...sliced, ...enclosingArguments.map((name) => enclosing.get(name))];
  const factor = factors.reduce(
    (sum, { argument, size: items }) => sum + items * (toSize(read(argument)) ?? 0),
    0,
  );
  const bounds = [
    ...perItem.map((bound) => (bound === undefined || factors.length === 0 ? bound : bound * factor)),
    assumedSize,
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? DEFAULT_LIST_SIZE : Math.min(...bounds);
}

/** The size that a value sets. Negative numbers count as 0; the resolver reports them as errors. */
function toSize(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? Math.max(0, value) : undefined;
}

/** GraphQL coerces a single value to a list with one item. */
function toList(value: unknown): unknown {
  return value === undefined || value === null || Array.isArray(value) ? value : [value];
}

function readValue(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  if (node.kind === Kind.VARIABLE) {
    return Object.hasOwn(variables, node.name.value) ? variables[node.name.value] : undefined;
  }
  return valueFromASTUntyped(node, variables);
}
