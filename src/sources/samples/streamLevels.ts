/**
 * Finds the threshold level that the newest sample of each stream is in. The platform returns statuses and levels for one
 * stream at a time. Levels hardly ever change, so they are read from the cache, and the newest samples come in batches:
 * the alarms of hundreds of streams cost a few calls.
 */
import type { OperationTurns } from '../../lib/turnBudget.js';
import { levelIndexOf } from '../../timeseries/thresholdLevels.js';
import { createBatchLoader, settleEach } from '../core/batches.js';
import type { StreamReference } from '../entities/streams.js';
import { readCachedLevels, type ThresholdLevel, type Thresholds } from '../entities/thresholds.js';
import type { LastSamples } from './lastSamples.js';

/** From the least to the most serious. */
export const alarmLevels = ['NONE', 'EVENT', 'EMERGENCY'] as const;

export type AlarmLevel = (typeof alarmLevels)[number];

/** How serious a level is, derived from its settings, because the platform gives levels only a name. */
export function alarmLevelOf(level: ThresholdLevel | null): AlarmLevel {
  if (level === null) return 'NONE';
  if (level.transmissionInterval === 'EMERGENCY') return 'EMERGENCY';
  const startsActions = level.notificationActions.length > 0 || level.outputActions.length > 0;
  const sendsMore = level.transmissionInterval === 'EVENT' || level.transmitImmediately;
  return startsActions || sendsMore ? 'EVENT' : 'NONE';
}

export function worstOf(alarms: readonly AlarmLevel[]): AlarmLevel {
  return alarmLevels.findLast((level) => alarms.includes(level)) ?? 'NONE';
}

/** Cached levels that are older are read again, a few in each operation, so that changes by others are noticed. */
const RENEWAL_AGE_MS = 5 * 60_000;
const MAX_RENEWALS = 10;

export interface LevelSources {
  turns: OperationTurns;
  samples: { last: LastSamples['load'] };
  thresholds: Pick<Thresholds, 'cachedLevels' | 'levels' | 'status'>;
}

export type StreamLevels = ReturnType<typeof createStreamLevels>;

export function createStreamLevels({ samples, thresholds, turns }: LevelSources) {
  let renewals = 0;

  async function levelsOf(streamId: number): Promise<readonly ThresholdLevel[]> {
    const { levels, ageMs } = await readCachedLevels(thresholds, streamId);
    if (ageMs < RENEWAL_AGE_MS || renewals >= MAX_RENEWALS) return levels;
    renewals += 1;
    return thresholds.levels(streamId);
  }

  /** Requests the status from the platform if the newest sample is not a number. */
  async function findLevel(
    stream: StreamReference,
    levels: readonly ThresholdLevel[],
  ): Promise<ThresholdLevel | null> {
    const newest = await samples.last(stream);
    if (newest === null) return null;
    if (newest.value !== null) return levels[levelIndexOf(levels, newest.value)] ?? null;
    const status = await thresholds.status(stream.id);
    return levels.find(({ name }) => name === status) ?? null;
  }

  /** Loads all levels first, so that the newest samples are loaded together, and only for streams with levels. */
  async function loadLevels(streams: readonly StreamReference[]): Promise<(ThresholdLevel | null | Error)[]> {
    const levels = await settleEach(streams, ({ id }) => levelsOf(id), turns);
    return settleEach([...streams.keys()], async (index) => {
      const [stream, own] = [streams[index], levels[index]];
      if (own instanceof Error) throw own;
      return stream === undefined || own === undefined || own.length === 0 ? null : findLevel(stream, own);
    });
  }

  const loader = createBatchLoader<StreamReference, ThresholdLevel | null, number>(turns, loadLevels, {
    cacheKeyFn: ({ id }) => id,
  });

  return {
    /** Null for a stream without levels or samples. Rejects if the platform cannot be read. */
    levelOfStream: (stream: StreamReference): Promise<ThresholdLevel | null> => loader.load(stream),
    levelsOfStreams: (streams: readonly StreamReference[]): Promise<(ThresholdLevel | null)[]> =>
      Promise.all(streams.map((stream) => loader.load(stream))),
  };
}
