/** Resolves samples, and the rows, lines and intervals of charts. */
import type { AggregateDetails } from '../../sources/charts/aggregateDetails.js';
import type { StreamFields } from '../../sources/charts/chartRows.js';
import type { AggregateSince, WithContinuation } from '../../sources/charts/deltas.js';
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

/** The field `stream` of all objects that contain the id of their stream. */
export const streamRelation = sourceRelation(({ streamId }: { streamId: number }, { streams }) =>
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

/** A statistic that needs the samples of the range. */
const detail = <Name extends Exclude<keyof AggregateDetails, 'percentile' | 'resets'>>(name: Name) =>
  operationRelation(async ({ details }: AggregateSince) => (await details())[name]);

const detailFields: AggregateResolvers = {
  first: detail('first'),
  last: detail('last'),
  delta: detail('delta'),
  deltaResets: operationRelation(async ({ details }) => (await details()).resets),
  integral: detail('integral'),
  integralUnits: detail('integralUnits'),
  timeWeightedAvg: detail('timeWeightedAvg'),
  stdDev: detail('stdDev'),
  // `Stream.aggregates` has checked the argument.
  percentile: operationRelation(async ({ details }, { p }) => (await details()).percentile(p)),
};

/** The fields of an aggregate that need the samples. */
export const aggregateDetailNames: ReadonlySet<string> = new Set(Object.keys(detailFields));

/** Only the last row of a list has a continuation. */
const continuationFields = {
  cursor: objectField((row: WithContinuation<object>) => row.continuation?.cursor ?? null),
  replaceFrom: objectField(({ continuation }: WithContinuation<object>) =>
    continuation === undefined ? null : formatDateTime(continuation.replaceFrom),
  ),
};

export const Aggregate: AggregateResolvers = { ...detailFields, ...continuationFields };

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

export const SeriesLine: SeriesLineResolvers = { stream: streamRelation };

export const StreamSamples: StreamSamplesResolvers = {
  streamId: objectField(({ streamId }) => toNodeId('Stream', streamId)),
  stream: streamRelation,
  samples: operationRelation(({ streamId, page }, _, { samples }) =>
    samples.runLimited(() => toRangeConnection(samples.inRange({ id: streamId, siteId: null }), page)),
  ),
};
