/** Resolves devices, their health counters and their log records. */
import { createBadInputError } from '../../errors.js';
import { formatDateTime } from '../../sources/core/wireValues.js';
import { checkLength } from '../arguments/bounds.js';
import { toRecordConnection } from '../connections/listConnection.js';
import type {
  DeviceHealthResolvers,
  DeviceLogResolvers,
  DeviceResolvers,
} from '../generated/resolverTypes.js';
import { identity, platformIdentity } from './identity.js';
import { operationRelation, sourceRelation } from './relation.js';

/** Each device of a list reads the argument. */
const MAX_COUNTERS = 100;

export const Device: DeviceResolvers = {
  ...identity('Device'),
  site: sourceRelation(({ siteId }, { sites }) => (siteId === null ? null : sites.byId(siteId)), {
    many: ({ sites }, count) => sites.prefetch(count),
  }),
  channels: sourceRelation(({ id }, { channels }) => channels.ofDevice(id), {
    many: ({ channels }, count) => channels.prefetch(count),
    atSite: ({ channelLinks }, siteId) => channelLinks.prefetchChannelsAtSite(siteId),
  }),
  lastContactAt: operationRelation(async (device, _, { states }) => {
    const contactMs = await states.lastContactMs(device);
    return contactMs === null ? null : formatDateTime(contactMs);
  }),
  lastHealth: sourceRelation(({ id }, { deviceRecords }, { counters }) => {
    checkLength('counters', counters ?? [], MAX_COUNTERS, 'counters');
    for (const [index, counter] of (counters ?? []).entries()) {
      const problem = deviceRecords.findCounterProblem(counter);
      if (problem !== undefined) throw createBadInputError(`counters[${index}]`, problem);
    }
    return deviceRecords.lastHealth(id, counters ?? undefined);
  }),
  health: operationRelation(({ id }, page, { deviceRecords }) =>
    toRecordConnection('DeviceHealth', page, (request) => deviceRecords.health(id, request)),
  ),
  lastLog: sourceRelation(({ id }, { deviceRecords }) => deviceRecords.lastLog(id)),
  logs: operationRelation(({ id }, page, { deviceRecords }) =>
    toRecordConnection('DeviceLog', page, (request) => deviceRecords.logs(id, request)),
  ),
};

export const DeviceHealth: DeviceHealthResolvers = platformIdentity;

export const DeviceLog: DeviceLogResolvers = platformIdentity;
