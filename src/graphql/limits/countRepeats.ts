/**
 * Counts how often one name stands at one place of the answer. Validation compares each with each other, so that a few
 * hundred of them in a short document cost more than all that the other limits let through.
 */
import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { Fragments } from './fragments.js';

/** What stands at one place of the answer: fields by the name they are answered under, and fragments by theirs. */
interface MergedSelection {
  fields: Map<string, FieldNode[]>;
  fragments: Set<string>;
}

/** So many places are looked at: a document of many fragments can have more than anybody would ever read. */
const MAX_SELECTIONS = 10_000;

/**
 * The most that one name is repeated, or that fragments are spread, at one place; one more than `most` at the first
 * that is too many. `fragments` may not be circular.
 */
export function countRepeats(document: DocumentNode, fragments: Fragments, max: number): number {
  const seen = createSeenSets();
  let highest = 0;

  function look(sets: readonly SelectionSetNode[]): void {
    if (highest > max || !seen.add(sets)) return;
    if (seen.count() > MAX_SELECTIONS) highest = max + 1;
    const { fields, fragments: spread } = collect(sets, fragments);
    highest = Math.max(highest, spread.size);
    for (const nodes of fields.values()) highest = Math.max(highest, nodes.length);
    for (const nodes of fields.values()) look(selectionSetsOf(nodes));
  }

  for (const definition of document.definitions) {
    if ('selectionSet' in definition && definition.selectionSet) look([definition.selectionSet]);
  }
  return Math.min(highest, max + 1);
}

function selectionSetsOf(nodes: readonly FieldNode[]): SelectionSetNode[] {
  return nodes.map(({ selectionSet }) => selectionSet).filter((set) => set !== undefined);
}

/** As execution merges them: inline fragments are part of their place, and so is each fragment, once. */
function collect(sets: readonly SelectionSetNode[], fragments: Fragments): MergedSelection {
  const place: MergedSelection = { fields: new Map(), fragments: new Set() };

  function add({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) addToSelection(place, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
      else addFragment(selection.name.value);
    }
  }

  function addFragment(name: string): void {
    const fragment = place.fragments.has(name) ? undefined : fragments.get(name);
    place.fragments.add(name);
    if (fragment) add(fragment.selectionSet);
  }

  for (const set of sets) add(set);
  return place;
}

function addToSelection({ fields }: MergedSelection, node: FieldNode): void {
  const name = node.alias?.value ?? node.name.value;
  const known = fields.get(name);
  if (known) known.push(node);
  else fields.set(name, [node]);
}

/** Places that were looked at, known by the selection sets that meet there. */
function createSeenSets() {
  const ids = new Map<SelectionSetNode, number>();
  const seen = new Set<string>();
  const toId = (set: SelectionSetNode) => ids.get(set) ?? ids.set(set, ids.size).size;
  return {
    /** Whether they are new; nothing is not. */
    add(sets: readonly SelectionSetNode[]): boolean {
      const before = seen.size;
      if (sets.length > 0) seen.add(sets.map(toId).join());
      return seen.size > before;
    },
    count: () => seen.size,
  };
}
