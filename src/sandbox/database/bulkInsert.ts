import type { Queries, SqlValue } from './queries.js';

const MAX_VALUES_PER_STATEMENT = 800;

export type BulkInsert = ReturnType<typeof createBulkInsert>;

/** Inserts many rows per statement, because the calls into the driver cost more than the inserts themselves. */
export function createBulkInsert(db: Queries, table: string) {
  let rows: (readonly SqlValue[])[] = [];

  function flush(): void {
    const [first] = rows;
    if (first === undefined) return;
    const row = `(${first.map(() => '?').join(', ')})`;
    db.run(`INSERT INTO ${table} VALUES ${rows.map(() => row).join(', ')}`, ...rows.flat());
    rows = [];
  }

  return {
    /** `row`: a value for each column of the table. Rows are inserted in the order of their addition. */
    add(row: readonly SqlValue[]): void {
      rows.push(row);
      if ((rows.length + 1) * row.length > MAX_VALUES_PER_STATEMENT) flush();
    },
    flush,
  };
}
