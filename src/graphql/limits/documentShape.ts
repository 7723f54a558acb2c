/** Measures a document without the schema, so that it can be refused before validation. */
import { type ASTNode, type DocumentNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';
import { GatewayError } from '../../errors.js';
import type { Fragments } from '../../execution/collectFields.js';
import { eachNode, listSelections } from '../documents/fragments.js';
import { eachMergedSelection } from '../documents/mergedSelections.js';

export interface DocumentShape {
  /** Levels of fields in the deepest operation. */
  depth: number;
  /**
   * Aliases in all operations and fragments, except `rootAliases`. Each counts once, even if its fragment is spread
   * often.
   */
  aliases: number;
  /** Aliases of root fields of queries, including those of fragments, except aliases of `__typename`. */
  rootAliases: number;
  /** The maximum number of directives in one place. */
  directives: number;
  /** Root fields of the operation that has the most. */
  rootFields: number;
}

interface SelectionSize {
  depth: number;
  /** Fields of this level, including those of fragments. */
  fields: number;
}

const EMPTY: SelectionSize = { depth: 0, fields: 0 };

/** Throws CIRCULAR_FRAGMENT. Each fragment is measured once, even if it is spread often. */
export function measureShape(document: DocumentNode, fragments: Fragments): DocumentShape {
  const meter = new SelectionMeter(fragments);
  // Also measures fragments that no operation spreads, because validation follows their spreads.
  for (const name of Object.keys(fragments)) meter.measureFragment(name);
  const sizes = document.definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map(({ selectionSet }) => meter.measureSet(selectionSet));
  return {
    depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
    rootFields: Math.max(0, ...sizes.map(({ fields }) => fields)),
    ...countNodes(document, findAliasedRoots(document, fragments)),
  };
}

/** Leaves out meta fields such as `__typename`. */
function findAliasedRoots({ definitions }: DocumentNode, fragments: Fragments): ReadonlySet<ASTNode> {
  const roots = definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .filter(({ operation }) => operation === 'query')
    .flatMap((query) => listSelections(query, fragments))
    .filter((selection) => selection.kind === Kind.FIELD);
  return new Set(roots.filter(({ alias, name }) => alias && !name.value.startsWith('__')));
}

class SelectionMeter {
  readonly #fragments: Fragments;
  /** By fragment name; undefined while the fragment is being measured. */
  readonly #sizes = new Map<string, SelectionSize | undefined>();

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
  }

  measureFragment(name: string): SelectionSize {
    const measured = this.#sizes.get(name);
    if (measured !== undefined) return measured;
    if (this.#sizes.has(name)) {
      throw new GatewayError('CIRCULAR_FRAGMENT', `The fragment ${name} contains itself.`);
    }
    this.#sizes.set(name, undefined);
    const size = this.measureSet(this.#fragments[name]?.selectionSet);
    this.#sizes.set(name, size);
    return size;
  }

  measureSet(set: SelectionSetNode | undefined): SelectionSize {
    return (set?.selections ?? [])
      .map((selection) => this.#measureSelection(selection))
      .reduce(mergeSizes, EMPTY);
  }

  #measureSelection(selection: SelectionNode): SelectionSize {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.measureFragment(selection.name.value);
    const inner = this.measureSet(selection.selectionSet);
    return selection.kind === Kind.INLINE_FRAGMENT ? inner : { depth: inner.depth + 1, fields: 1 };
  }
}

function mergeSizes(left: SelectionSize, right: SelectionSize): SelectionSize {
  return { depth: Math.max(left.depth, right.depth), fields: left.fields + right.fields };
}

function countNodes(
  document: DocumentNode,
  aliasedRoots: ReadonlySet<ASTNode>,
): Pick<DocumentShape, 'aliases' | 'rootAliases' | 'directives'> {
  let aliases = 0;
  let directives = 0;
  eachNode(document, (node) => {
    if (node.kind === Kind.FIELD && node.alias && !aliasedRoots.has(node)) aliases += 1;
    if ('directives' in node) directives = Math.max(directives, node.directives?.length ?? 0);
  });
  return { aliases, rootAliases: aliasedRoots.size, directives };
}

/** Whether a document reads the schema: `__schema`, `__type`, or `_service` of a subgraph. `__typename` does not. */
export function isIntrospecting(document: DocumentNode): boolean {
  let found = false;
  eachNode(document, (node) => {
    found ||= node.kind === Kind.FIELD && /^(__schema|__type|_service)$/.test(node.name.value);
  });
  return found;
}

/**
 * The maximum number of fields with the same name, or of fragments, in one merged selection set. Validation compares all
 * fields of the same name with each other, so a few hundred of them in a short document take more time than all other
 * limits allow. Counting stops at `max + 1`, which also stands for too many merged selection sets.
 */
export function countRepeats(document: DocumentNode, fragments: Fragments, max: number): number {
  let highest = 0;
  const isComplete = eachMergedSelection(document, fragments, ({ fields, fragments: spread }) => {
    highest = Math.max(highest, spread.size);
    for (const nodes of fields.values()) highest = Math.max(highest, nodes.length);
    return highest <= max;
  });
  return isComplete ? Math.min(highest, max + 1) : max + 1;
}
