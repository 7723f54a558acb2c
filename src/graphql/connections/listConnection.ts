/** Relay connections over whole lists: pages, cursors and counts. */
import { createBadInputError, quoteText } from '../../errors.js';
import type { ItemList } from '../../sources/core/collections.js';
import type { EntitySource } from '../../sources/core/entitySource.js';
import type { DeviceHealth, DeviceLog } from '../../sources/entities/deviceRecords.js';
import type { RecordPage, RecordPageRequest } from '../../sources/entities/recordPaginator.js';
import { readFirst } from '../arguments/bounds.js';
import { parseId } from '../arguments/nodeId.js';
import {
  ConnectionPage,
  type CursorType,
  decodeCursor,
  encodeCursor,
  noEdgeFields,
  type PageDetails,
} from './connection.js';

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/**
 * A class, because V8 gives each object literal with an accessor a separate shape, which keeps everything that the
 * accessor references alive until the next full collection.
 */
export class ListConnection<
  Node,
  EdgeFields extends object = object,
  Facets = unknown,
> extends ConnectionPage<Node, readonly Node[], EdgeFields> {
  readonly totalCount: number;
  /** False if the platform may have truncated the list. */
  readonly isComplete: boolean;
  readonly countFacets: () => Facets;

  constructor(
    nodes: readonly Node[],
    page: PageDetails<Node, EdgeFields, boolean>,
    list: ItemList<Node>,
    countFacets: () => Facets,
  ) {
    super(nodes, page);
    this.totalCount = list.items.length;
    this.isComplete = list.isComplete;
    this.countFacets = countFacets;
  }

  get facets(): Facets {
    return this.countFacets();
  }
}

interface ConnectionExtras<Node, EdgeFields, Facets> {
  edgeFieldsOf(node: Node): EdgeFields;
  countFacets(): Facets;
}

export const NO_EXTRAS: ConnectionExtras<unknown, object, unknown> = {
  edgeFieldsOf: noEdgeFields,
  countFacets: () => undefined,
};

/** The requested page of a list. Throws BAD_USER_INPUT for an invalid `first` or `after`. */
export function toConnection<Node extends { id: number }, EdgeFields extends object, Facets>(
  type: CursorType,
  list: ItemList<Node>,
  page: PageArguments,
  { edgeFieldsOf, countFacets }: ConnectionExtras<NoInfer<Node>, EdgeFields, Facets>,
): ListConnection<Node, EdgeFields, Facets> {
  const { items } = list;
  const first = readFirst(page.first);
  const start = page.after == null ? 0 : indexAfter(type, items, page.after);
  const details = {
    hasNextPage: start + first < items.length,
    hasPreviousPage: start > 0,
    cursorOf: ({ id }: Node, index: number) => encodeCursor(type, [id, start + index]),
    edgeFieldsOf,
  };
  // A whole list stays the same array while it is cached, so that its text is written once.
  const nodes = items.length <= first && start === 0 ? items : items.slice(start, start + first);
  return new ListConnection(nodes, details, list, countFacets);
}

/** The requested page of a list, after `select` has filtered and ordered it. */
export async function paginateAll<Node extends { id: number }>(
  type: CursorType,
  source: Pick<EntitySource<Node>, 'list'>,
  page: PageArguments,
  select: (all: readonly Node[]) => readonly Node[],
) {
  const { items, isComplete } = await source.list();
  return toConnection(type, { items: select(items), isComplete }, page, NO_EXTRAS);
}

/**
 * The index after the item that the cursor names. If the item is gone: the index after all smaller ids if the list is in
 * the order of ids, else the item's former index. The former index is checked first, so that paging ends even if the
 * platform lists an item twice.
 */
function indexAfter(type: CursorType, items: readonly { id: number }[], cursor: string): number {
  const [id, position] = decodeCursor(type, cursor);
  if (items[position]?.id === id) return position + 1;
  const index = items.findIndex((item) => item.id === id);
  if (index !== -1) return index + 1;
  const isById = items.every((item, at) => at === 0 || (items[at - 1]?.id ?? 0) <= item.id);
  const next = isById ? items.findIndex((item) => item.id > id) : position;
  return next === -1 ? items.length : Math.min(next, items.length);
}

type RecordConnection<Record> = ConnectionPage<Record, readonly Record[], object, () => Promise<boolean>>;

export type DeviceHealthConnection = RecordConnection<DeviceHealth>;
export type DeviceLogConnection = RecordConnection<DeviceLog>;

/** Relay connections over the records of a device. A cursor is the id of a record on the platform. */
export async function toRecordConnection<Record extends { id: number }>(
  type: string,
  { first, after }: PageArguments,
  load: (request: RecordPageRequest) => Promise<RecordPage<Record>>,
): Promise<RecordConnection<Record>> {
  const afterId = after == null ? undefined : parseId(type, after);
  if (after != null && afterId === undefined) {
    const problem = `${quoteText(after)} is neither a cursor of this list nor the platform's number of a record.`;
    throw createBadInputError('after', problem);
  }
  const { items, hasEarlier, hasMore } = await load({ afterId, count: readFirst(first) });
  return new ConnectionPage(items, {
    hasNextPage: hasMore,
    hasPreviousPage: hasEarlier,
    cursorOf: ({ id }) => String(id),
    edgeFieldsOf: noEdgeFields,
  });
}
