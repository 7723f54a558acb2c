/** Finds the fields that an operation certainly resolves, and reads their arguments. Pure. */
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
  /** The type that the field belongs to. */
  type: GraphQLObjectType;
}

/** Omits fields with a directive, which may leave them out, and the fields of interfaces, whose type only a value tells. */
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
    const fragment: Pick<FragmentDefinitionNode, 'selectionSet'> | undefined =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (fragment) yield* certainFieldsOf(fragment.selectionSet, type, fragments);
  }
}

/**
 * The prefetches of all fields below, as `prefetchOf` finds them by type and field name. With `isUnbroken`, a field
 * without a prefetch ends the descent.
 */
export function* prefetchesBelow<Prefetch>(
  { field, type }: TypedField,
  fragments: Fragments,
  prefetchOf: (typeName: string, fieldName: string) => Prefetch | undefined,
  isUnbroken = false,
): Generator<Prefetch> {
  const definition = type.getFields()[field.name.value];
  const fieldType = definition && getNamedType(definition.type);
  if (!field.selectionSet || !isObjectType(fieldType)) return;
  for (const inner of certainFieldsOf(field.selectionSet, fieldType, fragments)) {
    if (hasNarrowingArguments(inner.field)) continue;
    const prefetch = prefetchOf(fieldType.name, inner.field.name.value);
    if (prefetch) yield prefetch;
    if (prefetch || !isUnbroken) {
      yield* prefetchesBelow({ ...inner, type: fieldType }, fragments, prefetchOf, isUnbroken);
    }
  }
}

/** Whether arguments choose among the items: then the operation may need little below the field. */
export function hasNarrowingArguments({ arguments: args = [] }: FieldNode): boolean {
  return args.some(({ name }) => name.value === 'filter' || name.value === 'after');
}

/** Returns how many items a list may hold at most; 0 where that is unknown. */
export function maxItemsOf(
  { arguments: args = [] }: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const node = args.find(({ name }) => name.value === 'first');
  const first = node === undefined ? DEFAULT_FIRST : valueFromASTUntyped(node.value, variables);
  // An absent variable means the default, and a value that is not a number means an error: both prefetch nothing.
  return typeof first === 'number' ? first : 0;
}

/** Reads the argument `id` of a field that returns a site. Undefined for an invalid id, which the resolver reports. */
export function siteIdOf(
  { arguments: args = [] }: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  const node = args.find(({ name }) => name.value === 'id');
  const id: unknown = node && valueFromASTUntyped(node.value, variables);
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  try {
    return readId('Site', String(id), 'id');
  } catch {
    return undefined;
  }
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
