/**
 * Marks resolvers whose results can be reused, because they depend only on their object or only on it and the sources, and
 * combines the marks of a field and of everything selected below it.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import {
  appliesTo,
  type CollectContext,
  type FieldSelection,
  findActive,
  isIncluded,
} from './collectFields.js';

/**
 * The inputs that determine a resolver's result. `object`: only its source object. `sources`: also the data that it
 * reads from the sources, and its arguments. `request`: anything else, such as the clock or the caller.
 */
export type FieldDependence = 'object' | 'sources' | 'request';

const markedResolvers = new WeakMap<object, FieldDependence>();

/** Marks a resolver whose result depends only on its first argument, which must be immutable. */
export function dependsOnObject<Resolve extends object>(resolve: Resolve): Resolve {
  markedResolvers.set(resolve, 'object');
  return resolve;
}

/** Marks a resolver whose result depends only on its object, its arguments and the data that it reads from the sources. */
export function dependsOnSources<Resolve extends object>(resolve: Resolve): Resolve {
  markedResolvers.set(resolve, 'sources');
  return resolve;
}

/** The mark of a resolver; `request` if it has none. */
export function dependenceOf(resolve: object): FieldDependence {
  return markedResolvers.get(resolve) ?? 'request';
}

type FieldDefinition = GraphQLField<unknown, unknown>;

/**
 * The combined dependences of fields and of everything selected below them, for one compiled query. A result in parts
 * is not repeatable, so it counts as `request`. Visits each selection set once for each type, because fragments that
 * spread others repeatedly contain exponentially many fields.
 */
export class SubtreeDependences {
  readonly #context: Omit<CollectContext, 'parentUsages'>;
  readonly #cached = new Map<SelectionSetNode, Map<GraphQLObjectType, FieldDependence>>();

  constructor(context: Omit<CollectContext, 'parentUsages'>) {
    this.#context = context;
  }

  ofField({ definition, nodes, usages }: FieldSelection & { definition: FieldDefinition }): FieldDependence {
    // If only some of the fragments select a field below, it belongs to a later part.
    const isShared = usages.some((usage) => usage !== usages[0]);
    if (isShared && !isLeafType(getNamedType(definition.type))) return 'request';
    return combine(nodes, (node) => this.#ofNode(node, definition));
  }

  #ofNode(node: FieldNode, { type, resolve }: FieldDefinition): FieldDependence {
    if (this.#isActive(node, 'stream')) return 'request';
    const own = resolve ? dependenceOfArguments(dependenceOf(resolve), node) : 'object';
    const namedType = getNamedType(type);
    if (own === 'request' || isLeafType(namedType)) return own;
    if (!isObjectType(namedType)) return 'request';
    const below = node.selectionSet ? this.#ofSet(node.selectionSet, namedType) : 'object';
    return below === 'object' ? own : below;
  }

  #ofSet(set: SelectionSetNode, type: GraphQLObjectType): FieldDependence {
    const cached = this.#cached.get(set) ?? new Map<GraphQLObjectType, FieldDependence>();
    this.#cached.set(set, cached);
    const dependence =
      cached.get(type) ?? combine(set.selections, (selection) => this.#ofSelection(selection, type));
    cached.set(type, dependence);
    return dependence;
  }

  #ofSelection(selection: SelectionNode, type: GraphQLObjectType): FieldDependence {
    const { conditions, fragments } = this.#context;
    if (!isIncluded(selection, conditions)) return 'object';
    if (selection.kind === Kind.FIELD) {
      const definition = type.getFields()[selection.name.value];
      return definition ? this.#ofNode(selection, definition) : 'object';
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
    if (!fragment || !appliesTo(fragment, type, this.#context)) return 'object';
    return this.#isActive(selection, 'defer') ? 'request' : this.#ofSet(fragment.selectionSet, type);
  }

  #isActive(node: SelectionNode, name: 'defer' | 'stream'): boolean {
    return this.#context.mode !== 'none' && findActive(node, name, this.#context) !== undefined;
  }
}

function combine<Part>(
  parts: readonly Part[],
  dependenceOfPart: (part: Part) => FieldDependence,
): FieldDependence {
  let combined: FieldDependence = 'object';
  for (const part of parts) {
    const dependence = dependenceOfPart(part);
    if (dependence === 'request') return dependence;
    if (dependence === 'sources') combined = dependence;
  }
  return combined;
}

/** Arguments that are constants are part of the compiled query; variables differ between its executions. */
function dependenceOfArguments(
  dependence: FieldDependence,
  { arguments: values = [] }: FieldNode,
): FieldDependence {
  if (dependence !== 'sources') return dependence;
  return values.some(({ value }) => hasVariable(value)) ? 'request' : dependence;
}

/** Whether a value is a variable or contains one. */
export function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
  return value.kind === Kind.VARIABLE;
}
