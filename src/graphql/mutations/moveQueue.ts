/** Moves a delivery queue: forward with an acknowledgement, to any date with a backfill. */
import { GatewayError } from '../../errors.js';
import type { QueueKind } from '../../sources/samples/sampleQueues.js';
import { checkText, createUserError, type UserError } from '../../sources/writes/userErrors.js';
import { readIdOrNaN } from '../arguments/nodeId.js';
import type { Context } from '../context.js';
import { writeOnce } from './checkedWrite.js';

export interface MoveQueueResult {
  kind: QueueKind;
  userErrors: UserError[];
}

interface QueueInput {
  kind: QueueKind;
  agent?: string | null | undefined;
}

export async function acknowledge(
  context: Context,
  { kind, sampleId, agent }: QueueInput & { sampleId: string },
): Promise<MoveQueueResult> {
  const id = readIdOrNaN(kind === 'SCALAR' ? 'ScalarSample' : 'RfidSample', sampleId);
  const userErrors = [...checkSampleId(id), ...checkAgent(agent ?? null)];
  if (userErrors.length > 0) return { kind, userErrors };
  const { writes } = context.sources;
  const exists = await writeOnce(context, () => writes.acknowledge(kind, id, agent ?? undefined)).then(
    () => true,
    toNotFound,
  );
  return { kind, userErrors: exists ? [] : [createUnknownSampleError()] };
}

/** No endpoint can check the sample first. For an unknown sample, the platform returns 404 and does not move the queue. */
function toNotFound(error: unknown): false {
  if (error instanceof GatewayError && error.platform?.status === 404) return false;
  throw error;
}

export async function backfill(
  context: Context,
  { kind, since, agent }: QueueInput & { since: number },
): Promise<MoveQueueResult> {
  const userErrors = [...checkSince(since), ...checkAgent(agent ?? null)];
  const { writes } = context.sources;
  if (userErrors.length === 0) {
    await writeOnce(context, () => writes.backfill(kind, since, agent ?? undefined));
  }
  return { kind, userErrors };
}

const MAX_AGENT_LENGTH = 256;
/** The lowest date that the platform accepts in a query. */
const MIN_DATE_MS = 946_688_461_000;

/** Checks the input of writes to a delivery queue. */
function checkAgent(agent: string | null): UserError[] {
  return agent === null ? [] : checkText(['agent'], agent, { min: 1, max: MAX_AGENT_LENGTH });
}

/** NaN stands for an invalid id. */
function checkSampleId(sampleId: number): UserError[] {
  if (!Number.isNaN(sampleId)) return [];
  return [createUserError(['sampleId'], 'INVALID_ID', 'It is not the id of a sample of this kind.')];
}

function createUnknownSampleError(): UserError {
  return createUserError(['sampleId'], 'NOT_FOUND', 'The platform has no sample of this kind with this id.');
}

function checkSince(sinceMs: number): UserError[] {
  if (sinceMs >= MIN_DATE_MS) return [];
  const minDate = new Date(MIN_DATE_MS).toISOString();
  return [createUserError(['since'], 'OUT_OF_RANGE', `The platform accepts no date before ${minDate}.`)];
}
