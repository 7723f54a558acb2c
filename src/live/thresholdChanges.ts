/**
 * Derives the changes of threshold levels from samples in the order of arrival. The platform returns levels and
 * statuses one stream at a time, so levels are read from the cache, and the status is read only if a sample suggests
 * a change. The result depends only on the samples and levels, so that each process, and a subscription that
 * resumes, derives the same changes.
 */
import { isPermanentRefusal } from '../errors.js';
import { groupBy } from '../sources/core/collections.js';
import { readCachedLevels, type ThresholdLevel } from '../sources/entities/thresholds.js';
import type { Sample, ScalarSample } from '../sources/samples/samples.js';
import type { Sources } from '../sources/sources.js';
import { foldLevels, type LevelState, levelIndexOf } from '../timeseries/thresholdLevels.js';

export interface ThresholdChange {
  streamId: number;
  sample: ScalarSample;
  /** Unix milliseconds: the time of the first sample in the level. */
  enteredAtMs: number;
  previousLevel: ThresholdLevel;
  level: ThresholdLevel;
}

interface ThresholdReader {
  /** Returns new sources for the next few samples. The limits of an operation apply to each of them separately. */
  renewSources(): Pick<Sources, 'thresholds' | 'samples'>;
  nowMs(): number;
  /**
   * Whether all samples arrived before the evaluator was created. Levels that are read after that are then current
   * enough.
   */
  isPast?: boolean;
  /** The last samples of streams before the first one that is evaluated. Consumed by the evaluator. Must not reject. */
  lastSamples?: Promise<Map<number, ScalarSample>>;
}

/** A stream with at least two levels. */
interface FollowedStream {
  levels: readonly ThresholdLevel[];
  state: LevelState | undefined;
  /** When the platform last confirmed the levels. */
  confirmedAtMs: number;
}

interface Evaluation {
  sources: Pick<Sources, 'thresholds' | 'samples'>;
  /** Levels that the platform confirmed after this time are current. */
  trustedSinceMs: number;
}

/**
 * Samples that are evaluated together: they share sources, and so the REST call limit and the deadline of an
 * operation. Equals the number of concurrent REST calls: more samples would not finish earlier, and the oldest
 * samples of a poll, which have waited for the whole interval, would also wait for the calls of the newest ones.
 */
export const MAX_EVALUATED_SAMPLES = 64;

/** Memory of a stream whose level is followed. */
const STREAM_BYTES = 256;
/** Memory of a reference to a last sample, which the poll holds. */
const LAST_SAMPLE_BYTES = 48;

export class ThresholdEvaluator {
  readonly #reader: ThresholdReader;
  readonly #streams = new Map<number, FollowedStream>();
  readonly #createdAtMs: number;
  /** By stream, until its first sample is evaluated. */
  #lastSamples: Map<number, ScalarSample> = new Map();
  /** Resolves when the last samples count in `bytes`. */
  readonly ready: Promise<void>;

  constructor(reader: ThresholdReader) {
    this.#reader = reader;
    this.#createdAtMs = reader.nowMs();
    this.ready = Promise.resolve(reader.lastSamples).then((lastSamples) => {
      if (lastSamples) this.#lastSamples = lastSamples;
    });
  }

  /** The memory of the levels and last samples. */
  get bytes(): number {
    return this.#streams.size * STREAM_BYTES + this.#lastSamples.size * LAST_SAMPLE_BYTES;
  }

  /**
   * The changes that the next samples cause, in the order of arrival. `samples`: at most `MAX_EVALUATED_SAMPLES`.
   * Streams are evaluated in parallel, so a stream whose levels are not cached delays the others only by its own
   * calls. Rejects if the platform cannot be read.
   */
  async evaluate(samples: readonly Sample[]): Promise<ThresholdChange[]> {
    await this.ready;
    const numbers = samples.filter((sample) => sample.__typename === 'ScalarSample');
    if (numbers.length === 0) return [];
    const trustedSinceMs = this.#reader.isPast ? this.#createdAtMs : this.#reader.nowMs();
    const evaluation = { sources: this.#reader.renewSources(), trustedSinceMs };
    const byStream = groupBy(numbers, ({ streamId }) => streamId);
    const changes = await Promise.all(
      [...byStream].map(([streamId, own]) => this.#evaluateStream(streamId, own, evaluation)),
    );
    return changes.flat().sort((one, other) => one.sample.id - other.sample.id);
  }

  async #evaluateStream(
    streamId: number,
    samples: readonly ScalarSample[],
    { sources, trustedSinceMs }: Evaluation,
  ): Promise<ThresholdChange[]> {
    const lastSample = this.#lastSamples.get(streamId);
    this.#lastSamples.delete(streamId);
    const { levels, ageMs } = await readCachedLevels(sources.thresholds, streamId);
    const begin = async (
      current: readonly ThresholdLevel[],
      confirmedAtMs: number,
    ): Promise<FollowedStream> => ({
      levels: current,
      state: stateAfter(lastSample, current) ?? (await readState(streamId, samples, current, sources)),
      confirmedAtMs,
    });
    // A stream with one level never leaves it.
    if (levels.length < 2) return this.#delete(streamId);
    const followed = this.#streams.get(streamId);
    const readAtMs = this.#reader.nowMs() - ageMs;
    const before =
      followed && isSame(followed.levels, levels)
        ? { levels, state: followed.state, confirmedAtMs: Math.max(followed.confirmedAtMs, readAtMs) }
        : await begin(levels, readAtMs);
    let after = fold(before, samples);
    if (after.changes.length > 0 && before.confirmedAtMs <= trustedSinceMs) {
      const current = await confirmLevels(streamId, samples, levels, sources);
      if (current.length < 2) return this.#delete(streamId);
      if (!isSame(current, levels)) after = fold(await begin(current, 0), samples);
      after.stream.confirmedAtMs = this.#reader.nowMs();
    }
    this.#streams.set(streamId, after.stream);
    return after.changes;
  }

  #delete(streamId: number): ThresholdChange[] {
    this.#streams.delete(streamId);
    return [];
  }
}

/**
 * The state after the last sample of a stream. Undefined if earlier samples also matter: if a level has a false
 * alarm filter, or if the value is not a number.
 */
function stateAfter(
  last: ScalarSample | undefined,
  levels: readonly ThresholdLevel[],
): LevelState | undefined {
  const isFiltered = levels.some(({ falseAlarmFilterSeconds }) => falseAlarmFilterSeconds > 0);
  return last === undefined || isFiltered ? undefined : foldLevels(levels, undefined, [last]).state;
}

/**
 * The state before the first of these samples, from the samples that arrived before it. If the platform refuses
 * the samples of a stream, the stream begins with the first of these, so that it does not end the changes of other
 * streams.
 */
async function readState(
  streamId: number,
  [first]: readonly ScalarSample[],
  levels: readonly ThresholdLevel[],
  { samples }: Pick<Sources, 'samples'>,
): Promise<LevelState | undefined> {
  if (first === undefined) return undefined;
  const filterMs = Math.max(...levels.map(({ falseAlarmFilterSeconds }) => falseAlarmFilterSeconds)) * 1000;
  const earlier = await samples.arrivedBefore(streamId, first, filterMs).catch((error: unknown) => {
    if (isPermanentRefusal(error)) return [];
    throw error;
  });
  return foldLevels(levels, undefined, earlier).state;
}

/**
 * The platform's status is the name of its level for the newest sample. If it differs from the expected one, the
 * levels may have changed, and are read again. If the status cannot be read, the levels count as confirmed.
 */
async function confirmLevels(
  streamId: number,
  samples: readonly ScalarSample[],
  levels: readonly ThresholdLevel[],
  { thresholds }: Pick<Sources, 'thresholds'>,
): Promise<readonly ThresholdLevel[]> {
  const last = samples.at(-1);
  if (last === undefined) return levels;
  const status = await thresholds.statusAfter(streamId, last.id).catch(() => null);
  const expected = last.value === null ? undefined : levels[levelIndexOf(levels, last.value)]?.name;
  if (status === null || status === expected) return levels;
  return thresholds.reloadLevels(streamId).catch(() => levels);
}

function fold(
  { levels, state: before, confirmedAtMs }: FollowedStream,
  samples: readonly ScalarSample[],
): { stream: FollowedStream; changes: ThresholdChange[] } {
  const { state, changes } = foldLevels(levels, before, samples);
  const named = changes.flatMap(({ sample, previous, level: index, enteredAtMs }) => {
    const [previousLevel, level] = [levels[previous], levels[index]];
    if (previousLevel === undefined || level === undefined) return [];
    return { streamId: sample.streamId, sample, enteredAtMs, previousLevel, level };
  });
  return { stream: { levels, state, confirmedAtMs }, changes: named };
}

/** Whether two lists of levels give each value the same level. */
function isSame(one: readonly ThresholdLevel[], other: readonly ThresholdLevel[]): boolean {
  if (one === other) return true;
  return (
    one.length === other.length &&
    one.every(({ name, upperLimit, falseAlarmFilterSeconds: filter }, index) => {
      const level = other[index];
      return (
        name === level?.name && upperLimit === level.upperLimit && filter === level.falseAlarmFilterSeconds
      );
    })
  );
}
