/** Image samples: the URLs of the pictures that cameras take. */
import { lastSample, sampleById, samplesSince } from '../database/samples.js';
import { createEndpoint, one, withTag } from './endpoint.js';
import { ownedId, pathId, queryDate } from './parameter.js';

const streamId = ownedId('stream');
const sampleDate = queryDate('Date of the oldest image to return, in Unix seconds.');

export const imageSampleEndpoints = withTag('Image sample', [
  createEndpoint({
    path: '/v2.0/sample/image/batch',
    operationId: 'listImageBatch',
    summary: 'The images of the account since a date, by date',
    parameters: { sampleDate },
    response: one('ImageBatch'),
    handle: (values, context) => samplesSince(context, 'image', 'account', values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/sample/image/id/{imageId}',
    operationId: 'getImage',
    summary: 'One image',
    parameters: { imageId: pathId('The image.') },
    response: one('ImageSample'),
    handle: ({ imageId }, context) => sampleById(context, 'image', imageId),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/image/batch',
    operationId: 'listStreamImageBatch',
    summary: 'The images of a stream since a date, by date',
    parameters: { streamId, sampleDate },
    response: one('ImageBatch'),
    handle: (values, context) =>
      samplesSince(context, 'image', { streamId: values.streamId }, values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/image/last',
    operationId: 'getStreamLastImage',
    summary: 'The image of a stream with the latest date',
    parameters: { streamId },
    response: one('ImageSample'),
    handle: (values, context) => lastSample(context, 'image', values.streamId),
  }),
]);
