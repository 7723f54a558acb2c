/** Sets the threshold of a stream. */
import {
  checkThreshold,
  listActionStreams,
  type NewThresholdLevel,
  toWireLevel,
} from '../../sources/writes/thresholdWrite.js';
import { createUserError, type UserError } from '../../sources/writes/userErrors.js';
import type { Context } from '../context.js';
import { checkWithRefresh, findExistingIds, writeOnce } from './checkedWrite.js';

export interface SetThresholdResult {
  /** Null if nothing was written. */
  streamId: number | null;
  userErrors: UserError[];
}

/** `streamId` is NaN if the input is not an id. */
export async function setThreshold(
  context: Context,
  streamId: number,
  levels: readonly NewThresholdLevel[],
): Promise<SetThresholdResult> {
  const { errors } = await checkWithRefresh(context, async ({ streams }) => {
    const existing = await findExistingIds([streamId, ...listActionStreams(levels)], streams.byId);
    return { errors: [...checkStream(streamId, existing), ...checkThreshold(levels, existing)] };
  });
  if (errors.length > 0) return { streamId: null, userErrors: errors };
  const { writes } = context.sources;
  await writeOnce(context, () => writes.threshold(streamId, levels.map(toWireLevel)));
  return { streamId, userErrors: [] };
}

function checkStream(streamId: number, existing: ReadonlySet<number>): UserError[] {
  if (Number.isNaN(streamId))
    return [createUserError(['streamId'], 'INVALID_ID', 'This is not a stream id.')];
  if (existing.has(streamId)) return [];
  return [createUserError(['streamId'], 'NOT_FOUND', `No stream has the id ${streamId}.`)];
}
