/** Small entities for tests of pure functions, with plain defaults. */
import type { Channel } from '../../../src/sources/entities/channels.js';
import type { CustomAttribute } from '../../../src/sources/entities/customAttributes.js';
import type { Device } from '../../../src/sources/entities/devices.js';
import type { Site } from '../../../src/sources/entities/sites.js';
import type { Stream } from '../../../src/sources/entities/streams.js';
import type { ThresholdLevel } from '../../../src/sources/entities/thresholds.js';

export function site(id: number, given: Partial<Site> = {}): Site {
  const plain = { status: 'Active', createdAt: null, location: null, organizationId: null };
  return { __typename: 'Site', id, name: `Site ${id}`, ...plain, ...given };
}

export function device(id: number, given: Partial<Device> = {}): Device {
  const hardware = { akid: null, iccid: null, iccid2: null, meid: null };
  const plain = { serialNumber: `SN${id}`, modelNumber: 'M', firmwareVersion: '1', siteId: null };
  return { __typename: 'Device', id, name: `Device ${id}`, ...plain, ...hardware, ...given };
}

export function channel(id: number, name: string, given: Partial<Channel> = {}): Channel {
  const plain = { deviceId: 1, createdAt: null, numberOnDevice: null, type: null, status: null };
  return { __typename: 'Channel', id, name, ...plain, ...given };
}

export function stream(
  id: number,
  name: string,
  wireChannelId: number | null = null,
  given: Partial<Stream> = {},
): Stream {
  const plain = { siteId: 1, createdAt: null, type: null, units: '', valueScale: null, status: null };
  return { __typename: 'Stream', id, name, wireChannelId, ...plain, ...given };
}

export function thresholdLevel(name: string, given: Partial<ThresholdLevel> = {}): ThresholdLevel {
  return {
    name,
    comment: null,
    lowerLimit: null,
    upperLimit: null,
    falseAlarmFilterSeconds: 0,
    sampleIntervalSeconds: 300,
    transmissionInterval: 'NORMAL',
    transmitImmediately: false,
    notificationActions: [],
    outputActions: [],
    sampleActions: [],
    ...given,
  };
}

export function attribute(parentId: number, name: string, value: string): CustomAttribute {
  return { id: 7, parentId, name, value };
}
