/** Scalar samples: the values that streams collect. */

import { aggregate } from '../database/aggregates.js';
import { requireOwned } from '../database/owned.js';
import { BATCH_LIMIT, lastSample, newSamples, samplesInRange, samplesSince } from '../database/samples.js';
import { createBadRequestError } from '../server/httpError.js';
import { acknowledge, backfill, lastDelivered, readNewBatch } from './batchCursor.js';
import { createEndpoint, type SandboxEndpoint } from './endpoint.js';
import {
  optionalBoolean,
  optionalId,
  optionalInteger,
  optionalText,
  pathId,
  queryChoice,
  queryDate,
  queryId,
} from './parameter.js';

const tag = 'Scalar sample';
const streamId = pathId('The stream.');
const siteId = pathId('The site.');
const sampleDate = queryDate('Date of the oldest sample wanted, in Unix seconds.');
const fromDate = queryDate('Start of the interval in Unix seconds, itself included.');
const toDate = queryDate('End of the interval in Unix seconds, itself included.');
const lastSampleId = optionalId(
  'Only samples with a greater id, oldest first. Without it: the newest samples.',
);
export const enableAck = optionalBoolean(
  'True: the read moves nothing and the client acknowledges. False: the read itself moves the cursor.',
  true,
);
export const backfillHours = optionalInteger(
  'Read what was sampled in these last hours, whatever the cursor says.',
  { minimum: 0, maximum: 876_000 },
  undefined,
);
export const agent = optionalText('A name that tells the consumers of one API client apart in logs.', 256);

function requireOrder(dates: { fromDate: number; toDate: number }): void {
  if (dates.fromDate > dates.toDate) throw createBadRequestError('fromDate must not be after toDate.');
}

export const scalarSampleEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample',
    operationId: 'listStreamSamples',
    tag,
    summary: 'New scalar samples of a stream, at most 100, by id',
    parameters: { streamId, lastSampleId },
    response: { kind: 'list', schema: 'ScalarSample' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return newSamples(context, 'scalar', values, values.lastSampleId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/last',
    operationId: 'getStreamLastSample',
    tag,
    summary: 'The scalar sample of a stream with the latest date',
    parameters: { streamId },
    response: { kind: 'one', schema: 'ScalarSample' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return lastSample(context, 'scalar', values.streamId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/range',
    operationId: 'listStreamSampleRange',
    tag,
    summary: 'The scalar samples of a stream in an interval, by date',
    parameters: {
      streamId,
      fromDate,
      toDate,
      limit: optionalInteger('Samples in this page.', { minimum: 1, maximum: BATCH_LIMIT }, BATCH_LIMIT),
      offset: optionalInteger('First sample of this page: 1 is the first.', { minimum: 1, maximum: 1e12 }, 1),
    },
    response: { kind: 'one', schema: 'ScalarBatch' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      requireOrder(values);
      return samplesInRange(context, values.streamId, values);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/agg',
    operationId: 'listStreamAggregates',
    tag,
    summary: 'Aggregates of a stream over frames of some minutes',
    parameters: {
      streamId,
      timeFrame: queryChoice('Length of a frame in minutes.', [10, 15, 20, 30, 60]),
      fromDate,
      toDate,
    },
    response: { kind: 'one', schema: 'AggregationBatch' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      requireOrder(values);
      return aggregate(context, values.streamId, values);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/batch',
    operationId: 'listStreamSampleBatch',
    tag,
    summary: 'The scalar samples of a stream since a date, by date',
    parameters: { streamId, sampleDate },
    response: { kind: 'one', schema: 'ScalarBatch' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return samplesSince(context, 'scalar', { streamId: values.streamId }, values.sampleDate);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}/sample',
    operationId: 'listSiteSamples',
    tag,
    summary: 'New scalar samples of a site, at most 100, by id',
    parameters: { siteId, lastSampleId },
    response: { kind: 'list', schema: 'ScalarSample' },
    handle: (values, context) => {
      requireOwned(context, 'site', values.siteId);
      return newSamples(context, 'scalar', { siteId: values.siteId }, values.lastSampleId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}/sample/batch',
    operationId: 'listSiteSampleBatch',
    tag,
    summary: 'The scalar samples of a site since a date, by date',
    parameters: { siteId, sampleDate },
    response: { kind: 'one', schema: 'ScalarBatch' },
    handle: (values, context) => {
      requireOwned(context, 'site', values.siteId);
      return samplesSince(context, 'scalar', { siteId: values.siteId }, values.sampleDate);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/sample/batch',
    operationId: 'readScalarBatch',
    tag,
    summary: 'New scalar samples of the account, by id',
    description: 'New is what lies above the cursor kept for the API client.',
    parameters: {
      enableAck,
      // Spelt unlike its RFID sibling; the platform does so.
      sampleID: optionalId('Read from above this id, whatever the cursor says.'),
      backfillHours,
    },
    response: { kind: 'one', schema: 'ScalarBatch' },
    handle: ({ sampleID, ...values }, context) =>
      readNewBatch(context, 'scalar', { ...values, afterId: sampleID }),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/batch/ack',
    operationId: 'acknowledgeScalarBatch',
    tag,
    summary: 'Acknowledge scalar samples up to an id',
    description: 'Moves the cursor forward to this sample; it never moves it back.',
    parameters: { sampleId: queryId('The last sample that is safely stored.'), agent },
    response: { kind: 'none' },
    handle: ({ sampleId }, context) => acknowledge(context, 'scalar', 'sampleId', sampleId),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/batch/backfill',
    operationId: 'backfillScalarBatch',
    tag,
    summary: 'Set the scalar cursor to a date',
    description: 'The next batch begins with the sample dated nearest to this.',
    parameters: { sampleDate: queryDate('Where to read from, in Unix seconds.'), agent },
    response: { kind: 'none' },
    handle: (values, context) => backfill(context, 'scalar', values.sampleDate),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/sample/batch/status',
    operationId: 'getScalarBatchStatus',
    tag,
    summary: 'The scalar sample last delivered to the API client',
    parameters: {},
    response: { kind: 'one', schema: 'ScalarSample' },
    handle: (_, context) => lastDelivered(context, 'scalar'),
  }),
];
