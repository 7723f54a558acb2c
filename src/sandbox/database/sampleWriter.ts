/** Writes emitted rows into the sample tables, with ids that rise in the order of arrival. */
import { type Emission, SAMPLE_COLUMNS, type SampleTable } from '../seed/source.js';
import { createBulkInsert } from './bulkInsert.js';
import type { Queries } from './queries.js';

/** Where each table's ids begin. */
const FIRST_IDS: Readonly<Record<SampleTable, number>> = {
  scalar_sample: 482_000_001,
  image_sample: 710_001,
  rfid_sample: 2_300_001,
  device_health: 9_100_001,
  device_log: 640_001,
};

export interface SampleWriter {
  write(emission: Emission): void;
  /** Writes what is still waiting; returns how many rows were written since the last flush. */
  flush(): number;
}

function nextIdOf(db: Queries, table: SampleTable): number {
  const newest = db.one<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`)?.id;
  return newest ? newest + 1 : FIRST_IDS[table];
}

/** To be used and flushed inside one transaction; the next ids are read when it is created. */
export function createSampleWriter(db: Queries): SampleWriter {
  let written = 0;
  const tables = Object.keys(SAMPLE_COLUMNS) as SampleTable[];
  const inserts = new Map(
    tables.map((table) => [
      table,
      { next: nextIdOf(db, table), insert: createBulkInsert(db, table, ['id', ...SAMPLE_COLUMNS[table]]) },
    ]),
  );
  return {
    write({ table, values }) {
      const target = inserts.get(table);
      if (!target) return;
      target.insert.add([target.next++, ...values]);
      written++;
    },
    flush() {
      for (const { insert } of inserts.values()) insert.flush();
      const count = written;
      written = 0;
      return count;
    },
  };
}
