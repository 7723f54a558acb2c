/** Loads the limits set on streams. Status and levels are two REST calls, each made only for its own field. */
import { isPermanentRefusal } from '../../errors.js';
import { decodeRows, type RowDecoder, type RowOf } from '../../rest/decode/rowDecoder.js';
import {
  notificationActionRow,
  outputActionRow,
  sampleActionRow,
  thresholdLevelRow,
  type thresholdRow,
  type thresholdStatusRow,
} from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { readKeyed, readOne } from '../core/keyedSource.js';
import { createKeyedLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { isListOfObjects } from '../core/storedShape.js';
import { convert } from '../core/wireValues.js';
import type { StreamReference } from './streams.js';

/** The limits of one stream; each field loads its own data. */
export type Threshold = ReturnType<typeof toThreshold>;

export function toThreshold({ id, siteId }: StreamReference) {
  return { __typename: 'Threshold' as const, streamId: id, siteId };
}

export type ThresholdLevel = ReturnType<typeof toThresholdLevel>;
export type NotificationAction = NonNullable<ReturnType<typeof toNotificationAction>>;
export type OutputAction = NonNullable<ReturnType<typeof toOutputAction>>;
export type SampleAction = NonNullable<ReturnType<typeof toSampleAction>>;

const transmissionIntervals = { normal: 'NORMAL', event: 'EVENT', emergency: 'EMERGENCY' } as const;
const notificationTypes = {
  mail: 'MAIL',
  sms: 'SMS',
  ticketSystem: 'TICKET_SYSTEM',
  voice: 'VOICE',
} as const;
const outputTypes = { pulse_once: 'PULSE_ONCE', set_down: 'SET_DOWN', set_up: 'SET_UP' } as const;
const sampleActionTypes = {
  pause: 'PAUSE',
  resume: 'RESUME',
  single: 'SINGLE',
  pause_single: 'PAUSE_SINGLE',
} as const;

/** The platform's default for an absent field. */
export const DEFAULT_SAMPLE_INTERVAL_SECONDS = 300;

/** From the lowest to the highest, whatever the order of the platform. A level begins where the one below it ends. */
function toThresholdLevels(row: RowOf<typeof thresholdRow> | null): ThresholdLevel[] {
  const levels = convertEach(row?.levels, thresholdLevelRow, toThresholdLevel).sort(byUpperLimit);
  return levels.map((level, index) => ({
    ...level,
    lowerLimit: level.lowerLimit ?? levels[index - 1]?.upperLimit ?? null,
  }));
}

/** A level without an upper limit is the highest. */
function byUpperLimit({ upperLimit: one }: ThresholdLevel, { upperLimit: other }: ThresholdLevel): number {
  return one === null || other === null ? Number(one === null) - Number(other === null) : one - other;
}

function toThresholdLevel(row: RowOf<typeof thresholdLevelRow>) {
  return {
    name: row.display_name,
    comment: row.comment || null,
    lowerLimit: row.lower_limit ?? null,
    upperLimit: row.upper_limit ?? null,
    falseAlarmFilterSeconds: row.false_alarm_filter ?? 0,
    sampleIntervalSeconds: row.sample_interval ?? DEFAULT_SAMPLE_INTERVAL_SECONDS,
    transmissionInterval: named(transmissionIntervals, row.transmission_interval) ?? 'NORMAL',
    transmitImmediately: row.transmit_immediately ?? false,
    notificationActions: convertEach(row.notification_actions, notificationActionRow, toNotificationAction),
    outputActions: convertEach(row.output_actions, outputActionRow, toOutputAction),
    sampleActions: convertEach(row.sample_actions, sampleActionRow, toSampleAction),
  };
}

function toNotificationAction(action: RowOf<typeof notificationActionRow>) {
  const type = named(notificationTypes, action.type);
  return type === null
    ? null
    : {
        type,
        userGroupPlatformId: toIdString(action.user_group_id),
        relevanceThreshold: action.relevance_threshold ?? null,
        repeatsPerUserOnFailed: action.repeats_per_user_on_failed ?? null,
        repeatsForAllOnFailed: action.num_repeats_all_on_failed ?? null,
      };
}

function toOutputAction(action: RowOf<typeof outputActionRow>) {
  const type = named(outputTypes, action.type);
  const channelNumber = action.channel_num;
  return type === null || channelNumber === undefined ? null : { type, channelNumber };
}

function toSampleAction(action: RowOf<typeof sampleActionRow>) {
  const type = named(sampleActionTypes, action.type);
  return type === null
    ? null
    : { type, streamId: action.stream_id ?? null, sampleGroupPlatformId: toIdString(action.sample_group_id) };
}

function convertEach<Row, Model>(
  list: unknown,
  decode: RowDecoder<Row>,
  toModel: (row: Row) => Model | null,
): Model[] {
  return Array.isArray(list) ? convert(decodeRows(list, decode).value, toModel) : [];
}

function named<Name extends string>(names: Readonly<Record<string, Name>>, word: unknown): Name | null {
  return typeof word === 'string' && Object.hasOwn(names, word) ? (names[word] ?? null) : null;
}

function toIdString(value: number | undefined): string | null {
  return Number.isInteger(value) ? String(value) : null;
}

function isLevels(stored: unknown): boolean {
  return (
    isListOfObjects(stored) && stored.every((level) => 'name' in level && typeof level.name === 'string')
  );
}

export type Thresholds = ReturnType<typeof createThresholds>;

/** Levels from the cache, which may be stale, or from the platform. */
interface CachedLevels {
  levels: readonly ThresholdLevel[];
  ageMs: number;
}

/**
 * A stream whose levels the platform refuses to return counts as having none, so that it fails neither a list nor
 * the changes of other streams.
 */
export async function readCachedLevels(
  thresholds: Pick<Thresholds, 'cachedLevels'>,
  streamId: number,
): Promise<CachedLevels> {
  try {
    return await thresholds.cachedLevels(streamId);
  } catch (error) {
    if (isPermanentRefusal(error)) return { levels: [], ageMs: 0 };
    throw error;
  }
}

export function createThresholds(rest: RestClient, reader: Reader) {
  const ofStream = readKeyed<number, RowOf<typeof thresholdRow> | null, ThresholdLevel[]>(reader, {
    kind: 'threshold',
    endpoint: rest.threshold,
    toValue: toThresholdLevels,
    isValue: isLevels,
  });
  const levels = createKeyedLoader(reader, ofStream);
  const status = createKeyedLoader(
    reader,
    readOne<number, RowOf<typeof thresholdStatusRow>, string>(
      reader,
      'thresholdStatus',
      rest.thresholdStatus,
      (row) => row.Status ?? null,
    ),
  );

  return {
    levels: (streamId: number) => levels.load(streamId),
    status: (streamId: number) => status.load(streamId),
    /**
     * For subscriptions: stale levels are used without a revalidation, because each sample of a stream reads them.
     * Suspect levels are used only if new ones cannot be loaded.
     */
    async cachedLevels(streamId: number): Promise<CachedLevels> {
      const lookup = ofStream.lookup(streamId);
      const found = reader.inspect(lookup);
      // One load for each operation, also with `no-cache`.
      if (!('origin' in found)) return { levels: await levels.load(streamId), ageMs: 0 };
      const { value, ageMs, isSuspect } = found;
      const current = isSuspect ? await reader.load(lookup) : value;
      return { levels: current, ageMs: current === value ? ageMs : 0 };
    },
    async reloadLevels(streamId: number): Promise<readonly ThresholdLevel[]> {
      await reader.invalidate([{ kind: 'threshold', parameter: streamId }]);
      return reader.load(ofStream.lookup(streamId));
    },
    /** The status after a sample has arrived. All subscriptions share the call. */
    statusAfter: (streamId: number, sampleId: number): Promise<string | null> =>
      reader.read({
        kind: 'thresholdStatus',
        template: rest.thresholdStatus.template,
        parameter: `${streamId} after ${sampleId}`,
        load: async (options) => (await rest.thresholdStatus(streamId, options))?.Status ?? null,
      }),
  };
}
