/** Prepared statements by their text, each prepared once, and rows without the driver's own additions. */
import type { Database, Statement } from 'libsql';

export type SqlValue = number | string | null;

export interface Queries {
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  /** The first row, or undefined. */
  one<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  /** Runs a write; returns the number of rows changed. */
  run(sql: string, ...values: SqlValue[]): number;
  /** The same without keeping the statement, for one that varies in length. */
  runMany(sql: string, values: readonly SqlValue[]): void;
  /** Runs `work` in one transaction, undone when it throws. */
  transaction<Result>(work: () => Result): Result;
  /**
   * Runs `work` over several turns of the event loop in one transaction, undone when it rejects. Nothing else may use
   * the connection meanwhile.
   */
  longTransaction<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Wraps an open database. Statements live as long as the database does. */
export function createQueries(database: Database): Queries {
  const statements = new Map<string, Statement>();
  function prepared(sql: string): Statement {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }
  return {
    all: <Row>(sql: string, ...values: SqlValue[]) => prepared(sql).all(values) as Row[],
    // `all` and not `get`: the driver adds a `_metadata` field to what `get` returns.
    one: <Row>(sql: string, ...values: SqlValue[]) => prepared(sql).all(values)[0] as Row | undefined,
    run: (sql, ...values) => prepared(sql).run(values).changes,
    runMany: (sql, values) => void prepared(sql).run(values),
    transaction: (work) => {
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
    longTransaction: async (work) => {
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
