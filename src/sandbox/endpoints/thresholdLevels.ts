/** Validates a threshold's levels, completes them for responses, and finds the level of a value. */
import type { WireThresholdLevel } from '../../rest/wire.js';
import { createBadRequestError } from '../httpError.js';

const UINT32 = 4294967295;
const MAX_LEVELS = 100;

type JsonFields = Record<string, unknown>;

function throwBadField(at: string, rule: string): never {
  throw createBadRequestError(`${at} ${rule}.`);
}

function readObject(at: string, value: unknown): JsonFields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonFields;
  return throwBadField(at, 'must be an object');
}

function readText(at: string, value: unknown, maxLength: number): string {
  if (typeof value === 'string' && value.length <= maxLength) return value;
  return throwBadField(at, `must be text of at most ${maxLength} characters`);
}

function readInteger(at: string, value: unknown, minimum: number, maximum: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum) {
    return value as number;
  }
  return throwBadField(at, `must be an integer from ${minimum} to ${maximum}`);
}

function readChoice<Choice extends string>(at: string, value: unknown, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === value);
  return choice ?? throwBadField(at, `must be one of ${choices.join(', ')}`);
}

function readList<Item>(at: string, value: unknown, read: (at: string, item: JsonFields) => Item): Item[] {
  if (!Array.isArray(value)) return throwBadField(at, 'must be a list');
  if (value.length > MAX_LEVELS) return throwBadField(at, `must hold at most ${MAX_LEVELS} entries`);
  return value.map((item, index) => read(`${at}[${index}]`, readObject(`${at}[${index}]`, item)));
}

/** Applies the readers to the fields that are present. `null` counts as absent. */
function readOptional(
  at: string,
  fields: JsonFields,
  readers: Record<string, (at: string, value: unknown) => unknown>,
): JsonFields {
  const result: JsonFields = {};
  for (const [name, read] of Object.entries(readers)) {
    const value = fields[name];
    if (value !== undefined && value !== null) result[name] = read(`${at}.${name}`, value);
  }
  return result;
}

const whole = (at: string, value: unknown) => readInteger(at, value, 0, Number.MAX_SAFE_INTEGER);
const id = (at: string, value: unknown) => readInteger(at, value, 1, Number.MAX_SAFE_INTEGER);

function readNotification(at: string, item: JsonFields): JsonFields {
  const type = readChoice(`${at}.type`, item['type'], ['mail', 'sms', 'ticketSystem', 'voice']);
  const numbers = {
    user_group_id: whole,
    relevance_threshold: whole,
    repeats_per_user_on_failed: whole,
    num_repeats_all_on_failed: whole,
  };
  return { type, ...readOptional(at, item, numbers) };
}

function readOutput(at: string, item: JsonFields): JsonFields {
  const type = readChoice(`${at}.type`, item['type'], ['pulse_once', 'set_down', 'set_up']);
  return { type, channel_num: readInteger(`${at}.channel_num`, item['channel_num'], 0, 15) };
}

function readSampleAction(at: string, item: JsonFields): JsonFields {
  const type = readChoice(`${at}.type`, item['type'], ['pause', 'resume', 'single', 'pause_single']);
  const target = readOptional(at, item, { stream_id: id, sample_group_id: id });
  if ('stream_id' in target && 'sample_group_id' in target) {
    throwBadField(at, 'must name either stream_id or sample_group_id, not both');
  }
  return { type, ...target };
}

const levelReaders: Record<string, (at: string, value: unknown) => unknown> = {
  comment: (at, value) => readText(at, value, 512),
  upper_limit: (at, value) => (Number.isFinite(value) ? value : throwBadField(at, 'must be a number')),
  false_alarm_filter: (at, value) => readInteger(at, value, 0, UINT32),
  sample_interval: (at, value) => readInteger(at, value, 30, UINT32),
  transmission_interval: (at, value) => readChoice(at, value, ['normal', 'event', 'emergency']),
  transmit_immediately: (at, value) =>
    typeof value === 'boolean' ? value : throwBadField(at, 'must be true or false'),
  notification_actions: (at, value) => readList(at, value, readNotification),
  output_actions: (at, value) => readList(at, value, readOutput),
  sample_actions: (at, value) => readList(at, value, readSampleAction),
};

const LEVEL_DEFAULTS = {
  false_alarm_filter: 0,
  sample_interval: 300,
  transmission_interval: 'normal' as const,
  transmit_immediately: false,
};

function readLevel(at: string, item: JsonFields): WireThresholdLevel {
  const display_name = readText(`${at}.display_name`, item['display_name'], 256);
  if (display_name === '') throwBadField(`${at}.display_name`, 'must not be empty');
  return { display_name, ...LEVEL_DEFAULTS, ...readOptional(at, item, levelReaders) };
}

function requireAscending(levels: readonly WireThresholdLevel[]): void {
  let below = Number.NEGATIVE_INFINITY;
  for (const [index, level] of levels.entries()) {
    const isTop = index === levels.length - 1;
    const at = `levels[${index}].upper_limit`;
    if (level.upper_limit === undefined && isTop) return;
    if (level.upper_limit === undefined) throwBadField(at, 'is required on every level but the last');
    else if (level.upper_limit <= below) throwBadField(at, 'must be greater than the one before it');
    else below = level.upper_limit;
  }
}

/**
 * Reads the body of a threshold's POST. Ignores `lower_limit`, so that a client can send back the levels of a response.
 * @throws HttpError 400 with the name of the first invalid field.
 */
export function readThresholdBody(body: unknown): WireThresholdLevel[] {
  const levels = readList('levels', readObject('The body', body)['levels'], readLevel);
  requireAscending(levels);
  return levels;
}

/** A level of a response. It has all fields. */
export type ResponseLevel = {
  readonly [Field in keyof Required<WireThresholdLevel>]:
    | NonNullable<WireThresholdLevel[Field]>
    | (Field extends 'lower_limit' | 'upper_limit' ? null : never);
};

/** Each level begins at the end of the level below. The outer limits of the lowest and the topmost level are null. */
export function toResponseLevels(levels: readonly WireThresholdLevel[]): ResponseLevel[] {
  return levels.map((level, index) => ({
    ...LEVEL_DEFAULTS,
    ...{ comment: '', upper_limit: null, notification_actions: [], output_actions: [], sample_actions: [] },
    ...level,
    lower_limit: levels[index - 1]?.upper_limit ?? null,
  }));
}

/** The name of the first level with an upper limit above the value, else of the topmost level. */
export function levelOf(levels: readonly WireThresholdLevel[], value: number): string | undefined {
  const level = levels.find((one) => one.upper_limit === undefined || value < one.upper_limit);
  return (level ?? levels.at(-1))?.display_name;
}
