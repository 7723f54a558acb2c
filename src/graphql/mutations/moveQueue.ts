/** Moves a delivery queue: forward with an acknowledgement, to any date with a backfill. */
import { GatewayError } from '../../errors.js';
import type { QueueKind } from '../../sources/samples/sampleQueues.js';
import {
  checkAgent,
  checkSampleId,
  checkSince,
  createUnknownSampleError,
} from '../../sources/writes/queueWrite.js';
import type { UserError } from '../../sources/writes/userErrors.js';
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
