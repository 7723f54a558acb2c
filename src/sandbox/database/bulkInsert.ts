import type { Queries, SqlValue } from './queries.js';

const MAX_VALUES_PER_STATEMENT = 800;

/** Inserts many rows per statement, because the calls into the driver cost more than the inserts themselves. */
export class BulkInsert {
  readonly #db: Queries;
  readonly #table: string;
  #rows: (readonly SqlValue[])[] = [];

  constructor(db: Queries, table: string) {
    this.#db = db;
    this.#table = table;
  }

  /** `row`: a value for each column of the table. Rows are inserted in the order of their addition. */
  add(row: readonly SqlValue[]): void {
    this.#rows.push(row);
    if ((this.#rows.length + 1) * row.length > MAX_VALUES_PER_STATEMENT) this.flush();
  }

  flush(): void {
    const [first] = this.#rows;
    if (first === undefined) return;
    const row = `(${first.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${this.#table} VALUES ${this.#rows.map(() => row).join(', ')}`;
    this.#db.run(sql, ...this.#rows.flat());
    this.#rows = [];
  }
}
