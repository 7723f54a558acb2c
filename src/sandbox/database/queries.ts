/** Runs SQL by prepared statements. Prepares each text once and returns rows without the fields that the driver adds. */
import type { Database, Statement } from 'libsql';
import { settle, whenReady } from '../../lib/maybePromise.js';

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
     * Runs `work` in one transaction. Rolls back when it throws or rejects, or when the commit fails. Nothing else may use the
     * connection until its promise resolves, if it returns one.
     */
    transaction<Result>(work: () => Result): Result {
      database.exec('BEGIN IMMEDIATE');
      const commit = (result: unknown) => {
        database.exec('COMMIT');
        return result;
      };
      const running = settle<unknown, unknown>(
        () => whenReady<unknown, unknown>(work(), commit),
        (result) => result,
        (error) => {
          // After some errors, such as that of a full disk, SQLite has rolled back by itself.
          if (database.inTransaction) database.exec('ROLLBACK');
          throw error;
        },
      );
      return running as Result;
    },
  };
}
