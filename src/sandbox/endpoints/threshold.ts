/** Thresholds: the levels of a stream's values, and the actions of each level. */
import type { WireThresholdLevel, WireThresholdStatus } from '../../rest/wire.js';
import { lastScalarRow } from '../database/samples.js';
import { createBadRequestError } from '../httpError.js';
import type { RequestContext } from '../requestContext.js';
import { createEndpoint, none, one, withTag } from './endpoint.js';
import { ownedId } from './parameter.js';
import { levelOf, type ResponseLevel, readThresholdBody, toResponseLevels } from './thresholdLevels.js';

const streamId = ownedId('stream');

function levelsOf(context: RequestContext, id: number): WireThresholdLevel[] | undefined {
  const row = context.db.one<{ levels: string }>('SELECT levels FROM threshold WHERE stream_id = ?', id);
  return row && (JSON.parse(row.levels) as WireThresholdLevel[]);
}

function readThreshold(context: RequestContext, id: number): { levels?: ResponseLevel[] } {
  const levels = levelsOf(context, id);
  return levels ? { levels: toResponseLevels(levels) } : {};
}

function readStatus(context: RequestContext, id: number): WireThresholdStatus {
  const value = lastScalarRow(context, id)?.value;
  const levels = levelsOf(context, id);
  if (typeof value !== 'number' || !levels) return {};
  const status = levelOf(levels, value);
  return status === undefined ? {} : { Status: status };
}

/** An empty list of levels removes the threshold. The response of a GET then has no `levels`. */
function writeThreshold(context: RequestContext, id: number, levels: readonly WireThresholdLevel[]): void {
  requireSampleActionStreams(context, levels);
  if (levels.length === 0) {
    context.db.run('DELETE FROM threshold WHERE stream_id = ?', id);
    return;
  }
  const sql = 'INSERT OR REPLACE INTO threshold (stream_id, levels) VALUES (?, ?)';
  context.db.run(sql, id, JSON.stringify(levels));
}

function requireSampleActionStreams(context: RequestContext, levels: readonly WireThresholdLevel[]): void {
  const actions = levels.flatMap((level) => level.sample_actions ?? []);
  for (const { stream_id } of actions) {
    if (stream_id === undefined) continue;
    const sql = 'SELECT id FROM stream WHERE id = ? AND account_id = ?';
    if (context.db.one(sql, stream_id, context.client.accountId)) continue;
    throw createBadRequestError(`sample_actions: there is no stream with id ${stream_id}.`);
  }
}

export const thresholdEndpoints = withTag('Threshold', [
  createEndpoint({
    path: '/v2.0/stream/{streamId}/threshold',
    operationId: 'getThreshold',
    summary: 'The threshold of a stream',
    description: 'For a stream without a threshold the response has no `levels`.',
    parameters: { streamId },
    response: one('Threshold'),
    handle: (values, context) => readThreshold(context, values.streamId),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/stream/{streamId}/threshold',
    operationId: 'setThreshold',
    summary: 'Replace the threshold of a stream',
    description:
      'Levels must be in ascending order of `upper_limit`. Only the last level may leave it out. ' +
      'An empty list removes the threshold.',
    parameters: { streamId },
    bodySchema: 'ThresholdChange',
    response: none,
    handle: (values, context, body) => {
      writeThreshold(context, values.streamId, readThresholdBody(body));
    },
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/threshold/status',
    operationId: 'getThresholdStatus',
    summary: "The level of a stream's last sample",
    description: 'The response has no `Status` without a threshold, a sample or a numeric value.',
    parameters: { streamId },
    response: one('ThresholdStatus'),
    handle: (values, context) => readStatus(context, values.streamId),
  }),
]);
