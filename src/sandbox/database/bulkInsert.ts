/** Inserts many rows per statement, because the calls into the driver cost more than the inserts themselves. */
import type { Queries, SqlValue } from './queries.js';

const MAX_VALUES_PER_STATEMENT = 800;

export interface BulkInsert {
  add(values: readonly SqlValue[]): void;
  /** Writes the pending rows. */
  flush(): void;
}

/** Inserts the rows in the order of their addition. */
export function createBulkInsert(db: Queries, table: string, columns: readonly string[]): BulkInsert {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const rowsAtOnce = Math.floor(MAX_VALUES_PER_STATEMENT / columns.length);
  let pending: SqlValue[] = [];
  const sqlFor = (rows: number) =>
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`;
  const fullSql = sqlFor(rowsAtOnce);
  return {
    add(values) {
      for (const value of values) pending.push(value);
      if (pending.length < rowsAtOnce * columns.length) return;
      db.runMany(fullSql, pending);
      pending = [];
    },
    flush() {
      if (pending.length > 0) db.runMany(sqlFor(pending.length / columns.length), pending);
      pending = [];
    },
  };
}
