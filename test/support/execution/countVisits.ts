/** Counts how often the selection sets of a document are visited, which measures work without a clock. */
import { type DocumentNode, type SelectionSetNode, visit } from 'graphql';

/** Returns the number of visits since the call, of all selection sets together. */
export function countVisits(document: DocumentNode): () => number {
  let visits = 0;
  const sets: SelectionSetNode[] = [];
  visit(document, { SelectionSet: (set) => void sets.push(set) });
  for (const set of sets) {
    const { selections } = set;
    Object.defineProperty(set, 'selections', {
      get() {
        visits += 1;
        return selections;
      },
    });
  }
  return () => visits;
}

/** Fragments `F0` to `F<count - 1>` on a type, each of which spreads the next one in `selections`. */
export function chainFragments(
  type: string,
  count: number,
  selections: (next: string) => string,
  last = 'id',
): string {
  const fragments = Array.from({ length: count }, (_, index) => {
    const body = index === count - 1 ? last : selections(`...F${index + 1}`);
    return `fragment F${index} on ${type} { ${body} }`;
  });
  return fragments.join(' ');
}
