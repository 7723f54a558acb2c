/** Writes emitted rows into the sample tables, with ids that rise in the order of arrival. */
import { createBulkInsert, type Queries } from '../database/queries.js';
import type { Emission, SampleTable } from './source.js';

/** The id of the first row of each table. */
export const FIRST_IDS: Readonly<Record<SampleTable, number>> = {
  scalar_sample: 482_000_001,
  image_sample: 710_001,
  rfid_sample: 2_300_001,
  device_health: 9_100_001,
  device_log: 640_001,
};

export type SampleWriter = ReturnType<typeof createSampleWriter>;

/**
 * Use and flush it inside one transaction. Only the first row of a table gets an explicit id: SQLite gives each further
 * row the greatest id plus one. An explicit id makes an insert 60 % slower, because SQLite then searches for that id.
 */
export function createSampleWriter(db: Queries, firstIds = FIRST_IDS) {
  let written = 0;
  const tables = Object.keys(FIRST_IDS) as SampleTable[];
  const emptyTables = new Set(tables.filter((table) => !db.one(`SELECT id FROM ${table} LIMIT 1`)));
  const inserts = new Map(tables.map((table) => [table, createBulkInsert(db, table)]));
  return {
    write({ table, values }: Emission): void {
      const id = emptyTables.delete(table) ? firstIds[table] : null;
      inserts.get(table)?.add([id, ...values]);
      written++;
    },
    /** Writes the pending rows; returns the number of all rows written. */
    flush(): number {
      for (const insert of inserts.values()) insert.flush();
      return written;
    },
  };
}
