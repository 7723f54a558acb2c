/** Samples of all three kinds: numbers, images and RFID reads. */

import { createBadRequestError } from '../httpError.js';
import { acknowledge, backfill, lastDelivered, readNewBatch } from './batchCursor.js';
import { createEndpoint, list, none, one, withTag } from './endpoint.js';
import {
  optionalBoolean,
  optionalId,
  optionalInteger,
  optionalText,
  ownedId,
  pathId,
  queryChoice,
  queryDate,
  queryId,
} from './parameter.js';
import {
  aggregate,
  lastSample,
  MAX_BATCH_ROWS,
  newSamples,
  sampleById,
  samplesInRange,
  samplesSince,
} from './sampleQueries.js';

const names = {
  scalar: { schema: 'Scalar', one: 'scalar sample', many: 'scalar samples' },
  image: { schema: 'Image', one: 'image', many: 'images' },
  rfid: { schema: 'Rfid', one: 'RFID sample', many: 'RFID samples' },
} as const;

type SampleEndpoint = readonly [path: string, operationId: string, kind: keyof typeof names];

const streamId = ownedId('stream');
const siteId = ownedId('site');
const parents = { stream: { streamId }, site: { siteId } };
const sampleDate = queryDate('Date of the oldest sample to return, in Unix seconds.');
const lastSampleId = optionalId(
  'Only samples with a greater id, oldest first. Without it: the newest samples.',
);

function newOf(parent: keyof typeof parents, [path, operationId, kind]: SampleEndpoint) {
  return createEndpoint({
    path,
    operationId,
    summary: `New ${names[kind].many} of a ${parent}, at most 100, by id`,
    parameters: { ...parents[parent], lastSampleId },
    response: list(`${names[kind].schema}Sample`),
    handle: (values, context) => newSamples(context, kind, values, values.lastSampleId),
  });
}

function sinceDateOf(parent: keyof typeof parents, [path, operationId, kind]: SampleEndpoint) {
  return createEndpoint({
    path,
    operationId,
    summary: `The ${names[kind].many} of a ${parent} since a date, by date`,
    parameters: { ...parents[parent], sampleDate },
    response: one(`${names[kind].schema}Batch`),
    handle: (values, context) => samplesSince(context, kind, values, values.sampleDate),
  });
}

function lastOf([path, operationId, kind]: SampleEndpoint) {
  return createEndpoint({
    path,
    operationId,
    summary: `The ${names[kind].one} of a stream with the latest date`,
    parameters: { streamId },
    response: one(`${names[kind].schema}Sample`),
    handle: (values, context) => lastSample(context, kind, values.streamId),
  });
}

/** The platform spells the parameters of both queues differently. */
interface QueueParameters {
  readonly afterId: string;
  readonly acknowledgedId: string;
  readonly backfillDate: string;
}

/** A batch cursor belongs to one API client and one kind of sample. */
function queueOf(kind: 'scalar' | 'rfid', path: string, parameters: QueueParameters) {
  const { schema, one: sample, many } = names[kind];
  const { afterId, acknowledgedId, backfillDate } = parameters;
  const agent = optionalText('A name that distinguishes the consumers of one API client in logs.');
  const read = createEndpoint({
    path,
    operationId: `read${schema}Batch`,
    summary: `New ${many} of the account, by id`,
    description: 'New samples have a greater id than the cursor of the API client.',
    parameters: {
      enableAck: optionalBoolean(
        'True: the client moves the cursor by an acknowledgement. False: the read moves the cursor.',
        true,
      ),
      [afterId]: optionalId('Read after this id instead of after the cursor.'),
      backfillHours: optionalInteger(
        'Read the samples of these last hours instead of those after the cursor.',
        { minimum: 0, maximum: 876_000 },
        undefined,
      ),
    },
    response: one(`${schema}Batch`),
    handle: ({ enableAck, backfillHours, [afterId]: after }, context) =>
      readNewBatch(context, kind, { enableAck, backfillHours, afterId: after as number | undefined }),
  });
  const acknowledgement = createEndpoint({
    method: 'POST',
    path: `${path}/ack`,
    operationId: `acknowledge${schema}Batch`,
    summary: `Acknowledge ${many} up to an id`,
    description: 'Moves the cursor forward to this sample. Never moves it back.',
    parameters: { [acknowledgedId]: queryId('The last sample that the client has stored.'), agent },
    response: none,
    handle: (values, context) => acknowledge(context, kind, acknowledgedId, Number(values[acknowledgedId])),
  });
  const backfilling = createEndpoint({
    method: 'POST',
    path: `${path}/backfill`,
    operationId: `backfill${schema}Batch`,
    summary: `Set the ${kind === 'rfid' ? 'RFID' : kind} cursor to a date`,
    description: 'The next batch begins with the sample whose date is nearest to this date.',
    parameters: { [backfillDate]: queryDate('The date to read from, in Unix seconds.'), agent },
    response: none,
    handle: (values, context) => backfill(context, kind, Number(values[backfillDate])),
  });
  const status = createEndpoint({
    path: `${path}/status`,
    operationId: `get${schema}BatchStatus`,
    summary: `The ${sample} last delivered to the API client`,
    response: one(`${schema}Sample`),
    handle: (_, context) => lastDelivered(context, kind),
  });
  return [read, acknowledgement, backfilling, status];
}

const fromDate = queryDate('Start of the interval in Unix seconds, inclusive.');
const toDate = queryDate('End of the interval in Unix seconds, inclusive.');

function requireOrder(dates: { fromDate: number; toDate: number }): void {
  if (dates.fromDate > dates.toDate) throw createBadRequestError('fromDate must not be after toDate.');
}

const stream = '/v2.0/stream/{streamId}/sample';
const site = '/v2.0/site/{siteId}/sample';

export const sampleEndpoints = [
  ...withTag('Scalar sample', [
    newOf('stream', [stream, 'listStreamSamples', 'scalar']),
    lastOf([`${stream}/last`, 'getStreamLastSample', 'scalar']),
    createEndpoint({
      path: `${stream}/range`,
      operationId: 'listStreamSampleRange',
      summary: 'The scalar samples of a stream in an interval, by date',
      parameters: {
        streamId,
        fromDate,
        toDate,
        limit: optionalInteger(
          'Maximum number of samples in this page.',
          { minimum: 1, maximum: MAX_BATCH_ROWS },
          MAX_BATCH_ROWS,
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
      path: `${stream}/agg`,
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
    sinceDateOf('stream', [`${stream}/batch`, 'listStreamSampleBatch', 'scalar']),
    newOf('site', [site, 'listSiteSamples', 'scalar']),
    sinceDateOf('site', [`${site}/batch`, 'listSiteSampleBatch', 'scalar']),
    ...queueOf('scalar', '/v2.0/sample/batch', {
      afterId: 'sampleID',
      acknowledgedId: 'sampleId',
      backfillDate: 'sampleDate',
    }),
  ]),
  ...withTag('Image sample', [
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
    sinceDateOf('stream', [`${stream}/image/batch`, 'listStreamImageBatch', 'image']),
    lastOf([`${stream}/image/last`, 'getStreamLastImage', 'image']),
  ]),
  ...withTag('RFID sample', [
    ...queueOf('rfid', '/v2.0/sample/rfid/batch', {
      afterId: 'sampleId',
      acknowledgedId: 'sample_id',
      backfillDate: 'sample_date',
    }),
    sinceDateOf('site', [`${site}/rfid/batch`, 'listSiteRfidBatch', 'rfid']),
    newOf('stream', [`${stream}/rfid`, 'listStreamRfidSamples', 'rfid']),
    sinceDateOf('stream', [`${stream}/rfid/batch`, 'listStreamRfidBatch', 'rfid']),
    lastOf([`${stream}/rfid/last`, 'getStreamLastRfidSample', 'rfid']),
  ]),
];
