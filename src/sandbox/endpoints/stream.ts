/** Streams, the series of samples that sites collect, with their custom attributes, channels and thresholds. */
import type { WireThresholdLevel, WireThresholdStatus } from '../../rest/wire.js';
import { listRows, requireRow } from '../database/owned.js';
import {
  CHANNEL_FIELDS,
  type ChannelRow,
  STREAM_FIELDS,
  type StreamRow,
  toChannel,
  toStream,
} from '../database/rows.js';
import { lastScalarRow } from '../database/samples.js';
import { createBadRequestError } from '../httpError.js';
import type { RequestContext } from '../requestContext.js';
import { attributeEndpoints } from './customAttributes.js';
import { createEndpoint, list, none, one, withTag } from './endpoint.js';
import { ownedId, pathId } from './parameter.js';
import { levelOf, type ResponseLevel, readThresholdBody, toResponseLevels } from './thresholdLevels.js';

const streamId = ownedId('stream');

export const streamEndpoints = withTag('Stream', [
  createEndpoint({
    path: '/v2.0/stream',
    operationId: 'listStreams',
    summary: 'All streams of the account',
    response: list('Stream'),
    handle: (_, context) => listRows<StreamRow>(context, 'stream', STREAM_FIELDS).map(toStream),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}',
    operationId: 'getStream',
    summary: 'One stream',
    parameters: { streamId },
    response: one('Stream'),
    handle: (values, context) => toStream(requireRow(context, 'stream', STREAM_FIELDS, values.streamId)),
  }),
  ...attributeEndpoints('stream'),
]);

/** Channels: the inputs and outputs of devices. */
export const channelEndpoints = withTag('Channel', [
  createEndpoint({
    path: '/v2.0/channel',
    operationId: 'listChannels',
    summary: 'All channels of the account',
    response: list('Channel'),
    handle: (_, context) => listRows<ChannelRow>(context, 'channel', CHANNEL_FIELDS).map(toChannel),
  }),
  createEndpoint({
    path: '/v2.0/channel/{channelId}',
    operationId: 'getChannel',
    summary: 'One channel',
    parameters: { channelId: pathId('The channel.') },
    response: one('Channel'),
    handle: ({ channelId }, context) => toChannel(requireRow(context, 'channel', CHANNEL_FIELDS, channelId)),
  }),
]);

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

/** Thresholds: the levels of a stream's values, and the actions of each level. */
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
