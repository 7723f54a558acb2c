/** Finds the fields that an operation certainly resolves. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from './fragments.js';

/** A field that an operation certainly resolves. */
export interface TypedField {
  field: FieldNode;
  /** The type that the field belongs to. */
  type: GraphQLObjectType;
}

/**
 * One walk over a document. It visits each selection set once for each type: fragments that spread others repeatedly stand
 * for exponentially many fields.
 */
export class CertainFields {
  readonly #fragments: Fragments;
  readonly #visited = new Map<GraphQLObjectType, Set<SelectionSetNode>>();

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  /**
   * The fields of a selection set, without those of selection sets that the walk has visited. Omits fields with a directive,
   * which may leave them out, and the fields of interfaces, whose type only a value tells.
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
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
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
