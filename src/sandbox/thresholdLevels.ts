/** Validates a threshold's levels, completes them for responses, and finds the level of a value. */
import type { WireThresholdLevel } from '../rest/wire.js';
import { createBadRequestError } from './httpError.js';
import { readRequestBody } from './openapi/requestBody.js';

function requireAscending(levels: readonly WireThresholdLevel[]): void {
  let below = Number.NEGATIVE_INFINITY;
  for (const [index, level] of levels.entries()) {
    const at = `levels[${index}].upper_limit`;
    if (level.upper_limit === undefined) {
      if (index === levels.length - 1) return;
      throw createBadRequestError(`${at} is required on every level but the last.`);
    }
    if (level.upper_limit <= below) {
      throw createBadRequestError(`${at} must be greater than the one before it.`);
    }
    below = level.upper_limit;
  }
}

/**
 * Reads the body of a threshold's POST. Ignores `lower_limit`, so that a client can send back the levels of a response.
 * @throws HttpError 400 with the name of the first invalid field.
 */
export function readThresholdBody(body: unknown): WireThresholdLevel[] {
  const { levels } = readRequestBody('ThresholdChange', body) as { levels: WireThresholdLevel[] };
  requireAscending(levels);
  return levels;
}

/**
 * Levels with all fields. Each begins at the end of the level below. The outer limits of the lowest and the topmost level
 * are null.
 */
export function toResponseLevels(levels: readonly WireThresholdLevel[]): object[] {
  return levels.map((level, index) => ({
    ...{ comment: '', upper_limit: null, notification_actions: [], output_actions: [], sample_actions: [] },
    ...level,
    lower_limit: levels[index - 1]?.upper_limit ?? null,
  }));
}

/** The name of the first level with an upper limit above the value, else of the topmost level. */
export function levelNameOf(levels: readonly WireThresholdLevel[], value: number): string | undefined {
  const level = levels.find((one) => one.upper_limit === undefined || value < one.upper_limit);
  return (level ?? levels.at(-1))?.display_name;
}
