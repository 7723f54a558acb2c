/**
 * Counts how often one response name occurs in one merged selection set. Validation compares all fields of the same name
 * with each other, so a few hundred of them in a short document take more time than all other limits allow.
 */
import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { Fragments } from './fragments.js';

/** A merged selection set: its fields by response name, and the names of the fragments spread in it. */
interface MergedSelection {
  fields: Map<string, FieldNode[]>;
  fragments: Set<string>;
}

/** More merged selection sets count as too many repeats. A document with many fragments can have exponentially many. */
const MAX_SELECTIONS = 10_000;

/**
 * The maximum number of fields with the same name, or of fragments, in one merged selection set. Counting stops at
 * `max + 1`. `fragments` must not be circular.
 */
export function countRepeats(document: DocumentNode, fragments: Fragments, max: number): number {
  const seen = createSeenSets();
  let highest = 0;

  function visit(sets: readonly SelectionSetNode[]): void {
    if (highest > max || !seen.add(sets)) return;
    if (seen.count() > MAX_SELECTIONS) highest = max + 1;
    const { fields, fragments: spread } = collect(sets, fragments);
    highest = Math.max(highest, spread.size);
    for (const nodes of fields.values()) highest = Math.max(highest, nodes.length);
    for (const nodes of fields.values()) visit(selectionSetsOf(nodes));
  }

  for (const definition of document.definitions) {
    if ('selectionSet' in definition && definition.selectionSet) visit([definition.selectionSet]);
  }
  return Math.min(highest, max + 1);
}

function selectionSetsOf(nodes: readonly FieldNode[]): SelectionSetNode[] {
  return nodes.map(({ selectionSet }) => selectionSet).filter((set) => set !== undefined);
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
    const fragment = merged.fragments.has(name) ? undefined : fragments.get(name);
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

/** Remembers visited merged selection sets by the selection sets they consist of. */
function createSeenSets() {
  const ids = new Map<SelectionSetNode, number>();
  const seen = new Set<string>();
  const toId = (set: SelectionSetNode) => ids.get(set) ?? ids.set(set, ids.size).size;
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
