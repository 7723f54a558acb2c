/**
 * Estimates what an operation costs before anything is resolved: a tenth for each value, one for each object,
 * and the weight of fields that cost the platform calls, times the items that lists may hold.
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
import { type CostTable, type FieldCost, LEAF_WEIGHT, type ListSize, OBJECT_WEIGHT } from './costTable.js';
import { countIntervals, daysOf } from './countIntervals.js';
import type { Fragments } from './fragments.js';

export interface CostRequest {
  table: CostTable;
  fragments: Fragments;
  operation: OperationDefinitionNode;
  /** As they came: not yet coerced. */
  variables: Readonly<Record<string, unknown>>;
  /** The name of the operation's root type. */
  rootType: string;
}

/** What a list without a word about its size is taken to hold. */
const DEFAULT_LIST_SIZE = 10;

/** Where selections stand: in which type, and how long the lists are that its parent speaks of. */
interface SelectionScope {
  typeName: string;
  sizedFields: readonly string[];
  size: number;
  enclosing: Sizes;
}

/** What the arguments of the fields around a place ask for, the nearest first; undefined where that is no size. */
type Sizes = ReadonlyMap<string, number | undefined>;

const NO_SIZES: Sizes = new Map();

export interface CostEstimate {
  cost: number;
  /** Whether it is the same whatever the variables are. */
  isConstant: boolean;
}

/** `fragments` may not be circular. A fragment is estimated once for each kind of place it is spread at. */
export function estimateCost(question: CostRequest): CostEstimate {
  const { table, fragments, operation, variables, rootType } = question;
  let isConstant = true;
  const known = new Map<string, number>();
  const values = withVariableDefaults(operation, variables);

  function ofSet(set: SelectionSetNode | undefined, place: SelectionScope): number {
    return (set?.selections ?? []).reduce((sum, selection) => sum + ofSelection(selection, place), 0);
  }

  function ofSelection(selection: SelectionNode, place: SelectionScope): number {
    if (selection.kind === Kind.FIELD) return ofField(selection, place);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value, place);
    return ofSet(selection.selectionSet, withType(place, selection.typeCondition?.name.value));
  }

  function ofFragment(name: string, place: SelectionScope): number {
    const key = `${name} ${place.size} ${place.sizedFields.join()} ${place.typeName} ${[...place.enclosing].join()}`;
    const fragment = fragments.get(name);
    const cost =
      known.get(key) ?? ofSet(fragment?.selectionSet, withType(place, fragment?.typeCondition.name.value));
    known.set(key, cost);
    return cost;
  }

  function ofField(node: FieldNode, place: SelectionScope): number {
    const field = table.get(place.typeName)?.get(node.name.value);
    // `__typename`, introspection's entry and what validation will refuse: objects of unknown fields.
    if (!field) return LEAF_WEIGHT + ofSet(node.selectionSet, toSelectionScope('', undefined, 0, NO_SIZES));
    const read = (argument: string) => {
      const given = node.arguments?.find(({ name }) => name.value === argument)?.value;
      if (given && hasVariable(given)) isConstant = false;
      return (given && readValue(given, values)) ?? field.defaults.get(argument);
    };
    const asked = requestedSize(field, read, place.enclosing);
    const items = itemCountOf(field, node.name.value, place, asked);
    const weight = field.weight + (field.perDay > 0 ? field.perDay * daysOf(read('range')) : 0);
    if (field.isLeaf) return weight + items * LEAF_WEIGHT;
    const enclosing = withOwnSizes(place.enclosing, field, read);
    const inner = ofSet(node.selectionSet, toSelectionScope(field.typeName, field.size, asked, enclosing));
    return weight + items * (OBJECT_WEIGHT + inner);
  }

  const cost = ofSet(operation.selectionSet, toSelectionScope(rootType, undefined, 0, NO_SIZES));
  return { cost, isConstant };
}

function toSelectionScope(
  typeName: string,
  listSize: ListSize | undefined,
  size: number,
  enclosing: Sizes,
): SelectionScope {
  return { typeName, sizedFields: listSize?.sizedFields ?? [], size, enclosing };
}

function withType(place: SelectionScope, typeName: string | undefined): SelectionScope {
  return typeName === undefined ? place : { ...place, typeName };
}

/** An argument that is there hides those of the same name further out, whatever it says. */
function withOwnSizes(enclosing: Sizes, { defaults }: FieldCost, read: ReadArgument): Sizes {
  if (defaults.size === 0) return enclosing;
  const own = [...defaults.keys()].map((name) => [name, toSize(read(name))] as const);
  return new Map([...enclosing, ...own]);
}

/** How many items a field answers: one, unless it is a list. */
function itemCountOf(field: FieldCost, name: string, place: SelectionScope, asked: number): number {
  if (!field.isList) return 1;
  if (place.sizedFields.includes(name)) return place.size;
  return asked;
}

/** Of the field at hand: as it came, else by default. */
type ReadArgument = (name: string) => unknown;

/** What the arguments ask for, and no more than the schema says there may be. */
function requestedSize({ size }: FieldCost, read: ReadArgument, enclosing: Sizes): number {
  if (!size) return DEFAULT_LIST_SIZE;
  const { slicingArguments, enclosingArguments, intervalArguments, assumedSize } = size;
  const [range, every] = intervalArguments;
  const bounds = [
    ...slicingArguments.map((name) => toSize(read(name))),
    ...enclosingArguments.map((name) => enclosing.get(name)),
    range === undefined || every === undefined ? undefined : countIntervals(read(range), read(every)),
    assumedSize,
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? DEFAULT_LIST_SIZE : Math.min(...bounds);
}

/** Numbers that no list can have are left to the argument's own check. */
function toSize(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? Math.max(0, value) : undefined;
}

function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => hasVariable(value));
  return node.kind === Kind.VARIABLE;
}

/** A list is read without its items: only its length is of interest, and one may be a variable. */
function readValue(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  if (node.kind === Kind.VARIABLE) {
    return Object.hasOwn(variables, node.name.value) ? variables[node.name.value] : undefined;
  }
  return node.kind === Kind.LIST ? node.values : valueFromASTUntyped(node, variables);
}

function withVariableDefaults(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const defaults = variableDefinitions
    .filter(({ defaultValue }) => defaultValue !== undefined)
    .map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]);
  return { ...Object.fromEntries(defaults), ...variables };
}
