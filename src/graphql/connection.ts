/** Relay connections over whole lists: pages, cursors and counts. */
import { badInput } from '../errors.js';
import { decodeCursor, encodeCursor } from './cursor.js';

export const DEFAULT_FIRST = 100;
export const MOST_FIRST = 1000;

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

export interface Connection<Node> {
  nodes: readonly Node[];
  edges: readonly { node: Node; cursor: string }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  totalCount: number;
  isComplete: boolean;
}

/** Throws BAD_USER_INPUT where `first` is out of bounds. */
export function readFirst(first: number | null | undefined): number {
  const count = first ?? DEFAULT_FIRST;
  if (count < 1 || count > MOST_FIRST)
    throw badInput('first', `${count} is not between 1 and ${MOST_FIRST}.`);
  return count;
}

/** The page of `items` that the arguments ask for; `isComplete` says whether the platform told of all there are. */
export function toConnection<Node extends { id: number }>(
  items: readonly Node[],
  page: PageArguments,
  isComplete: boolean,
): Connection<Node> {
  const first = readFirst(page.first);
  const start = page.after == null ? 0 : indexBehind(items, page.after);
  const nodes = items.slice(start, start + first);
  const edges = nodes.map((node, index) => ({ node, cursor: encodeCursor([node.id, start + index]) }));
  return {
    nodes,
    edges,
    pageInfo: {
      hasNextPage: start + nodes.length < items.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: items.length,
    isComplete,
  };
}

/** Behind the item the cursor names; where that is gone from the list, where it stood. */
function indexBehind(items: readonly { id: number }[], cursor: string): number {
  const [id, position] = decodeCursor(cursor, 'after');
  const index = items.findIndex((item) => item.id === id);
  return index === -1 ? Math.min(position, items.length) : index + 1;
}
