/** Thresholds: the levels that a stream's values are sorted into, and what happens when one is entered. */
import type { WireThresholdLevel, WireThresholdStatus } from '../../rest/wire.js';
import { requireOwned } from '../database/owned.js';
import { lastScalarRow } from '../database/samples.js';
import { createBadRequestError } from '../server/httpError.js';
import { createEndpoint, type RequestContext, type SandboxEndpoint } from './endpoint.js';
import { pathId } from './parameter.js';
import { type AnsweredLevel, levelOf, readThresholdBody, toAnsweredLevels } from './thresholdLevels.js';

const tag = 'Threshold';
const streamId = pathId('The stream.');

function levelsOf(context: RequestContext, id: number): WireThresholdLevel[] | undefined {
  const row = context.db.one<{ levels: string }>('SELECT levels FROM threshold WHERE stream_id = ?', id);
  return row && (JSON.parse(row.levels) as WireThresholdLevel[]);
}

function readThreshold(context: RequestContext, id: number): { levels?: AnsweredLevel[] } {
  const levels = levelsOf(context, id);
  return levels ? { levels: toAnsweredLevels(levels) } : {};
}

function readStatus(context: RequestContext, id: number): WireThresholdStatus {
  const value = lastScalarRow(context, id)?.value;
  const levels = levelsOf(context, id);
  if (typeof value !== 'number' || !levels) return {};
  const status = levelOf(levels, value);
  return status === undefined ? {} : { Status: status };
}

/** An empty list of levels removes the threshold: the answer is then without `levels`. */
function writeThreshold(context: RequestContext, id: number, levels: readonly WireThresholdLevel[]): void {
  requireSampleActionStreams(context, levels);
  if (levels.length === 0) context.db.run('DELETE FROM threshold WHERE stream_id = ?', id);
  else
    context.db.run(
      'INSERT OR REPLACE INTO threshold (stream_id, levels) VALUES (?, ?)',
      id,
      JSON.stringify(levels),
    );
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

export const thresholdEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/threshold',
    operationId: 'getThreshold',
    tag,
    summary: 'The threshold of a stream',
    description: 'A stream without a threshold answers an object without `levels`.',
    parameters: { streamId },
    response: { kind: 'one', schema: 'Threshold' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return readThreshold(context, values.streamId);
    },
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/stream/{streamId}/threshold',
    operationId: 'setThreshold',
    tag,
    summary: 'Replace the threshold of a stream',
    description:
      'Levels come in ascending order of `upper_limit`, which only the last may leave out. ' +
      'An empty list removes the threshold.',
    parameters: { streamId },
    bodySchema: 'ThresholdChange',
    response: { kind: 'none' },
    handle: (values, context, body) => {
      requireOwned(context, 'stream', values.streamId);
      writeThreshold(context, values.streamId, readThresholdBody(body));
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/threshold/status',
    operationId: 'getThresholdStatus',
    tag,
    summary: "The level that a stream's last sample is in",
    description: 'Without a threshold, a sample or a numeric value there is no `Status`.',
    parameters: { streamId },
    response: { kind: 'one', schema: 'ThresholdStatus' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return readStatus(context, values.streamId);
    },
  }),
];
