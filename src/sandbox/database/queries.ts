/** Runs SQL: prepares each text once, returns rows without the fields that the driver adds, and inserts rows in bulk. */
import type { Database, Statement } from 'libsql';
import { settle } from '../../lib/maybePromise.js';

export type SqlValue = number | string | null;

export type Queries = ReturnType<typeof createQueries>;

/** Wraps an open database. Statements live as long as the database. */
export function createQueries(database: Database) {
  const statements = new Map<string, Statement>();
  function prepared(sql: string): Statement {
    const existing = statements.get(sql);
    if (existing) return existing;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }
  return {
    all: <Row>(sql: string, ...values: SqlValue[]) => prepared(sql).all(values) as Row[],
    // Not `get`: the driver adds a `_metadata` field to its row.
    one: <Row>(sql: string, ...values: SqlValue[]) => prepared(sql).all(values)[0] as Row | undefined,
    /** Runs a write; returns the number of rows changed. */
    run: (sql: string, ...values: SqlValue[]): number => prepared(sql).run(values).changes,
    /**
     * Runs `work` in one transaction. Rolls back when it throws or rejects, or when the commit fails. Nothing else may
     * use the connection until its promise resolves, if it returns one.
     */
    transaction<Result>(work: () => Result): Result {
      const rollBack = (error: unknown): never => {
        // After some errors, such as that of a full disk, SQLite has already rolled back.
        if (database.inTransaction) database.exec('ROLLBACK');
        throw error;
      };
      const commit = (result: unknown) => {
        try {
          database.exec('COMMIT');
        } catch (error) {
          rollBack(error);
        }
        return result;
      };
      database.exec('BEGIN IMMEDIATE');
      return settle<unknown, unknown>(work, commit, rollBack) as Result;
    },
  };
}

const MAX_VALUES_PER_STATEMENT = 800;

export type BulkInsert = ReturnType<typeof createBulkInsert>;

/** Inserts many rows per statement, because the calls into the driver cost more than the inserts themselves. */
export function createBulkInsert(db: Queries, table: string) {
  let values: SqlValue[] = [];
  let rowCount = 0;
  let sql = '';
  let sqlRowCount = 0;

  function flush(): void {
    if (rowCount === 0) return;
    if (rowCount !== sqlRowCount) {
      const row = `(${Array(values.length / rowCount)
        .fill('?')
        .join(', ')})`;
      sql = `INSERT INTO ${table} VALUES ${Array(rowCount).fill(row).join(', ')}`;
      sqlRowCount = rowCount;
    }
    db.run(sql, ...values);
    values = [];
    rowCount = 0;
  }

  return {
    /** `row`: a value for each column of the table. Rows are inserted in the order of their addition. */
    add(row: readonly SqlValue[]): void {
      values.push(...row);
      rowCount++;
      if (values.length + row.length > MAX_VALUES_PER_STATEMENT) flush();
    },
    flush,
  };
}
