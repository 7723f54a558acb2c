/** Resolves streams, their thresholds, and the channels that they are linked to. */
import type { GraphQLResolveInfo } from 'graphql';
import { loadIntegrals, toAggregatesSince, toSeriesSince } from '../../sources/charts/deltas.js';
import { measuresNumbers } from '../../sources/entities/streams.js';
import { type Threshold as ThresholdModel, toThreshold } from '../../sources/entities/thresholds.js';
import { alarmLevelOf } from '../../sources/samples/streamLevels.js';
import { checkBetween } from '../arguments/bounds.js';
import { filterRfidReads } from '../arguments/filters.js';
import { readOptionalId, toNodeId } from '../arguments/nodeId.js';
import {
  readDeltaCursor,
  readHoursOfDay,
  readInterval,
  readMaxPoints,
  readRange,
  readTimeZone,
} from '../arguments/timeArguments.js';
import { toRangeConnection, toSampleConnection } from '../connections/sampleConnection.js';
import { readArgument, selectedFields, selectsField } from '../documents/fragments.js';
import type {
  ChannelResolvers,
  SampleActionResolvers,
  StreamResolvers,
  ThresholdResolvers,
} from '../generated/resolverTypes.js';
import type { RelationPrefetch } from '../prefetch.js';
import { identity } from './identity.js';
import { objectField, operationRelation, sourceRelation } from './relation.js';
import { aggregateDetailNames } from './Sample.js';

/** For fields that follow links between channels and streams. */
const linkPrefetch: RelationPrefetch = {
  many: ({ channelLinks }, count) => channelLinks.prefetch(count),
  atSite: ({ channelLinks }, siteId) => channelLinks.prefetchAtSite(siteId),
};

/** Fields that load entities and the newest samples. */
const entityFields: StreamResolvers = {
  site: sourceRelation(({ siteId }, { sites }) => (siteId === null ? null : sites.byId(siteId)), {
    many: ({ sites }, count) => sites.prefetch(count),
  }),
  channel: sourceRelation((stream, { channelLinks }) => channelLinks.channelOf(stream), linkPrefetch),
  channelLink: sourceRelation((stream, { channelLinks }) => channelLinks.ruleOf(stream), linkPrefetch),
  customAttributes: sourceRelation((stream, { streamAttributes }) => streamAttributes.ofStream(stream), {
    many: ({ streamAttributes }, count) => streamAttributes.prefetch(count),
  }),
  threshold: objectField(toThreshold),
  lastSample: sourceRelation((stream, { samples }) => samples.last(stream), {
    many: ({ samples }, count) => samples.prefetchLast(count),
    atOnlySite: async ({ streams, samples }, siteId) =>
      samples.prefetchLastAtSite(siteId, await streams.ofSite(siteId)),
  }),
  lastImage: sourceRelation((stream, { samples }) =>
    measuresNumbers(stream) ? null : samples.lastImage(stream.id),
  ),
  lastRfidRead: sourceRelation((stream, { samples }) =>
    measuresNumbers(stream) ? null : samples.lastRfidRead(stream.id),
  ),
};

/** Fields of an aggregate that depend on samples of other intervals. */
const INTEGRALS: ReadonlySet<string> = new Set(['integral', 'timeWeightedAvg']);
const CONTINUATION: ReadonlySet<string> = new Set(['cursor', 'replaceFrom']);
const PERCENTILE: ReadonlySet<string> = new Set(['percentile']);

/** Throws BAD_USER_INPUT before samples are loaded. In the field itself, each interval would have an error. */
function checkPercentiles(info: GraphQLResolveInfo): void {
  for (const field of selectedFields(info, PERCENTILE)) {
    checkBetween('percentile.p', Number(readArgument(field, 'p', info.variableValues)), 0, 100);
  }
}

/** Fields that load samples over time. */
const sampleFields: StreamResolvers = {
  samples: operationRelation((stream, args, { samples }) => toRangeConnection(samples.inRange(stream), args)),
  samplesSince: operationRelation(({ id }, { since, ...page }, { samples }) =>
    toSampleConnection(samples.ofStreamSince(id), since, page),
  ),
  samplesAfter: operationRelation(({ id }, { after }, { samples }) =>
    samples.ofStreamAfter(id, readOptionalId('ScalarSample', after, 'after')),
  ),
  aggregates: operationRelation(
    async (stream, { range, every, timeZone, fill, hoursOfDay, after }, { aggregates }, info) => {
      const earlier = readDeltaCursor(after);
      checkPercentiles(info);
      const request = {
        span: readRange(range),
        every: readInterval(every),
        zone: readTimeZone(timeZone),
        includesEmpty: fill === 'NULL',
        hoursOfDay: readHoursOfDay(hoursOfDay),
        units: stream.units,
        needsSamples: selectsField(info, aggregateDetailNames),
      };
      const identity = ['aggregates', stream.id, request.every, timeZone, fill, request.hoursOfDay];
      const rows = await aggregates.ofStream(stream, request);
      const isDelta = earlier !== undefined || selectsField(info, CONTINUATION);
      const integrals = isDelta && selectsField(info, INTEGRALS) ? await loadIntegrals(rows) : undefined;
      return toAggregatesSince(rows, { fromMs: range.from, identity }, earlier, integrals);
    },
  ),
  series: operationRelation(async (stream, { range, after, ...args }, { series }) => {
    const earlier = readDeltaCursor(after);
    const maxPoints = readMaxPoints(args.maxPoints);
    const method = args.method ?? 'LTTB';
    const full = await series.ofStream({ stream, span: readRange(range), maxPoints, method });
    const identity = ['series', stream.id, maxPoints, method];
    return toSeriesSince(full, { fromMs: range.from, identity }, earlier);
  }),
  images: operationRelation(({ id }, { since, ...page }, { samples }) =>
    toSampleConnection(samples.imagesOfStreamSince(id), since, page),
  ),
  rfidReads: operationRelation(({ id }, { since, filter, ...page }, { samples }) =>
    toSampleConnection(filterRfidReads(samples.rfidReadsOfStreamSince(id), filter), since, page),
  ),
  rfidReadsAfter: operationRelation(({ id }, { after }, { samples }) =>
    samples.rfidReadsOfStreamAfter(id, readOptionalId('RfidSample', after, 'after')),
  ),
};

export const Stream: StreamResolvers = { ...identity('Stream'), ...entityFields, ...sampleFields };

const toReference = ({ streamId, siteId }: ThresholdModel) => ({ id: streamId, siteId });

export const Threshold: ThresholdResolvers = {
  id: objectField(({ streamId }) => toNodeId('Threshold', streamId)),
  status: sourceRelation(({ streamId }, { thresholds }) => thresholds.status(streamId)),
  level: operationRelation((threshold, _, { states }) => states.levelOfStream(toReference(threshold))),
  alarmLevel: operationRelation(async (threshold, _, { states }) =>
    alarmLevelOf(await states.levelOfStream(toReference(threshold))),
  ),
  levels: sourceRelation(({ streamId }, { thresholds }) => thresholds.levels(streamId)),
};

export const SampleAction: SampleActionResolvers = {
  stream: sourceRelation(({ streamId }, { streams }) => (streamId === null ? null : streams.byId(streamId))),
};

export const Channel: ChannelResolvers = {
  ...identity('Channel'),
  device: sourceRelation(({ deviceId }, { devices }) => (deviceId === null ? null : devices.byId(deviceId)), {
    many: ({ devices }, count) => devices.prefetch(count),
  }),
  streams: sourceRelation((channel, { channelLinks }) => channelLinks.streamsOf(channel), linkPrefetch),
};
