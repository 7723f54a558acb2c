/** All sources of one operation: they share what they load, and forget it when the operation ends. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { createAggregates } from './aggregates.js';
import { createChannelLinks } from './channelLinks.js';
import { createChannels } from './channels.js';
import { createSiteAttributes, createStreamAttributes } from './customAttributes.js';
import { createDeviceRecords } from './deviceRecords.js';
import { createDevices } from './devices.js';
import { createOrganizations } from './organizations.js';
import { createSampleQueues } from './sampleQueues.js';
import { createSamples } from './sampleSources.js';
import { createSites } from './sites.js';
import { createStreams } from './streams.js';
import { createThresholds } from './thresholds.js';
import { createUsers } from './users.js';

export interface SourcesOptions {
  rest: RestClient;
  /** The name of the stream attribute whose value is a channel's id. */
  channelAttribute: string;
}

export type Sources = ReturnType<typeof createSources>;

export function createSources({ rest, channelAttribute }: SourcesOptions, options: CallOptions) {
  const devices = createDevices(rest, options);
  const channels = createChannels(rest, options);
  const streams = createStreams(rest, options);
  const streamAttributes = createStreamAttributes(rest, options);
  const attributeName = channelAttribute;
  return {
    organizations: createOrganizations(rest, options),
    users: createUsers(rest, options),
    sites: createSites(rest, options),
    siteAttributes: createSiteAttributes(rest, options),
    devices,
    deviceRecords: createDeviceRecords(rest, options),
    channels,
    streams,
    streamAttributes,
    channelLinks: createChannelLinks({ devices, channels, streams, streamAttributes, attributeName }),
    thresholds: createThresholds(rest, options),
    samples: createSamples(rest, options),
    aggregates: createAggregates(rest, options),
    sampleQueues: createSampleQueues(rest, options),
  };
}
