/** Checks the input of writes to a delivery queue. */
import { checkText, createUserError, type UserError } from './userErrors.js';

const MAX_AGENT_LENGTH = 256;
/** The lowest date that the platform accepts in a query. */
const MIN_DATE_MS = 946_688_461_000;

export function checkAgent(agent: string | null): UserError[] {
  return agent === null ? [] : checkText(['agent'], agent, { min: 1, max: MAX_AGENT_LENGTH });
}

/** NaN stands for an invalid id. */
export function checkSampleId(sampleId: number): UserError[] {
  if (!Number.isNaN(sampleId)) return [];
  return [createUserError(['sampleId'], 'INVALID_ID', 'It is not the id of a sample of this kind.')];
}

export function createUnknownSampleError(): UserError {
  return createUserError(['sampleId'], 'NOT_FOUND', 'The platform has no sample of this kind with this id.');
}

export function checkSince(sinceMs: number): UserError[] {
  if (sinceMs >= MIN_DATE_MS) return [];
  const minDate = new Date(MIN_DATE_MS).toISOString();
  return [createUserError(['since'], 'OUT_OF_RANGE', `The platform accepts no date before ${minDate}.`)];
}
