/** Runs SQL by prepared statements. Prepares each text once and returns rows without the fields that the driver adds. */
import type { Database, Statement } from 'libsql';

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
    /** The first row, or undefined. */
    one: <Row>(sql: string, ...values: SqlValue[]) => prepared(sql).all(values)[0] as Row | undefined,
    /** Runs a write; returns the number of rows changed. */
    run: (sql: string, ...values: SqlValue[]): number => prepared(sql).run(values).changes,
    /** Runs a write with a list of values, for statements of many rows. */
    runMany: (sql: string, values: readonly SqlValue[]): void => void prepared(sql).run(values),
    /** Runs `work` in one transaction. Rolls back when it throws. */
    transaction: <Result>(work: () => Result): Result => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    /**
     * Runs `work` over several turns of the event loop in one transaction. Rolls back when it rejects. Nothing else may
     * use the connection in the meantime.
     */
    longTransaction: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = await work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}
