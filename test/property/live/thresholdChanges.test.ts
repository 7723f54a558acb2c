/** Every change of level is derived exactly once, from any arrival order of samples, over any polls and restarts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ThresholdEvaluator } from '../../../src/live/thresholdChanges.js';
import type { ThresholdLevel } from '../../../src/sources/entities/thresholds.js';
import type { ScalarSample } from '../../../src/sources/samples/samples.js';
import type { Sources } from '../../../src/sources/sources.js';
import { createRandom, type Random } from '../../support/random.js';
import { thresholdLevel } from '../../support/rest/models.js';

const START_MS = Date.UTC(2026, 0, 1);
/** The page of earlier samples that the platform returns. */
const EARLIER_SAMPLES = 100;

const toLevel = (name: string, upperLimit: number | null, falseAlarmFilterSeconds: number) =>
  thresholdLevel(name, { upperLimit, falseAlarmFilterSeconds });

/** Limits at 10 and 20. */
const toLevels = (filterSeconds: number) => [
  toLevel('low', 10, filterSeconds),
  toLevel('normal', 20, 0),
  toLevel('high', null, filterSeconds),
];

function toSample(id: number, streamId: number, second: number, value: number | null): ScalarSample {
  const sampledAt = new Date(START_MS + second * 1000).toISOString();
  return { __typename: 'ScalarSample', id, streamId, sampledAt, value, rawValue: String(value) };
}

/** A platform with these samples, of which those up to an id have arrived. Counts the calls. */
function createPlatform(samples: readonly ScalarSample[], levelsOf: (streamId: number) => ThresholdLevel[]) {
  const byStream = new Map<number, ScalarSample[]>();
  for (const sample of samples)
    byStream.set(sample.streamId, [...(byStream.get(sample.streamId) ?? []), sample]);
  const calls = { levels: 0, earlier: 0, status: 0, changes: 0 };
  const thresholds = {
    async cachedLevels(streamId: number) {
      calls.levels += 1;
      return { levels: levelsOf(streamId), ageMs: 0 };
    },
    async statusAfter() {
      calls.status += 1;
      return null;
    },
  };
  const arrivedBefore = async (streamId: number, { id }: { id: number }) => {
    calls.earlier += 1;
    return (byStream.get(streamId) ?? []).filter((sample) => sample.id < id).slice(-EARLIER_SAMPLES);
  };
  const sources = { thresholds, samples: { arrivedBefore } } as unknown as Sources;
  /** `polled`: samples of a poll that ran before the evaluator begins. */
  const createEvaluator = (polled: readonly ScalarSample[] = []) =>
    new ThresholdEvaluator({
      renewSources: () => sources,
      nowMs: () => START_MS,
      lastSamples: Promise.resolve(toLastSamples(polled)),
    });
  return { calls, createEvaluator };
}

/** The last sample of each stream by time of measurement, then by arrival. */
function toLastSamples(samples: readonly ScalarSample[]): Map<number, ScalarSample> {
  const byTime = samples.toSorted((one, other) => Date.parse(one.sampledAt) - Date.parse(other.sampledAt));
  return new Map(byTime.map((sample) => [sample.streamId, sample]));
}

interface Run {
  level: number;
  samples: { id: number; atMs: number }[];
}

/** Runs of samples in one level, without late samples. */
function toRuns(samples: readonly ScalarSample[]): Run[] {
  const runs: Run[] = [];
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const { id, value, sampledAt } of samples) {
    const atMs = Date.parse(sampledAt);
    if (value === null || atMs < newestMs) continue;
    newestMs = atMs;
    const level = [10, 20].filter((limit) => value >= limit).length;
    if (runs.at(-1)?.level !== level) runs.push({ level, samples: [] });
    runs.at(-1)?.samples.push({ id, atMs });
  }
  return runs;
}

/** The ids of the samples that cause a change: a run counts at its first sample after the filter. */
function expectedIds(samples: readonly ScalarSample[], levels: readonly ThresholdLevel[]): number[] {
  const [first, ...runs] = toRuns(samples);
  let counted = first?.level;
  return runs.flatMap((run) => {
    const filterMs = (levels[run.level]?.falseAlarmFilterSeconds ?? 0) * 1000;
    const cause = run.samples.find(({ atMs }) => atMs - (run.samples[0]?.atMs ?? 0) >= filterMs);
    if (cause === undefined || run.level === counted) return [];
    counted = run.level;
    return [cause.id];
  });
}

/** Evaluates the samples in polls of random length, and restarts at the last change now and then. */
async function run(
  samples: readonly ScalarSample[],
  { createEvaluator, calls }: ReturnType<typeof createPlatform>,
  random: Random,
  maxPollLength: number,
): Promise<number[]> {
  const ids: number[] = [];
  let evaluator = createEvaluator();
  for (let from = 0; from < samples.length; ) {
    const to = from + 1 + random.below(maxPollLength);
    const changes = await evaluator.evaluate(samples.slice(from, to));
    from = to;
    calls.changes += changes.length;
    const isRestart = random.chance(0.2);
    // The connection may end within the changes of a poll.
    const received = isRestart ? changes.slice(0, random.below(changes.length + 1)) : changes;
    ids.push(...received.map(({ sample }) => sample.id));
    if (!isRestart) continue;
    from = samples.findIndex(({ id }) => id > (ids.at(-1) ?? 0));
    if (from < 0) break;
    evaluator = createEvaluator(random.chance(0.5) ? samples.slice(0, from) : []);
  }
  return ids;
}

const steps = fc.array(
  fc.record({
    value: fc.option(fc.constantFrom(0, 9.99, 10, 15, 19.99, 20, 30), { freq: 20 }),
    seconds: fc.constantFrom(0, 1, 5, 10, -3, 30),
  }),
  { minLength: 1, maxLength: EARLIER_SAMPLES },
);

describe('changes of threshold levels', () => {
  it('are derived once for any order of samples, filter, poll and restart', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(0, 5, 12), fc.nat(), async (values, filterSeconds, seed) => {
        const levels = toLevels(filterSeconds);
        let second = 0;
        const samples = values.map(({ value, seconds }, index) => {
          second += seconds;
          return toSample(index + 1, 1, second, value);
        });
        const platform = createPlatform(samples, () => levels);
        expect(await run(samples, platform, createRandom(seed), 5)).toEqual(expectedIds(samples, levels));
      }),
      { numRuns: 300 },
    );
  });

  it('of 10,000 streams are derived once over restarts, and cost one call for each change', async () => {
    const random = createRandom(14);
    const streamCount = 10_000;
    const levels = [toLevels(0), toLevels(10)] as const;
    const levelsOf = (streamId: number) => levels[streamId % 2] ?? levels[0];
    const samples: ScalarSample[] = [];
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < streamCount; index++) {
        const second = round * 10 - (random.chance(0.05) ? 15 : 0);
        samples.push(toSample(samples.length + 1, 1 + index, second, random.next() * 30));
      }
    }
    const platform = createPlatform(samples, levelsOf);
    const expected = Array.from({ length: streamCount }, (_, index) =>
      expectedIds(
        samples.filter((_sample, at) => at % streamCount === index),
        levelsOf(1 + index),
      ),
    );
    expect(await run(samples, platform, random, 5000)).toEqual(
      expected.flat().sort((one, other) => one - other),
    );
    // A change is confirmed once each time that it is derived.
    expect(platform.calls.status).toBeGreaterThan(0);
    expect(platform.calls.status).toBeLessThanOrEqual(platform.calls.changes);
  });
});
