/** Checks what is to be done to a delivery queue. */
import { checkText, type UserError, userError } from './userErrors.js';

const LONGEST_AGENT = 256;
/** The least date that the platform takes in a query. */
const LEAST_DATE_MS = 946_688_461_000;

export function checkAgent(agent: string | null): UserError[] {
  return agent === null ? [] : checkText(['agent'], agent, { least: 1, most: LONGEST_AGENT });
}

/** NaN stands for an id that is none. */
export function checkSampleId(sampleId: number): UserError[] {
  if (!Number.isNaN(sampleId)) return [];
  return [userError(['sampleId'], 'INVALID_ID', 'It is no id of a sample of this kind.')];
}

export function unknownSample(): UserError {
  return userError(['sampleId'], 'NOT_FOUND', 'The platform knows no sample of this kind with this id.');
}

export function checkSince(sinceMs: number): UserError[] {
  if (sinceMs >= LEAST_DATE_MS) return [];
  const least = new Date(LEAST_DATE_MS).toISOString();
  return [userError(['since'], 'OUT_OF_RANGE', `The platform takes no date before ${least}.`)];
}
