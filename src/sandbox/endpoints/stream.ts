/** Streams: the series of samples that sites collect, and their custom attributes. */

import { listRows, requireOwned, requireRow } from '../database/owned.js';
import { STREAM_FIELDS, type StreamRow, toStream } from '../database/rows.js';
import { listAttributeNames, listAttributeValues, listValuesOf, setAttributes } from './customAttributes.js';
import { createEndpoint, type SandboxEndpoint } from './endpoint.js';
import { pathId } from './parameter.js';

const tag = 'Stream';
const streamId = pathId('The stream.');

export const streamEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream',
    operationId: 'listStreams',
    tag,
    summary: 'All streams of the account',
    parameters: {},
    response: { kind: 'list', schema: 'Stream' },
    handle: (_, context) => listRows<StreamRow>(context, 'stream', STREAM_FIELDS).map(toStream),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}',
    operationId: 'getStream',
    tag,
    summary: 'One stream',
    parameters: { streamId },
    response: { kind: 'one', schema: 'Stream' },
    handle: (values, context) => toStream(requireRow(context, 'stream', STREAM_FIELDS, values.streamId)),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/customAttributes',
    operationId: 'listStreamAttributes',
    tag,
    summary: 'The custom attributes of a stream',
    parameters: { streamId },
    response: { kind: 'list', schema: 'AttributeValue' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return listValuesOf(context, 'stream', values.streamId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/customAttributes',
    operationId: 'listAllStreamAttributes',
    tag,
    summary: 'The custom attributes of all streams',
    parameters: {},
    response: { kind: 'list', schema: 'AttributeValue' },
    handle: (_, context) => listAttributeValues(context, 'stream'),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/stream/customAttributes',
    operationId: 'setStreamAttributes',
    tag,
    summary: 'Set custom attributes of streams',
    description: 'Sets all values of the body, or none: a value that is there already is replaced.',
    parameters: {},
    bodySchema: 'AttributeChange',
    response: { kind: 'none' },
    handle: (_, context, body) => setAttributes(context, 'stream', body),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/customAttributes/names',
    operationId: 'listStreamAttributeNames',
    tag,
    summary: 'The custom attributes that streams can have',
    parameters: {},
    response: { kind: 'list', schema: 'AttributeName' },
    handle: (_, context) => listAttributeNames(context, 'stream'),
  }),
];
