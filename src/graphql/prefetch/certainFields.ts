/** Finds in an operation the fields that are certain to be resolved, and reads what their arguments say. Pure. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { readId } from '../arguments/nodeId.js';
import { DEFAULT_FIRST } from '../connections/listConnection.js';
import type { Fragments } from '../limits/fragments.js';

export interface TypedField {
  field: FieldNode;
  /** The type it is a field of. */
  type: GraphQLObjectType;
}

/** Fields that may be left out are not counted on, nor those of what only a value tells the type of. */
export function* certainFieldsOf(
  { selections }: SelectionSetNode,
  type: GraphQLObjectType,
  fragments: Fragments,
): Generator<TypedField> {
  for (const selection of selections) {
    if (selection.directives?.length) continue;
    if (selection.kind === Kind.FIELD) {
      yield { field: selection, type };
      continue;
    }
    const part: Pick<FragmentDefinitionNode, 'selectionSet'> | undefined =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (part) yield* certainFieldsOf(part.selectionSet, type, fragments);
  }
}

/** What `known` says of the fields below, and below those; with `onlyKnown`, below those alone that it knows. */
export function* prefetchesBelow<Known>(
  field: FieldNode,
  type: GraphQLObjectType,
  fragments: Fragments,
  known: Readonly<Record<string, Known>>,
  onlyKnown = false,
): Generator<Known> {
  const definition = type.getFields()[field.name.value];
  const fieldType = definition && getNamedType(definition.type);
  if (!field.selectionSet || !isObjectType(fieldType)) return;
  for (const inner of certainFieldsOf(field.selectionSet, fieldType, fragments)) {
    const expect = known[`${fieldType.name}.${inner.field.name.value}`];
    if (hasNarrowingArguments(inner.field)) continue;
    if (expect) yield expect;
    if (expect || !onlyKnown) yield* prefetchesBelow(inner.field, fieldType, fragments, known, onlyKnown);
  }
}

/** Whether its arguments choose among the items: then little may be asked below it. */
export function hasNarrowingArguments({ arguments: given = [] }: FieldNode): boolean {
  return given.some(({ name }) => name.value === 'filter' || name.value === 'after');
}

/** How many items a list may hold; 0 where that can't be told. */
export function maxItemsOf(
  { arguments: given = [] }: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const node = given.find(({ name }) => name.value === 'first');
  const first = node === undefined ? DEFAULT_FIRST : valueFromASTUntyped(node.value, variables);
  // A variable that is not given, or no number, leads to the default or to an error: nothing is foreseen of it.
  return typeof first === 'number' ? first : 0;
}

/** The id that a field asks a site by. Undefined where it is none: whoever resolves the field says so. */
export function siteIdOf(
  { arguments: given = [] }: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  const node = given.find(({ name }) => name.value === 'id');
  const id: unknown = node && valueFromASTUntyped(node.value, variables);
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  try {
    return readId('Site', String(id), 'id');
  } catch {
    return undefined;
  }
}

/** The variables as they came, before they are coerced, over their defaults. */
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
