/** How devices and what they report of themselves answer. */
import type {
  DeviceHealthResolvers,
  DeviceLogResolvers,
  DeviceResolvers,
} from '../generated/resolverTypes.js';
import { readOptionalId } from '../nodeId.js';
import { identity, platformIdentity } from './identity.js';

export const Device: DeviceResolvers = {
  ...identity('Device'),
  site: ({ siteId }, _, { sources }) => (siteId === null ? null : sources.sites.byId(siteId)),
  channels: ({ id }, _, { sources }) => sources.channels.ofDevice(id),
  lastHealth: ({ id }, _, { sources }) => sources.deviceRecords.lastHealth(id),
  health: ({ id }, { after }, { sources }) =>
    sources.deviceRecords.healthAfter(id, readOptionalId('DeviceHealth', after, 'after')),
  lastLog: ({ id }, _, { sources }) => sources.deviceRecords.lastLog(id),
  logs: ({ id }, { after }, { sources }) =>
    sources.deviceRecords.logsAfter(id, readOptionalId('DeviceLog', after, 'after')),
};

export const DeviceHealth: DeviceHealthResolvers = platformIdentity;

export const DeviceLog: DeviceLogResolvers = platformIdentity;
