/** RFID samples, the tags that readers have seen, and image samples. */
import { lastSample, newSamples, sampleById, samplesSince } from '../database/samples.js';
import { acknowledge, backfill, lastDelivered, readNewBatch } from './batchCursor.js';
import { createEndpoint, list, none, one, withTag } from './endpoint.js';
import { optionalId, ownedId, pathId, queryDate, queryId } from './parameter.js';
import { agent, backfillHours, enableAck } from './scalarSample.js';

const streamId = ownedId('stream');
const siteId = ownedId('site');
const sampleDate = queryDate('Date of the oldest sample to return, in Unix seconds.');

// The names `sampleId`, `sample_id` and `sample_date` are the platform's.
export const rfidSampleEndpoints = withTag('RFID sample', [
  createEndpoint({
    path: '/v2.0/sample/rfid/batch',
    operationId: 'readRfidBatch',
    summary: 'New RFID samples of the account, by id',
    description: 'New samples have a greater id than the cursor of the API client.',
    parameters: {
      enableAck,
      sampleId: optionalId('Read after this id instead of after the cursor.'),
      backfillHours,
    },
    response: one('RfidBatch'),
    handle: ({ sampleId, ...values }, context) =>
      readNewBatch(context, 'rfid', { ...values, afterId: sampleId }),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/rfid/batch/ack',
    operationId: 'acknowledgeRfidBatch',
    summary: 'Acknowledge RFID samples up to an id',
    description: 'Moves the cursor forward to this sample. Never moves it back.',
    parameters: { sample_id: queryId('The last sample that the client has stored.'), agent },
    response: none,
    handle: (values, context) => acknowledge(context, 'rfid', 'sample_id', values.sample_id),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/rfid/batch/backfill',
    operationId: 'backfillRfidBatch',
    summary: 'Set the RFID cursor to a date',
    description: 'The next batch begins with the sample whose date is nearest to this date.',
    parameters: { sample_date: queryDate('The date to read from, in Unix seconds.'), agent },
    response: none,
    handle: (values, context) => backfill(context, 'rfid', values.sample_date),
  }),
  createEndpoint({
    path: '/v2.0/sample/rfid/batch/status',
    operationId: 'getRfidBatchStatus',
    summary: 'The RFID sample last delivered to the API client',
    response: one('RfidSample'),
    handle: (_, context) => lastDelivered(context, 'rfid'),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/sample/rfid/batch',
    operationId: 'listSiteRfidBatch',
    summary: 'The RFID samples of a site since a date, by date',
    parameters: { siteId, sampleDate },
    response: one('RfidBatch'),
    handle: (values, context) => samplesSince(context, 'rfid', values, values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/rfid',
    operationId: 'listStreamRfidSamples',
    summary: 'New RFID samples of a stream, at most 100, by id',
    parameters: { streamId, lastSampleId: optionalId('Only samples with a greater id, oldest first.') },
    response: list('RfidSample'),
    handle: (values, context) => newSamples(context, 'rfid', values, values.lastSampleId),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/rfid/batch',
    operationId: 'listStreamRfidBatch',
    summary: 'The RFID samples of a stream since a date, by date',
    parameters: { streamId, sampleDate },
    response: one('RfidBatch'),
    handle: (values, context) => samplesSince(context, 'rfid', values, values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/rfid/last',
    operationId: 'getStreamLastRfidSample',
    summary: 'The RFID sample of a stream with the latest date',
    parameters: { streamId },
    response: one('RfidSample'),
    handle: (values, context) => lastSample(context, 'rfid', values.streamId),
  }),
]);

const imageDate = queryDate('Date of the oldest image to return, in Unix seconds.');

/** Image samples: the URLs of the pictures that cameras take. */
export const imageSampleEndpoints = withTag('Image sample', [
  createEndpoint({
    path: '/v2.0/sample/image/batch',
    operationId: 'listImageBatch',
    summary: 'The images of the account since a date, by date',
    parameters: { sampleDate: imageDate },
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
    parameters: { streamId, sampleDate: imageDate },
    response: one('ImageBatch'),
    handle: (values, context) => samplesSince(context, 'image', values, values.sampleDate),
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
