/**
 * Rows in the order of time as columns of numbers. A year of samples takes a few megabytes in typed arrays; as objects it
 * takes ten times the memory and keeps the garbage collector busy.
 */

export interface ColumnTable {
  /** Unix milliseconds in ascending order. */
  readonly times: Float64Array;
  /** Columns of the same length as `times`. The creator of the table defines their meaning. */
  readonly columns: readonly Float64Array[];
  /** Texts of rows by the id in their first column. */
  readonly texts: ReadonlyMap<number, string>;
}

const NO_TEXTS: ReadonlyMap<number, string> = new Map();

/** The index of the first row at or after the instant; the number of rows if there is none. */
export function rowAt(times: Float64Array, ms: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows from `fromMs` to before `toMs`. Shares memory with the table. */
export function viewOf(table: ColumnTable, fromMs: number, toMs: number): ColumnTable {
  const [from, to] = [rowAt(table.times, fromMs), rowAt(table.times, toMs)];
  if (from === 0 && to === table.times.length) return table;
  const columns = table.columns.map((column) => column.subarray(from, to));
  return { times: table.times.subarray(from, to), columns, texts: table.texts };
}

/** A copy of the rows from `fromMs` to before `toMs`, so that a cached part does not keep a large table in memory. */
export function copyOf(table: ColumnTable, fromMs: number, toMs: number): ColumnTable {
  return copyRows(table, rowAt(table.times, fromMs), rowAt(table.times, toMs));
}

/** A copy of the rows from `fromRow` to before `toRow`. */
export function copyRows(
  { times, columns, texts }: ColumnTable,
  fromRow: number,
  toRow: number,
): ColumnTable {
  const copied = columns.map((column) => column.slice(fromRow, toRow));
  return {
    times: times.slice(fromRow, toRow),
    columns: copied,
    texts: texts.size === 0 ? NO_TEXTS : textsOf(texts, copied[0] ?? times),
  };
}

/** Concatenates tables. No table may begin before the end of the previous one. */
export function joinTables(tables: readonly ColumnTable[], columnCount: number): ColumnTable {
  const [only] = tables;
  if (only && tables.length === 1) return only;
  const columns = Array.from({ length: columnCount }, (_, index) =>
    joinColumns(tables.map((table) => table.columns[index] ?? new Float64Array(0))),
  );
  const texts = new Map(tables.flatMap((table) => [...table.texts]));
  return { times: joinColumns(tables.map(({ times }) => times)), columns, texts };
}

/**
 * Concatenates tables, and sorts the rows by time and then by the first column. Removes rows with NaN as their time, and
 * rows that agree with a later one in both. Nearly all tables are sorted already, and are only checked.
 */
export function joinSorted(tables: readonly ColumnTable[], columnCount: number): ColumnTable {
  const joined = joinTables(tables, columnCount);
  return isInOrder(joined) ? joined : selectRows(joined, rowsInOrder(joined));
}

function isInOrder({ times, columns: [first = times] }: ColumnTable): boolean {
  for (let row = 0; row < times.length; row++) {
    const [ms, lastMs] = [times[row] ?? Number.NaN, times[row - 1] ?? Number.NEGATIVE_INFINITY];
    if (!(ms > lastMs || (ms === lastMs && (first[row] ?? 0) > (first[row - 1] ?? 0)))) return false;
  }
  return true;
}

function rowsInOrder({ times, columns: [first = times] }: ColumnTable): number[] {
  const compare = (one: number, other: number) =>
    (times[one] ?? 0) - (times[other] ?? 0) || (first[one] ?? 0) - (first[other] ?? 0);
  const rows = [...times.keys()].filter((row) => !Number.isNaN(times[row])).sort(compare);
  return rows.filter((row, at) => {
    const next = rows[at + 1];
    return next === undefined || compare(row, next) !== 0;
  });
}

/** A copy of the rows at these indexes, in the same order. */
export function selectRows({ times, columns, texts }: ColumnTable, rows: readonly number[]): ColumnTable {
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] ?? Number.NaN);
  return { times: pick(times), columns: columns.map(pick), texts };
}

/** The estimated memory of a table in bytes. */
export function bytesOf({ times, columns, texts }: ColumnTable): number {
  let bytes = times.byteLength * (1 + columns.length);
  for (const text of texts.values()) bytes += text.length + BYTES_PER_TEXT_ENTRY;
  return bytes;
}

/** The header of a string and its entry in the map. */
const BYTES_PER_TEXT_ENTRY = 60;

function textsOf(texts: ReadonlyMap<number, string>, keys: Float64Array): ReadonlyMap<number, string> {
  const selected = new Map<number, string>();
  for (const key of keys) {
    const text = texts.get(key);
    if (text !== undefined) selected.set(key, text);
  }
  return selected;
}

export function joinColumns(columns: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(columns.reduce((length, column) => length + column.length, 0));
  let at = 0;
  for (const column of columns) {
    joined.set(column, at);
    at += column.length;
  }
  return joined;
}
