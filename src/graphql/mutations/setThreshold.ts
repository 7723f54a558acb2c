/** Sets the threshold of a stream: checked, sent, and read back. */
import {
  checkThreshold,
  listActionStreams,
  type NewThresholdLevel,
  toWireLevel,
} from '../../sources/writes/thresholdWrite.js';
import { type UserError, userError } from '../../sources/writes/userErrors.js';
import type { Context } from '../context.js';
import { checkFresh, findKnown } from './checkFresh.js';
import { writeOnce } from './writeOnce.js';

export interface ThresholdSet {
  /** Null where nothing was written. */
  streamId: number | null;
  userErrors: UserError[];
}

/** NaN stands for an id that is none. */
export async function setThreshold(
  context: Context,
  streamId: number,
  levels: readonly NewThresholdLevel[],
): Promise<ThresholdSet> {
  const { errors } = await checkFresh(context, async ({ streams }) => {
    const known = await findKnown([streamId, ...listActionStreams(levels)], streams.byId);
    return { errors: [...checkStream(streamId, known), ...checkThreshold(levels, known)] };
  });
  if (errors.length > 0) return { streamId: null, userErrors: errors };
  const { writes } = context.sources;
  await writeOnce(context, () => writes.threshold(streamId, levels.map(toWireLevel)));
  return { streamId, userErrors: [] };
}

function checkStream(streamId: number, known: ReadonlySet<number>): UserError[] {
  if (Number.isNaN(streamId)) return [userError(['streamId'], 'INVALID_ID', 'It is no id of a stream.')];
  if (known.has(streamId)) return [];
  return [userError(['streamId'], 'NOT_FOUND', `There is no stream with the id ${streamId}.`)];
}
