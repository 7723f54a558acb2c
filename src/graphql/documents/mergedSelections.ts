/** Visits the selection sets of a document as execution merges them. */
import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { Fragments } from '../../execution/collectFields.js';

/** A merged selection set: its fields by response name, and the names of the fragments spread in it. */
interface MergedSelection {
  fields: Map<string, FieldNode[]>;
  fragments: Set<string>;
}

/** A document with many fragments can have exponentially many merged selection sets. */
const MAX_SELECTIONS = 10_000;

/**
 * Calls `visit` for each merged selection set of the document, until it returns false. Returns false if not all have been
 * visited, because there are too many.
 */
export function eachMergedSelection(
  document: DocumentNode,
  fragments: Fragments,
  visit: (merged: MergedSelection) => boolean,
): boolean {
  const seen = createSeenSets();
  let isStopped = false;

  function search(sets: readonly SelectionSetNode[]): void {
    if (isStopped || seen.count() > MAX_SELECTIONS || !seen.add(sets)) return;
    const merged = collect(sets, fragments);
    isStopped = !visit(merged);
    for (const nodes of merged.fields.values()) {
      search(nodes.map(({ selectionSet }) => selectionSet).filter((set) => set !== undefined));
    }
  }

  for (const definition of document.definitions) {
    if ('selectionSet' in definition && definition.selectionSet) search([definition.selectionSet]);
  }
  return seen.count() <= MAX_SELECTIONS;
}

/** Merges selection sets as execution does: with the selections of inline fragments, and of each fragment once. */
function collect(sets: readonly SelectionSetNode[], fragments: Fragments): MergedSelection {
  const merged: MergedSelection = { fields: new Map(), fragments: new Set() };

  function add({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) addField(merged, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
      else addFragment(selection.name.value);
    }
  }

  function addFragment(name: string): void {
    const fragment = merged.fragments.has(name) ? undefined : fragments[name];
    merged.fragments.add(name);
    if (fragment) add(fragment.selectionSet);
  }

  for (const set of sets) add(set);
  return merged;
}

function addField({ fields }: MergedSelection, node: FieldNode): void {
  const name = node.alias?.value ?? node.name.value;
  const nodes = fields.get(name);
  if (nodes) nodes.push(node);
  else fields.set(name, [node]);
}

/** Records visited merged selection sets by the selection sets that they consist of. */
function createSeenSets() {
  const ids = new Map<SelectionSetNode, number>();
  const seen = new Set<string>();
  const toId = (set: SelectionSetNode) => ids.get(set) ?? ids.set(set, ids.size + 1).size;
  return {
    /** Returns false if the combination has been visited or is empty. */
    add(sets: readonly SelectionSetNode[]): boolean {
      const before = seen.size;
      if (sets.length > 0) seen.add(sets.map(toId).join());
      return seen.size > before;
    },
    count: () => seen.size,
  };
}
