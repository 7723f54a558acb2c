/** Generated streams: any number of samples, with gaps, late arrivals and words among the numbers. */
import { cleanUpAfterFile } from '../cleanUp.js';
import type { TestGateway } from '../gateway.js';

export interface MadeSample {
  /** Unix seconds. */
  at: number;
  value: number | string;
}

const FIRST_STREAM_ID = 950_000;
const FIRST_SAMPLE_ID = 900_000_000;
let nextStreamId = FIRST_STREAM_ID;
let nextSampleId = FIRST_SAMPLE_ID;

cleanUpAfterFile(() => {
  nextStreamId = FIRST_STREAM_ID;
  nextSampleId = FIRST_SAMPLE_ID;
});

/** Adds streams without samples; once per test, because the gateway caches the list of streams for a minute. */
export function makeStreams({ sandbox, sql, accountId }: TestGateway, count: number): number[] {
  const [site] = sql<{ id: number }>(
    'SELECT id FROM site WHERE account_id = ? ORDER BY id LIMIT 1',
    accountId,
  );
  const insert = sandbox.database.prepare(
    `INSERT INTO stream VALUES (?, ?, ?, 1700000000, ?, 1, 'Made', 'bar', '1', 1)`,
  );
  return Array.from({ length: count }, () => {
    const id = nextStreamId++;
    insert.run(id, accountId, site?.id ?? 0, `Made ${id}`);
    return id;
  });
}

export function addSamples(
  { sandbox }: Pick<TestGateway, 'sandbox'>,
  streamId: number,
  samples: readonly MadeSample[],
): void {
  const insert = sandbox.database.prepare('INSERT INTO scalar_sample VALUES (?, ?, ?, ?)');
  sandbox.database.exec('BEGIN');
  for (const { at, value } of samples) insert.run(nextSampleId++, streamId, at, value);
  sandbox.database.exec('COMMIT');
}

/** Samples at an even interval, in waves. */
export function evenly(count: number, fromSeconds: number, stepSeconds: number): MadeSample[] {
  return Array.from({ length: count }, (_, index) => ({
    at: fromSeconds + index * stepSeconds,
    value: Math.round((5 + 3 * Math.sin(index / 40) + Math.sin(index / 3.1)) * 1000) / 1000,
  }));
}
