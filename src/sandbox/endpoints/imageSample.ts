/** Image samples: the URLs of the pictures that cameras take. */
import { lastSample, sampleById, samplesSince } from '../database/samples.js';
import { createEndpoint, one, type SandboxEndpoint } from './endpoint.js';
import { ownedId, pathId, queryDate } from './parameter.js';

const tag = 'Image sample';
const streamId = ownedId('stream');
const sampleDate = queryDate('Date of the oldest image to return, in Unix seconds.');

export const imageSampleEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    path: '/v2.0/sample/image/batch',
    operationId: 'listImageBatch',
    tag,
    summary: 'The images of the account since a date, by date',
    parameters: { sampleDate },
    response: one('ImageBatch'),
    handle: (values, context) => samplesSince(context, 'image', 'account', values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/sample/image/id/{imageId}',
    operationId: 'getImage',
    tag,
    summary: 'One image',
    parameters: { imageId: pathId('The image.') },
    response: one('ImageSample'),
    handle: ({ imageId }, context) => sampleById(context, 'image', imageId),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/image/batch',
    operationId: 'listStreamImageBatch',
    tag,
    summary: 'The images of a stream since a date, by date',
    parameters: { streamId, sampleDate },
    response: one('ImageBatch'),
    handle: (values, context) =>
      samplesSince(context, 'image', { streamId: values.streamId }, values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/image/last',
    operationId: 'getStreamLastImage',
    tag,
    summary: 'The image of a stream with the latest date',
    parameters: { streamId },
    response: one('ImageSample'),
    handle: (values, context) => lastSample(context, 'image', values.streamId),
  }),
];
