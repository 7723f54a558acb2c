/** How devices and what they report of themselves answer. */
import { dependsOnSources } from '../../execution/fieldDependence.js';
import { toRecordConnection } from '../connections/recordConnection.js';
import type {
  DeviceHealthResolvers,
  DeviceLogResolvers,
  DeviceResolvers,
} from '../generated/resolverTypes.js';
import { identity, platformIdentity } from './identity.js';

export const Device: DeviceResolvers = {
  ...identity('Device'),
  site: dependsOnSources(({ siteId }, _, { sources }) =>
    siteId === null ? null : sources.sites.byId(siteId),
  ),
  channels: dependsOnSources(({ id }, _, { sources }) => sources.channels.ofDevice(id)),
  lastHealth: ({ id }, _, { sources }) => sources.deviceRecords.lastHealth(id),
  health: ({ id }, page, { sources }) =>
    toRecordConnection('DeviceHealth', page, (request) => sources.deviceRecords.health(id, request)),
  lastLog: ({ id }, _, { sources }) => sources.deviceRecords.lastLog(id),
  logs: ({ id }, page, { sources }) =>
    toRecordConnection('DeviceLog', page, (request) => sources.deviceRecords.logs(id, request)),
};

export const DeviceHealth: DeviceHealthResolvers = platformIdentity;

export const DeviceLog: DeviceLogResolvers = platformIdentity;
