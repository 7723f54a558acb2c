/** All sources of one operation: they share what they load, and forget it when the operation ends. */
import type { RestClient } from '../rest/restClient.js';
import type { RestWrites } from '../rest/restWrites.js';
import { type AccessScope, wholeAccount } from './access/accessScope.js';
import { type Aggregates, createAggregates } from './charts/aggregates.js';
import { createSeries, type SeriesLoader } from './charts/series.js';
import type { DependencyRecorder } from './core/cacheDependencies.js';
import type { Reader } from './core/reader.js';
import { type ChannelLinks, createChannelLinks } from './entities/channelLinks.js';
import { type Channels, createChannels } from './entities/channels.js';
import {
  createSiteAttributes,
  createStreamAttributes,
  type SiteAttributes,
  type StreamAttributes,
} from './entities/customAttributes.js';
import { createDeviceRecords, type DeviceRecords } from './entities/deviceRecords.js';
import { createDevices, type Devices } from './entities/devices.js';
import { createOrganizations, type Organizations } from './entities/organizations.js';
import { createSites, type Sites } from './entities/sites.js';
import { createStreams, type Streams } from './entities/streams.js';
import { createThresholds, type Thresholds } from './entities/thresholds.js';
import { createUsers, type Users } from './entities/users.js';
import { createSampleQueues, type SampleQueues } from './samples/sampleQueues.js';
import { createSamples, type Samples } from './timeline/sampleSources.js';
import { createTimelines, type Timelines } from './timeline/timelines.js';
import { createWrites, type Writes } from './writes/writes.js';

export interface SourcesOptions {
  rest: RestClient;
  restWrites: RestWrites;
  reader: Reader;
  /** The name of the stream attribute whose value is a channel's id. */
  channelAttribute: string;
  nowMs: () => number;
}

export type Sources = Omit<OperationSources, 'timelines'>;

export function createSources(parts: SourcesOptions): Sources {
  return new OperationSources(parts);
}

/** Each is made when it is first asked for: most operations need few of them, and there are many operations. */
class OperationSources {
  readonly accessScope: AccessScope = wholeAccount;
  /** What has been taken; undefined where more than that decides on what is answered. */
  readonly dependencies: DependencyRecorder | undefined;
  readonly #parts: SourcesOptions;
  #organizations: Organizations | undefined;
  #users: Users | undefined;
  #sites: Sites | undefined;
  #siteAttributes: SiteAttributes | undefined;
  #devices: Devices | undefined;
  #deviceRecords: DeviceRecords | undefined;
  #channels: Channels | undefined;
  #streams: Streams | undefined;
  #streamAttributes: StreamAttributes | undefined;
  #thresholds: Thresholds | undefined;
  #sampleQueues: SampleQueues | undefined;
  #timelines: Timelines | undefined;
  #samples: Samples | undefined;
  #aggregates: Aggregates | undefined;
  #series: SeriesLoader | undefined;
  #writes: Writes | undefined;
  #channelLinks: ChannelLinks | undefined;

  constructor(parts: SourcesOptions) {
    this.#parts = parts;
    this.dependencies = parts.reader.dependencies;
  }

  get organizations(): Organizations {
    const { rest, reader } = this.#parts;
    this.#organizations ??= createOrganizations(rest, reader);
    return this.#organizations;
  }

  get users(): Users {
    const { rest, reader } = this.#parts;
    this.#users ??= createUsers(rest, reader);
    return this.#users;
  }

  get sites(): Sites {
    const { rest, reader } = this.#parts;
    this.#sites ??= createSites(rest, reader);
    return this.#sites;
  }

  get siteAttributes(): SiteAttributes {
    const { rest, reader } = this.#parts;
    this.#siteAttributes ??= createSiteAttributes(rest, reader);
    return this.#siteAttributes;
  }

  get devices(): Devices {
    const { rest, reader } = this.#parts;
    this.#devices ??= createDevices(rest, reader);
    return this.#devices;
  }

  get deviceRecords(): DeviceRecords {
    const { rest, reader } = this.#parts;
    this.#deviceRecords ??= createDeviceRecords(rest, reader);
    return this.#deviceRecords;
  }

  get channels(): Channels {
    const { rest, reader } = this.#parts;
    this.#channels ??= createChannels(rest, reader);
    return this.#channels;
  }

  get streams(): Streams {
    const { rest, reader } = this.#parts;
    this.#streams ??= createStreams(rest, reader);
    return this.#streams;
  }

  get streamAttributes(): StreamAttributes {
    const { rest, reader } = this.#parts;
    this.#streamAttributes ??= createStreamAttributes(rest, reader);
    return this.#streamAttributes;
  }

  get thresholds(): Thresholds {
    const { rest, reader } = this.#parts;
    this.#thresholds ??= createThresholds(rest, reader);
    return this.#thresholds;
  }

  get sampleQueues(): SampleQueues {
    const { rest, reader } = this.#parts;
    this.#sampleQueues ??= createSampleQueues(rest, reader.options);
    return this.#sampleQueues;
  }

  get timelines(): Timelines {
    const { rest, reader, nowMs } = this.#parts;
    this.#timelines ??= createTimelines(rest, reader, nowMs);
    return this.#timelines;
  }

  get samples(): Samples {
    const { rest, reader, nowMs } = this.#parts;
    this.#samples ??= createSamples(rest, reader, this.timelines, nowMs);
    return this.#samples;
  }

  get aggregates(): Aggregates {
    const { nowMs } = this.#parts;
    this.#aggregates ??= createAggregates(this.timelines, nowMs);
    return this.#aggregates;
  }

  get series(): SeriesLoader {
    const { nowMs } = this.#parts;
    this.#series ??= createSeries(this.timelines, nowMs);
    return this.#series;
  }

  get writes(): Writes {
    const { restWrites, reader } = this.#parts;
    this.#writes ??= createWrites(restWrites, reader);
    return this.#writes;
  }

  get channelLinks(): ChannelLinks {
    const attributeName = this.#parts.channelAttribute;
    this.#channelLinks ??= createChannelLinks(this, attributeName);
    return this.#channelLinks;
  }
}
