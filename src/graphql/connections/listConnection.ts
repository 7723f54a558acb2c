/** Relay connections over whole lists: pages, cursors and counts. */
import { createBadInputError } from '../../errors.js';
import type { EntitySource } from '../../sources/core/entitySource.js';
import { decodeCursor, encodeCursor } from './cursor.js';

export const DEFAULT_FIRST = 100;
export const MAX_FIRST = 1000;

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

export interface ListConnection<Node, Details extends object = object> {
  nodes: readonly Node[];
  readonly edges: readonly (Details & { node: Node; cursor: string })[];
  readonly pageInfo: {
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
  if (count < 1 || count > MAX_FIRST)
    throw createBadInputError('first', `${count} is not between 1 and ${MAX_FIRST}.`);
  return count;
}

export function toConnection<Node extends { id: number }>(
  items: readonly Node[],
  page: PageArguments,
  isComplete: boolean,
): ListConnection<Node>;
export function toConnection<Node extends { id: number }, Details extends object>(
  items: readonly Node[],
  page: PageArguments,
  isComplete: boolean,
  detailsOf: (node: Node) => Details,
): ListConnection<Node, Details>;
/**
 * The page of `items` that the arguments ask for; `isComplete` says whether the platform told of all there are.
 * `detailsOf` adds fields to an edge.
 */
export function toConnection<Node extends { id: number }>(
  items: readonly Node[],
  page: PageArguments,
  isComplete: boolean,
  detailsOf: (node: Node) => object = noDetails,
): ListConnection<Node> {
  const first = readFirst(page.first);
  const start = page.after == null ? 0 : indexAfter(items, page.after);
  return new ListPage(items.slice(start, start + first), start, items.length, isComplete, detailsOf);
}

const NO_DETAILS = {};
const noDetails = () => NO_DETAILS;

/** Cursors are made for those who ask for them. */
class ListPage<Node extends { id: number }> implements ListConnection<Node> {
  readonly nodes: readonly Node[];
  readonly start: number;
  readonly totalCount: number;
  readonly isComplete: boolean;
  readonly detailsOf: (node: Node) => object;

  constructor(
    nodes: readonly Node[],
    start: number,
    totalCount: number,
    isComplete: boolean,
    detailsOf: (node: Node) => object,
  ) {
    this.nodes = nodes;
    this.start = start;
    this.totalCount = totalCount;
    this.isComplete = isComplete;
    this.detailsOf = detailsOf;
  }

  get edges(): ListConnection<Node>['edges'] {
    return this.nodes.map((node, index) => ({
      ...this.detailsOf(node),
      node,
      cursor: this.cursorOf(node, index),
    }));
  }

  get pageInfo(): ListConnection<Node>['pageInfo'] {
    const { nodes, start, totalCount } = this;
    return {
      hasNextPage: start + nodes.length < totalCount,
      hasPreviousPage: start > 0,
      startCursor: this.cursorAt(0),
      endCursor: this.cursorAt(nodes.length - 1),
    };
  }

  private cursorAt(index: number): string | null {
    const node = this.nodes[index];
    return node ? this.cursorOf(node, index) : null;
  }

  private cursorOf({ id }: Node, index: number): string {
    return encodeCursor([id, this.start + index]);
  }
}

/** A page of a whole list, after `choose` has filtered and sorted its items. */
export function paginateAll<Node extends { id: number }>(
  source: Pick<EntitySource<Node>, 'select'>,
  page: PageArguments,
  choose: (all: readonly Node[]) => readonly Node[],
) {
  return source.select(({ items, isComplete }) => toConnection(choose(items), page, isComplete));
}

/** Behind the item the cursor names; where that is gone from the list, where it stood. */
function indexAfter(items: readonly { id: number }[], cursor: string): number {
  const [id, position] = decodeCursor(cursor, 'after');
  const index = items.findIndex((item) => item.id === id);
  return index === -1 ? Math.min(position, items.length) : index + 1;
}
