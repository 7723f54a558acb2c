/** Resolves the three kinds of sample, the samples of several streams, intervals, and the lines of a shared chart. */
import type { WithContinuation } from '../../sources/charts/answersSince.js';
import type { StreamFields } from '../../sources/charts/chartRows.js';
import { formatDateTime } from '../../sources/core/wireValues.js';
import { toNodeId } from '../arguments/nodeId.js';
import { toRangeConnection } from '../connections/sampleConnection.js';
import type {
  AggregateResolvers,
  ChartRowResolvers,
  ImageSampleResolvers,
  RfidSampleResolvers,
  ScalarSampleResolvers,
  SeriesLineResolvers,
  StreamSamplesResolvers,
  ThresholdChangeRowResolvers,
} from '../generated/resolverTypes.js';
import { identity, streamSampleIdentity } from './identity.js';
import { objectField, operationRelation, sourceRelation } from './relation.js';

/** For all objects that have the id of a stream. */
export const streamRelation = sourceRelation(['streams'], ({ streamId }: { streamId: number }, { streams }) =>
  streams.byId(streamId),
);

export const ScalarSample: ScalarSampleResolvers = {
  ...streamSampleIdentity('ScalarSample'),
  stream: streamRelation,
};

export const ImageSample: ImageSampleResolvers = { ...identity('ImageSample'), stream: streamRelation };

export const RfidSample: RfidSampleResolvers = {
  ...streamSampleIdentity('RfidSample'),
  stream: streamRelation,
};

/** Only the last row of a list has a continuation. */
const continuationFields = {
  cursor: objectField((row: WithContinuation<object>) => row.continuation?.cursor ?? null),
  replaceFrom: objectField(({ continuation }: WithContinuation<object>) =>
    continuation === undefined ? null : formatDateTime(continuation.replaceFrom),
  ),
};

export const Aggregate: AggregateResolvers = continuationFields;

const idFields = {
  streamId: objectField(({ streamId }: StreamFields) => toNodeId('Stream', streamId)),
  siteId: objectField(({ siteId }: StreamFields) => (siteId === null ? null : toNodeId('Site', siteId))),
};

export const ChartRow: ChartRowResolvers = { ...continuationFields, ...idFields };

export const ThresholdChangeRow: ThresholdChangeRowResolvers = {
  ...idFields,
  title: objectField(({ streamName, level }) => `${streamName}: ${level}`),
  text: objectField(({ previousLevel, level, value, units, siteName }) => {
    const measured = value === null ? '' : ` at ${value} ${units}`.trimEnd();
    return `${previousLevel} → ${level}${measured}${siteName === null ? '' : `, ${siteName}`}`;
  }),
};

/** Resolves the lines of a shared chart, and the samples of several streams. */
export const SeriesLine: SeriesLineResolvers = { stream: streamRelation };

export const StreamSamples: StreamSamplesResolvers = {
  streamId: objectField(({ streamId }) => toNodeId('Stream', streamId)),
  stream: streamRelation,
  samples: operationRelation(['samples'], ({ streamId, page }, _, { samples }) =>
    samples.runLimited(() => toRangeConnection(samples.inRange({ id: streamId, siteId: null }), page)),
  ),
};
