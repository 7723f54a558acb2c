/** Streams: the series of samples that sites collect, and their custom attributes. */
import { listRows, requireRow } from '../database/owned.js';
import { STREAM_FIELDS, type StreamRow, toStream } from '../database/rows.js';
import { listAttributeNames, listAttributeValues, listValuesOf, setAttributes } from './customAttributes.js';
import { createEndpoint, list, none, one, type SandboxEndpoint } from './endpoint.js';
import { ownedId } from './parameter.js';

const tag = 'Stream';
const streamId = ownedId('stream');

export const streamEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    path: '/v2.0/stream',
    operationId: 'listStreams',
    tag,
    summary: 'All streams of the account',
    response: list('Stream'),
    handle: (_, context) => listRows<StreamRow>(context, 'stream', STREAM_FIELDS).map(toStream),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}',
    operationId: 'getStream',
    tag,
    summary: 'One stream',
    parameters: { streamId },
    response: one('Stream'),
    handle: (values, context) => toStream(requireRow(context, 'stream', STREAM_FIELDS, values.streamId)),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/customAttributes',
    operationId: 'listStreamAttributes',
    tag,
    summary: 'The custom attributes of a stream',
    parameters: { streamId },
    response: list('AttributeValue'),
    handle: (values, context) => listValuesOf(context, 'stream', values.streamId),
  }),
  createEndpoint({
    path: '/v2.0/stream/customAttributes',
    operationId: 'listAllStreamAttributes',
    tag,
    summary: 'The custom attributes of all streams',
    response: list('AttributeValue'),
    handle: (_, context) => listAttributeValues(context, 'stream'),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/stream/customAttributes',
    operationId: 'setStreamAttributes',
    tag,
    summary: 'Set custom attributes of streams',
    description: 'Sets all values of the body, or none. Replaces existing values.',
    bodySchema: 'AttributeChange',
    response: none,
    handle: (_, context, body) => setAttributes(context, 'stream', body),
  }),
  createEndpoint({
    path: '/v2.0/stream/customAttributes/names',
    operationId: 'listStreamAttributeNames',
    tag,
    summary: 'The custom attributes that streams can have',
    response: list('AttributeName'),
    handle: (_, context) => listAttributeNames(context, 'stream'),
  }),
];
