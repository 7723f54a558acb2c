/** For each way through the schema, the rule that holds a caller to its organizations; docs/callers.md tells them. */

export type Rule =
  /** One thing by its id: null where its site is not seen, as where there is none. */
  | 'lookup'
  /** A list of the account: what is seen of it, pages and counts included. */
  | 'list'
  /** Streams by their ids: one that is not seen has nothing, as one that is not there. */
  | 'named'
  /** From something seen to what stands at the same site. */
  | 'inside'
  /** From something seen to its own site or organization. */
  | 'up'
  /** To what another site may own: null where it is not seen. */
  | 'across'
  /** A part of the thing itself, without an identity of its own. */
  | 'part'
  /** The frame of a page around what is seen. */
  | 'page'
  /** Names of attributes: those that something seen carries. */
  | 'names'
  /** People belong to the account: there are none. */
  | 'people'
  /** The account's own: refused with FORBIDDEN. */
  | 'refused'
  /** The same for everybody, and nothing of an organization's. */
  | 'everybody'
  /** A write: what is not seen is unknown, and the queues are refused. */
  | 'write'
  /** What has been written to. */
  | 'written'
  /** Samples as they arrive: those of streams that are seen. */
  | 'events';

const kinds = ['Organization', 'Site', 'Device', 'Channel', 'Stream', 'User'] as const;
const samples = ['ScalarSample', 'ImageSample', 'RfidSample'] as const;

function pagesOf(...types: readonly string[]): Record<string, Rule> {
  return Object.fromEntries(
    types.flatMap((type) => [
      [`${type}Connection.nodes`, 'page'],
      [`${type}Connection.edges`, 'page'],
      [`${type}Connection.pageInfo`, 'page'],
      [`${type}Edge.node`, 'page'],
    ]),
  );
}

export const visibilityRules: Readonly<Record<string, Rule>> = {
  'Query.node': 'lookup',
  'Query.nodes': 'lookup',
  'Query.organization': 'lookup',
  'Query.organizations': 'list',
  'Query.user': 'people',
  'Query.users': 'people',
  'Query.uiPreferences': 'everybody',
  'Query.site': 'lookup',
  'Query.sites': 'list',
  'Query.device': 'lookup',
  'Query.deviceBySerialNumber': 'lookup',
  'Query.devices': 'list',
  'Query.channel': 'lookup',
  'Query.channels': 'list',
  'Query.stream': 'lookup',
  'Query.streams': 'list',
  'Query.siteCustomAttributeNames': 'names',
  'Query.streamCustomAttributeNames': 'names',
  'Query.image': 'lookup',
  'Query.images': 'list',
  'Query.samplesOf': 'named',
  'Query.sampleBatch': 'refused',
  'Query.sampleBatchStatus': 'refused',
  'Subscription.sampleReceived': 'events',
  'Mutation.setSiteCustomAttributes': 'write',
  'Mutation.setStreamCustomAttributes': 'write',
  'Mutation.setStreamThreshold': 'write',
  'Mutation.acknowledgeSamples': 'write',
  'Mutation.backfillSamples': 'write',

  'Organization.sites': 'inside',
  'Site.location': 'part',
  'Site.organization': 'up',
  'Site.devices': 'inside',
  'Site.streams': 'inside',
  'Site.customAttributes': 'inside',
  'Site.samplesAfter': 'inside',
  'Site.samplesSince': 'inside',
  'Site.rfidReads': 'inside',
  'Site.images': 'inside',
  'Site.series': 'inside',
  'Device.site': 'up',
  'Device.channels': 'inside',
  'Device.lastHealth': 'inside',
  'Device.health': 'inside',
  'Device.lastLog': 'inside',
  'Device.logs': 'inside',
  'Channel.type': 'part',
  'Channel.status': 'part',
  'Channel.device': 'up',
  'Channel.streams': 'inside',
  'Stream.type': 'part',
  'Stream.status': 'part',
  'Stream.site': 'up',
  'Stream.channel': 'inside',
  'Stream.customAttributes': 'inside',
  'Stream.threshold': 'inside',
  'Stream.lastSample': 'inside',
  'Stream.lastImage': 'inside',
  'Stream.lastRfidRead': 'inside',
  'Stream.samples': 'inside',
  'Stream.samplesSince': 'inside',
  'Stream.samplesAfter': 'inside',
  'Stream.aggregates': 'inside',
  'Stream.series': 'inside',
  'Stream.images': 'inside',
  'Stream.rfidReads': 'inside',
  'Stream.rfidReadsAfter': 'inside',
  'SharedSeries.lines': 'part',
  'SeriesLine.stream': 'up',
  'StreamSamples.stream': 'across',
  'StreamSamples.samples': 'inside',
  'Threshold.levels': 'inside',
  'ThresholdLevel.notificationActions': 'part',
  'ThresholdLevel.outputActions': 'part',
  'ThresholdLevel.sampleActions': 'part',
  'SampleAction.stream': 'across',
  'ScalarSample.stream': 'up',
  'ImageSample.stream': 'up',
  'RfidSample.stream': 'up',
  'RfidSample.position': 'part',
  'SampleBatch.samples': 'refused',
  'SetSiteCustomAttributesPayload.sites': 'written',
  'SetSiteCustomAttributesPayload.userErrors': 'part',
  'SetStreamCustomAttributesPayload.streams': 'written',
  'SetStreamCustomAttributesPayload.userErrors': 'part',
  'SetStreamThresholdPayload.stream': 'written',
  'SetStreamThresholdPayload.userErrors': 'part',
  'AcknowledgeSamplesPayload.lastAcknowledged': 'refused',
  'AcknowledgeSamplesPayload.userErrors': 'part',
  'BackfillSamplesPayload.sampleBatch': 'refused',
  'BackfillSamplesPayload.userErrors': 'part',
  ...pagesOf(...kinds, ...samples, 'DeviceHealth', 'DeviceLog'),
};
