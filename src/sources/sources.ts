/** All sources of one operation: they share what they load, and forget it when the operation ends. */
import type { RestClient } from '../rest/restClient.js';
import type { RestWrites } from '../rest/restWrites.js';
import { createAggregates } from './aggregates.js';
import { createChannelLinks } from './channelLinks.js';
import { createChannels } from './channels.js';
import { createSiteAttributes, createStreamAttributes } from './customAttributes.js';
import { createDeviceRecords } from './deviceRecords.js';
import { createDevices } from './devices.js';
import { createOrganizations } from './organizations.js';
import { wholeAccount } from './reach.js';
import type { Reader } from './reader.js';
import { createSampleQueues } from './sampleQueues.js';
import { createSamples } from './sampleSources.js';
import { createSeries } from './series.js';
import { createSites } from './sites.js';
import { createStreams } from './streams.js';
import { createThresholds } from './thresholds.js';
import { createTimelines } from './timelines.js';
import { createUsers } from './users.js';
import { createWrites } from './writes.js';

export interface SourcesParts {
  rest: RestClient;
  restWrites: RestWrites;
  reader: Reader;
  /** The name of the stream attribute whose value is a channel's id. */
  channelAttribute: string;
  nowMs: () => number;
}

export type Sources = ReturnType<typeof createSources>;

export function createSources(parts: SourcesParts) {
  const { rest, reader, channelAttribute: attributeName, nowMs } = parts;
  const devices = createDevices(rest, reader);
  const channels = createChannels(rest, reader);
  const streams = createStreams(rest, reader);
  const streamAttributes = createStreamAttributes(rest, reader);
  const timelines = createTimelines(rest, reader, nowMs);
  return {
    organizations: createOrganizations(rest, reader),
    users: createUsers(rest, reader),
    sites: createSites(rest, reader),
    siteAttributes: createSiteAttributes(rest, reader),
    devices,
    deviceRecords: createDeviceRecords(rest, reader),
    channels,
    streams,
    streamAttributes,
    channelLinks: createChannelLinks({ devices, channels, streams, streamAttributes, attributeName }),
    thresholds: createThresholds(rest, reader),
    samples: createSamples(rest, reader, timelines, nowMs),
    aggregates: createAggregates(timelines, nowMs),
    series: createSeries(timelines, nowMs),
    sampleQueues: createSampleQueues(rest, reader.options),
    writes: createWrites(parts.restWrites, reader),
    reach: wholeAccount,
  };
}
