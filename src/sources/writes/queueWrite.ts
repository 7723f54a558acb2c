/** Checks what is to be done to a delivery queue. */
import { checkText, createUserError, type UserError } from './userErrors.js';

const MAX_AGENT_LENGTH = 256;
/** The least date that the platform takes in a query. */
const MIN_DATE_MS = 946_688_461_000;

export function checkAgent(agent: string | null): UserError[] {
  return agent === null ? [] : checkText(['agent'], agent, { least: 1, most: MAX_AGENT_LENGTH });
}

/** NaN stands for an id that is none. */
export function checkSampleId(sampleId: number): UserError[] {
  if (!Number.isNaN(sampleId)) return [];
  return [createUserError(['sampleId'], 'INVALID_ID', 'It is no id of a sample of this kind.')];
}

export function createUnknownSampleError(): UserError {
  return createUserError(
    ['sampleId'],
    'NOT_FOUND',
    'The platform knows no sample of this kind with this id.',
  );
}

export function checkSince(sinceMs: number): UserError[] {
  if (sinceMs >= MIN_DATE_MS) return [];
  const least = new Date(MIN_DATE_MS).toISOString();
  return [createUserError(['since'], 'OUT_OF_RANGE', `The platform takes no date before ${least}.`)];
}
