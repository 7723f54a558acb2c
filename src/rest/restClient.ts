/** The REST API as a typed client: one method for each endpoint that reads, named after its result. */
import * as rows from './decode/rows.js';
import { createEndpointKinds } from './endpointKinds.js';
import type { RestCaller } from './restCaller.js';

export type RestClient = ReturnType<typeof createRestClient>;

/** Ids are the platform's numbers. Dates are milliseconds here and whole Unix seconds on the wire. */
export function createRestClient(caller: RestCaller) {
  const { all, only, byId, byKey, of, lastOf, after, since, sinceOf, range, queue } =
    createEndpointKinds(caller);
  return {
    organizations: all('/v2.0/account/organization', rows.organizationRow),
    organization: byId('/v2.0/account/organization/{organizationId}', rows.organizationRow),
    users: all('/v2.0/user', rows.userRow),
    user: byId('/v2.0/user/{userId}', rows.userDetailsRow),
    uiPreferences: only('/v2.0/user/uiPreferences', rows.uiPreferencesRow),

    sites: all('/v2.0/site', rows.siteRow),
    site: byId('/v2.0/site/{siteId}', rows.siteRow),
    siteDevices: of('/v2.0/site/{siteId}/devices', rows.deviceRow, 'site_id'),
    siteStreams: of('/v2.0/site/{siteId}/streams', rows.streamRow, 'site_id'),
    siteAttributes: of('/v2.0/site/{siteId}/customAttributes', rows.attributeValueRow, 'parent_id'),
    allSiteAttributes: all('/v2.0/site/customAttributes', rows.attributeValueRow),
    siteStreamAttributes: of('/v2.0/site/{siteId}/streams/customAttributes', rows.attributeValueRow),
    siteAttributeNames: all('/v2.0/site/customAttributes/names', rows.attributeNameRow),

    devices: all('/v2.0/device', rows.deviceRow),
    device: byId('/v2.0/device/id/{deviceId}', rows.deviceRow),
    deviceBySerialNumber: byKey('/v2.0/device/{serialNumber}', rows.deviceRow),
    deviceChannels: of('/v2.0/device/{deviceId}/channels', rows.channelRow, 'device_id'),
    deviceHealth: after(
      '/v2.0/device/{deviceId}/health',
      'lastDeliveredId',
      rows.deviceHealthRow,
      'device_id',
    ),
    deviceLastHealth: lastOf('/v2.0/device/{deviceId}/lastHealth', rows.deviceHealthRow, 'device_id'),
    deviceLogs: after('/v2.0/device/{deviceId}/log', 'lastDeliveredId', rows.deviceLogRow, 'device_id'),
    deviceLastLog: lastOf('/v2.0/device/{deviceId}/lastLog', rows.deviceLogRow, 'device_id'),
    channels: all('/v2.0/channel', rows.channelRow),
    channel: byId('/v2.0/channel/{channelId}', rows.channelRow),

    streams: all('/v2.0/stream', rows.streamRow),
    stream: byId('/v2.0/stream/{streamId}', rows.streamRow),
    streamAttributes: of('/v2.0/stream/{streamId}/customAttributes', rows.attributeValueRow, 'parent_id'),
    allStreamAttributes: all('/v2.0/stream/customAttributes', rows.attributeValueRow),
    streamAttributeNames: all('/v2.0/stream/customAttributes/names', rows.attributeNameRow),
    threshold: byKey('/v2.0/stream/{streamId}/threshold', rows.thresholdRow),
    thresholdStatus: byKey('/v2.0/stream/{streamId}/threshold/status', rows.thresholdStatusRow),

    lastSample: byKey('/v2.0/stream/{streamId}/sample/last', rows.scalarSampleRow, 'stream_id'),
    streamSamplesAfter: after(
      '/v2.0/stream/{streamId}/sample',
      'lastSampleId',
      rows.scalarSampleRow,
      'stream_id',
    ),
    streamSampleRange: range('/v2.0/stream/{streamId}/sample/range', rows.scalarSampleRow, 'stream_id'),
    streamAggregation: range('/v2.0/stream/{streamId}/sample/agg', rows.aggregationRow, 'stream_id', false),
    streamSamplesSince: sinceOf('/v2.0/stream/{streamId}/sample/batch', rows.scalarSampleRow, 'stream_id'),
    siteSamplesAfter: after('/v2.0/site/{siteId}/sample', 'lastSampleId', rows.scalarSampleRow),
    siteSamplesSince: sinceOf('/v2.0/site/{siteId}/sample/batch', rows.scalarSampleRow),
    queuedSamples: queue('/v2.0/sample/batch', 'sampleID', rows.scalarSampleRow),
    lastQueuedSample: only('/v2.0/sample/batch/status', rows.scalarSampleRow),

    image: byId('/v2.0/sample/image/id/{imageId}', rows.imageSampleRow),
    imagesSince: since('/v2.0/sample/image/batch', rows.imageSampleRow),
    streamImagesSince: sinceOf(
      '/v2.0/stream/{streamId}/sample/image/batch',
      rows.imageSampleRow,
      'stream_id',
    ),
    lastImage: byKey('/v2.0/stream/{streamId}/sample/image/last', rows.imageSampleRow, 'stream_id'),

    siteRfidReadsSince: sinceOf('/v2.0/site/{siteId}/sample/rfid/batch', rows.rfidSampleRow),
    streamRfidReadsAfter: after(
      '/v2.0/stream/{streamId}/sample/rfid',
      'lastSampleId',
      rows.rfidSampleRow,
      'stream_id',
    ),
    streamRfidReadsSince: sinceOf(
      '/v2.0/stream/{streamId}/sample/rfid/batch',
      rows.rfidSampleRow,
      'stream_id',
    ),
    lastRfidRead: byKey('/v2.0/stream/{streamId}/sample/rfid/last', rows.rfidSampleRow, 'stream_id'),
    queuedRfidReads: queue('/v2.0/sample/rfid/batch', 'sampleId', rows.rfidSampleRow),
    lastQueuedRfidRead: only('/v2.0/sample/rfid/batch/status', rows.rfidSampleRow),
  };
}
