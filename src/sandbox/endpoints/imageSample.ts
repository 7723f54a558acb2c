/** Image samples: the pictures that cameras take, as addresses from which they can be fetched. */
import { requireOwned } from '../database/owned.js';
import { lastSample, sampleById, samplesSince } from '../database/samples.js';
import { createEndpoint, type SandboxEndpoint } from './endpoint.js';
import { pathId, queryDate } from './parameter.js';

const tag = 'Image sample';
const streamId = pathId('The stream.');
const sampleDate = queryDate('Date of the oldest image wanted, in Unix seconds.');

export const imageSampleEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/sample/image/batch',
    operationId: 'listImageBatch',
    tag,
    summary: 'The images of the account since a date, by date',
    parameters: { sampleDate },
    response: { kind: 'one', schema: 'ImageBatch' },
    handle: (values, context) => samplesSince(context, 'image', 'account', values.sampleDate),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/sample/image/id/{imageId}',
    operationId: 'getImage',
    tag,
    summary: 'One image',
    parameters: { imageId: pathId('The image.') },
    response: { kind: 'one', schema: 'ImageSample' },
    handle: ({ imageId }, context) => sampleById(context, 'image', imageId),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/image/batch',
    operationId: 'listStreamImageBatch',
    tag,
    summary: 'The images of a stream since a date, by date',
    parameters: { streamId, sampleDate },
    response: { kind: 'one', schema: 'ImageBatch' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return samplesSince(context, 'image', { streamId: values.streamId }, values.sampleDate);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/image/last',
    operationId: 'getStreamLastImage',
    tag,
    summary: 'The image of a stream with the latest date',
    parameters: { streamId },
    response: { kind: 'one', schema: 'ImageSample' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return lastSample(context, 'image', values.streamId);
    },
  }),
];
