/** Seeding shares the event loop: short slices counted in rows, indexes in another thread, and few progress lines. */
import { describe, expect, it } from 'vitest';
import { ROWS_PER_SLICE } from '../../../../src/lib/slicedComputation.js';
import { createIndexes, createTables, openDatabase } from '../../../../src/sandbox/database/openDatabase.js';
import type { Queries, SqlValue } from '../../../../src/sandbox/database/queries.js';
import { createProgressLog } from '../../../../src/sandbox/seed/progressLog.js';
import { seedDatabase } from '../../../../src/sandbox/seed/seedDatabase.js';

const NOW = Date.UTC(2026, 2, 14, 9, 30) / 1000;

/** The same queries; `written` gets the number of values of each insert. */
function countValues(db: Queries, written: (values: number) => void): Queries {
  return {
    ...db,
    run(sql: string, ...values: SqlValue[]) {
      written(values.length);
      return db.run(sql, ...values);
    },
  };
}

describe('seeding', () => {
  it('pauses after a bounded number of values, and reports its progress up to the end', () => {
    const { database, db } = openDatabase(undefined);
    createTables(database);
    let values = 0;
    let longest = 0;
    let pauses = 0;
    const shares: number[] = [];
    const counted = countValues(db, (count) => {
      values += count;
    });
    const options = { seed: 1, now: NOW, siteCount: 60, historyDays: 3, shape: undefined };
    for (const _pause of seedDatabase(counted, options, (share) => shares.push(share))) {
      pauses++;
      longest = Math.max(longest, values);
      values = 0;
    }
    longest = Math.max(longest, values);
    // A row has at most eleven values; a statement that began before a slice adds up to 800.
    expect(longest).toBeLessThanOrEqual(ROWS_PER_SLICE * 11 + 5 * 800);
    expect(longest).toBeGreaterThan(ROWS_PER_SLICE);
    expect(pauses).toBeGreaterThan(10);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    database.close();
  });

  it('does not block the event loop while the indexes are created', async () => {
    // On a busy machine the index may be complete before this thread runs again; a blocking call always is.
    let turns = 0;
    for (let attempt = 0; attempt < 10 && turns <= 2; attempt++) turns = await countTurnsOfIndexing();
    // A call that blocked the loop would be over in the second turn.
    expect(turns).toBeGreaterThan(2);
  });

  /** The turns of the event loop while the indexes of 200,000 samples are created. */
  async function countTurnsOfIndexing(): Promise<number> {
    const { database } = openDatabase(undefined);
    createTables(database);
    database.exec(`INSERT INTO scalar_sample WITH RECURSIVE row(id) AS
      (SELECT 1 UNION ALL SELECT id + 1 FROM row WHERE id < 200000)
      SELECT id, id % 5000, id / 5000 * 300, id FROM row`);
    let turns = 0;
    let isDone = false;
    const indexed = createIndexes(database).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    await indexed;
    expect(
      database.prepare("SELECT name FROM sqlite_master WHERE name = 'scalar_by_stream'").all(),
    ).toHaveLength(1);
    database.close();
    return turns;
  }
});

describe('the progress of seeding', () => {
  function record() {
    let now = 0;
    const lines: string[] = [];
    const log = (_fields: object, message: string) => lines.push(message);
    const logger = { debug: log, info: log, warn: log, error: log };
    const progress = createProgressLog(logger, () => now);
    return {
      lines,
      at(ms: number, step: 'samples' | 'indexes', share: number) {
        now = ms;
        progress(step, share);
      },
    };
  }

  it('is not logged where it takes less than a second', () => {
    const { lines, at } = record();
    at(100, 'samples', 0);
    at(900, 'samples', 1);
    at(950, 'indexes', 0);
    at(1500, 'indexes', 1);
    expect(lines).toEqual([]);
  });

  it('is logged after a second, then at most every two seconds, and at the end', () => {
    const { lines, at } = record();
    for (let ms = 0; ms <= 6000; ms += 10) at(ms, 'samples', ms / 6000);
    at(7000, 'indexes', 0);
    at(7100, 'indexes', 1);
    expect(lines).toEqual([
      'Seeding the sandbox: 16% of the samples',
      'Seeding the sandbox: 50% of the samples',
      'Seeding the sandbox: 83% of the samples',
      'Seeding the sandbox: creating indexes',
      'Sandbox seeded',
    ]);
  });
});
