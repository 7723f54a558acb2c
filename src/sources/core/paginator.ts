/** Reads pages after a cursor. Every paged list of the platform is read here. */

/** The page shape of every source. */
export interface Page<Item, Items extends Iterable<Item> = readonly Item[]> {
  items: Items;
  /** Whether there are items after the last one. */
  hasMore: boolean;
}

/**
 * Leaves out items that the platform has sent more than once: the last item with an id stays. Returns the same list
 * if no id repeats.
 */
export function withoutRepeats<Item extends { id: number }>(items: readonly Item[]): readonly Item[] {
  const byId = new Map<number, Item>();
  for (const item of items) byId.set(item.id, item);
  return byId.size === items.length ? items : [...byId.values()];
}

/**
 * Sorts by id, which is the order of arrival, and leaves out repeats. The platform does not promise the order of the rows
 * in a response.
 */
export function inOrderOfArrival<Item extends { id: number }>(items: readonly Item[]): readonly Item[] {
  return withoutRepeats(items).toSorted((one, other) => one.id - other.id);
}

/** A page with the cursor of the page after it. */
interface CursorPage<Item, Cursor> extends Page<Item> {
  next: Cursor;
}

/**
 * Reads the page after a cursor. `missing` is the number of items that the consumer still needs, a hint for endpoints
 * that take a limit. A page without items may have a next page. A reader whose cursor does
 * not advance must throw or return `hasMore: false`.
 */
export type ReadPage<Item, Cursor> = (cursor: Cursor, missing: number) => Promise<CursorPage<Item, Cursor>>;

/**
 * Yields pages until `limit` items are read or there is no next page. A page is read only when the consumer requests
 * it, so that a slow consumer holds one page in memory.
 */
export async function* readPages<Item, Cursor>(
  read: ReadPage<Item, Cursor>,
  from: Cursor,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<CursorPage<Item, Cursor>> {
  let missing = limit;
  let cursor = from;
  for (;;) {
    const page = await read(cursor, missing);
    missing -= page.items.length;
    yield page;
    if (!page.hasMore || missing <= 0) return;
    cursor = page.next;
  }
}

/** Joins pages into one: all of them, or as many as reach `limit` items or `maxPages` pages. */
export async function drain<Item, Cursor>(
  read: ReadPage<Item, Cursor>,
  from: Cursor,
  { limit, maxPages }: { limit?: number; maxPages?: number } = {},
): Promise<CursorPage<Item, Cursor>> {
  const joined = { items: [] as Item[], hasMore: true, next: from };
  let pages = 0;
  for await (const { items, hasMore, next } of readPages(read, from, limit)) {
    for (const item of items) joined.items.push(item);
    Object.assign(joined, { hasMore, next });
    pages += 1;
    if (pages === maxPages) break;
  }
  return joined;
}
