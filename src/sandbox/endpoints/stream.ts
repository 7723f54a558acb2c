/** Streams: the series of samples that sites collect, and their custom attributes. */
import { listRows, requireRow } from '../database/owned.js';
import { STREAM_FIELDS, type StreamRow, toStream } from '../database/rows.js';
import { attributeEndpoints } from './customAttributes.js';
import { createEndpoint, list, one, withTag } from './endpoint.js';
import { ownedId } from './parameter.js';

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
