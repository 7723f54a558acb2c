/** Sets the threshold of a stream: checked, sent, and read back. */
import {
  checkThreshold,
  listActionStreams,
  type NewThresholdLevel,
  toWireLevel,
} from '../../sources/writes/thresholdWrite.js';
import { createUserError, type UserError } from '../../sources/writes/userErrors.js';
import type { Context } from '../context.js';
import { checkWithRefresh, findExistingIds } from './checkWithRefresh.js';
import { writeOnce } from './writeOnce.js';

export interface SetThresholdResult {
  /** Null where nothing was written. */
  streamId: number | null;
  userErrors: UserError[];
}

/** NaN stands for an id that is none. */
export async function setThreshold(
  context: Context,
  streamId: number,
  levels: readonly NewThresholdLevel[],
): Promise<SetThresholdResult> {
  const { errors } = await checkWithRefresh(context, async ({ streams }) => {
    const known = await findExistingIds([streamId, ...listActionStreams(levels)], streams.byId);
    return { errors: [...checkStream(streamId, known), ...checkThreshold(levels, known)] };
  });
  if (errors.length > 0) return { streamId: null, userErrors: errors };
  const { writes } = context.sources;
  await writeOnce(context, () => writes.threshold(streamId, levels.map(toWireLevel)));
  return { streamId, userErrors: [] };
}

function checkStream(streamId: number, known: ReadonlySet<number>): UserError[] {
  if (Number.isNaN(streamId))
    return [createUserError(['streamId'], 'INVALID_ID', 'It is no id of a stream.')];
  if (known.has(streamId)) return [];
  return [createUserError(['streamId'], 'NOT_FOUND', `There is no stream with the id ${streamId}.`)];
}
