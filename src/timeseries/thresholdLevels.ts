/** Finds the level of a value, and decides when a stream changes its level. Pure: times are those of the samples. */

/** A level of a threshold. It begins where the level before it ends. */
interface LevelBounds {
  /** Exclusive. Null if the level has no upper end. */
  upperLimit: number | null;
  /** How long a value must stay in the level before the level takes effect. */
  falseAlarmFilterSeconds: number;
}

interface TimedValue {
  id: number;
  /** RFC 3339. */
  sampledAt: string;
  /** Null if the text of the platform is not a number. */
  value: number | null;
}

/** The level of a stream after its samples so far. Levels are indexes in the list of levels. */
export interface LevelState {
  /** The last sample by time of measurement, then by arrival. Samples that arrive late do not change the level. */
  newest: { id: number; sampledAtMs: number };
  level: number;
  /** The level of the newest sample, if it has not taken effect yet, and the time of the first sample in it. */
  pending?: { level: number; sinceMs: number };
}

interface LevelChange<Sample> {
  sample: Sample;
  previous: number;
  level: number;
  /** The time of the first sample in the level. */
  enteredAtMs: number;
}

/** The first level whose upper limit is above the value, else the topmost. `levels` must not be empty. */
export function levelIndexOf(levels: readonly LevelBounds[], value: number): number {
  const index = levels.findIndex(({ upperLimit }) => upperLimit === null || value < upperLimit);
  return index < 0 ? levels.length - 1 : index;
}

/** The state after these samples, and the changes that they cause, in order. */
export function foldLevels<Sample extends TimedValue>(
  levels: readonly LevelBounds[],
  before: LevelState | undefined,
  samples: Iterable<Sample>,
): { state: LevelState | undefined; changes: LevelChange<Sample>[] } {
  const changes: LevelChange<Sample>[] = [];
  let state = before;
  for (const sample of samples) {
    const next = advanceLevel(levels, state, sample);
    state = next.state;
    if (next.change) changes.push({ sample, ...next.change });
  }
  return { state, changes };
}

/** The state after the next sample, and the change that the sample causes, if any. */
function advanceLevel(
  levels: readonly LevelBounds[],
  state: LevelState | undefined,
  { id, sampledAt, value }: TimedValue,
): { state: LevelState | undefined; change?: Omit<LevelChange<unknown>, 'sample'> } {
  const sampledAtMs = Date.parse(sampledAt);
  if (value === null || (state !== undefined && isBefore({ id, sampledAtMs }, state.newest)))
    return { state };
  const level = levelIndexOf(levels, value);
  const newest = { id, sampledAtMs };
  if (state === undefined || level === state.level) return { state: { newest, level } };
  const sinceMs = state.pending?.level === level ? state.pending.sinceMs : sampledAtMs;
  const filterMs = (levels[level]?.falseAlarmFilterSeconds ?? 0) * 1000;
  if (sampledAtMs - sinceMs < filterMs) {
    return { state: { newest, level: state.level, pending: { level, sinceMs } } };
  }
  return { state: { newest, level }, change: { previous: state.level, level, enteredAtMs: sinceMs } };
}

/** The order of the platform's last sample: by time of measurement, then by arrival. */
function isBefore(one: LevelState['newest'], other: LevelState['newest']): boolean {
  return (one.sampledAtMs - other.sampledAtMs || one.id - other.id) < 0;
}
