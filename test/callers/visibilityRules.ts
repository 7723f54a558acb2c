/** The visibility rule for each path through the schema. docs/callers.md describes the rules. */

export type Rule =
  /** One object by its id: null if its site is not visible, as for a missing object. */
  | 'lookup'
  /** A list of the account: its visible entries, with pages and counts to match. */
  | 'list'
  /** Streams by their ids: an invisible stream has no data, as a missing one. */
  | 'named'
  /** Objects of several kinds, or samples of the account: the visible ones. */
  | 'found'
  /** From a visible object to others at the same site. */
  | 'inside'
  /** From a visible object to its own site or organization. */
  | 'up'
  /** To an object that another site may own: null if it is not visible. */
  | 'across'
  /** A part of the object itself, without an identity. */
  | 'part'
  /** The page fields around visible entries. */
  | 'page'
  /** Attribute names: those of visible objects. */
  | 'names'
  /** Users belong to the account: restricted callers get none. */
  | 'people'
  /** Data of the account: refused with FORBIDDEN. */
  | 'refused'
  /** The same for every caller, without data of an organization. */
  | 'everybody'
  /** A write: invisible objects are unknown, and the queues are refused. */
  | 'write'
  /** The object that a mutation wrote to. */
  | 'written'
  /** Live samples: those of visible streams. */
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

/** Counts of the visible entries. */
function facetsOf(type: string, ...fields: readonly string[]): Record<string, Rule> {
  return Object.fromEntries([
    [`${type}Connection.facets`, 'page'],
    ...fields.map((field) => [`${type}Facets.${field}`, 'part'] as const),
  ]);
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
  'Query.seriesOf': 'named',
  'Query.search': 'found',
  'Query.rfidReads': 'found',
  'SearchResult.sites': 'found',
  'SearchResult.devices': 'found',
  'SearchResult.streams': 'found',
  'RfidReadConnection.tags': 'page',
  'RfidReadConnection.nodes': 'page',
  'RfidReadConnection.edges': 'page',
  'RfidReadConnection.pageInfo': 'page',
  'RfidTag.lastRead': 'page',
  'Query.chart': 'named',
  'Query.thresholdChanges': 'named',
  'Query.sampleBatch': 'refused',
  'Query.sampleBatchStatus': 'refused',
  'Subscription.sampleReceived': 'events',
  'Subscription.thresholdStatusChanged': 'events',
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
  'ThresholdStatusChange.stream': 'up',
  'ThresholdStatusChange.previousLevel': 'part',
  'ThresholdStatusChange.level': 'part',
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
  'Threshold.level': 'part',
  ...facetsOf('Site', 'statuses'),
  ...facetsOf('Device', 'models', 'firmwareVersions'),
  ...facetsOf('Channel', 'types', 'statuses'),
  ...facetsOf('Stream', 'types', 'units', 'statuses'),
  ...pagesOf(...kinds, ...samples, 'DeviceHealth', 'DeviceLog'),
};
