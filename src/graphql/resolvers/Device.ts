/** How devices and what they report of themselves answer. */
import { ofReadings } from '../execution/modelField.js';
import type {
  DeviceHealthResolvers,
  DeviceLogResolvers,
  DeviceResolvers,
} from '../generated/resolverTypes.js';
import { toRecordConnection } from '../recordConnection.js';
import { identity, platformIdentity } from './identity.js';

export const Device: DeviceResolvers = {
  ...identity('Device'),
  site: ofReadings(({ siteId }, _, { sources }) => (siteId === null ? null : sources.sites.byId(siteId))),
  channels: ofReadings(({ id }, _, { sources }) => sources.channels.ofDevice(id)),
  lastHealth: ({ id }, _, { sources }) => sources.deviceRecords.lastHealth(id),
  health: ({ id }, page, { sources }) =>
    toRecordConnection('DeviceHealth', page, (request) => sources.deviceRecords.health(id, request)),
  lastLog: ({ id }, _, { sources }) => sources.deviceRecords.lastLog(id),
  logs: ({ id }, page, { sources }) =>
    toRecordConnection('DeviceLog', page, (request) => sources.deviceRecords.logs(id, request)),
};

export const DeviceHealth: DeviceHealthResolvers = platformIdentity;

export const DeviceLog: DeviceLogResolvers = platformIdentity;
