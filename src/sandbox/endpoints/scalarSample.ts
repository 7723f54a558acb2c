/** Scalar samples: the values that streams collect. */
import {
  aggregate,
  BATCH_LIMIT,
  lastSample,
  newSamples,
  samplesInRange,
  samplesSince,
} from '../database/samples.js';
import { createBadRequestError } from '../httpError.js';
import { acknowledge, backfill, lastDelivered, readNewBatch } from './batchCursor.js';
import { createEndpoint, list, none, one, withTag } from './endpoint.js';
import {
  optionalBoolean,
  optionalId,
  optionalInteger,
  optionalText,
  ownedId,
  queryChoice,
  queryDate,
  queryId,
} from './parameter.js';

const streamId = ownedId('stream');
const siteId = ownedId('site');
const sampleDate = queryDate('Date of the oldest sample to return, in Unix seconds.');
const fromDate = queryDate('Start of the interval in Unix seconds, inclusive.');
const toDate = queryDate('End of the interval in Unix seconds, inclusive.');
const lastSampleId = optionalId(
  'Only samples with a greater id, oldest first. Without it: the newest samples.',
);
export const enableAck = optionalBoolean(
  'True: the client moves the cursor by an acknowledgement. False: the read moves the cursor.',
  true,
);
export const backfillHours = optionalInteger(
  'Read the samples of these last hours instead of those after the cursor.',
  { minimum: 0, maximum: 876_000 },
  undefined,
);
export const agent = optionalText('A name that distinguishes the consumers of one API client in logs.', 256);

function requireOrder(dates: { fromDate: number; toDate: number }): void {
  if (dates.fromDate > dates.toDate) throw createBadRequestError('fromDate must not be after toDate.');
}

export const scalarSampleEndpoints = withTag('Scalar sample', [
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample',
    operationId: 'listStreamSamples',
    summary: 'New scalar samples of a stream, at most 100, by id',
    parameters: { streamId, lastSampleId },
    response: list('ScalarSample'),
    handle: (values, context) => newSamples(context, 'scalar', values, values.lastSampleId),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/last',
    operationId: 'getStreamLastSample',
    summary: 'The scalar sample of a stream with the latest date',
    parameters: { streamId },
    response: one('ScalarSample'),
    handle: (values, context) => lastSample(context, 'scalar', values.streamId),
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/range',
    operationId: 'listStreamSampleRange',
    summary: 'The scalar samples of a stream in an interval, by date',
    parameters: {
      streamId,
      fromDate,
      toDate,
      limit: optionalInteger(
        'Maximum number of samples in this page.',
        { minimum: 1, maximum: BATCH_LIMIT },
        BATCH_LIMIT,
      ),
      offset: optionalInteger(
        'Position of the first sample of this page, from 1.',
        { minimum: 1, maximum: 1e12 },
        1,
      ),
    },
    response: one('ScalarBatch'),
    handle: (values, context) => {
      requireOrder(values);
      return samplesInRange(context, values.streamId, values);
    },
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/agg',
    operationId: 'listStreamAggregates',
    summary: 'Aggregates of a stream over frames of some minutes',
    parameters: {
      streamId,
      timeFrame: queryChoice('Length of a frame in minutes.', [10, 15, 20, 30, 60]),
      fromDate,
      toDate,
    },
    response: one('AggregationBatch'),
    handle: (values, context) => {
      requireOrder(values);
      return aggregate(context, values.streamId, values);
    },
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/sample/batch',
    operationId: 'listStreamSampleBatch',
    summary: 'The scalar samples of a stream since a date, by date',
    parameters: { streamId, sampleDate },
    response: one('ScalarBatch'),
    handle: (values, context) => samplesSince(context, 'scalar', values, values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/sample',
    operationId: 'listSiteSamples',
    summary: 'New scalar samples of a site, at most 100, by id',
    parameters: { siteId, lastSampleId },
    response: list('ScalarSample'),
    handle: (values, context) => newSamples(context, 'scalar', values, values.lastSampleId),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/sample/batch',
    operationId: 'listSiteSampleBatch',
    summary: 'The scalar samples of a site since a date, by date',
    parameters: { siteId, sampleDate },
    response: one('ScalarBatch'),
    handle: (values, context) => samplesSince(context, 'scalar', values, values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/sample/batch',
    operationId: 'readScalarBatch',
    summary: 'New scalar samples of the account, by id',
    description: 'New samples have a greater id than the cursor of the API client.',
    parameters: {
      enableAck,
      // The platform spells this name unlike the one of the RFID endpoint.
      sampleID: optionalId('Read after this id instead of after the cursor.'),
      backfillHours,
    },
    response: one('ScalarBatch'),
    handle: ({ sampleID, ...values }, context) =>
      readNewBatch(context, 'scalar', { ...values, afterId: sampleID }),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/batch/ack',
    operationId: 'acknowledgeScalarBatch',
    summary: 'Acknowledge scalar samples up to an id',
    description: 'Moves the cursor forward to this sample. Never moves it back.',
    parameters: { sampleId: queryId('The last sample that the client has stored.'), agent },
    response: none,
    handle: ({ sampleId }, context) => acknowledge(context, 'scalar', 'sampleId', sampleId),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/batch/backfill',
    operationId: 'backfillScalarBatch',
    summary: 'Set the scalar cursor to a date',
    description: 'The next batch begins with the sample whose date is nearest to this date.',
    parameters: { sampleDate: queryDate('The date to read from, in Unix seconds.'), agent },
    response: none,
    handle: (values, context) => backfill(context, 'scalar', values.sampleDate),
  }),
  createEndpoint({
    path: '/v2.0/sample/batch/status',
    operationId: 'getScalarBatchStatus',
    summary: 'The scalar sample last delivered to the API client',
    response: one('ScalarSample'),
    handle: (_, context) => lastDelivered(context, 'scalar'),
  }),
]);
