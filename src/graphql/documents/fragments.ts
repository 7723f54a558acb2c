/** Reads documents: their selections, the fields that are certainly resolved, arguments, and the defaults of variables. */
import {
  type ASTNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { type Fragments, isIncluded } from '../../execution/collectFields.js';

/** Calls `visit` for the node and all its descendants. The visitor of graphql-js takes several times as long as parsing. */
export function eachNode(node: ASTNode, visit: (node: ASTNode) => void): void {
  visit(node);
  for (const part of Object.values(node)) {
    if (Array.isArray(part)) for (const item of part) eachNode(item, visit);
    else if (isNode(part)) eachNode(part, visit);
  }
}

/** Properties of a node are lists, nodes or primitive values. */
function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null;
}

/** The selections of an operation or a field, and of the fragments in it, for which `isIncluded` returns true. */
export function listSelections(
  { selectionSet }: { selectionSet?: SelectionSetNode | undefined },
  fragments: Fragments,
  isIncluded: (selection: SelectionNode) => boolean = () => true,
): SelectionNode[] {
  const selections: SelectionNode[] = [];
  const seen = new Set<SelectionSetNode>();
  function add(set: SelectionSetNode | undefined): void {
    if (set === undefined || seen.has(set)) return;
    seen.add(set);
    for (const selection of set.selections.filter(isIncluded)) {
      selections.push(selection);
      if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
      if (selection.kind === Kind.FRAGMENT_SPREAD) add(fragments[selection.name.value]?.selectionSet);
    }
  }
  add(selectionSet);
  return selections;
}

/** The fields of a resolver whose selections are read. */
type SelectingField = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** The fields with these names that a query selects directly in the field of a resolver, after `@skip` and `@include`. */
export function selectedFields(
  { fieldNodes, fragments, variableValues }: SelectingField,
  names: ReadonlySet<string>,
): FieldNode[] {
  const isLeftIn = (selection: SelectionNode) => isIncluded(selection, variableValues);
  return fieldNodes
    .flatMap((node) => listSelections(node, fragments, isLeftIn))
    .filter((selection) => selection.kind === Kind.FIELD)
    .filter(({ name }) => names.has(name.value));
}

/** Whether a query selects one of these fields directly in the field of a resolver, after `@skip` and `@include`. */
export function selectsField(info: SelectingField, names: ReadonlySet<string>): boolean {
  return selectedFields(info, names).length > 0;
}

/** The variables of the request, not yet coerced, with the defaults of the operation. */
export function withVariableDefaults(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { variable, defaultValue } of variableDefinitions) {
    if (defaultValue) values[variable.name.value] = valueFromASTUntyped(defaultValue);
  }
  return { ...values, ...variables };
}

/** The value of an argument, not yet coerced. Undefined if it is absent, or is a variable that is absent. */
export function readArgument(
  field: FieldNode,
  name: string,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const argument = field.arguments?.find((one) => one.name.value === name);
  return argument && valueFromASTUntyped(argument.value, variables);
}

/** A field that an operation certainly resolves. */
export interface TypedField {
  field: FieldNode;
  type: GraphQLObjectType;
}

/**
 * One traversal of a document. It visits each selection set once per type, because fragments that spread others
 * repeatedly represent exponentially many fields.
 */
export class CertainFields {
  readonly #fragments: Fragments;
  readonly #visited = new Map<GraphQLObjectType, Set<SelectionSetNode>>();

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  /**
   * The fields of a selection set, without those of selection sets that the traversal has already visited. Omits
   * fields with a directive, which may exclude them, and fields of interfaces, whose concrete type is known only
   * at run time.
   */
  *of(set: SelectionSetNode, type: GraphQLObjectType): Generator<TypedField> {
    if (this.#isVisited(set, type)) return;
    for (const selection of set.selections) {
      if (selection.directives?.length) continue;
      if (selection.kind === Kind.FIELD) {
        yield { field: selection, type };
        continue;
      }
      const fragment: Pick<FragmentDefinitionNode, 'selectionSet'> | undefined =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments[selection.name.value];
      if (fragment) yield* this.of(fragment.selectionSet, type);
    }
  }

  #isVisited(set: SelectionSetNode, type: GraphQLObjectType): boolean {
    const visited = this.#visited.get(type) ?? new Set();
    if (visited.has(set)) return true;
    this.#visited.set(type, visited.add(set));
    return false;
  }
}
