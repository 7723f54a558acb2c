/** Inserts many rows a statement: calls into the database, not its work, are what takes time. */
import type { Queries, SqlValue } from './queries.js';

const MAX_VALUES_PER_STATEMENT = 800;

export interface BulkInsert {
  add(values: readonly SqlValue[]): void;
  /** Writes what has not been written yet. */
  flush(): void;
}

/** Rows go out in the order in which they were added. */
export function createBulkInsert(db: Queries, table: string, columns: readonly string[]): BulkInsert {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const rowsAtOnce = Math.floor(MAX_VALUES_PER_STATEMENT / columns.length);
  let waiting: SqlValue[] = [];
  const sqlFor = (rows: number) =>
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`;
  const fullSql = sqlFor(rowsAtOnce);
  return {
    add(values) {
      for (const value of values) waiting.push(value);
      if (waiting.length < rowsAtOnce * columns.length) return;
      db.runMany(fullSql, waiting);
      waiting = [];
    },
    flush() {
      if (waiting.length > 0) db.runMany(sqlFor(waiting.length / columns.length), waiting);
      waiting = [];
    },
  };
}
