/** Plans of streams for property tests: the same plan creates the same samples, and SQL returns those in a range. */
import fc from 'fast-check';
import { required, startStillGateway, type TestGateway, toText } from '../gateway.js';
import { addSamples, type MadeSample, makeStreams } from './generatedStream.js';

export const DAY = 86_400;
/** Around the nights in which Zurich, New York and Lord Howe Island change their clocks. */
const STARTS = ['2025-03-08', '2025-03-29', '2025-04-05', '2025-10-03', '2025-10-25', '2025-11-01'].map(
  (day) => Date.parse(`${day}T00:00:00Z`) / 1000,
);

/** About two days: some regular, some in bursts, with gaps, words, and several samples of one second. */
export const stream = fc.record({
  start: fc.constantFrom(...STARTS),
  step: fc.constantFrom(60, 300, 600, 900),
  jitter: fc.integer({ min: 0, max: 40 }),
  gaps: fc.array(
    fc.record({ from: fc.integer({ min: 0, max: 2 * DAY }), length: fc.integer({ min: 60, max: DAY }) }),
    {
      maxLength: 4,
    },
  ),
  lateShare: fc.double({ min: 0, max: 0.3, noNaN: true }),
  wordEvery: fc.constantFrom(0, 0, 7, 1),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
type StreamPlan = typeof stream extends fc.Arbitrary<infer Plan> ? Plan : never;

/** The same plan creates the same samples; a late one arrives after all others. */
export function samplesOf({
  start,
  step,
  jitter,
  gaps,
  lateShare,
  wordEvery,
  seed,
}: StreamPlan): MadeSample[] {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const [onTime, late]: [MadeSample[], MadeSample[]] = [[], []];
  for (let at = start, index = 1; at < start + 2 * DAY; at += step, index++) {
    const isLost = gaps.some(({ from, length }) => at - start >= from && at - start < from + length);
    if (isLost) continue;
    const value = wordEvery > 0 && index % wordEvery === 0 ? 'ERR' : Math.round(random() * 1e6 - 5e5) / 1000;
    const sample = { at: at + Math.floor(random() * jitter), value };
    (random() < lateShare ? late : onTime).push(sample);
  }
  return [...onTime, ...late];
}

/** Somewhere in or around the two days. */
export const range = fc
  .tuple(fc.integer({ min: -DAY, max: 3 * DAY }), fc.integer({ min: 1, max: 3 * DAY }))
  .map(([from, length]) => ({ from, length }));

export function textRange({ start }: StreamPlan, { from, length }: { from: number; length: number }) {
  return { from: toText(start + from), to: toText(start + from + length) };
}

export interface Row {
  id: number;
  at: number;
  value: number | string;
}

/** More than the tests of a file need, for any number of shrinking steps. */
const POOL_SIZE = 2000;

/** A gateway with streams that no test has read yet, and their samples from SQL. */
export async function startStreamPool() {
  const gateway = await startStillGateway({ sandbox: { siteCount: 1, historyDays: 0.1 } });
  return { gateway, pool: createStreamPool(gateway) };
}

function createStreamPool(gateway: TestGateway) {
  const unused = makeStreams(gateway, POOL_SIZE);

  function rowsIn(streamId: number, { from, to }: { from: string; to: string }): Row[] {
    return gateway.sql(
      `SELECT id, sample_date AS at, value FROM scalar_sample
       WHERE stream_id = ? AND sample_date >= ? AND sample_date < ? ORDER BY sample_date, id`,
      streamId,
      Date.parse(from) / 1000,
      Date.parse(to) / 1000,
    );
  }

  return {
    /** A stream with these samples. */
    fill(samples: readonly MadeSample[]): number {
      const id = required(unused.pop());
      addSamples(gateway, id, samples);
      return id;
    },
    rowsIn,
    numbersIn: (...args: Parameters<typeof rowsIn>) =>
      rowsIn(...args).filter((row): row is Row & { value: number } => typeof row.value === 'number'),
  };
}
