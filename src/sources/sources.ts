/** All sources of one operation. They share the data that they load until the operation ends. */
import type { OperationTurns } from '../lib/turnBudget.js';
import type { RestClient } from '../rest/restClient.js';
import type { RestWrites } from '../rest/restWrites.js';
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
import { createDeviceRecords, type DeviceRecords, type HealthCounters } from './entities/deviceRecords.js';
import { createDevices, type Devices } from './entities/devices.js';
import { createOrganizations, type Organizations } from './entities/organizations.js';
import { createSites, type Sites } from './entities/sites.js';
import { createStreams, measuresNumbers, type Streams } from './entities/streams.js';
import { createThresholds, type Thresholds } from './entities/thresholds.js';
import { createUsers, type Users } from './entities/users.js';
import type { ArrivedSamples } from './samples/arrivedSamples.js';
import { createSampleQueues, type SampleQueues } from './samples/sampleQueues.js';
import { createStates, type States } from './samples/states.js';
import { createSamples, type Samples } from './timeline/sampleSources.js';
import { createTimelines, type Timelines } from './timeline/timelines.js';
import { createWrites, type Writes } from './writes/writes.js';

export interface SourcesOptions {
  rest: RestClient;
  restWrites: RestWrites;
  reader: Reader;
  /** Absent if the platform is not polled. */
  arrivedSamples?: ArrivedSamples | undefined;
  /** Name of the stream attribute whose value is a channel's id. */
  channelAttribute: string;
  healthCounters: HealthCounters;
  nowMs: () => number;
}

export type Sources = Omit<OperationSources, 'timelines'>;

/** Creates each source at its first use, because most operations need few of them. */
export class OperationSources {
  readonly turns: OperationTurns;
  /** Dependencies of the response on cache entries; undefined if it depends on more than the cache. */
  readonly dependencies: DependencyRecorder | undefined;
  readonly #options: SourcesOptions;
  readonly #rest: RestClient;
  readonly #reader: Reader;
  readonly #nowMs: () => number;
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
  #states: States | undefined;

  constructor(options: SourcesOptions) {
    this.#options = options;
    this.#rest = options.rest;
    this.#reader = options.reader;
    this.#nowMs = options.nowMs;
    this.turns = options.reader.turns;
    this.dependencies = options.reader.dependencies;
  }

  get organizations(): Organizations {
    this.#organizations ??= createOrganizations(this.#rest, this.#reader);
    return this.#organizations;
  }

  get users(): Users {
    this.#users ??= createUsers(this.#rest, this.#reader);
    return this.#users;
  }

  get sites(): Sites {
    this.#sites ??= createSites(this.#rest, this.#reader);
    return this.#sites;
  }

  get siteAttributes(): SiteAttributes {
    this.#siteAttributes ??= createSiteAttributes(this.#rest, this.#reader);
    return this.#siteAttributes;
  }

  get devices(): Devices {
    this.#devices ??= createDevices(this.#rest, this.#reader);
    return this.#devices;
  }

  get deviceRecords(): DeviceRecords {
    this.#deviceRecords ??= createDeviceRecords(this.#rest, this.#reader, this.#options.healthCounters);
    return this.#deviceRecords;
  }

  get channels(): Channels {
    this.#channels ??= createChannels(this.#rest, this.#reader);
    return this.#channels;
  }

  get streams(): Streams {
    this.#streams ??= createStreams(this.#rest, this.#reader);
    return this.#streams;
  }

  get streamAttributes(): StreamAttributes {
    this.#streamAttributes ??= createStreamAttributes(this.#rest, this.#reader);
    return this.#streamAttributes;
  }

  get thresholds(): Thresholds {
    this.#thresholds ??= createThresholds(this.#rest, this.#reader);
    return this.#thresholds;
  }

  get sampleQueues(): SampleQueues {
    this.#sampleQueues ??= createSampleQueues(this.#rest, this.#reader.options);
    return this.#sampleQueues;
  }

  get timelines(): Timelines {
    const countStreams = (siteId: number) =>
      this.streams.loadedOfSite(siteId)?.filter(measuresNumbers).length;
    this.#timelines ??= createTimelines(
      this.#rest,
      this.#reader,
      this.#nowMs,
      this.#options.arrivedSamples,
      countStreams,
    );
    return this.#timelines;
  }

  get samples(): Samples {
    this.#samples ??= createSamples(this.#rest, this.#reader, this.timelines, this.#nowMs);
    return this.#samples;
  }

  get aggregates(): Aggregates {
    this.#aggregates ??= createAggregates(this.timelines, this.#nowMs);
    return this.#aggregates;
  }

  get series(): SeriesLoader {
    this.#series ??= createSeries(this.timelines, this.#nowMs);
    return this.#series;
  }

  get writes(): Writes {
    this.#writes ??= createWrites(this.#options.restWrites, this.#reader);
    return this.#writes;
  }

  get channelLinks(): ChannelLinks {
    this.#channelLinks ??= createChannelLinks(this, this.#options.channelAttribute);
    return this.#channelLinks;
  }

  /** Whether the caller can see the samples of a stream. Cheap for many streams. */
  async canSeeStream(_streamId: number): Promise<boolean> {
    return true;
  }

  get states(): States {
    this.#states ??= createStates(this, this.#nowMs);
    return this.#states;
  }
}
