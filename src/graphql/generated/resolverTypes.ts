import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Organization as OrganizationModel } from '../../sources/entities/organizations.js';
import type { User as UserModel, UiPreferences as UiPreferencesModel } from '../../sources/entities/users.js';
import type { Site as SiteModel } from '../../sources/entities/sites.js';
import type { Device as DeviceModel } from '../../sources/entities/devices.js';
import type { DeviceHealth as DeviceHealthModel, DeviceLog as DeviceLogModel } from '../../sources/entities/deviceRecords.js';
import type { Channel as ChannelModel } from '../../sources/entities/channels.js';
import type { Stream as StreamModel } from '../../sources/entities/streams.js';
import type { CustomAttribute as CustomAttributeModel, CustomAttributeName as CustomAttributeNameModel } from '../../sources/entities/customAttributes.js';
import type { Threshold as ThresholdModel, ThresholdLevel as ThresholdLevelModel, SampleAction as SampleActionModel } from '../../sources/entities/thresholds.js';
import type { Classification as ClassificationModel } from '../../sources/core/wireValues.js';
import type { ScalarSample as ScalarSampleModel, ImageSample as ImageSampleModel, RfidSample as RfidSampleModel } from '../../sources/samples/samples.js';
import type { ScalarSampleConnection as ScalarSampleConnectionModel, ImageSampleConnection as ImageSampleConnectionModel, RfidSampleConnection as RfidSampleConnectionModel, StreamSamples as StreamSamplesModel } from '../connections/sampleConnection.js';
import type { DeviceHealthConnection as DeviceHealthConnectionModel, DeviceLogConnection as DeviceLogConnectionModel } from '../connections/recordConnection.js';
import type { Series as SeriesModel } from '../../sources/charts/series.js';
import type { SharedSeries as SharedSeriesModel, SeriesLine as SeriesLineModel } from '../../sources/charts/sharedSeries.js';
import type { Aggregate as AggregateModel } from '../../sources/charts/aggregates.js';
import type { SetAttributesResult as SiteAttributesSet, SetAttributesResult as StreamAttributesSet } from '../mutations/setAttributes.js';
import type { SetThresholdResult } from '../mutations/setThreshold.js';
import type { MoveQueueResult as QueueAcknowledged, MoveQueueResult as QueueBackfilled } from '../mutations/moveQueue.js';
import type { Context } from '../context.js';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An instant, RFC 3339 in UTC, for example `2020-11-19T18:29:42Z`. Arguments may carry any offset. */
  DateTime: { input: number; output: string; }
};

/** Up to where samples are safely stored. */
export type AcknowledgeSamplesInput = {
  /** A name that tells consumers apart in the platform's logs, 1 to 256 characters. */
  readonly agent?: InputMaybe<Scalars['String']['input']>;
  readonly kind: SampleBatchKind;
  /** The last sample stored, as in `id` or `platformId` of a sample. */
  readonly sampleId: Scalars['ID']['input'];
};

/** What has become of the queue. */
export type AcknowledgeSamplesPayload = {
  readonly __typename?: 'AcknowledgeSamplesPayload';
  /** The last sample acknowledged, as the platform has it now; null where nothing was written. */
  readonly lastAcknowledged?: Maybe<Sample>;
  readonly userErrors: ReadonlyArray<UserError>;
};

/** What the numbers of one interval come to, in the stream's units. */
export type Aggregate = {
  readonly __typename?: 'Aggregate';
  /** The mean of the numbers, each counted once. */
  readonly avg?: Maybe<Scalars['Float']['output']>;
  /** How many numbers fell into it and into the range asked for. */
  readonly count: Scalars['Int']['output'];
  /** End of the interval, where the next one starts. */
  readonly endAt: Scalars['DateTime']['output'];
  readonly max?: Maybe<Scalars['Float']['output']>;
  readonly min?: Maybe<Scalars['Float']['output']>;
  /** Start of the interval. */
  readonly startAt: Scalars['DateTime']['output'];
  readonly sum?: Maybe<Scalars['Float']['output']>;
};

/** What to answer for intervals without a number. */
export type AggregateFill =
  /** Nothing: they are left out. */
  | 'NONE'
  /** An aggregate with the count 0 and nulls. */
  | 'NULL';

/**
 * How long each interval is: exactly one of these. Days, weeks and months are those of the time zone asked for, with
 * their 23 or 25 hours at a clock change. Minutes and hours are counted from midnight by the clock on the wall; where they
 * do not divide a day, its last interval is shorter.
 */
export type AggregateInterval = {
  /** From midnight. Two days and more are counted from 1970-01-01. */
  readonly days?: InputMaybe<Scalars['Int']['input']>;
  /**
   * 1 to 24. An interval longer than one hour goes by the clock on the wall: the one that holds a clock change is an
   * hour shorter or longer.
   */
  readonly hours?: InputMaybe<Scalars['Int']['input']>;
  /**
   * 1 to 1,440. Less than 10, and what no multiple of 10 or 15 is, takes the samples themselves. Up to 60, an interval ends
   * where the clock is changed, and the hour that comes twice has intervals of its own.
   */
  readonly minutes?: InputMaybe<Scalars['Int']['input']>;
  /** From the first of the month. Three are quarters, twelve are years. */
  readonly months?: InputMaybe<Scalars['Int']['input']>;
  /** From Monday. Two weeks and more are counted from 1970-01-05. */
  readonly weeks?: InputMaybe<Scalars['Int']['input']>;
};

/** From when on samples shall be delivered again. */
export type BackfillSamplesInput = {
  /** A name that tells consumers apart in the platform's logs, 1 to 256 characters. */
  readonly agent?: InputMaybe<Scalars['String']['input']>;
  readonly kind: SampleBatchKind;
  /** Not before the year 2000; whole seconds count. */
  readonly since: Scalars['DateTime']['input'];
};

/** What has become of the queue. */
export type BackfillSamplesPayload = {
  readonly __typename?: 'BackfillSamplesPayload';
  /** What the queue holds now; null where nothing was written. */
  readonly sampleBatch?: Maybe<SampleBatch>;
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A box on the map. With `west` greater than `east` it spans the 180th meridian. */
export type BoundingBox = {
  /** Decimal degrees, -180 to 180. */
  readonly east: Scalars['Float']['input'];
  /** Decimal degrees, -90 to 90, not below `south`. */
  readonly north: Scalars['Float']['input'];
  /** Decimal degrees, -90 to 90. */
  readonly south: Scalars['Float']['input'];
  /** Decimal degrees, -180 to 180. */
  readonly west: Scalars['Float']['input'];
};

/** One input or output of a device. */
export type Channel = Node & {
  readonly __typename?: 'Channel';
  /** When the channel was set up; null where the platform does not say. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The device this channel is part of. */
  readonly device?: Maybe<Device>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  /** The channel's number on its device. */
  readonly numberOnDevice?: Maybe<Scalars['Int']['output']>;
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  readonly status?: Maybe<Classification>;
  /**
   * The streams measured through this channel. The platform's REST API does not say which those are; the gateway
   * finds them inside the device's site, and `Stream.channelLink` tells how. Empty where nothing says so: never a guess.
   */
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
  /** For example `DIGITAL`. */
  readonly type?: Maybe<Classification>;
};

/** A page of channels. */
export type ChannelConnection = {
  readonly __typename?: 'ChannelConnection';
  readonly edges: ReadonlyArray<ChannelEdge>;
  /**
   * False where the platform answered its longest list, 10,000, and may have cut it off there: there may be more than are
   * counted and listed here. What a site or a device has is still found there, and everything by its id.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Channel>;
  readonly pageInfo: PageInfo;
  /** How many channels match over all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A channel and its place in the list. */
export type ChannelEdge = {
  readonly __typename?: 'ChannelEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Channel;
};

/** Which channels to answer: those that meet every condition given. */
export type ChannelFilter = {
  /** Only channels of this device. */
  readonly deviceId?: InputMaybe<Scalars['ID']['input']>;
  /** Part of the name; upper and lower case are alike. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** The exact type name, upper and lower case alike, for example `DIGITAL`. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
};

/** What told which channel a stream is measured through. */
export type ChannelLink =
  /** The platform itself named the channel. */
  | 'CHANNEL_ID'
  /** A custom attribute of the stream names the channel (by default the attribute called `channel_id`). */
  | 'CUSTOM_ATTRIBUTE'
  /** Inside the site, one channel and one stream share this name, and no other does. */
  | 'NAME';

/** How to sort channels. */
export type ChannelOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: ChannelOrderField;
};

/** What channels can be sorted by. */
export type ChannelOrderField =
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'NUMBER_ON_DEVICE'
  | 'TYPE';

/** A kind or state as the platform numbers and names it. */
export type Classification = {
  readonly __typename?: 'Classification';
  /** What the platform calls it; null where it sends only the number. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /**
   * The platform's number for it. Types and statuses of channels and streams are numbered apart from each other, so one
   * number can stand for several things.
   */
  readonly platformId: Scalars['String']['output'];
};

/** A custom attribute and the value a site or stream has for it. */
export type CustomAttribute = {
  readonly __typename?: 'CustomAttribute';
  readonly name: Scalars['String']['output'];
  /** The platform's number of the attribute, the same on every site or stream that carries it. */
  readonly platformId: Scalars['String']['output'];
  readonly value: Scalars['String']['output'];
};

/** A custom attribute that sites or streams of this account can carry. */
export type CustomAttributeName = {
  readonly __typename?: 'CustomAttributeName';
  readonly name: Scalars['String']['output'];
  /** The platform's number of the attribute. */
  readonly platformId: Scalars['String']['output'];
};

/** A piece of hardware in the field that reads sensors and sends samples. */
export type Device = Node & {
  readonly __typename?: 'Device';
  /** Hardware id. */
  readonly akid?: Maybe<Scalars['String']['output']>;
  /** The device's inputs and outputs. */
  readonly channels?: Maybe<ReadonlyArray<Channel>>;
  readonly firmwareVersion: Scalars['String']['output'];
  /**
   * The device's health counters in order of arrival: those behind the record `after`, or without it the newest, at most
   * 100. The platform gives a hundred at a time: a longer page takes several calls.
   */
  readonly health?: Maybe<DeviceHealthConnection>;
  /** Number of the SIM card. */
  readonly iccid?: Maybe<Scalars['String']['output']>;
  /** Number of the second SIM card. */
  readonly iccid2?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  /** The last known value of every health counter, such as battery or signal. */
  readonly lastHealth?: Maybe<ReadonlyArray<DeviceHealth>>;
  /** The last known log record; null when there is none. */
  readonly lastLog?: Maybe<DeviceLog>;
  /** The device's log records in order of arrival, as `health`. */
  readonly logs?: Maybe<DeviceLogConnection>;
  /** Id of the modem. */
  readonly meid?: Maybe<Scalars['String']['output']>;
  readonly modelNumber: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  /** The serial number printed on the device. */
  readonly serialNumber: Scalars['String']['output'];
  /** Where the device stands. */
  readonly site?: Maybe<Site>;
};


/** A piece of hardware in the field that reads sensors and sends samples. */
export type DeviceHealthArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** A piece of hardware in the field that reads sensors and sends samples. */
export type DeviceLogsArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of devices. */
export type DeviceConnection = {
  readonly __typename?: 'DeviceConnection';
  readonly edges: ReadonlyArray<DeviceEdge>;
  /**
   * False where the platform answered its longest list, 10,000, and may have cut it off there: there may be more than are
   * counted and listed here. What a site or a device has is still found there, and everything by its id.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Device>;
  readonly pageInfo: PageInfo;
  /** How many devices match over all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A device and its place in the list. */
export type DeviceEdge = {
  readonly __typename?: 'DeviceEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Device;
};

/** Which devices to answer: those that meet every condition given. */
export type DeviceFilter = {
  /** The exact firmware version. */
  readonly firmwareVersion?: InputMaybe<Scalars['String']['input']>;
  /** The exact model, upper and lower case alike. */
  readonly modelNumber?: InputMaybe<Scalars['String']['input']>;
  /** Part of the name; upper and lower case are alike. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Only devices at this site. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
};

/** One reading of a device's health counters. */
export type DeviceHealth = {
  readonly __typename?: 'DeviceHealth';
  /** What is counted, as the platform numbers it. */
  readonly counterTypeId: Scalars['Int']['output'];
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  /** In the unit of the counter's type. */
  readonly value: Scalars['Float']['output'];
};

/** A page of health counters. */
export type DeviceHealthConnection = {
  readonly __typename?: 'DeviceHealthConnection';
  readonly edges: ReadonlyArray<DeviceHealthEdge>;
  readonly nodes: ReadonlyArray<DeviceHealth>;
  readonly pageInfo: PageInfo;
};

/** A health counter and its place in the list. */
export type DeviceHealthEdge = {
  readonly __typename?: 'DeviceHealthEdge';
  /** The record's number. */
  readonly cursor: Scalars['String']['output'];
  readonly node: DeviceHealth;
};

/** A record of a device's log. */
export type DeviceLog = {
  readonly __typename?: 'DeviceLog';
  readonly loggedAt: Scalars['DateTime']['output'];
  readonly message: Scalars['String']['output'];
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  /** The part of the device that wrote it. */
  readonly source: Scalars['String']['output'];
};

/** A page of log records. */
export type DeviceLogConnection = {
  readonly __typename?: 'DeviceLogConnection';
  readonly edges: ReadonlyArray<DeviceLogEdge>;
  readonly nodes: ReadonlyArray<DeviceLog>;
  readonly pageInfo: PageInfo;
};

/** A log record and its place in the list. */
export type DeviceLogEdge = {
  readonly __typename?: 'DeviceLogEdge';
  /** The record's number. */
  readonly cursor: Scalars['String']['output'];
  readonly node: DeviceLog;
};

/** How to sort devices. */
export type DeviceOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: DeviceOrderField;
};

/** What devices can be sorted by. */
export type DeviceOrderField =
  | 'FIRMWARE_VERSION'
  | 'ID'
  | 'MODEL_NUMBER'
  | 'NAME'
  | 'SERIAL_NUMBER';

/** A position as a satellite receiver reported it. */
export type GpsPosition = {
  readonly __typename?: 'GpsPosition';
  /** Metres. */
  readonly altitude?: Maybe<Scalars['Float']['output']>;
  readonly dilutionOfPrecision?: Maybe<Scalars['Float']['output']>;
  /** Decimal degrees, -90 to 90. */
  readonly latitude: Scalars['Float']['output'];
  /** Decimal degrees, -180 to 180. */
  readonly longitude: Scalars['Float']['output'];
  readonly measuredAt?: Maybe<Scalars['DateTime']['output']>;
  readonly satelliteCount?: Maybe<Scalars['Int']['output']>;
};

/** A picture. */
export type ImageSample = Node & Sample & {
  readonly __typename?: 'ImageSample';
  /** Bytes. */
  readonly byteSize?: Maybe<Scalars['Int']['output']>;
  /** The media type, judged by the name in `url`; null where that does not tell. */
  readonly contentType?: Maybe<Scalars['String']['output']>;
  /** Pixels. */
  readonly height?: Maybe<Scalars['Int']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  /** Where the picture can be fetched. */
  readonly url: Scalars['String']['output'];
  /** Pixels. */
  readonly width?: Maybe<Scalars['Int']['output']>;
};

/** A page of images. */
export type ImageSampleConnection = {
  readonly __typename?: 'ImageSampleConnection';
  readonly edges: ReadonlyArray<ImageSampleEdge>;
  readonly nodes: ReadonlyArray<ImageSample>;
  readonly pageInfo: PageInfo;
  /** How many there are over all pages. Counting them may cost REST calls of its own. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** An image and its place in the list. */
export type ImageSampleEdge = {
  readonly __typename?: 'ImageSampleEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: ImageSample;
};

/** A point on the earth, WGS 84. */
export type Location = {
  readonly __typename?: 'Location';
  /** Decimal degrees, -90 to 90. */
  readonly latitude: Scalars['Float']['output'];
  /** Decimal degrees, -180 to 180. */
  readonly longitude: Scalars['Float']['output'];
};

/**
 * Everything the gateway can be told to change. Each write is checked first, as the platform would, and nothing is sent
 * where `userErrors` has something to say; else it is sent exactly once. Fields run one after another, and each sees
 * what those before it have done.
 *
 * All of these say what is to be, not what is to be added: sending one again has no further effect. A write that failed
 * with `mayHaveTakenEffect: true` in its error can therefore be repeated safely, if that is still what is wanted.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Tells the platform that all samples of a delivery queue up to this one are safely stored: `sampleBatch` begins
   * behind it from then on. The queue never goes back by this; `backfillSamples` does that.
   */
  readonly acknowledgeSamples?: Maybe<AcknowledgeSamplesPayload>;
  /** Sets a delivery queue to a date: `sampleBatch` begins with the sample taken nearest to it from then on. */
  readonly backfillSamples?: Maybe<BackfillSamplesPayload>;
  /**
   * Sets custom attributes of sites: all of them, or none. A value that is there already is replaced; other attributes
   * stay as they are.
   */
  readonly setSiteCustomAttributes?: Maybe<SetSiteCustomAttributesPayload>;
  /** Sets custom attributes of streams: all of them, or none. Otherwise as `setSiteCustomAttributes`. */
  readonly setStreamCustomAttributes?: Maybe<SetStreamCustomAttributesPayload>;
  /** Replaces all levels of a stream's threshold. An empty list removes it. */
  readonly setStreamThreshold?: Maybe<SetStreamThresholdPayload>;
};


/**
 * Everything the gateway can be told to change. Each write is checked first, as the platform would, and nothing is sent
 * where `userErrors` has something to say; else it is sent exactly once. Fields run one after another, and each sees
 * what those before it have done.
 *
 * All of these say what is to be, not what is to be added: sending one again has no further effect. A write that failed
 * with `mayHaveTakenEffect: true` in its error can therefore be repeated safely, if that is still what is wanted.
 */
export type MutationAcknowledgeSamplesArgs = {
  input: AcknowledgeSamplesInput;
};


/**
 * Everything the gateway can be told to change. Each write is checked first, as the platform would, and nothing is sent
 * where `userErrors` has something to say; else it is sent exactly once. Fields run one after another, and each sees
 * what those before it have done.
 *
 * All of these say what is to be, not what is to be added: sending one again has no further effect. A write that failed
 * with `mayHaveTakenEffect: true` in its error can therefore be repeated safely, if that is still what is wanted.
 */
export type MutationBackfillSamplesArgs = {
  input: BackfillSamplesInput;
};


/**
 * Everything the gateway can be told to change. Each write is checked first, as the platform would, and nothing is sent
 * where `userErrors` has something to say; else it is sent exactly once. Fields run one after another, and each sees
 * what those before it have done.
 *
 * All of these say what is to be, not what is to be added: sending one again has no further effect. A write that failed
 * with `mayHaveTakenEffect: true` in its error can therefore be repeated safely, if that is still what is wanted.
 */
export type MutationSetSiteCustomAttributesArgs = {
  input: SetSiteCustomAttributesInput;
};


/**
 * Everything the gateway can be told to change. Each write is checked first, as the platform would, and nothing is sent
 * where `userErrors` has something to say; else it is sent exactly once. Fields run one after another, and each sees
 * what those before it have done.
 *
 * All of these say what is to be, not what is to be added: sending one again has no further effect. A write that failed
 * with `mayHaveTakenEffect: true` in its error can therefore be repeated safely, if that is still what is wanted.
 */
export type MutationSetStreamCustomAttributesArgs = {
  input: SetStreamCustomAttributesInput;
};


/**
 * Everything the gateway can be told to change. Each write is checked first, as the platform would, and nothing is sent
 * where `userErrors` has something to say; else it is sent exactly once. Fields run one after another, and each sees
 * what those before it have done.
 *
 * All of these say what is to be, not what is to be added: sending one again has no further effect. A write that failed
 * with `mayHaveTakenEffect: true` in its error can therefore be repeated safely, if that is still what is wanted.
 */
export type MutationSetStreamThresholdArgs = {
  input: SetStreamThresholdInput;
};

/** A circle on the map. */
export type NearPoint = {
  /** Decimal degrees, -90 to 90. */
  readonly latitude: Scalars['Float']['input'];
  /** Decimal degrees, -180 to 180. */
  readonly longitude: Scalars['Float']['input'];
  /** Kilometres, above 0. */
  readonly radiusKm: Scalars['Float']['input'];
};

/** Anything with an identity of its own. */
export type Node = {
  /** The typed id, unique over the whole graph: `Site:16828`. */
  readonly id: Scalars['ID']['output'];
};

/** A message to people. */
export type NotificationAction = {
  readonly __typename?: 'NotificationAction';
  readonly relevanceThreshold?: Maybe<Scalars['Int']['output']>;
  /** How often the whole group is tried again. */
  readonly repeatsForAllOnFailed?: Maybe<Scalars['Int']['output']>;
  /** How often each user is tried again. */
  readonly repeatsPerUserOnFailed?: Maybe<Scalars['Int']['output']>;
  readonly type: NotificationType;
  /** The platform's number of the group of users told. */
  readonly userGroupPlatformId?: Maybe<Scalars['String']['output']>;
};

/** A message to people. Numbers are whole and not below 0. */
export type NotificationActionInput = {
  readonly relevanceThreshold?: InputMaybe<Scalars['Int']['input']>;
  /** How often the whole group is tried again. */
  readonly repeatsForAllOnFailed?: InputMaybe<Scalars['Int']['input']>;
  /** How often each user is tried again. */
  readonly repeatsPerUserOnFailed?: InputMaybe<Scalars['Int']['input']>;
  readonly type: NotificationType;
  /** The platform's number of the group of users to tell. */
  readonly userGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
};

/** How people are told. */
export type NotificationType =
  | 'MAIL'
  | 'SMS'
  | 'TICKET_SYSTEM'
  | 'VOICE';

/** The direction of an order. */
export type OrderDirection =
  /** Smallest, oldest or A first. */
  | 'ASC'
  /** Largest, newest or Z first. */
  | 'DESC';

/** A part of the account that owns sites: a utility, a region, a customer. */
export type Organization = Node & {
  readonly __typename?: 'Organization';
  /** The platform's number of the account this organization belongs to; null where the platform does not say. */
  readonly accountPlatformId?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  /**
   * The sites of this organization. The platform often leaves out whose a site is: with a single organization in the
   * account every site is in it; with several, such a site is in none.
   */
  readonly sites?: Maybe<SiteConnection>;
};


/** A part of the account that owns sites: a utility, a region, a customer. */
export type OrganizationSitesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<SiteFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<SiteOrder>;
};

/** A page of organizations. */
export type OrganizationConnection = {
  readonly __typename?: 'OrganizationConnection';
  readonly edges: ReadonlyArray<OrganizationEdge>;
  /**
   * False where the platform answered its longest list, 10,000, and may have cut it off there: there may be more than are
   * counted and listed here. What a site or a device has is still found there, and everything by its id.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Organization>;
  readonly pageInfo: PageInfo;
  /** How many there are over all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An organization and its place in the list. */
export type OrganizationEdge = {
  readonly __typename?: 'OrganizationEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Organization;
};

/** How to sort organizations. */
export type OrganizationOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: OrganizationOrderField;
};

/** What organizations can be sorted by. */
export type OrganizationOrderField =
  | 'ID'
  | 'NAME';

/** A switch on the device's own outputs. */
export type OutputAction = {
  readonly __typename?: 'OutputAction';
  /** The output, 0 to 15. */
  readonly channelNumber: Scalars['Int']['output'];
  readonly type: OutputActionType;
};

/** A switch on the device's own outputs. */
export type OutputActionInput = {
  /** The output, 0 to 15. */
  readonly channelNumber: Scalars['Int']['input'];
  readonly type: OutputActionType;
};

/** What is done to an output. */
export type OutputActionType =
  | 'PULSE_ONCE'
  | 'SET_DOWN'
  | 'SET_UP';

/** Where a page stands in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** The cursor of the last item here, to be given as `after`; null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there is more behind `endCursor`. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether there is something before `startCursor`. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first item here; null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

/** A point on the map. */
export type PointInput = {
  /** Decimal degrees, -90 to 90. */
  readonly latitude: Scalars['Float']['input'];
  /** Decimal degrees, -180 to 180. */
  readonly longitude: Scalars['Float']['input'];
};

/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type Query = {
  readonly __typename?: 'Query';
  /** One channel, or null when there is none with this id. */
  readonly channel?: Maybe<Channel>;
  /** The account's channels. */
  readonly channels?: Maybe<ChannelConnection>;
  /** One device, or null when there is none with this id. */
  readonly device?: Maybe<Device>;
  /** The device with this serial number, as printed on it; null when there is none. */
  readonly deviceBySerialNumber?: Maybe<Device>;
  /** The account's devices. */
  readonly devices?: Maybe<DeviceConnection>;
  /** One image sample, or null when there is none with this id. */
  readonly image?: Maybe<ImageSample>;
  /** The account's image samples taken at or after `since`, oldest first. */
  readonly images?: Maybe<ImageSampleConnection>;
  /** Any entity or sample by its graph id, for example `Site:16828`. Null when there is none with this id. */
  readonly node?: Maybe<Node>;
  /**
   * Several entities or samples by their graph ids, in the order of `ids`; null where there is none with that id. A
   * number or RFID read takes a REST call, which also answers those that arrived next to it at the same stream.
   */
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  /** One organization, or null when there is none with this id. */
  readonly organization?: Maybe<Organization>;
  /** The account's organizations. */
  readonly organizations?: Maybe<OrganizationConnection>;
  /**
   * The samples waiting in the platform's delivery queue for this credential: those newer than the last one
   * acknowledged, at most 10,000. Reading moves nothing: the same batch is answered again until it is acknowledged.
   * Refused to callers who are held to organizations: the queue is the whole account's.
   */
  readonly sampleBatch?: Maybe<SampleBatch>;
  /** The last sample that this credential has acknowledged in a delivery queue; null when it has acknowledged none. */
  readonly sampleBatchStatus?: Maybe<Sample>;
  /**
   * The numbers of several streams, at most 100, in the order asked for. Each takes calls of its own, a few at a time;
   * one that fails is null by itself. The arguments are those of `Stream.samples`.
   */
  readonly samplesOf?: Maybe<ReadonlyArray<StreamSamples>>;
  /** One site, or null when there is none with this id. */
  readonly site?: Maybe<Site>;
  /** The names of all custom attributes that a site of this account can carry. */
  readonly siteCustomAttributeNames?: Maybe<ReadonlyArray<CustomAttributeName>>;
  /**
   * The account's sites. The platform has no filters; the gateway applies these to the whole list, so a filtered
   * query costs no more REST calls than an unfiltered one.
   */
  readonly sites?: Maybe<SiteConnection>;
  /** One stream, or null when there is none with this id. */
  readonly stream?: Maybe<Stream>;
  /** The names of all custom attributes that a stream of this account can carry. */
  readonly streamCustomAttributeNames?: Maybe<ReadonlyArray<CustomAttributeName>>;
  /** The account's streams. */
  readonly streams?: Maybe<StreamConnection>;
  /** How the user behind the platform credential wants dates and times written. */
  readonly uiPreferences?: Maybe<UiPreferences>;
  /** One user of the account, or null when there is none with this id. */
  readonly user?: Maybe<User>;
  /** The account's users; none for callers who are held to organizations. */
  readonly users?: Maybe<UserConnection>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryChannelArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryChannelsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ChannelFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ChannelOrder>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryDeviceArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryDeviceBySerialNumberArgs = {
  serialNumber: Scalars['String']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryDevicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<DeviceFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<DeviceOrder>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryImageArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryOrganizationArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryOrganizationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<OrganizationOrder>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QuerySampleBatchArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  backfillHours?: InputMaybe<Scalars['Int']['input']>;
  kind: SampleBatchKind;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QuerySampleBatchStatusArgs = {
  kind: SampleBatchKind;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QuerySamplesOfArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<OrderDirection>;
  range?: InputMaybe<TimeRange>;
  streamIds: ReadonlyArray<Scalars['ID']['input']>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QuerySiteArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QuerySitesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<SiteFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<SiteOrder>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryStreamArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryStreamsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<StreamFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<StreamOrder>;
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Everything the gateway can be asked. Ids are accepted in both forms everywhere: the graph's own, `Site:16828`,
 * and the platform's plain number, `16828`.
 */
export type QueryUsersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<UserOrder>;
};

/** Which RFID reads to answer. */
export type RfidReadFilter = {
  /** Only reads that saw this tag. */
  readonly tagId?: InputMaybe<Scalars['String']['input']>;
};

/** Tags seen by a reader. */
export type RfidSample = Node & Sample & {
  readonly __typename?: 'RfidSample';
  /** End of the reader's window; null where the platform does not say. */
  readonly endAt?: Maybe<Scalars['DateTime']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  /** Where the reader stood; null where it did not know. */
  readonly position?: Maybe<GpsPosition>;
  /** The tags as the one text that the platform sends. */
  readonly rawTagIds: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  /** Start of the reader's window; null where the platform does not say. */
  readonly startAt?: Maybe<Scalars['DateTime']['output']>;
  readonly stream?: Maybe<Stream>;
  /** The tags seen, in the order the platform lists them. */
  readonly tagIds: ReadonlyArray<Scalars['String']['output']>;
};

/** A page of RFID reads. */
export type RfidSampleConnection = {
  readonly __typename?: 'RfidSampleConnection';
  readonly edges: ReadonlyArray<RfidSampleEdge>;
  readonly nodes: ReadonlyArray<RfidSample>;
  readonly pageInfo: PageInfo;
  /** How many there are over all pages. Counting them may cost REST calls of its own. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** An RFID read and its place in the list. */
export type RfidSampleEdge = {
  readonly __typename?: 'RfidSampleEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: RfidSample;
};

/** Something a device has sent: a number, an image or an RFID read. */
export type Sample = {
  /**
   * The typed id, which `node` accepts. Numbers and RFID reads are found through their stream, so their ids carry its
   * number before their own: `ScalarSample:88001:90210`. An image has an id like `ImageSample:501`. The last number
   * rises with arrival.
   */
  readonly id: Scalars['ID']['output'];
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  /** When the device took it. It may have arrived much later. */
  readonly sampledAt: Scalars['DateTime']['output'];
  /** The stream it belongs to. */
  readonly stream?: Maybe<Stream>;
};

/** A change of how other streams are sampled. */
export type SampleAction = {
  readonly __typename?: 'SampleAction';
  /** The platform's number of the group of streams concerned; null where one stream is. */
  readonly sampleGroupPlatformId?: Maybe<Scalars['String']['output']>;
  /** The stream concerned; null where a group is. */
  readonly stream?: Maybe<Stream>;
  readonly type: SampleActionType;
};

/** A change of how other streams are sampled: of one stream or of a group, not of both. */
export type SampleActionInput = {
  /** The platform's number of the group of streams. */
  readonly sampleGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
  readonly streamId?: InputMaybe<Scalars['ID']['input']>;
  readonly type: SampleActionType;
};

/** What is done to the sampling of a stream. */
export type SampleActionType =
  | 'PAUSE'
  | 'PAUSE_SINGLE'
  | 'RESUME'
  | 'SINGLE';

/** What a delivery queue holds. */
export type SampleBatch = {
  readonly __typename?: 'SampleBatch';
  /** Whether more is waiting behind the last sample here. */
  readonly hasMore: Scalars['Boolean']['output'];
  /** In order of arrival. */
  readonly samples: ReadonlyArray<Sample>;
};

/** Which of the platform's delivery queues. */
export type SampleBatchKind =
  /** RFID reads. */
  | 'RFID'
  /** Numbers. */
  | 'SCALAR';

/** The kinds of sample. */
export type SampleKind =
  /** Pictures. */
  | 'IMAGE'
  /** RFID reads. */
  | 'RFID'
  /** Numbers. */
  | 'SCALAR';

/** A number. */
export type ScalarSample = Node & Sample & {
  readonly __typename?: 'ScalarSample';
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  /** The value as the platform sends it, for example `102.0000`. */
  readonly rawValue: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  /** The number, in the stream's units; null where the device sent a text that is no number. */
  readonly value?: Maybe<Scalars['Float']['output']>;
};

/** A page of numbers. */
export type ScalarSampleConnection = {
  readonly __typename?: 'ScalarSampleConnection';
  readonly edges: ReadonlyArray<ScalarSampleEdge>;
  readonly nodes: ReadonlyArray<ScalarSample>;
  readonly pageInfo: PageInfo;
  /** How many there are over all pages. Counting them may cost REST calls of its own. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A number and its place in the list. */
export type ScalarSampleEdge = {
  readonly __typename?: 'ScalarSampleEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: ScalarSample;
};

/**
 * Numbers over time as columns: `times[i]` goes with `values[i]`. A gap, where more than two and a half times the usual
 * interval went by without a number, is a point with a null between its neighbours: draw no line across it. The usual
 * interval is the median of those between two samples in the range.
 */
export type Series = {
  readonly __typename?: 'Series';
  /** The share of the range that has data, 0 to 1: all but its gaps. */
  readonly coverage: Scalars['Float']['output'];
  /** The highest number that each point stands for; null in a gap. */
  readonly max: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly method: SeriesMethod;
  /** The lowest number that each point stands for; null in a gap. */
  readonly min: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  /** Whether points were left out or folded. */
  readonly reduced: Scalars['Boolean']['output'];
  readonly source: SeriesSource;
  /** How many samples the series stands for. Texts that are no number do not count. */
  readonly sourceCount: Scalars['Int']['output'];
  /** Unix milliseconds, rising; samples of one instant have the same. */
  readonly times: ReadonlyArray<Scalars['Float']['output']>;
  /** In the stream's units; null in a gap. */
  readonly values: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
};

/** One stream of several: an item of each column goes with the item of `times` at its place. */
export type SeriesLine = {
  readonly __typename?: 'SeriesLine';
  /** The share of the range that has data, 0 to 1. */
  readonly coverage: Scalars['Float']['output'];
  /** The highest number of each interval. */
  readonly max: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  /** The lowest number of each interval. */
  readonly min: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  /** How many samples the line stands for. */
  readonly sourceCount: Scalars['Int']['output'];
  readonly stream?: Maybe<Stream>;
  /** The mean of each interval, in the stream's units; null where it has no number. */
  readonly values: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
};

/** How a series is reduced. */
export type SeriesMethod =
  /** Largest triangle three buckets: keeps real samples, those that carry the shape of the line, the first and the last. */
  | 'LTTB'
  /** The mean of each bucket of time, placed at the middle of its time. */
  | 'MEAN'
  /** The lowest and the highest sample of each bucket of time: no spike is lost. */
  | 'MIN_MAX';

/** What a series was made from. */
export type SeriesSource =
  /**
   * The platform's aggregates of 10 to 60 minutes, where they answer exactly what the samples would and are fewer bytes:
   * for MEAN and MIN_MAX, when each bucket is made of whole frames. Values agree to the platform's rounding of four
   * decimals; an extreme stands in the middle of its frame; a gap is seen once a whole frame is empty.
   */
  | 'AGGREGATES'
  /** The samples themselves. */
  | 'SAMPLES';

/** Which sites' attributes to set. */
export type SetSiteCustomAttributesInput = {
  /** 1 to 10,000, no attribute of a site twice. */
  readonly attributes: ReadonlyArray<SiteCustomAttributeInput>;
};

/** What has become of the sites. */
export type SetSiteCustomAttributesPayload = {
  readonly __typename?: 'SetSiteCustomAttributesPayload';
  /** The sites that were written to, as they are now; null where nothing was written. */
  readonly sites?: Maybe<ReadonlyArray<Maybe<Site>>>;
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Which streams' attributes to set. */
export type SetStreamCustomAttributesInput = {
  /** 1 to 10,000, no attribute of a stream twice. */
  readonly attributes: ReadonlyArray<StreamCustomAttributeInput>;
};

/** What has become of the streams. */
export type SetStreamCustomAttributesPayload = {
  readonly __typename?: 'SetStreamCustomAttributesPayload';
  /** The streams that were written to, as they are now; null where nothing was written. */
  readonly streams?: Maybe<ReadonlyArray<Maybe<Stream>>>;
  readonly userErrors: ReadonlyArray<UserError>;
};

/** The threshold a stream shall have. */
export type SetStreamThresholdInput = {
  /** From the lowest to the highest, at most 100; none to remove the threshold. */
  readonly levels: ReadonlyArray<ThresholdLevelInput>;
  readonly streamId: Scalars['ID']['input'];
};

/** What has become of the stream. */
export type SetStreamThresholdPayload = {
  readonly __typename?: 'SetStreamThresholdPayload';
  /** The stream with its threshold as it is now; null where nothing was written. */
  readonly stream?: Maybe<Stream>;
  readonly userErrors: ReadonlyArray<UserError>;
};

/**
 * Several streams on one time column: for each, the mean of its numbers in each interval. An interval is as long as
 * `maxPoints` asks for, and as the slowest of the streams needs to have a number in each.
 */
export type SharedSeries = {
  readonly __typename?: 'SharedSeries';
  /** How long an interval is. */
  readonly intervalSeconds: Scalars['Float']['output'];
  /** In the order of `streamIds`, or of the site's streams; null for a stream that could not be read. */
  readonly lines: ReadonlyArray<Maybe<SeriesLine>>;
  /** The middles of the intervals in which any of the streams has a number: Unix milliseconds, rising. */
  readonly times: ReadonlyArray<Scalars['Float']['output']>;
};

/** A place in the field where devices stand: a pumping station, a weather mast, a barn. */
export type Site = Node & {
  readonly __typename?: 'Site';
  /** When the site was set up; null where the platform does not say. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The site's custom attributes. */
  readonly customAttributes?: Maybe<ReadonlyArray<CustomAttribute>>;
  /** The devices standing here. */
  readonly devices?: Maybe<ReadonlyArray<Device>>;
  /**
   * Great-circle distance from a point, in kilometres, rounded to metres; null where the platform has no coordinates for
   * the site. In a list with a `near` filter, `SiteEdge.distanceKm` is the distance from the point of the filter.
   */
  readonly distanceKm?: Maybe<Scalars['Float']['output']>;
  readonly id: Scalars['ID']['output'];
  /**
   * The images of the site's streams taken at or after `since`, oldest first. Streams with units measure numbers and are
   * not asked.
   */
  readonly images?: Maybe<ImageSampleConnection>;
  /** Null where the platform has no coordinates for the site. */
  readonly location?: Maybe<Location>;
  readonly name: Scalars['String']['output'];
  /** Whose site this is; null where the platform does not say and the account has several organizations. */
  readonly organization?: Maybe<Organization>;
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  /** The site's RFID reads taken at or after `since`, oldest first. */
  readonly rfidReads?: Maybe<RfidSampleConnection>;
  /**
   * Up to 100 scalar samples that arrived from this site after the sample `after`, in order of arrival; without
   * `after`, the newest 100.
   */
  readonly samplesAfter?: Maybe<ReadonlyArray<ScalarSample>>;
  /** The site's scalar samples taken at or after `since`, oldest first. */
  readonly samplesSince?: Maybe<ScalarSampleConnection>;
  /**
   * Several of the site's streams on one time column, for a chart of several lines: those of `streamIds`, or all of a
   * type. At most 50 streams.
   */
  readonly series?: Maybe<SharedSeries>;
  /** The platform's word for the site's state, for example `Active`. */
  readonly status: Scalars['String']['output'];
  /** The streams measured here. */
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
};


/** A place in the field where devices stand: a pumping station, a weather mast, a barn. */
export type SiteDistanceKmArgs = {
  from: PointInput;
};


/** A place in the field where devices stand: a pumping station, a weather mast, a barn. */
export type SiteImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A place in the field where devices stand: a pumping station, a weather mast, a barn. */
export type SiteRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A place in the field where devices stand: a pumping station, a weather mast, a barn. */
export type SiteSamplesAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


/** A place in the field where devices stand: a pumping station, a weather mast, a barn. */
export type SiteSamplesSinceArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A place in the field where devices stand: a pumping station, a weather mast, a barn. */
export type SiteSeriesArgs = {
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  range: TimeRange;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  type?: InputMaybe<Scalars['String']['input']>;
};

/** A page of sites. */
export type SiteConnection = {
  readonly __typename?: 'SiteConnection';
  readonly edges: ReadonlyArray<SiteEdge>;
  /**
   * False where the platform answered its longest list, 10,000, and may have cut it off there: there may be more than are
   * counted and listed here. What a site or a device has is still found there, and everything by its id.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Site>;
  readonly pageInfo: PageInfo;
  /** How many sites match over all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** The value of an attribute of a site. Name the attribute by its id or by its name. */
export type SiteCustomAttributeInput = {
  /** The platform's number of the attribute, `platformId` of `siteCustomAttributeNames`. */
  readonly attributeId?: InputMaybe<Scalars['ID']['input']>;
  /** The attribute's exact name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly siteId: Scalars['ID']['input'];
  /** At most 256 characters. */
  readonly value: Scalars['String']['input'];
};

/** A site and its place in the list. */
export type SiteEdge = {
  readonly __typename?: 'SiteEdge';
  readonly cursor: Scalars['String']['output'];
  /**
   * Great-circle distance of the site from the point of the `near` filter, in kilometres, rounded to metres; null in lists
   * without that filter.
   */
  readonly distanceKm?: Maybe<Scalars['Float']['output']>;
  readonly node: Site;
};

/** Which sites to answer: those that meet every condition given. */
export type SiteFilter = {
  /** Part of the name; upper and lower case are alike. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Only sites around this point; nearest first unless `orderBy` says otherwise. `SiteEdge.distanceKm` is how far each is. */
  readonly near?: InputMaybe<NearPoint>;
  /** Only sites of this organization. */
  readonly organizationId?: InputMaybe<Scalars['ID']['input']>;
  /** The exact state, upper and lower case alike, for example `Active`. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Only sites inside this box. Sites without coordinates are in no box. */
  readonly within?: InputMaybe<BoundingBox>;
};

/** How to sort sites. */
export type SiteOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: SiteOrderField;
};

/** What sites can be sorted by. */
export type SiteOrderField =
  | 'CREATED_AT'
  /** By distance from the point of the `near` filter, which has to be given with it. */
  | 'DISTANCE'
  | 'ID'
  | 'NAME'
  | 'STATUS';

/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type Stream = Node & {
  readonly __typename?: 'Stream';
  /**
   * Extremes, average and sum of the numbers in each interval of `range`, at most 10,000 intervals. The platform's own
   * aggregates serve where they can, the samples where nothing else does; both agree to the platform's rounding of four
   * decimals. An interval that the range cuts counts only what the range holds.
   */
  readonly aggregates?: Maybe<ReadonlyArray<Aggregate>>;
  /** The channel the stream is measured through; null where nothing tells which. See `channelLink`. */
  readonly channel?: Maybe<Channel>;
  /** How `channel` was found; null where nothing tells which channel it is. */
  readonly channelLink?: Maybe<ChannelLink>;
  /** When the stream was set up; null where the platform does not say. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The stream's custom attributes. */
  readonly customAttributes?: Maybe<ReadonlyArray<CustomAttribute>>;
  readonly id: Scalars['ID']['output'];
  /** The stream's images taken at or after `since`, oldest first. */
  readonly images?: Maybe<ImageSampleConnection>;
  /**
   * The newest image by the time it was taken; null when the stream has none. A stream with units measures numbers: it has
   * no images, and the platform is not asked.
   */
  readonly lastImage?: Maybe<ImageSample>;
  /**
   * The newest RFID read by the time it was taken; null when the stream has none. A stream with units measures numbers: it
   * has no RFID reads, and the platform is not asked.
   */
  readonly lastRfidRead?: Maybe<RfidSample>;
  /** The newest number by the time it was taken; null when the stream has none. */
  readonly lastSample?: Maybe<ScalarSample>;
  readonly name: Scalars['String']['output'];
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  /** The stream's RFID reads taken at or after `since`, oldest first. */
  readonly rfidReads?: Maybe<RfidSampleConnection>;
  /** Up to 100 RFID reads that arrived after the read `after`, in order of arrival; without `after`, the newest 100. */
  readonly rfidReadsAfter?: Maybe<ReadonlyArray<RfidSample>>;
  /**
   * The stream's numbers taken within `range`, in the order of the time they were taken. Walking behind `endCursor` gives
   * each number that was there at the start exactly once, whatever arrives meanwhile.
   *
   * Without a range: the newest `first`, oldest of them first; behind a cursor, what is newer. With `order: DESC`: the
   * newest first, and behind a cursor what is older.
   */
  readonly samples?: Maybe<ScalarSampleConnection>;
  /**
   * Up to 100 numbers that arrived after the sample `after`, in order of arrival; without `after`, the newest 100.
   * Devices send late: a number can arrive after one that was taken later.
   */
  readonly samplesAfter?: Maybe<ReadonlyArray<ScalarSample>>;
  /** The stream's numbers taken at or after `since`, oldest first. */
  readonly samplesSince?: Maybe<ScalarSampleConnection>;
  /** The numbers of `range` as columns, reduced to at most `maxPoints` points for a chart, those that mark gaps included. */
  readonly series?: Maybe<Series>;
  /** Where the stream is measured. */
  readonly site?: Maybe<Site>;
  readonly status?: Maybe<Classification>;
  /** The limits set on this stream, and where its newest value stands among them. */
  readonly threshold: Threshold;
  /** What is measured, for example `Pressure`. */
  readonly type?: Maybe<Classification>;
  /** The unit of the values, for example `bar`; empty for images and tags. */
  readonly units: Scalars['String']['output'];
  /** The factor that the platform notes for the values; null where it notes none. */
  readonly valueScale?: Maybe<Scalars['Float']['output']>;
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamAggregatesArgs = {
  every: AggregateInterval;
  fill?: InputMaybe<AggregateFill>;
  range: TimeRange;
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamRfidReadsAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamSamplesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<OrderDirection>;
  range?: InputMaybe<TimeRange>;
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamSamplesAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamSamplesSinceArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A series of samples of one quantity at one site: a pressure, a water level, the tags passing a gate. */
export type StreamSeriesArgs = {
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  method?: InputMaybe<SeriesMethod>;
  range: TimeRange;
};

/** A page of streams. */
export type StreamConnection = {
  readonly __typename?: 'StreamConnection';
  readonly edges: ReadonlyArray<StreamEdge>;
  /**
   * False where the platform answered its longest list, 10,000, and may have cut it off there: there may be more than are
   * counted and listed here. What a site or a device has is still found there, and everything by its id.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Stream>;
  readonly pageInfo: PageInfo;
  /** How many streams match over all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** The value of an attribute of a stream. Name the attribute by its id or by its name. */
export type StreamCustomAttributeInput = {
  /** The platform's number of the attribute, `platformId` of `streamCustomAttributeNames`. */
  readonly attributeId?: InputMaybe<Scalars['ID']['input']>;
  /** The attribute's exact name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly streamId: Scalars['ID']['input'];
  /** At most 256 characters. */
  readonly value: Scalars['String']['input'];
};

/** A stream and its place in the list. */
export type StreamEdge = {
  readonly __typename?: 'StreamEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Stream;
};

/** Which streams to answer: those that meet every condition given. */
export type StreamFilter = {
  /** Part of the name; upper and lower case are alike. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Only streams of this site. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  /** The exact type name, upper and lower case alike, for example `Pressure`. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
  /** The exact unit, for example `bar`. */
  readonly units?: InputMaybe<Scalars['String']['input']>;
};

/** How to sort streams. */
export type StreamOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: StreamOrderField;
};

/** What streams can be sorted by. */
export type StreamOrderField =
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'TYPE'
  | 'UNITS';

/** The numbers of one of several streams. */
export type StreamSamples = {
  readonly __typename?: 'StreamSamples';
  /** To walk on, ask `stream(id: …) { samples(after: …) }` with the same range and order. */
  readonly samples?: Maybe<ScalarSampleConnection>;
  /** Null where there is no such stream. */
  readonly stream?: Maybe<Stream>;
  /** The typed id of the stream. */
  readonly streamId: Scalars['ID']['output'];
};

/** What the gateway tells by itself, over a websocket at this same address (protocol `graphql-transport-ws`). */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * Every sample as it arrives. However many listen, the platform is asked once for all of them, every few seconds.
   * After a break, give the `id` of the last sample received as `after`, and nothing is lost.
   */
  readonly sampleReceived: Sample;
};


/** What the gateway tells by itself, over a websocket at this same address (protocol `graphql-transport-ws`). */
export type SubscriptionSampleReceivedArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  kinds?: InputMaybe<ReadonlyArray<SampleKind>>;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** The limits set on a stream. */
export type Threshold = {
  readonly __typename?: 'Threshold';
  /** The levels from the lowest to the highest; empty where none are set. */
  readonly levels?: Maybe<ReadonlyArray<ThresholdLevel>>;
  /** The platform's word for where the newest value stands; null where the platform does not say. */
  readonly status?: Maybe<Scalars['String']['output']>;
};

/** A band of values and what happens when a value enters it. */
export type ThresholdLevel = {
  readonly __typename?: 'ThresholdLevel';
  readonly comment?: Maybe<Scalars['String']['output']>;
  /** Seconds a value must stay in the band before it counts. */
  readonly falseAlarmFilterSeconds: Scalars['Float']['output'];
  /** In the stream's units; null on a level that is open below. A level begins where the one below it ends. */
  readonly lowerLimit?: Maybe<Scalars['Float']['output']>;
  readonly name: Scalars['String']['output'];
  readonly notificationActions: ReadonlyArray<NotificationAction>;
  readonly outputActions: ReadonlyArray<OutputAction>;
  readonly sampleActions: ReadonlyArray<SampleAction>;
  /** Seconds between samples while in the band. */
  readonly sampleIntervalSeconds: Scalars['Float']['output'];
  readonly transmissionInterval: TransmissionInterval;
  /** Whether the device sends at once when a value enters the band. */
  readonly transmitImmediately: Scalars['Boolean']['output'];
  /** In the stream's units; null on a level that is open above. */
  readonly upperLimit?: Maybe<Scalars['Float']['output']>;
};

/** A band of values. It begins where the one before it ends. */
export type ThresholdLevelInput = {
  /** At most 512 characters. */
  readonly comment?: InputMaybe<Scalars['String']['input']>;
  /** Seconds a value must stay in the band before it counts, a whole number from 0 to 4294967295. */
  readonly falseAlarmFilterSeconds?: InputMaybe<Scalars['Float']['input']>;
  /** 1 to 256 characters. */
  readonly name: Scalars['String']['input'];
  readonly notificationActions?: InputMaybe<ReadonlyArray<NotificationActionInput>>;
  readonly outputActions?: InputMaybe<ReadonlyArray<OutputActionInput>>;
  readonly sampleActions?: InputMaybe<ReadonlyArray<SampleActionInput>>;
  /** Seconds between samples while in the band, a whole number from 30 to 4294967295. */
  readonly sampleIntervalSeconds?: InputMaybe<Scalars['Float']['input']>;
  readonly transmissionInterval?: InputMaybe<TransmissionInterval>;
  /** Whether the device sends at once when a value enters the band. */
  readonly transmitImmediately?: InputMaybe<Scalars['Boolean']['input']>;
  /** In the stream's units, above that of the level before. Only the last level may be without, open above. */
  readonly upperLimit?: InputMaybe<Scalars['Float']['input']>;
};

/** A span of time, half open: `from` belongs to it, `to` does not. */
export type TimeRange = {
  readonly from: Scalars['DateTime']['input'];
  readonly to: Scalars['DateTime']['input'];
};

/** How often a device sends while in a band. */
export type TransmissionInterval =
  | 'EMERGENCY'
  | 'EVENT'
  | 'NORMAL';

/** How the user behind the platform credential wants dates and times written. */
export type UiPreferences = {
  readonly __typename?: 'UiPreferences';
  /** A pattern, for example `dd/MM/yyyy`. */
  readonly dateFormat: Scalars['String']['output'];
  /** A pattern, for example `HH:mm:ss`. */
  readonly timeFormat: Scalars['String']['output'];
};

/** A person with access to the account. */
export type User = Node & {
  readonly __typename?: 'User';
  /** Null where the platform has none. */
  readonly emailAddress?: Maybe<Scalars['String']['output']>;
  /** Null where the platform has none. */
  readonly firstName?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  /** Null where the platform has none. */
  readonly lastName?: Maybe<Scalars['String']['output']>;
  /** Null where the platform has none. */
  readonly mobilePhone?: Maybe<Scalars['String']['output']>;
  /** The platform's own number. */
  readonly platformId: Scalars['String']['output'];
  /** IANA name of the user's time zone. This and the fields below cost a REST call for each user. */
  readonly timezoneName?: Maybe<Scalars['String']['output']>;
  readonly userName: Scalars['String']['output'];
};

/** A page of users. */
export type UserConnection = {
  readonly __typename?: 'UserConnection';
  readonly edges: ReadonlyArray<UserEdge>;
  /**
   * False where the platform answered its longest list, 10,000, and may have cut it off there: there may be more than are
   * counted and listed here. What a site or a device has is still found there, and everything by its id.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<User>;
  readonly pageInfo: PageInfo;
  /** How many there are over all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A user and the place in the list. */
export type UserEdge = {
  readonly __typename?: 'UserEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: User;
};

/** Something in the input that the platform would not take, or does not know. Nothing was written. */
export type UserError = {
  readonly __typename?: 'UserError';
  readonly code: UserErrorCode;
  /** Where it stands in the input, for example `attributes`, `3`, `siteId`. Lists count from 0. */
  readonly field: ReadonlyArray<Scalars['String']['output']>;
  /** In words. */
  readonly message: Scalars['String']['output'];
};

/** What is wrong with a part of an input. */
export type UserErrorCode =
  /** Several things have this name: give the id. */
  | 'AMBIGUOUS'
  /** It is in the input twice. */
  | 'DUPLICATE'
  /** It can not be given together with another. */
  | 'EXCLUSIVE'
  /** It is no id of the type wanted. */
  | 'INVALID_ID'
  /** It has to be greater than the one before it. */
  | 'NOT_ASCENDING'
  /** There is nothing with this id or name. */
  | 'NOT_FOUND'
  /** The number or date is too small, too large or no whole one. */
  | 'OUT_OF_RANGE'
  /** It is missing or empty. */
  | 'REQUIRED'
  /** The text is too long. */
  | 'TOO_LONG'
  /** The list is too long. */
  | 'TOO_MANY';

/** How to sort users. */
export type UserOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: UserOrderField;
};

/** What users can be sorted by. */
export type UserOrderField =
  | 'ID'
  | 'USER_NAME';



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;




/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( ChannelModel & { __typename: 'Channel' } )
    | ( DeviceModel & { __typename: 'Device' } )
    | ( ImageSampleModel & { __typename: 'ImageSample' } )
    | ( OrganizationModel & { __typename: 'Organization' } )
    | ( RfidSampleModel & { __typename: 'RfidSample' } )
    | ( ScalarSampleModel & { __typename: 'ScalarSample' } )
    | ( SiteModel & { __typename: 'Site' } )
    | ( StreamModel & { __typename: 'Stream' } )
    | ( UserModel & { __typename: 'User' } )
  ;
  Sample:
    | ( ImageSampleModel & { __typename: 'ImageSample' } )
    | ( RfidSampleModel & { __typename: 'RfidSample' } )
    | ( ScalarSampleModel & { __typename: 'ScalarSample' } )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AcknowledgeSamplesInput: AcknowledgeSamplesInput;
  AcknowledgeSamplesPayload: ResolverTypeWrapper<QueueAcknowledged>;
  Aggregate: ResolverTypeWrapper<AggregateModel>;
  AggregateFill: AggregateFill;
  AggregateInterval: AggregateInterval;
  BackfillSamplesInput: BackfillSamplesInput;
  BackfillSamplesPayload: ResolverTypeWrapper<QueueBackfilled>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BoundingBox: BoundingBox;
  Channel: ResolverTypeWrapper<ChannelModel>;
  ChannelConnection: ResolverTypeWrapper<Omit<ChannelConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['ChannelEdge']>, nodes: ReadonlyArray<ResolversTypes['Channel']> }>;
  ChannelEdge: ResolverTypeWrapper<Omit<ChannelEdge, 'node'> & { node: ResolversTypes['Channel'] }>;
  ChannelFilter: ChannelFilter;
  ChannelLink: ChannelLink;
  ChannelOrder: ChannelOrder;
  ChannelOrderField: ChannelOrderField;
  Classification: ResolverTypeWrapper<ClassificationModel>;
  CustomAttribute: ResolverTypeWrapper<CustomAttributeModel>;
  CustomAttributeName: ResolverTypeWrapper<CustomAttributeNameModel>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Device: ResolverTypeWrapper<DeviceModel>;
  DeviceConnection: ResolverTypeWrapper<Omit<DeviceConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['DeviceEdge']>, nodes: ReadonlyArray<ResolversTypes['Device']> }>;
  DeviceEdge: ResolverTypeWrapper<Omit<DeviceEdge, 'node'> & { node: ResolversTypes['Device'] }>;
  DeviceFilter: DeviceFilter;
  DeviceHealth: ResolverTypeWrapper<DeviceHealthModel>;
  DeviceHealthConnection: ResolverTypeWrapper<DeviceHealthConnectionModel>;
  DeviceHealthEdge: ResolverTypeWrapper<Omit<DeviceHealthEdge, 'node'> & { node: ResolversTypes['DeviceHealth'] }>;
  DeviceLog: ResolverTypeWrapper<DeviceLogModel>;
  DeviceLogConnection: ResolverTypeWrapper<DeviceLogConnectionModel>;
  DeviceLogEdge: ResolverTypeWrapper<Omit<DeviceLogEdge, 'node'> & { node: ResolversTypes['DeviceLog'] }>;
  DeviceOrder: DeviceOrder;
  DeviceOrderField: DeviceOrderField;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  GpsPosition: ResolverTypeWrapper<GpsPosition>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  ImageSample: ResolverTypeWrapper<ImageSampleModel>;
  ImageSampleConnection: ResolverTypeWrapper<ImageSampleConnectionModel>;
  ImageSampleEdge: ResolverTypeWrapper<Omit<ImageSampleEdge, 'node'> & { node: ResolversTypes['ImageSample'] }>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Location: ResolverTypeWrapper<Location>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NearPoint: NearPoint;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  NotificationAction: ResolverTypeWrapper<NotificationAction>;
  NotificationActionInput: NotificationActionInput;
  NotificationType: NotificationType;
  OrderDirection: OrderDirection;
  Organization: ResolverTypeWrapper<OrganizationModel>;
  OrganizationConnection: ResolverTypeWrapper<Omit<OrganizationConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['OrganizationEdge']>, nodes: ReadonlyArray<ResolversTypes['Organization']> }>;
  OrganizationEdge: ResolverTypeWrapper<Omit<OrganizationEdge, 'node'> & { node: ResolversTypes['Organization'] }>;
  OrganizationOrder: OrganizationOrder;
  OrganizationOrderField: OrganizationOrderField;
  OutputAction: ResolverTypeWrapper<OutputAction>;
  OutputActionInput: OutputActionInput;
  OutputActionType: OutputActionType;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PointInput: PointInput;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RfidReadFilter: RfidReadFilter;
  RfidSample: ResolverTypeWrapper<RfidSampleModel>;
  RfidSampleConnection: ResolverTypeWrapper<RfidSampleConnectionModel>;
  RfidSampleEdge: ResolverTypeWrapper<Omit<RfidSampleEdge, 'node'> & { node: ResolversTypes['RfidSample'] }>;
  Sample: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Sample']>;
  SampleAction: ResolverTypeWrapper<SampleActionModel>;
  SampleActionInput: SampleActionInput;
  SampleActionType: SampleActionType;
  SampleBatch: ResolverTypeWrapper<Omit<SampleBatch, 'samples'> & { samples: ReadonlyArray<ResolversTypes['Sample']> }>;
  SampleBatchKind: SampleBatchKind;
  SampleKind: SampleKind;
  ScalarSample: ResolverTypeWrapper<ScalarSampleModel>;
  ScalarSampleConnection: ResolverTypeWrapper<ScalarSampleConnectionModel>;
  ScalarSampleEdge: ResolverTypeWrapper<Omit<ScalarSampleEdge, 'node'> & { node: ResolversTypes['ScalarSample'] }>;
  Series: ResolverTypeWrapper<SeriesModel>;
  SeriesLine: ResolverTypeWrapper<SeriesLineModel>;
  SeriesMethod: SeriesMethod;
  SeriesSource: SeriesSource;
  SetSiteCustomAttributesInput: SetSiteCustomAttributesInput;
  SetSiteCustomAttributesPayload: ResolverTypeWrapper<SiteAttributesSet>;
  SetStreamCustomAttributesInput: SetStreamCustomAttributesInput;
  SetStreamCustomAttributesPayload: ResolverTypeWrapper<StreamAttributesSet>;
  SetStreamThresholdInput: SetStreamThresholdInput;
  SetStreamThresholdPayload: ResolverTypeWrapper<SetThresholdResult>;
  SharedSeries: ResolverTypeWrapper<SharedSeriesModel>;
  Site: ResolverTypeWrapper<SiteModel>;
  SiteConnection: ResolverTypeWrapper<Omit<SiteConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['SiteEdge']>, nodes: ReadonlyArray<ResolversTypes['Site']> }>;
  SiteCustomAttributeInput: SiteCustomAttributeInput;
  SiteEdge: ResolverTypeWrapper<Omit<SiteEdge, 'node'> & { node: ResolversTypes['Site'] }>;
  SiteFilter: SiteFilter;
  SiteOrder: SiteOrder;
  SiteOrderField: SiteOrderField;
  Stream: ResolverTypeWrapper<StreamModel>;
  StreamConnection: ResolverTypeWrapper<Omit<StreamConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['StreamEdge']>, nodes: ReadonlyArray<ResolversTypes['Stream']> }>;
  StreamCustomAttributeInput: StreamCustomAttributeInput;
  StreamEdge: ResolverTypeWrapper<Omit<StreamEdge, 'node'> & { node: ResolversTypes['Stream'] }>;
  StreamFilter: StreamFilter;
  StreamOrder: StreamOrder;
  StreamOrderField: StreamOrderField;
  StreamSamples: ResolverTypeWrapper<StreamSamplesModel>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Threshold: ResolverTypeWrapper<ThresholdModel>;
  ThresholdLevel: ResolverTypeWrapper<ThresholdLevelModel>;
  ThresholdLevelInput: ThresholdLevelInput;
  TimeRange: TimeRange;
  TransmissionInterval: TransmissionInterval;
  UiPreferences: ResolverTypeWrapper<UiPreferencesModel>;
  User: ResolverTypeWrapper<UserModel>;
  UserConnection: ResolverTypeWrapper<Omit<UserConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['UserEdge']>, nodes: ReadonlyArray<ResolversTypes['User']> }>;
  UserEdge: ResolverTypeWrapper<Omit<UserEdge, 'node'> & { node: ResolversTypes['User'] }>;
  UserError: ResolverTypeWrapper<UserError>;
  UserErrorCode: UserErrorCode;
  UserOrder: UserOrder;
  UserOrderField: UserOrderField;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AcknowledgeSamplesInput: AcknowledgeSamplesInput;
  AcknowledgeSamplesPayload: QueueAcknowledged;
  Aggregate: AggregateModel;
  AggregateInterval: AggregateInterval;
  BackfillSamplesInput: BackfillSamplesInput;
  BackfillSamplesPayload: QueueBackfilled;
  Boolean: Scalars['Boolean']['output'];
  BoundingBox: BoundingBox;
  Channel: ChannelModel;
  ChannelConnection: Omit<ChannelConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['ChannelEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Channel']> };
  ChannelEdge: Omit<ChannelEdge, 'node'> & { node: ResolversParentTypes['Channel'] };
  ChannelFilter: ChannelFilter;
  ChannelOrder: ChannelOrder;
  Classification: ClassificationModel;
  CustomAttribute: CustomAttributeModel;
  CustomAttributeName: CustomAttributeNameModel;
  DateTime: Scalars['DateTime']['output'];
  Device: DeviceModel;
  DeviceConnection: Omit<DeviceConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['DeviceEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Device']> };
  DeviceEdge: Omit<DeviceEdge, 'node'> & { node: ResolversParentTypes['Device'] };
  DeviceFilter: DeviceFilter;
  DeviceHealth: DeviceHealthModel;
  DeviceHealthConnection: DeviceHealthConnectionModel;
  DeviceHealthEdge: Omit<DeviceHealthEdge, 'node'> & { node: ResolversParentTypes['DeviceHealth'] };
  DeviceLog: DeviceLogModel;
  DeviceLogConnection: DeviceLogConnectionModel;
  DeviceLogEdge: Omit<DeviceLogEdge, 'node'> & { node: ResolversParentTypes['DeviceLog'] };
  DeviceOrder: DeviceOrder;
  Float: Scalars['Float']['output'];
  GpsPosition: GpsPosition;
  ID: Scalars['ID']['output'];
  ImageSample: ImageSampleModel;
  ImageSampleConnection: ImageSampleConnectionModel;
  ImageSampleEdge: Omit<ImageSampleEdge, 'node'> & { node: ResolversParentTypes['ImageSample'] };
  Int: Scalars['Int']['output'];
  Location: Location;
  Mutation: Record<PropertyKey, never>;
  NearPoint: NearPoint;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  NotificationAction: NotificationAction;
  NotificationActionInput: NotificationActionInput;
  Organization: OrganizationModel;
  OrganizationConnection: Omit<OrganizationConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['OrganizationEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Organization']> };
  OrganizationEdge: Omit<OrganizationEdge, 'node'> & { node: ResolversParentTypes['Organization'] };
  OrganizationOrder: OrganizationOrder;
  OutputAction: OutputAction;
  OutputActionInput: OutputActionInput;
  PageInfo: PageInfo;
  PointInput: PointInput;
  Query: Record<PropertyKey, never>;
  RfidReadFilter: RfidReadFilter;
  RfidSample: RfidSampleModel;
  RfidSampleConnection: RfidSampleConnectionModel;
  RfidSampleEdge: Omit<RfidSampleEdge, 'node'> & { node: ResolversParentTypes['RfidSample'] };
  Sample: ResolversInterfaceTypes<ResolversParentTypes>['Sample'];
  SampleAction: SampleActionModel;
  SampleActionInput: SampleActionInput;
  SampleBatch: Omit<SampleBatch, 'samples'> & { samples: ReadonlyArray<ResolversParentTypes['Sample']> };
  ScalarSample: ScalarSampleModel;
  ScalarSampleConnection: ScalarSampleConnectionModel;
  ScalarSampleEdge: Omit<ScalarSampleEdge, 'node'> & { node: ResolversParentTypes['ScalarSample'] };
  Series: SeriesModel;
  SeriesLine: SeriesLineModel;
  SetSiteCustomAttributesInput: SetSiteCustomAttributesInput;
  SetSiteCustomAttributesPayload: SiteAttributesSet;
  SetStreamCustomAttributesInput: SetStreamCustomAttributesInput;
  SetStreamCustomAttributesPayload: StreamAttributesSet;
  SetStreamThresholdInput: SetStreamThresholdInput;
  SetStreamThresholdPayload: SetThresholdResult;
  SharedSeries: SharedSeriesModel;
  Site: SiteModel;
  SiteConnection: Omit<SiteConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['SiteEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Site']> };
  SiteCustomAttributeInput: SiteCustomAttributeInput;
  SiteEdge: Omit<SiteEdge, 'node'> & { node: ResolversParentTypes['Site'] };
  SiteFilter: SiteFilter;
  SiteOrder: SiteOrder;
  Stream: StreamModel;
  StreamConnection: Omit<StreamConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['StreamEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Stream']> };
  StreamCustomAttributeInput: StreamCustomAttributeInput;
  StreamEdge: Omit<StreamEdge, 'node'> & { node: ResolversParentTypes['Stream'] };
  StreamFilter: StreamFilter;
  StreamOrder: StreamOrder;
  StreamSamples: StreamSamplesModel;
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  Threshold: ThresholdModel;
  ThresholdLevel: ThresholdLevelModel;
  ThresholdLevelInput: ThresholdLevelInput;
  TimeRange: TimeRange;
  UiPreferences: UiPreferencesModel;
  User: UserModel;
  UserConnection: Omit<UserConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['UserEdge']>, nodes: ReadonlyArray<ResolversParentTypes['User']> };
  UserEdge: Omit<UserEdge, 'node'> & { node: ResolversParentTypes['User'] };
  UserError: UserError;
  UserOrder: UserOrder;
};

export type CostDirectiveArgs = {
  perDay?: Maybe<Scalars['Float']['input']>;
  weight: Scalars['Float']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = Context, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ListSizeDirectiveArgs = {
  assumedSize?: Maybe<Scalars['Int']['input']>;
  enclosingArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  intervalArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  sizedFields?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  slicingArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = Context, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AcknowledgeSamplesPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AcknowledgeSamplesPayload'] = ResolversParentTypes['AcknowledgeSamplesPayload']> = {
  lastAcknowledged?: Resolver<Maybe<ResolversTypes['Sample']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AggregateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Aggregate'] = ResolversParentTypes['Aggregate']> = {
  avg?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  endAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  max?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  min?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  startAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  sum?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type BackfillSamplesPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BackfillSamplesPayload'] = ResolversParentTypes['BackfillSamplesPayload']> = {
  sampleBatch?: Resolver<Maybe<ResolversTypes['SampleBatch']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type ChannelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Channel'] = ResolversParentTypes['Channel']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  numberOnDevice?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Classification']>, ParentType, ContextType>;
  streams?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Stream']>>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['Classification']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ChannelConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChannelConnection'] = ResolversParentTypes['ChannelConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ChannelEdge']>, ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Channel']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ChannelEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChannelEdge'] = ResolversParentTypes['ChannelEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Channel'], ParentType, ContextType>;
};

export type ClassificationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Classification'] = ResolversParentTypes['Classification']> = {
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CustomAttributeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomAttribute'] = ResolversParentTypes['CustomAttribute']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CustomAttributeNameResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CustomAttributeName'] = ResolversParentTypes['CustomAttributeName']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DeviceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Device'] = ResolversParentTypes['Device']> = {
  akid?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  channels?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Channel']>>, ParentType, ContextType>;
  firmwareVersion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  health?: Resolver<Maybe<ResolversTypes['DeviceHealthConnection']>, ParentType, ContextType, RequireFields<DeviceHealthArgs, 'first'>>;
  iccid?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  iccid2?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastHealth?: Resolver<Maybe<ReadonlyArray<ResolversTypes['DeviceHealth']>>, ParentType, ContextType>;
  lastLog?: Resolver<Maybe<ResolversTypes['DeviceLog']>, ParentType, ContextType>;
  logs?: Resolver<Maybe<ResolversTypes['DeviceLogConnection']>, ParentType, ContextType, RequireFields<DeviceLogsArgs, 'first'>>;
  meid?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  modelNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  serialNumber?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  site?: Resolver<Maybe<ResolversTypes['Site']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DeviceConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceConnection'] = ResolversParentTypes['DeviceConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['DeviceEdge']>, ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Device']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DeviceEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceEdge'] = ResolversParentTypes['DeviceEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Device'], ParentType, ContextType>;
};

export type DeviceHealthResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceHealth'] = ResolversParentTypes['DeviceHealth']> = {
  counterTypeId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sampledAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type DeviceHealthConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceHealthConnection'] = ResolversParentTypes['DeviceHealthConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['DeviceHealthEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['DeviceHealth']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DeviceHealthEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceHealthEdge'] = ResolversParentTypes['DeviceHealthEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['DeviceHealth'], ParentType, ContextType>;
};

export type DeviceLogResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceLog'] = ResolversParentTypes['DeviceLog']> = {
  loggedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DeviceLogConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceLogConnection'] = ResolversParentTypes['DeviceLogConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['DeviceLogEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['DeviceLog']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DeviceLogEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceLogEdge'] = ResolversParentTypes['DeviceLogEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['DeviceLog'], ParentType, ContextType>;
};

export type GpsPositionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['GpsPosition'] = ResolversParentTypes['GpsPosition']> = {
  altitude?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  dilutionOfPrecision?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  latitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  measuredAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  satelliteCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ImageSampleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ImageSample'] = ResolversParentTypes['ImageSample']> = {
  byteSize?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  contentType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  height?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sampledAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  width?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ImageSampleConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ImageSampleConnection'] = ResolversParentTypes['ImageSampleConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ImageSampleEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ImageSample']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ImageSampleEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ImageSampleEdge'] = ResolversParentTypes['ImageSampleEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ImageSample'], ParentType, ContextType>;
};

export type LocationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Location'] = ResolversParentTypes['Location']> = {
  latitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  longitude?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  acknowledgeSamples?: Resolver<Maybe<ResolversTypes['AcknowledgeSamplesPayload']>, ParentType, ContextType, RequireFields<MutationAcknowledgeSamplesArgs, 'input'>>;
  backfillSamples?: Resolver<Maybe<ResolversTypes['BackfillSamplesPayload']>, ParentType, ContextType, RequireFields<MutationBackfillSamplesArgs, 'input'>>;
  setSiteCustomAttributes?: Resolver<Maybe<ResolversTypes['SetSiteCustomAttributesPayload']>, ParentType, ContextType, RequireFields<MutationSetSiteCustomAttributesArgs, 'input'>>;
  setStreamCustomAttributes?: Resolver<Maybe<ResolversTypes['SetStreamCustomAttributesPayload']>, ParentType, ContextType, RequireFields<MutationSetStreamCustomAttributesArgs, 'input'>>;
  setStreamThreshold?: Resolver<Maybe<ResolversTypes['SetStreamThresholdPayload']>, ParentType, ContextType, RequireFields<MutationSetStreamThresholdArgs, 'input'>>;
};

export type NodeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Channel' | 'Device' | 'ImageSample' | 'Organization' | 'RfidSample' | 'ScalarSample' | 'Site' | 'Stream' | 'User', ParentType, ContextType>;
};

export type NotificationActionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['NotificationAction'] = ResolversParentTypes['NotificationAction']> = {
  relevanceThreshold?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  repeatsForAllOnFailed?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  repeatsPerUserOnFailed?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['NotificationType'], ParentType, ContextType>;
  userGroupPlatformId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type OrganizationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Organization'] = ResolversParentTypes['Organization']> = {
  accountPlatformId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sites?: Resolver<Maybe<ResolversTypes['SiteConnection']>, ParentType, ContextType, RequireFields<OrganizationSitesArgs, 'first'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OrganizationConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OrganizationConnection'] = ResolversParentTypes['OrganizationConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['OrganizationEdge']>, ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Organization']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type OrganizationEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OrganizationEdge'] = ResolversParentTypes['OrganizationEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Organization'], ParentType, ContextType>;
};

export type OutputActionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OutputAction'] = ResolversParentTypes['OutputAction']> = {
  channelNumber?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['OutputActionType'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  channel?: Resolver<Maybe<ResolversTypes['Channel']>, ParentType, ContextType, RequireFields<QueryChannelArgs, 'id'>>;
  channels?: Resolver<Maybe<ResolversTypes['ChannelConnection']>, ParentType, ContextType, RequireFields<QueryChannelsArgs, 'first'>>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType, RequireFields<QueryDeviceArgs, 'id'>>;
  deviceBySerialNumber?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType, RequireFields<QueryDeviceBySerialNumberArgs, 'serialNumber'>>;
  devices?: Resolver<Maybe<ResolversTypes['DeviceConnection']>, ParentType, ContextType, RequireFields<QueryDevicesArgs, 'first'>>;
  image?: Resolver<Maybe<ResolversTypes['ImageSample']>, ParentType, ContextType, RequireFields<QueryImageArgs, 'id'>>;
  images?: Resolver<Maybe<ResolversTypes['ImageSampleConnection']>, ParentType, ContextType, RequireFields<QueryImagesArgs, 'first' | 'since'>>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Node']>>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  organization?: Resolver<Maybe<ResolversTypes['Organization']>, ParentType, ContextType, RequireFields<QueryOrganizationArgs, 'id'>>;
  organizations?: Resolver<Maybe<ResolversTypes['OrganizationConnection']>, ParentType, ContextType, RequireFields<QueryOrganizationsArgs, 'first'>>;
  sampleBatch?: Resolver<Maybe<ResolversTypes['SampleBatch']>, ParentType, ContextType, RequireFields<QuerySampleBatchArgs, 'kind'>>;
  sampleBatchStatus?: Resolver<Maybe<ResolversTypes['Sample']>, ParentType, ContextType, RequireFields<QuerySampleBatchStatusArgs, 'kind'>>;
  samplesOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['StreamSamples']>>, ParentType, ContextType, RequireFields<QuerySamplesOfArgs, 'first' | 'order' | 'streamIds'>>;
  site?: Resolver<Maybe<ResolversTypes['Site']>, ParentType, ContextType, RequireFields<QuerySiteArgs, 'id'>>;
  siteCustomAttributeNames?: Resolver<Maybe<ReadonlyArray<ResolversTypes['CustomAttributeName']>>, ParentType, ContextType>;
  sites?: Resolver<Maybe<ResolversTypes['SiteConnection']>, ParentType, ContextType, RequireFields<QuerySitesArgs, 'first'>>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType, RequireFields<QueryStreamArgs, 'id'>>;
  streamCustomAttributeNames?: Resolver<Maybe<ReadonlyArray<ResolversTypes['CustomAttributeName']>>, ParentType, ContextType>;
  streams?: Resolver<Maybe<ResolversTypes['StreamConnection']>, ParentType, ContextType, RequireFields<QueryStreamsArgs, 'first'>>;
  uiPreferences?: Resolver<Maybe<ResolversTypes['UiPreferences']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  users?: Resolver<Maybe<ResolversTypes['UserConnection']>, ParentType, ContextType, RequireFields<QueryUsersArgs, 'first'>>;
};

export type RfidSampleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RfidSample'] = ResolversParentTypes['RfidSample']> = {
  endAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  position?: Resolver<Maybe<ResolversTypes['GpsPosition']>, ParentType, ContextType>;
  rawTagIds?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sampledAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  startAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  tagIds?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RfidSampleConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RfidSampleConnection'] = ResolversParentTypes['RfidSampleConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['RfidSampleEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['RfidSample']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type RfidSampleEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RfidSampleEdge'] = ResolversParentTypes['RfidSampleEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['RfidSample'], ParentType, ContextType>;
};

export type SampleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Sample'] = ResolversParentTypes['Sample']> = {
  __resolveType: TypeResolveFn<'ImageSample' | 'RfidSample' | 'ScalarSample', ParentType, ContextType>;
};

export type SampleActionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SampleAction'] = ResolversParentTypes['SampleAction']> = {
  sampleGroupPlatformId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  type?: Resolver<ResolversTypes['SampleActionType'], ParentType, ContextType>;
};

export type SampleBatchResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SampleBatch'] = ResolversParentTypes['SampleBatch']> = {
  hasMore?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  samples?: Resolver<ReadonlyArray<ResolversTypes['Sample']>, ParentType, ContextType>;
};

export type ScalarSampleResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ScalarSample'] = ResolversParentTypes['ScalarSample']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rawValue?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sampledAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ScalarSampleConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ScalarSampleConnection'] = ResolversParentTypes['ScalarSampleConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ScalarSampleEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ScalarSample']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ScalarSampleEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ScalarSampleEdge'] = ResolversParentTypes['ScalarSampleEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ScalarSample'], ParentType, ContextType>;
};

export type SeriesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Series'] = ResolversParentTypes['Series']> = {
  coverage?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  max?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
  method?: Resolver<ResolversTypes['SeriesMethod'], ParentType, ContextType>;
  min?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
  reduced?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['SeriesSource'], ParentType, ContextType>;
  sourceCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  times?: Resolver<ReadonlyArray<ResolversTypes['Float']>, ParentType, ContextType>;
  values?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
};

export type SeriesLineResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SeriesLine'] = ResolversParentTypes['SeriesLine']> = {
  coverage?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  max?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
  min?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
  sourceCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  values?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
};

export type SetSiteCustomAttributesPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SetSiteCustomAttributesPayload'] = ResolversParentTypes['SetSiteCustomAttributesPayload']> = {
  sites?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['Site']>>>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SetStreamCustomAttributesPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SetStreamCustomAttributesPayload'] = ResolversParentTypes['SetStreamCustomAttributesPayload']> = {
  streams?: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['Stream']>>>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SetStreamThresholdPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SetStreamThresholdPayload'] = ResolversParentTypes['SetStreamThresholdPayload']> = {
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type SharedSeriesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SharedSeries'] = ResolversParentTypes['SharedSeries']> = {
  intervalSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lines?: Resolver<ReadonlyArray<Maybe<ResolversTypes['SeriesLine']>>, ParentType, ContextType>;
  times?: Resolver<ReadonlyArray<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type SiteResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Site'] = ResolversParentTypes['Site']> = {
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  customAttributes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['CustomAttribute']>>, ParentType, ContextType>;
  devices?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Device']>>, ParentType, ContextType>;
  distanceKm?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType, RequireFields<SiteDistanceKmArgs, 'from'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  images?: Resolver<Maybe<ResolversTypes['ImageSampleConnection']>, ParentType, ContextType, RequireFields<SiteImagesArgs, 'first' | 'since'>>;
  location?: Resolver<Maybe<ResolversTypes['Location']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  organization?: Resolver<Maybe<ResolversTypes['Organization']>, ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rfidReads?: Resolver<Maybe<ResolversTypes['RfidSampleConnection']>, ParentType, ContextType, RequireFields<SiteRfidReadsArgs, 'first' | 'since'>>;
  samplesAfter?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ScalarSample']>>, ParentType, ContextType, Partial<SiteSamplesAfterArgs>>;
  samplesSince?: Resolver<Maybe<ResolversTypes['ScalarSampleConnection']>, ParentType, ContextType, RequireFields<SiteSamplesSinceArgs, 'first' | 'since'>>;
  series?: Resolver<Maybe<ResolversTypes['SharedSeries']>, ParentType, ContextType, RequireFields<SiteSeriesArgs, 'maxPoints' | 'range'>>;
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  streams?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Stream']>>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SiteConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SiteConnection'] = ResolversParentTypes['SiteConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['SiteEdge']>, ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Site']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type SiteEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SiteEdge'] = ResolversParentTypes['SiteEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  distanceKm?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Site'], ParentType, ContextType>;
};

export type StreamResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Stream'] = ResolversParentTypes['Stream']> = {
  aggregates?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Aggregate']>>, ParentType, ContextType, RequireFields<StreamAggregatesArgs, 'every' | 'fill' | 'range' | 'timeZone'>>;
  channel?: Resolver<Maybe<ResolversTypes['Channel']>, ParentType, ContextType>;
  channelLink?: Resolver<Maybe<ResolversTypes['ChannelLink']>, ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  customAttributes?: Resolver<Maybe<ReadonlyArray<ResolversTypes['CustomAttribute']>>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  images?: Resolver<Maybe<ResolversTypes['ImageSampleConnection']>, ParentType, ContextType, RequireFields<StreamImagesArgs, 'first' | 'since'>>;
  lastImage?: Resolver<Maybe<ResolversTypes['ImageSample']>, ParentType, ContextType>;
  lastRfidRead?: Resolver<Maybe<ResolversTypes['RfidSample']>, ParentType, ContextType>;
  lastSample?: Resolver<Maybe<ResolversTypes['ScalarSample']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rfidReads?: Resolver<Maybe<ResolversTypes['RfidSampleConnection']>, ParentType, ContextType, RequireFields<StreamRfidReadsArgs, 'first' | 'since'>>;
  rfidReadsAfter?: Resolver<Maybe<ReadonlyArray<ResolversTypes['RfidSample']>>, ParentType, ContextType, Partial<StreamRfidReadsAfterArgs>>;
  samples?: Resolver<Maybe<ResolversTypes['ScalarSampleConnection']>, ParentType, ContextType, RequireFields<StreamSamplesArgs, 'first' | 'order'>>;
  samplesAfter?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ScalarSample']>>, ParentType, ContextType, Partial<StreamSamplesAfterArgs>>;
  samplesSince?: Resolver<Maybe<ResolversTypes['ScalarSampleConnection']>, ParentType, ContextType, RequireFields<StreamSamplesSinceArgs, 'first' | 'since'>>;
  series?: Resolver<Maybe<ResolversTypes['Series']>, ParentType, ContextType, RequireFields<StreamSeriesArgs, 'maxPoints' | 'method' | 'range'>>;
  site?: Resolver<Maybe<ResolversTypes['Site']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Classification']>, ParentType, ContextType>;
  threshold?: Resolver<ResolversTypes['Threshold'], ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['Classification']>, ParentType, ContextType>;
  units?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  valueScale?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type StreamConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StreamConnection'] = ResolversParentTypes['StreamConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['StreamEdge']>, ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Stream']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type StreamEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StreamEdge'] = ResolversParentTypes['StreamEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Stream'], ParentType, ContextType>;
};

export type StreamSamplesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StreamSamples'] = ResolversParentTypes['StreamSamples']> = {
  samples?: Resolver<Maybe<ResolversTypes['ScalarSampleConnection']>, ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  streamId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  sampleReceived?: SubscriptionResolver<ResolversTypes['Sample'], "sampleReceived", ParentType, ContextType, Partial<SubscriptionSampleReceivedArgs>>;
};

export type ThresholdResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Threshold'] = ResolversParentTypes['Threshold']> = {
  levels?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ThresholdLevel']>>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ThresholdLevelResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ThresholdLevel'] = ResolversParentTypes['ThresholdLevel']> = {
  comment?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  falseAlarmFilterSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lowerLimit?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  notificationActions?: Resolver<ReadonlyArray<ResolversTypes['NotificationAction']>, ParentType, ContextType>;
  outputActions?: Resolver<ReadonlyArray<ResolversTypes['OutputAction']>, ParentType, ContextType>;
  sampleActions?: Resolver<ReadonlyArray<ResolversTypes['SampleAction']>, ParentType, ContextType>;
  sampleIntervalSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  transmissionInterval?: Resolver<ResolversTypes['TransmissionInterval'], ParentType, ContextType>;
  transmitImmediately?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  upperLimit?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type UiPreferencesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UiPreferences'] = ResolversParentTypes['UiPreferences']> = {
  dateFormat?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  timeFormat?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UserResolvers<ContextType = Context, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  emailAddress?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  firstName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  mobilePhone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  timezoneName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  userName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UserConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserConnection'] = ResolversParentTypes['UserConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['UserEdge']>, ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['User']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type UserEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserEdge'] = ResolversParentTypes['UserEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type UserErrorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserError'] = ResolversParentTypes['UserError']> = {
  code?: Resolver<ResolversTypes['UserErrorCode'], ParentType, ContextType>;
  field?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  AcknowledgeSamplesPayload?: AcknowledgeSamplesPayloadResolvers<ContextType>;
  Aggregate?: AggregateResolvers<ContextType>;
  BackfillSamplesPayload?: BackfillSamplesPayloadResolvers<ContextType>;
  Channel?: ChannelResolvers<ContextType>;
  ChannelConnection?: ChannelConnectionResolvers<ContextType>;
  ChannelEdge?: ChannelEdgeResolvers<ContextType>;
  Classification?: ClassificationResolvers<ContextType>;
  CustomAttribute?: CustomAttributeResolvers<ContextType>;
  CustomAttributeName?: CustomAttributeNameResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Device?: DeviceResolvers<ContextType>;
  DeviceConnection?: DeviceConnectionResolvers<ContextType>;
  DeviceEdge?: DeviceEdgeResolvers<ContextType>;
  DeviceHealth?: DeviceHealthResolvers<ContextType>;
  DeviceHealthConnection?: DeviceHealthConnectionResolvers<ContextType>;
  DeviceHealthEdge?: DeviceHealthEdgeResolvers<ContextType>;
  DeviceLog?: DeviceLogResolvers<ContextType>;
  DeviceLogConnection?: DeviceLogConnectionResolvers<ContextType>;
  DeviceLogEdge?: DeviceLogEdgeResolvers<ContextType>;
  GpsPosition?: GpsPositionResolvers<ContextType>;
  ImageSample?: ImageSampleResolvers<ContextType>;
  ImageSampleConnection?: ImageSampleConnectionResolvers<ContextType>;
  ImageSampleEdge?: ImageSampleEdgeResolvers<ContextType>;
  Location?: LocationResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  NotificationAction?: NotificationActionResolvers<ContextType>;
  Organization?: OrganizationResolvers<ContextType>;
  OrganizationConnection?: OrganizationConnectionResolvers<ContextType>;
  OrganizationEdge?: OrganizationEdgeResolvers<ContextType>;
  OutputAction?: OutputActionResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  RfidSample?: RfidSampleResolvers<ContextType>;
  RfidSampleConnection?: RfidSampleConnectionResolvers<ContextType>;
  RfidSampleEdge?: RfidSampleEdgeResolvers<ContextType>;
  Sample?: SampleResolvers<ContextType>;
  SampleAction?: SampleActionResolvers<ContextType>;
  SampleBatch?: SampleBatchResolvers<ContextType>;
  ScalarSample?: ScalarSampleResolvers<ContextType>;
  ScalarSampleConnection?: ScalarSampleConnectionResolvers<ContextType>;
  ScalarSampleEdge?: ScalarSampleEdgeResolvers<ContextType>;
  Series?: SeriesResolvers<ContextType>;
  SeriesLine?: SeriesLineResolvers<ContextType>;
  SetSiteCustomAttributesPayload?: SetSiteCustomAttributesPayloadResolvers<ContextType>;
  SetStreamCustomAttributesPayload?: SetStreamCustomAttributesPayloadResolvers<ContextType>;
  SetStreamThresholdPayload?: SetStreamThresholdPayloadResolvers<ContextType>;
  SharedSeries?: SharedSeriesResolvers<ContextType>;
  Site?: SiteResolvers<ContextType>;
  SiteConnection?: SiteConnectionResolvers<ContextType>;
  SiteEdge?: SiteEdgeResolvers<ContextType>;
  Stream?: StreamResolvers<ContextType>;
  StreamConnection?: StreamConnectionResolvers<ContextType>;
  StreamEdge?: StreamEdgeResolvers<ContextType>;
  StreamSamples?: StreamSamplesResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Threshold?: ThresholdResolvers<ContextType>;
  ThresholdLevel?: ThresholdLevelResolvers<ContextType>;
  UiPreferences?: UiPreferencesResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserConnection?: UserConnectionResolvers<ContextType>;
  UserEdge?: UserEdgeResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  cost?: CostDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
};
