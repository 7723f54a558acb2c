/** RFID samples: the tags that readers have seen. */

import { requireOwned } from '../database/owned.js';
import { lastSample, newSamples, samplesSince } from '../database/samples.js';
import { acknowledge, backfill, lastDelivered, readNewBatch } from './batchCursor.js';
import { createEndpoint, type SandboxEndpoint } from './endpoint.js';
import { optionalId, pathId, queryDate, queryId } from './parameter.js';
import { agent, backfillHours, enableAck } from './scalarSample.js';

const tag = 'RFID sample';
const streamId = pathId('The stream.');
const siteId = pathId('The site.');
const sampleDate = queryDate('Date of the oldest sample wanted, in Unix seconds.');

// `sampleId`, `sample_id` and `sample_date` below are spelt as the platform spells them.
export const rfidSampleEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/sample/rfid/batch',
    operationId: 'readRfidBatch',
    tag,
    summary: 'New RFID samples of the account, by id',
    description: 'New is what lies above the cursor kept for the API client.',
    parameters: {
      enableAck,
      sampleId: optionalId('Read from above this id, whatever the cursor says.'),
      backfillHours,
    },
    response: { kind: 'one', schema: 'RfidBatch' },
    handle: ({ sampleId, ...values }, context) =>
      readNewBatch(context, 'rfid', { ...values, afterId: sampleId }),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/rfid/batch/ack',
    operationId: 'acknowledgeRfidBatch',
    tag,
    summary: 'Acknowledge RFID samples up to an id',
    description: 'Moves the cursor forward to this sample; it never moves it back.',
    parameters: { sample_id: queryId('The last sample that is safely stored.'), agent },
    response: { kind: 'none' },
    handle: (values, context) => acknowledge(context, 'rfid', 'sample_id', values.sample_id),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/sample/rfid/batch/backfill',
    operationId: 'backfillRfidBatch',
    tag,
    summary: 'Set the RFID cursor to a date',
    description: 'The next batch begins with the sample dated nearest to this.',
    parameters: { sample_date: queryDate('Where to read from, in Unix seconds.'), agent },
    response: { kind: 'none' },
    handle: (values, context) => backfill(context, 'rfid', values.sample_date),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/sample/rfid/batch/status',
    operationId: 'getRfidBatchStatus',
    tag,
    summary: 'The RFID sample last delivered to the API client',
    parameters: {},
    response: { kind: 'one', schema: 'RfidSample' },
    handle: (_, context) => lastDelivered(context, 'rfid'),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}/sample/rfid/batch',
    operationId: 'listSiteRfidBatch',
    tag,
    summary: 'The RFID samples of a site since a date, by date',
    parameters: { siteId, sampleDate },
    response: { kind: 'one', schema: 'RfidBatch' },
    handle: (values, context) => {
      requireOwned(context, 'site', values.siteId);
      return samplesSince(context, 'rfid', { siteId: values.siteId }, values.sampleDate);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/rfid',
    operationId: 'listStreamRfidSamples',
    tag,
    summary: 'New RFID samples of a stream, at most 100, by id',
    parameters: { streamId, lastSampleId: optionalId('Only samples with a greater id, oldest first.') },
    response: { kind: 'list', schema: 'RfidSample' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return newSamples(context, 'rfid', { streamId: values.streamId }, values.lastSampleId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/rfid/batch',
    operationId: 'listStreamRfidBatch',
    tag,
    summary: 'The RFID samples of a stream since a date, by date',
    parameters: { streamId, sampleDate },
    response: { kind: 'one', schema: 'RfidBatch' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return samplesSince(context, 'rfid', { streamId: values.streamId }, values.sampleDate);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/stream/{streamId}/sample/rfid/last',
    operationId: 'getStreamLastRfidSample',
    tag,
    summary: 'The RFID sample of a stream with the latest date',
    parameters: { streamId },
    response: { kind: 'one', schema: 'RfidSample' },
    handle: (values, context) => {
      requireOwned(context, 'stream', values.streamId);
      return lastSample(context, 'rfid', values.streamId);
    },
  }),
];
