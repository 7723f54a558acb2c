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
import type { ThresholdChange } from '../../live/thresholdChanges.js';
import type { Classification as ClassificationModel } from '../../sources/core/wireValues.js';
import type { ScalarSample as ScalarSampleModel, ImageSample as ImageSampleModel, RfidSample as RfidSampleModel } from '../../sources/samples/samples.js';
import type { ScalarSampleConnection as ScalarSampleConnectionModel, ImageSampleConnection as ImageSampleConnectionModel, RfidSampleConnection as RfidSampleConnectionModel, RfidReadConnection as RfidReadConnectionModel, RfidTag as RfidTagModel, StreamSamples as StreamSamplesModel } from '../connections/sampleConnection.js';
import type { SearchText } from '../arguments/search.js';
import type { DeviceHealthConnection as DeviceHealthConnectionModel, DeviceLogConnection as DeviceLogConnectionModel } from '../connections/listConnection.js';
import type { SeriesSince as SeriesModel, SharedSeriesSince as SharedSeriesModel, AggregateSince as AggregateModel } from '../../sources/charts/deltas.js';
import type { SeriesLine as SeriesLineModel } from '../../sources/charts/series.js';
import type { ThresholdRow as ThresholdRowModel, ChartRowSince as ChartRowModel } from '../../sources/charts/chartRows.js';
import type { SetAttributesResult as SiteAttributesSet, SetAttributesResult as StreamAttributesSet, SetThresholdResult, MoveQueueResult as QueueAcknowledged, MoveQueueResult as QueueBackfilled } from '../mutations/writes.js';
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
  /**
   * A point in time as RFC 3339 text. Results are in UTC, for example `2020-11-19T18:29:42Z`. Arguments accept any offset, for
   * example `2020-11-19T19:29:42+01:00`, and Unix milliseconds, for example `1605810582000`.
   */
  DateTime: { input: number; output: string; }
};

/** Input of `acknowledgeSamples`. */
export type AcknowledgeSamplesInput = {
  /** A name for your application in the platform's logs, 1 to 256 characters. */
  readonly agent?: InputMaybe<Scalars['String']['input']>;
  readonly kind: SampleBatchKind;
  /** The `id` or `platformId` of the last sample that you have stored. */
  readonly sampleId: Scalars['ID']['input'];
};

/** Result of `acknowledgeSamples`. */
export type AcknowledgeSamplesPayload = {
  readonly __typename?: 'AcknowledgeSamplesPayload';
  /** The last acknowledged sample according to the platform. Null if nothing was written. */
  readonly lastAcknowledged?: Maybe<Sample>;
  /** Problems with the input. Empty if the change was written. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Statistics of one interval, in the stream's units. `min`, `max`, `avg` and `sum` are null if the interval is empty. */
export type Aggregate = {
  readonly __typename?: 'Aggregate';
  /** The arithmetic mean of the values, without weighting by time. */
  readonly avg?: Maybe<Scalars['Float']['output']>;
  /** The number of values inside both the interval and the requested range. */
  readonly count: Scalars['Int']['output'];
  /**
   * Only on the last interval of the list: pass it as `after` to get only the intervals that are new or changed. In the list
   * that you have, remove the intervals from `replaceFrom` on and append the new ones. It then equals the full list, late
   * samples included. An empty list means that nothing has changed and the cursor stays valid. Keep `from` and move only `to`:
   * if `from` or another argument differs, or if only one of the two operations selects `integral` or `timeWeightedAvg`, you get
   * the full list.
   */
  readonly cursor?: Maybe<Scalars['String']['output']>;
  /**
   * For counters, such as a water meter: how much the counter has risen. The increases are added up from the last number
   * before the interval, if the range has one, to the last number in it. So the deltas of all intervals add up to that of the
   * range. A number that is lower than the one before counts as a reset: the counter started at 0 again. See `deltaResets`.
   */
  readonly delta?: Maybe<Scalars['Float']['output']>;
  /** The number of resets in `delta`. */
  readonly deltaResets?: Maybe<Scalars['Int']['output']>;
  /** End of the interval (exclusive). The next interval starts here. */
  readonly endAt: Scalars['DateTime']['output'];
  /**
   * The first number of the interval. Null if the interval is empty. For this field and the statistics below it the gateway
   * reads the samples of the whole range, once for all of them.
   */
  readonly first?: Maybe<Scalars['Float']['output']>;
  /**
   * The integral over time, in `integralUnits`: the volume of a flow, or the running hours of a state. Computed along straight
   * lines between the numbers. A pause of more than two and a half times the usual interval adds nothing.
   */
  readonly integral?: Maybe<Scalars['Float']['output']>;
  /**
   * The unit of `integral`. For a unit per time (`/s`, `/min`, `/h`, `/d`) it is the unit without the time: `l` for `l/s`.
   * For any other unit it is the unit multiplied by hours: `kW·h` for `kW`. For a stream without units it is `h`.
   */
  readonly integralUnits?: Maybe<Scalars['String']['output']>;
  /** The last number of the interval. */
  readonly last?: Maybe<Scalars['Float']['output']>;
  readonly max?: Maybe<Scalars['Float']['output']>;
  readonly min?: Maybe<Scalars['Float']['output']>;
  /** The value that `p` percent of the numbers do not exceed, interpolated between the two closest numbers. `p` is 0 to 100. */
  readonly percentile?: Maybe<Scalars['Float']['output']>;
  /** Only on the last interval of the list: replace the intervals that you have from this time on by the list. */
  readonly replaceFrom?: Maybe<Scalars['DateTime']['output']>;
  /** Start of the interval (inclusive). */
  readonly startAt: Scalars['DateTime']['output'];
  /** The population standard deviation of the numbers. */
  readonly stdDev?: Maybe<Scalars['Float']['output']>;
  readonly sum?: Maybe<Scalars['Float']['output']>;
  /**
   * The mean weighted by time, for samples at irregular times. Gaps do not count. Null if no two numbers follow each other
   * without a gap.
   */
  readonly timeWeightedAvg?: Maybe<Scalars['Float']['output']>;
};


/** Statistics of one interval, in the stream's units. `min`, `max`, `avg` and `sum` are null if the interval is empty. */
export type AggregatePercentileArgs = {
  p: Scalars['Float']['input'];
};

/** How to return intervals that contain no numbers. */
export type AggregateFill =
  /** Leaves out empty intervals. */
  | 'NONE'
  /** Returns empty intervals with `count: 0` and null for `min`, `max`, `avg` and `sum`. */
  | 'NULL';

/**
 * The length of each interval. Set exactly one field, for example `{ minutes: 15 }` or `{ months: 3 }`. Days, weeks and
 * months follow the calendar of `timeZone`; a day has 23 or 25 hours when the clock changes. Minutes and hours count from
 * local midnight; if they do not divide a day evenly, the last interval of the day is shorter.
 */
export type AggregateInterval =
  /** 1 to 10,000. Each interval starts at local midnight. With 2 or more, intervals count from 1970-01-01. */
  { readonly days: Scalars['Int']['input']; readonly hours?: never; readonly minutes?: never; readonly months?: never; readonly weeks?: never; }
  |  /**
   * 1 to 24. Intervals of more than one hour follow local time: an interval with a clock change is an hour shorter or
   * longer.
   */
  { readonly days?: never; readonly hours: Scalars['Int']['input']; readonly minutes?: never; readonly months?: never; readonly weeks?: never; }
  |  /**
   * 1 to 1,440. Values below 10 and values that are not a multiple of 10 or 15 are computed from the samples instead of the
   * platform's aggregates. Intervals of up to 60 minutes end at a clock change, and a repeated hour gets separate intervals.
   */
  { readonly days?: never; readonly hours?: never; readonly minutes: Scalars['Int']['input']; readonly months?: never; readonly weeks?: never; }
  |  /** 1 to 1,000. Each interval starts on the first day of a month. 3 gives quarters, 12 gives years. */
  { readonly days?: never; readonly hours?: never; readonly minutes?: never; readonly months: Scalars['Int']['input']; readonly weeks?: never; }
  |  /** 1 to 1,000. Each interval starts on a Monday. With 2 or more, intervals count from 1970-01-05. */
  { readonly days?: never; readonly hours?: never; readonly minutes?: never; readonly months?: never; readonly weeks: Scalars['Int']['input']; };

/**
 * Sorts streams by a statistic of their numbers in a range. Each stream is read, so at most 200 streams may match the
 * filter. Use `first` for a ranking: the ten largest flows of today are `first: 10` with `direction: DESC`.
 */
export type AggregateOrder = {
  readonly range: TimeRange;
  readonly statistic?: InputMaybe<OrderStatistic>;
};

/**
 * How serious a threshold level is. The gateway derives it from the settings of the level, because the platform gives levels
 * only a name.
 */
export type AlarmLevel =
  /** The level has the transmission interval `EMERGENCY`. */
  | 'EMERGENCY'
  /** The level notifies someone, switches an output, or makes the device send at once or more often. */
  | 'EVENT'
  /** The stream has no threshold, or the level starts no action. */
  | 'NONE';

/** Input of `backfillSamples`. */
export type BackfillSamplesInput = {
  /** A name for your application in the platform's logs, 1 to 256 characters. */
  readonly agent?: InputMaybe<Scalars['String']['input']>;
  readonly kind: SampleBatchKind;
  /** The point in time to move to. The year 2000 or later. Fractions of a second are ignored. */
  readonly since: Scalars['DateTime']['input'];
};

/** Result of `backfillSamples`. */
export type BackfillSamplesPayload = {
  readonly __typename?: 'BackfillSamplesPayload';
  /** The content of the queue after the move. Null if nothing was written. */
  readonly sampleBatch?: Maybe<SampleBatch>;
  /** Problems with the input. Empty if the change was written. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** A box on the map. If `west` is greater than `east`, the box crosses the 180th meridian. */
export type BoundingBox = {
  /** Decimal degrees, -180 to 180. */
  readonly east: Scalars['Float']['input'];
  /** Decimal degrees, -90 to 90, not less than `south`. */
  readonly north: Scalars['Float']['input'];
  /** Decimal degrees, -90 to 90. */
  readonly south: Scalars['Float']['input'];
  /** Decimal degrees, -180 to 180. */
  readonly west: Scalars['Float']['input'];
};

/** One input or output of a device. */
export type Channel = Node & {
  readonly __typename?: 'Channel';
  /** When the channel was set up. Null if the platform does not know. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The device that the channel belongs to. */
  readonly device?: Maybe<Device>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  /** The channel's number on its device. Null if the platform does not know. */
  readonly numberOnDevice?: Maybe<Scalars['Int']['output']>;
  /** The platform's number for the channel, for example `4711`. */
  readonly platformId: Scalars['String']['output'];
  readonly status?: Maybe<Classification>;
  /**
   * The streams measured through this channel. The platform's REST API does not link channels to streams, so the gateway
   * matches them within the device's site; `Stream.channelLink` names the rule that matched. Empty if no rule matches.
   */
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
  /** For example `{ name: "DIGITAL" }`. */
  readonly type?: Maybe<Classification>;
};

/** One page of channels. */
export type ChannelConnection = {
  readonly __typename?: 'ChannelConnection';
  readonly edges: ReadonlyArray<ChannelEdge>;
  /** The types and statuses of the matching channels, with counts. */
  readonly facets: ChannelFacets;
  /**
   * False if the list may be incomplete: the platform returns at most 10,000 channels, and `totalCount` and all pages cover
   * only those. `Device.channels` and `channel(id)` also find the others.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Channel>;
  readonly pageInfo: PageInfo;
  /** The number of matching channels on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A channel and its cursor in the list. */
export type ChannelEdge = {
  readonly __typename?: 'ChannelEdge';
  /** Pass as `after` to continue after this channel. */
  readonly cursor: Scalars['String']['output'];
  readonly node: Channel;
};

/** The values in use among the matching channels, the most frequent first, at most 100 of each kind. Costs no REST call. */
export type ChannelFacets = {
  readonly __typename?: 'ChannelFacets';
  readonly statuses: ReadonlyArray<FacetValue>;
  readonly types: ReadonlyArray<FacetValue>;
};

/** Returns only channels that match every condition that is set. */
export type ChannelFilter = {
  /** Only channels of this device, for example `Device:4711`. */
  readonly deviceId?: InputMaybe<Scalars['ID']['input']>;
  /** Part of the name, case-insensitive. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** The full type name, case-insensitive, for example `DIGITAL`. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
};

/** The rules that link a stream to a channel, in order of precedence. */
export type ChannelLink =
  /** The platform names the channel in the stream's data. */
  | 'CHANNEL_ID'
  /** A custom attribute of the stream contains the channel's number. By default, this is the attribute `channel_id`. */
  | 'CUSTOM_ATTRIBUTE'
  /** Exactly one channel and one stream of the site have this name. */
  | 'NAME';

/** Sort order of channels. */
export type ChannelOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: ChannelOrderField;
};

/** Fields that channels can be sorted by. */
export type ChannelOrderField =
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'NUMBER_ON_DEVICE'
  | 'TYPE';

/** One point of one stream. */
export type ChartRow = {
  readonly __typename?: 'ChartRow';
  /**
   * Only on the last row of the list: pass it as `after` to get only the rows that are new or changed. In the list that you
   * have, remove the rows from `replaceFrom` on and append the new ones. It then equals the full list. An empty list means that
   * nothing has changed and the cursor stays valid.
   */
  readonly cursor?: Maybe<Scalars['String']['output']>;
  /** The highest number that the point represents. */
  readonly max?: Maybe<Scalars['Float']['output']>;
  /** The lowest number that the point represents. */
  readonly min?: Maybe<Scalars['Float']['output']>;
  /** Only on the last row of the list: replace the rows that you have from this time on by the list. */
  readonly replaceFrom?: Maybe<Scalars['DateTime']['output']>;
  /** The typed id of the site. Null if the platform does not name the site. */
  readonly siteId?: Maybe<Scalars['ID']['output']>;
  readonly siteName?: Maybe<Scalars['String']['output']>;
  /** The typed id of the stream. */
  readonly streamId: Scalars['ID']['output'];
  readonly streamName: Scalars['String']['output'];
  /** The time of the point, or the start of the interval. */
  readonly time: Scalars['DateTime']['output'];
  readonly units: Scalars['String']['output'];
  /** The sample, or the mean of the interval, in `units`. Null marks a gap. */
  readonly value?: Maybe<Scalars['Float']['output']>;
};

/** A type or status, with the platform's number and name for it. */
export type Classification = {
  readonly __typename?: 'Classification';
  /** The platform's name, for example `Pressure`. Null if the platform sends only the number. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /**
   * The platform's number. It is unique only among values of the same kind: a channel type and a stream status can have the
   * same number.
   */
  readonly platformId: Scalars['String']['output'];
};

/** A custom attribute of a site or stream, with its value. */
export type CustomAttribute = {
  readonly __typename?: 'CustomAttribute';
  readonly name: Scalars['String']['output'];
  /** The platform's number for the attribute. It is the same on every site or stream that has the attribute. */
  readonly platformId: Scalars['String']['output'];
  readonly value: Scalars['String']['output'];
};

/** A condition on custom attributes. Without `value` and `valueContains`, any value matches. */
export type CustomAttributeCondition = {
  /** The full name of the attribute, case-insensitive. */
  readonly name: Scalars['String']['input'];
  /** The full value, case-insensitive. */
  readonly value?: InputMaybe<Scalars['String']['input']>;
  /** Part of the value, case-insensitive. */
  readonly valueContains?: InputMaybe<Scalars['String']['input']>;
};

/** The name of a custom attribute that sites or streams of this account can have. */
export type CustomAttributeName = {
  readonly __typename?: 'CustomAttributeName';
  readonly name: Scalars['String']['output'];
  /** The platform's number for the attribute. */
  readonly platformId: Scalars['String']['output'];
};

/** A piece of hardware in the field that reads sensors and sends samples. */
export type Device = Node & {
  readonly __typename?: 'Device';
  /** The hardware id of the device. Null if unknown. */
  readonly akid?: Maybe<Scalars['String']['output']>;
  /** The inputs and outputs of the device. */
  readonly channels?: Maybe<ReadonlyArray<Channel>>;
  readonly firmwareVersion: Scalars['String']['output'];
  /**
   * The device's health records in order of arrival. Without `after`: the newest records, at most 100. With `after`: the
   * records that arrived after it. The platform returns 100 records per REST call, so longer pages take several calls.
   */
  readonly health?: Maybe<DeviceHealthConnection>;
  /** The number of the SIM card (ICCID). Null if unknown. */
  readonly iccid?: Maybe<Scalars['String']['output']>;
  /** The number of the second SIM card (ICCID). Null if unknown or if there is only one. */
  readonly iccid2?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  /**
   * The last contact of the device that the gateway knows of: the newest of its health records, its log records and the
   * numbers of the streams that are linked to its channels. Null if there are none.
   */
  readonly lastContactAt?: Maybe<Scalars['DateTime']['output']>;
  /** The newest value of every health counter, such as battery voltage or signal strength. */
  readonly lastHealth?: Maybe<ReadonlyArray<DeviceHealth>>;
  /** The newest log record. Null if the device has none. */
  readonly lastLog?: Maybe<DeviceLog>;
  /**
   * The device's log records in order of arrival. Without `after`: the newest records, at most 100. With `after`: the
   * records that arrived after it. The platform returns 100 records per REST call, so longer pages take several calls.
   */
  readonly logs?: Maybe<DeviceLogConnection>;
  /** The id of the modem (MEID). Null if unknown. */
  readonly meid?: Maybe<Scalars['String']['output']>;
  readonly modelNumber: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  /** The platform's number for the device, for example `4711`. */
  readonly platformId: Scalars['String']['output'];
  /** The serial number printed on the device. */
  readonly serialNumber: Scalars['String']['output'];
  /** The site where the device is installed. */
  readonly site?: Maybe<Site>;
};


/** A piece of hardware in the field that reads sensors and sends samples. */
export type DeviceHealthArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** A piece of hardware in the field that reads sensors and sends samples. */
export type DeviceLastHealthArgs = {
  counters?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** A piece of hardware in the field that reads sensors and sends samples. */
export type DeviceLogsArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** One page of devices. */
export type DeviceConnection = {
  readonly __typename?: 'DeviceConnection';
  readonly edges: ReadonlyArray<DeviceEdge>;
  /** The models and firmware versions of the matching devices, with counts. */
  readonly facets: DeviceFacets;
  /**
   * False if the list may be incomplete: the platform returns at most 10,000 devices, and `totalCount` and all pages cover
   * only those. `Site.devices` and `device(id)` also find the others.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Device>;
  readonly pageInfo: PageInfo;
  /** The number of matching devices on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A device and its cursor in the list. */
export type DeviceEdge = {
  readonly __typename?: 'DeviceEdge';
  /** Pass as `after` to continue after this device. */
  readonly cursor: Scalars['String']['output'];
  readonly node: Device;
  /**
   * The value that the list is sorted by, if `orderBy` is `HEALTH_COUNTER`. Null with other orders, and for a device without
   * a value.
   */
  readonly orderValue?: Maybe<Scalars['Float']['output']>;
};

/** The values in use among the matching devices, the most frequent first, at most 100 of each kind. Costs no REST call. */
export type DeviceFacets = {
  readonly __typename?: 'DeviceFacets';
  readonly firmwareVersions: ReadonlyArray<FacetValue>;
  readonly models: ReadonlyArray<FacetValue>;
};

/** Returns only devices that match every condition that is set. */
export type DeviceFilter = {
  /** The full firmware version, case-sensitive. */
  readonly firmwareVersion?: InputMaybe<Scalars['String']['input']>;
  /** Only these devices, at most 1,000. */
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** The full model number, case-insensitive. */
  readonly modelNumber?: InputMaybe<Scalars['String']['input']>;
  /** Part of the name, case-insensitive. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Only devices at sites of this organization, for example `Organization:12`. Needs the list of sites. */
  readonly organizationId?: InputMaybe<Scalars['ID']['input']>;
  /** Part of the serial number, case-insensitive. */
  readonly serialNumberContains?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only devices without a contact for this long; see `Device.lastContactAt`. A device whose streams have sent a number since
   * then needs no REST call of its own. Every other device needs one for its last health record and one for its last log
   * record.
   */
  readonly silentFor?: InputMaybe<Duration>;
  /** Only devices at this site, for example `Site:16828`. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  /** Only devices at these sites, at most 1,000. */
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** The value of one health counter at one time. */
export type DeviceHealth = {
  readonly __typename?: 'DeviceHealth';
  /** The platform's number for the kind of counter, for example battery voltage. */
  readonly counterTypeId: Scalars['Int']['output'];
  /** The name of the counter, from the gateway's setting `HEALTH_COUNTERS`. Null if the setting does not name this type. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** The platform's number for the record. Newer records have higher numbers. */
  readonly platformId: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  /** The unit of the value, from the same setting. Null if the setting has none. */
  readonly units?: Maybe<Scalars['String']['output']>;
  /** In the unit of the counter type. */
  readonly value: Scalars['Float']['output'];
};

/** One page of health records. */
export type DeviceHealthConnection = {
  readonly __typename?: 'DeviceHealthConnection';
  readonly edges: ReadonlyArray<DeviceHealthEdge>;
  readonly nodes: ReadonlyArray<DeviceHealth>;
  readonly pageInfo: PageInfo;
};

/** A health record and its cursor in the list. */
export type DeviceHealthEdge = {
  readonly __typename?: 'DeviceHealthEdge';
  /** The platform's number for the record. Pass as `after` to continue after this record. */
  readonly cursor: Scalars['String']['output'];
  readonly node: DeviceHealth;
};

/** A record of a device's log. */
export type DeviceLog = {
  readonly __typename?: 'DeviceLog';
  readonly loggedAt: Scalars['DateTime']['output'];
  readonly message: Scalars['String']['output'];
  /** The platform's number for the record. Newer records have higher numbers. */
  readonly platformId: Scalars['String']['output'];
  /** The part of the device that wrote the record. */
  readonly source: Scalars['String']['output'];
};

/** One page of log records. */
export type DeviceLogConnection = {
  readonly __typename?: 'DeviceLogConnection';
  readonly edges: ReadonlyArray<DeviceLogEdge>;
  readonly nodes: ReadonlyArray<DeviceLog>;
  readonly pageInfo: PageInfo;
};

/** A log record and its cursor in the list. */
export type DeviceLogEdge = {
  readonly __typename?: 'DeviceLogEdge';
  /** The platform's number for the record. Pass as `after` to continue after this record. */
  readonly cursor: Scalars['String']['output'];
  readonly node: DeviceLog;
};

/** Sort order of devices. */
export type DeviceOrder = {
  /** The health counter for `HEALTH_COUNTER`: its name, case-insensitive, or the platform's number for its type. */
  readonly counter?: InputMaybe<Scalars['String']['input']>;
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: DeviceOrderField;
};

/** Fields that devices can be sorted by. */
export type DeviceOrderField =
  | 'FIRMWARE_VERSION'
  /**
   * The newest value of the health counter in `counter`, which must be set. Each device needs a REST call, so at most 200
   * devices may match the filter.
   */
  | 'HEALTH_COUNTER'
  | 'ID'
  | 'MODEL_NUMBER'
  | 'NAME'
  | 'SERIAL_NUMBER';

/** A length of time. Set exactly one field, for example `{ hours: 4 }`. */
export type Duration =
  /** At least 1. */
  { readonly days: Scalars['Int']['input']; readonly hours?: never; readonly minutes?: never; }
  |  /** At least 1. */
  { readonly days?: never; readonly hours: Scalars['Int']['input']; readonly minutes?: never; }
  |  /** At least 1. */
  { readonly days?: never; readonly hours?: never; readonly minutes: Scalars['Int']['input']; };

/**
 * The values of `extensions.code` of errors. No field returns this type; clients generate their types from it. See
 * docs/errors.md.
 */
export type ErrorCode =
  /** The credential cannot be verified at the moment. */
  | 'AUTHENTICATION_UNAVAILABLE'
  /** The HTTP request is not a GraphQL request. */
  | 'BAD_REQUEST'
  /** An argument has an impossible value, for example an id of another type or a range that ends before it begins. */
  | 'BAD_USER_INPUT'
  /** The body is an array of operations. */
  | 'BATCHING_REFUSED'
  /** The request body is compressed, which the gateway does not accept. */
  | 'BODY_COMPRESSED'
  /** The request body is larger than `MAX_BODY_BYTES`. */
  | 'BODY_TOO_LARGE'
  /** The client disconnected before the response was complete. */
  | 'CANCELLED'
  /** A fragment contains itself. */
  | 'CIRCULAR_FRAGMENT'
  /** The operation costs more than `MAX_COST`. */
  | 'COST_TOO_HIGH'
  /** The credential of a connection is no longer valid, so its subscriptions ended. */
  | 'CREDENTIAL_EXPIRED'
  /** A page of another site could have sent the request, because it has no header that forces a preflight. */
  | 'CSRF_REFUSED'
  /** The gateway executes trusted documents only, and this document is not one of them. */
  | 'DOCUMENT_NOT_TRUSTED'
  /** The caller is known but not authorized: its credential lacks the scope or is restricted to organizations. */
  | 'FORBIDDEN'
  /** The document has a syntax error. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The operation does not match the schema. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** A defect of the gateway. The log has its cause under the `requestId`. */
  | 'INTERNAL_SERVER_ERROR'
  /** The operation reads the schema, and `INTROSPECTION=off` hides it. */
  | 'INTROSPECTION_OFF'
  /** The document has several operations, and the request does not name one of them. */
  | 'OPERATION_RESOLUTION_FAILURE'
  /** The gateway does not know a document with this hash. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** The gateway accepts no hashes in place of documents. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The platform's response does not match its specification. */
  | 'PLATFORM_BAD_RESPONSE'
  /** The platform's limit on calls or token requests is exhausted; `retryAfterMs` says until when. */
  | 'PLATFORM_RATE_LIMITED'
  /** The platform refuses this call. */
  | 'PLATFORM_REFUSED'
  /** The platform did not respond in time. */
  | 'PLATFORM_TIMEOUT'
  /** The platform refuses the gateway's credential. */
  | 'PLATFORM_UNAUTHORIZED'
  /** The platform could not be reached, answered with a status of 500 or above, or its circuit breaker is open. */
  | 'PLATFORM_UNAVAILABLE'
  /** The caller sends more operations than `RATE_PER_SECOND`, or too many wrong credentials came from its address. */
  | 'RATE_LIMITED'
  /** The client did not read responses or samples in time, so the connection or subscription ended. */
  | 'SLOW_CONSUMER'
  /** The gateway is stopping: it accepts no new requests and ends subscriptions. */
  | 'STOPPING'
  /** A subscription was sent by POST or GET, and the client accepts no stream. */
  | 'SUBSCRIPTION_OVER_HTTP'
  /** The operation has more levels than `MAX_DEPTH`. */
  | 'TOO_DEEP'
  /** The document has more aliases than `MAX_ALIASES`. */
  | 'TOO_MANY_ALIASES'
  /** One place in the document has more directives than `MAX_DIRECTIVES`. */
  | 'TOO_MANY_DIRECTIVES'
  /** One response name is selected more often in one place than `MAX_REPEATS`. */
  | 'TOO_MANY_REPEATS'
  /** The operation has used all of its REST calls, `MAX_REST_CALLS`. Fields that it did not reach are null. */
  | 'TOO_MANY_REST_CALLS'
  /** The operation has more root fields than `MAX_ROOT_FIELDS`. */
  | 'TOO_MANY_ROOT_FIELDS'
  /** The caller has more subscriptions open than `MAX_CALLER_BYTES` allows. */
  | 'TOO_MANY_SUBSCRIPTIONS'
  /** The document has more tokens than `MAX_TOKENS`. */
  | 'TOO_MANY_TOKENS'
  /** The request has no credential, or an invalid one. HTTP status 401, websocket close code 4401. */
  | 'UNAUTHENTICATED';

/** A value that some of the matching items have. */
export type FacetValue = {
  readonly __typename?: 'FacetValue';
  /** The number of matching items with this value, on all pages. */
  readonly count: Scalars['Int']['output'];
  readonly value: Scalars['String']['output'];
};

/** A position reported by a GPS receiver. */
export type GpsPosition = {
  readonly __typename?: 'GpsPosition';
  /** In metres. Null if unknown. */
  readonly altitude?: Maybe<Scalars['Float']['output']>;
  /** Dilution of precision: lower values are more precise. Null if unknown. */
  readonly dilutionOfPrecision?: Maybe<Scalars['Float']['output']>;
  /** Decimal degrees, -90 to 90. */
  readonly latitude: Scalars['Float']['output'];
  /** Decimal degrees, -180 to 180. */
  readonly longitude: Scalars['Float']['output'];
  /** When the position was measured. Null if unknown. */
  readonly measuredAt?: Maybe<Scalars['DateTime']['output']>;
  /** The number of satellites used. Null if unknown. */
  readonly satelliteCount?: Maybe<Scalars['Int']['output']>;
};

/**
 * Hours of the day in the time zone of the field, for example `{ from: 2, to: 4 }` for the night minimum of a flow. If `from`
 * is greater than `to`, the hours go over midnight.
 */
export type HoursOfDay = {
  /** 0 to 23, inclusive. */
  readonly from: Scalars['Int']['input'];
  /** 0 to 24, exclusive. */
  readonly to: Scalars['Int']['input'];
};

/** An image taken by a device. */
export type ImageSample = Node & Sample & {
  readonly __typename?: 'ImageSample';
  /** The size of the file in bytes. Null if unknown. */
  readonly byteSize?: Maybe<Scalars['Int']['output']>;
  /** The media type according to the file extension in `url`, for example `image/jpeg`. Null if the extension is unknown. */
  readonly contentType?: Maybe<Scalars['String']['output']>;
  /** In pixels. Null if unknown. */
  readonly height?: Maybe<Scalars['Int']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  /** The address of the image file. */
  readonly url: Scalars['String']['output'];
  /** In pixels. Null if unknown. */
  readonly width?: Maybe<Scalars['Int']['output']>;
};

/** One page of images. */
export type ImageSampleConnection = {
  readonly __typename?: 'ImageSampleConnection';
  readonly edges: ReadonlyArray<ImageSampleEdge>;
  readonly nodes: ReadonlyArray<ImageSample>;
  readonly pageInfo: PageInfo;
  /** The number of images on all pages. Counting can need additional REST calls. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** An image and its cursor in the list. */
export type ImageSampleEdge = {
  readonly __typename?: 'ImageSampleEdge';
  /** Pass as `after` to continue after this image. */
  readonly cursor: Scalars['String']['output'];
  readonly node: ImageSample;
};

/** A list argument of which each item adds up to `size` items to the result. */
export type ListSizeFactor = {
  readonly argument: Scalars['String']['input'];
  readonly size: Scalars['Int']['input'];
};

/** A point on the earth (WGS 84). */
export type Location = {
  readonly __typename?: 'Location';
  /** Decimal degrees, -90 to 90. */
  readonly latitude: Scalars['Float']['output'];
  /** Decimal degrees, -180 to 180. */
  readonly longitude: Scalars['Float']['output'];
};

/**
 * Changes on the platform. The gateway checks each input first. If it finds problems, it returns them in `userErrors` and
 * writes nothing; otherwise it sends the change exactly once. The fields of an operation run one after another, and each
 * sees the changes of the fields before it.
 *
 * Every mutation sets a final state, so repeating it has no further effect. If a mutation fails with
 * `mayHaveTakenEffect: true` in its error, the result is unknown and you can safely repeat it.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Confirms that you have stored all samples of a delivery queue up to and including this one. From then on,
   * `Query.sampleBatch` starts after it. Confirm samples in the order of the queue; use `backfillSamples` to go back.
   */
  readonly acknowledgeSamples?: Maybe<AcknowledgeSamplesPayload>;
  /**
   * Moves a delivery queue to a point in time. From then on, `Query.sampleBatch` starts with the sample whose `sampledAt` is
   * nearest to it.
   */
  readonly backfillSamples?: Maybe<BackfillSamplesPayload>;
  /**
   * Sets custom attributes of sites, either all of them or none. Replaces existing values and leaves other attributes
   * unchanged.
   */
  readonly setSiteCustomAttributes?: Maybe<SetSiteCustomAttributesPayload>;
  /**
   * Sets custom attributes of streams, either all of them or none. Replaces existing values and leaves other attributes
   * unchanged.
   */
  readonly setStreamCustomAttributes?: Maybe<SetStreamCustomAttributesPayload>;
  /** Replaces all levels of a stream's threshold. An empty list removes all levels. */
  readonly setStreamThreshold?: Maybe<SetStreamThresholdPayload>;
};


/**
 * Changes on the platform. The gateway checks each input first. If it finds problems, it returns them in `userErrors` and
 * writes nothing; otherwise it sends the change exactly once. The fields of an operation run one after another, and each
 * sees the changes of the fields before it.
 *
 * Every mutation sets a final state, so repeating it has no further effect. If a mutation fails with
 * `mayHaveTakenEffect: true` in its error, the result is unknown and you can safely repeat it.
 */
export type MutationAcknowledgeSamplesArgs = {
  input: AcknowledgeSamplesInput;
};


/**
 * Changes on the platform. The gateway checks each input first. If it finds problems, it returns them in `userErrors` and
 * writes nothing; otherwise it sends the change exactly once. The fields of an operation run one after another, and each
 * sees the changes of the fields before it.
 *
 * Every mutation sets a final state, so repeating it has no further effect. If a mutation fails with
 * `mayHaveTakenEffect: true` in its error, the result is unknown and you can safely repeat it.
 */
export type MutationBackfillSamplesArgs = {
  input: BackfillSamplesInput;
};


/**
 * Changes on the platform. The gateway checks each input first. If it finds problems, it returns them in `userErrors` and
 * writes nothing; otherwise it sends the change exactly once. The fields of an operation run one after another, and each
 * sees the changes of the fields before it.
 *
 * Every mutation sets a final state, so repeating it has no further effect. If a mutation fails with
 * `mayHaveTakenEffect: true` in its error, the result is unknown and you can safely repeat it.
 */
export type MutationSetSiteCustomAttributesArgs = {
  input: SetSiteCustomAttributesInput;
};


/**
 * Changes on the platform. The gateway checks each input first. If it finds problems, it returns them in `userErrors` and
 * writes nothing; otherwise it sends the change exactly once. The fields of an operation run one after another, and each
 * sees the changes of the fields before it.
 *
 * Every mutation sets a final state, so repeating it has no further effect. If a mutation fails with
 * `mayHaveTakenEffect: true` in its error, the result is unknown and you can safely repeat it.
 */
export type MutationSetStreamCustomAttributesArgs = {
  input: SetStreamCustomAttributesInput;
};


/**
 * Changes on the platform. The gateway checks each input first. If it finds problems, it returns them in `userErrors` and
 * writes nothing; otherwise it sends the change exactly once. The fields of an operation run one after another, and each
 * sees the changes of the fields before it.
 *
 * Every mutation sets a final state, so repeating it has no further effect. If a mutation fails with
 * `mayHaveTakenEffect: true` in its error, the result is unknown and you can safely repeat it.
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
  /** The radius in kilometres, greater than 0. */
  readonly radiusKm: Scalars['Float']['input'];
};

/** An object with a globally unique id. `node(id)` loads any of them. */
export type Node = {
  /** The type name and the platform's number, unique over the whole graph: `Site:16828`. */
  readonly id: Scalars['ID']['output'];
};

/** An action that notifies a group of users. */
export type NotificationAction = {
  readonly __typename?: 'NotificationAction';
  readonly relevanceThreshold?: Maybe<Scalars['Int']['output']>;
  /** How often the notification of the whole group is repeated if it fails. */
  readonly repeatsForAllOnFailed?: Maybe<Scalars['Int']['output']>;
  /** How often a failed notification of one user is repeated. */
  readonly repeatsPerUserOnFailed?: Maybe<Scalars['Int']['output']>;
  readonly type: NotificationType;
  /** The platform's number for the group of users to notify. Null if no group is set. */
  readonly userGroupPlatformId?: Maybe<Scalars['String']['output']>;
};

/** An action that notifies a group of users. All numbers are whole numbers from 0. */
export type NotificationActionInput = {
  readonly relevanceThreshold?: InputMaybe<Scalars['Int']['input']>;
  /** How often the notification of the whole group is repeated if it fails. */
  readonly repeatsForAllOnFailed?: InputMaybe<Scalars['Int']['input']>;
  /** How often a failed notification of one user is repeated. */
  readonly repeatsPerUserOnFailed?: InputMaybe<Scalars['Int']['input']>;
  readonly type: NotificationType;
  /** The platform's number for the group of users to notify. */
  readonly userGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
};

/** How users are notified. */
export type NotificationType =
  | 'MAIL'
  | 'SMS'
  | 'TICKET_SYSTEM'
  | 'VOICE';

/** A range of numbers. Omit a bound to leave the range open there. */
export type NumberRange = {
  /** The highest number of the range. */
  readonly max?: InputMaybe<Scalars['Float']['input']>;
  /** The lowest number of the range. */
  readonly min?: InputMaybe<Scalars['Float']['input']>;
};

/** Sort direction. Items without a value come last in both directions. */
export type OrderDirection =
  /** Ascending: A to Z, lowest or oldest first. */
  | 'ASC'
  /** Descending: Z to A, highest or newest first. */
  | 'DESC';

/** Statistics that streams can be sorted by; see `Aggregate`. */
export type OrderStatistic =
  | 'AVG'
  | 'COUNT'
  /** The consumption that a counter has counted. Needs the samples. */
  | 'DELTA'
  /** The integral over time, for example the volume of a flow. Needs the samples. */
  | 'INTEGRAL'
  | 'LAST'
  | 'MAX'
  | 'MIN'
  | 'SUM'
  /** Needs the samples. */
  | 'TIME_WEIGHTED_AVG';

/** A part of the account that owns sites, for example a utility, a region or a customer. */
export type Organization = Node & {
  readonly __typename?: 'Organization';
  /** The platform's number for the account that the organization belongs to. Null if the platform does not know. */
  readonly accountPlatformId?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  /** The platform's number for the organization, for example `12`. */
  readonly platformId: Scalars['String']['output'];
  /**
   * The sites of this organization. The platform often omits the organization of a site. If the account has one
   * organization, such sites belong to it; if it has several, they belong to none.
   */
  readonly sites?: Maybe<SiteConnection>;
};


/** A part of the account that owns sites, for example a utility, a region or a customer. */
export type OrganizationSitesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<SiteFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<SiteOrder>;
};

/** One page of organizations. */
export type OrganizationConnection = {
  readonly __typename?: 'OrganizationConnection';
  readonly edges: ReadonlyArray<OrganizationEdge>;
  /**
   * False if the list may be incomplete: the platform returns at most 10,000 organizations, and `totalCount` and all pages
   * cover only those. `organization(id)` also finds the others.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Organization>;
  readonly pageInfo: PageInfo;
  /** The number of organizations on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** An organization and its cursor in the list. */
export type OrganizationEdge = {
  readonly __typename?: 'OrganizationEdge';
  /** Pass as `after` to continue after this organization. */
  readonly cursor: Scalars['String']['output'];
  readonly node: Organization;
};

/** Sort order of organizations. */
export type OrganizationOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: OrganizationOrderField;
};

/** Fields that organizations can be sorted by. */
export type OrganizationOrderField =
  | 'ID'
  | 'NAME';

/** An action that switches an output of the device. */
export type OutputAction = {
  readonly __typename?: 'OutputAction';
  /** The number of the output, 0 to 15. */
  readonly channelNumber: Scalars['Int']['output'];
  readonly type: OutputActionType;
};

/** An action that switches an output of the device. */
export type OutputActionInput = {
  /** The number of the output, 0 to 15. */
  readonly channelNumber: Scalars['Int']['input'];
  readonly type: OutputActionType;
};

/** How an output is switched. */
export type OutputActionType =
  | 'PULSE_ONCE'
  | 'SET_DOWN'
  | 'SET_UP';

/** The position of a page in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** The cursor of the last item on this page. Pass as `after` to get the next page. Null if the page is empty. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** True if there are items after `endCursor`. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** True if there are items before `startCursor`. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first item on this page. Null if the page is empty. */
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
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type Query = {
  readonly __typename?: 'Query';
  /** The channel with this id. Null if there is none. */
  readonly channel?: Maybe<Channel>;
  /** The channels of the account. */
  readonly channels?: Maybe<ChannelConnection>;
  /**
   * Charts of up to 50 streams as rows, for tools that read rows. Set `streamIds`, `siteIds` or both. The rows are sorted by
   * time, then in the order of the streams. With `every`, a row is the mean of an interval. Without it, each stream is reduced
   * to at most `maxPoints` points like `Stream.series`, and a row with a null value marks a gap. At most 25,000 rows. If a chart
   * fails, the whole `data` is null, so send each chart in an operation of its own.
   */
  readonly chart: ReadonlyArray<ChartRow>;
  /** The device with this id. Null if there is none. */
  readonly device?: Maybe<Device>;
  /** The device with this serial number, as printed on it. Null if there is none. */
  readonly deviceBySerialNumber?: Maybe<Device>;
  /** The devices of the account. */
  readonly devices?: Maybe<DeviceConnection>;
  /** The image with this id. Null if there is none. */
  readonly image?: Maybe<ImageSample>;
  /** The account's images taken at or after `since`, oldest first. */
  readonly images?: Maybe<ImageSampleConnection>;
  /** Any entity or sample by its typed id, for example `Site:16828`. Null if nothing has this id. */
  readonly node?: Maybe<Node>;
  /**
   * Several entities or samples by their typed ids, in the order of `ids`. An item is null if nothing has its id. Each number
   * or RFID read needs a REST call, which also loads the samples that arrived next to it in the same stream.
   */
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  /** The organization with this id. Null if there is none. */
  readonly organization?: Maybe<Organization>;
  /** The organizations of the account. */
  readonly organizations?: Maybe<OrganizationConnection>;
  /**
   * The RFID reads of the account taken at or after `since`, oldest first, with the distinct tags in them. The gateway reads
   * either the account's reads page by page, or those of each site with readers, whichever takes fewer REST calls. Fails if
   * there are more than 50,000 reads: use a later `since` then.
   */
  readonly rfidReads?: Maybe<RfidReadConnection>;
  /**
   * The samples in the platform's delivery queue for the gateway's credential, starting after the last acknowledged sample,
   * at most 10,000. Reading does not change the queue: it returns the same samples until `acknowledgeSamples` moves it.
   * Callers that are restricted to organizations cannot use it, because the queue contains the samples of the whole account.
   */
  readonly sampleBatch?: Maybe<SampleBatch>;
  /** The last acknowledged sample of a delivery queue. Null if none has been acknowledged. */
  readonly sampleBatchStatus?: Maybe<Sample>;
  /**
   * The numbers of up to 100 streams, in the order of `streamIds`. `range`, `first` and `order` work as in `Stream.samples`.
   * Each stream needs at least one REST call. If one stream fails, only its `samples` are null.
   */
  readonly samplesOf?: Maybe<ReadonlyArray<StreamSamples>>;
  /**
   * The sites, devices and streams that match a text best. Each word must occur in the name, the serial number or the
   * platform's number of the object, or in the name of its site. Upper and lower case are the same. The gateway searches its
   * cached lists of the selected kinds and of the sites.
   */
  readonly search?: Maybe<SearchResult>;
  /**
   * Up to 50 streams of any sites on one time axis, for a chart that compares them. Works like `Site.series`. Streams that do
   * not exist have no line.
   */
  readonly seriesOf?: Maybe<SharedSeries>;
  /** The site with this id. Null if there is none. */
  readonly site?: Maybe<Site>;
  /** The names of all custom attributes that sites of this account can have. */
  readonly siteCustomAttributeNames?: Maybe<ReadonlyArray<CustomAttributeName>>;
  /**
   * The sites of the account. The gateway applies filters itself, so a filtered query needs no more REST calls than an
   * unfiltered one.
   */
  readonly sites?: Maybe<SiteConnection>;
  /** The stream with this id. Null if there is none. */
  readonly stream?: Maybe<Stream>;
  /** The names of all custom attributes that streams of this account can have. */
  readonly streamCustomAttributeNames?: Maybe<ReadonlyArray<CustomAttributeName>>;
  /** The streams of the account. */
  readonly streams?: Maybe<StreamConnection>;
  /**
   * The times at which up to 50 streams entered another level of their threshold, for annotations of a chart. The gateway
   * derives them from the samples in `range` and today's levels: a change counts once the values have stayed in the level for
   * its `falseAlarmFilterSeconds`. The first sample of the range is not a change. Fails if a stream has more than 20,000
   * samples in the range.
   */
  readonly thresholdChanges?: Maybe<ReadonlyArray<ThresholdChangeRow>>;
  /** The date and time formats of the user that the gateway is logged in as. */
  readonly uiPreferences?: Maybe<UiPreferences>;
  /** The user with this id. Null if there is none. */
  readonly user?: Maybe<User>;
  /** The users of the account. Empty for callers that are restricted to organizations. */
  readonly users?: Maybe<UserConnection>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryChannelArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryChannelsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ChannelFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ChannelOrder>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryChartArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  every?: InputMaybe<AggregateInterval>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  range: TimeRange;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryDeviceArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryDeviceBySerialNumberArgs = {
  serialNumber: Scalars['String']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryDevicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<DeviceFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<DeviceOrder>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryImageArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryOrganizationArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryOrganizationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<OrganizationOrder>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QuerySampleBatchArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  backfillHours?: InputMaybe<Scalars['Int']['input']>;
  kind: SampleBatchKind;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QuerySampleBatchStatusArgs = {
  kind: SampleBatchKind;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QuerySamplesOfArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<OrderDirection>;
  range?: InputMaybe<TimeRange>;
  streamIds: ReadonlyArray<Scalars['ID']['input']>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QuerySearchArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  text: Scalars['String']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QuerySeriesOfArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  range: TimeRange;
  streamIds: ReadonlyArray<Scalars['ID']['input']>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QuerySiteArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QuerySitesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<SiteFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<SiteOrder>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryStreamArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryStreamsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<StreamFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<StreamOrder>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryThresholdChangesArgs = {
  range: TimeRange;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Data that can be queried. Arguments accept ids in two forms: the typed id, for example `Site:16828`, and the platform's
 * number, `16828`. Only `node` and `nodes` require typed ids.
 *
 * Long lists are Relay connections: `first` sets the page size (1 to 1,000), and `after` takes `pageInfo.endCursor` of the
 * previous page.
 */
export type QueryUsersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<UserOrder>;
};

/** One page of the account's RFID reads, and the tags in all of them. */
export type RfidReadConnection = {
  readonly __typename?: 'RfidReadConnection';
  readonly edges: ReadonlyArray<RfidSampleEdge>;
  readonly nodes: ReadonlyArray<RfidSample>;
  readonly pageInfo: PageInfo;
  /** The number of distinct tags in the matching reads on all pages. */
  readonly tagCount: Scalars['Int']['output'];
  /** The distinct tags in the matching reads on all pages, those seen last first. */
  readonly tags: ReadonlyArray<RfidTag>;
  /** The number of matching reads on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};


/** One page of the account's RFID reads, and the tags in all of them. */
export type RfidReadConnectionTagsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Returns only RFID reads that match every condition that is set. */
export type RfidReadFilter = {
  /** Only reads of these streams, at most 1,000. */
  readonly streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Only reads that detected this tag. */
  readonly tagId?: InputMaybe<Scalars['String']['input']>;
  /** Only reads that detected one of these tags. */
  readonly tagIds?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** The tags that an RFID reader detected in one time window. */
export type RfidSample = Node & Sample & {
  readonly __typename?: 'RfidSample';
  /** End of the time window. Null if the platform does not know. */
  readonly endAt?: Maybe<Scalars['DateTime']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  /** The position of the reader. Null if the reader had no position. */
  readonly position?: Maybe<GpsPosition>;
  /** The tags as the platform sends them: all in one text. */
  readonly rawTagIds: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  /** Start of the time window. Null if the platform does not know. */
  readonly startAt?: Maybe<Scalars['DateTime']['output']>;
  readonly stream?: Maybe<Stream>;
  /** The ids of the detected tags, in the platform's order. */
  readonly tagIds: ReadonlyArray<Scalars['String']['output']>;
};

/** One page of RFID reads. */
export type RfidSampleConnection = {
  readonly __typename?: 'RfidSampleConnection';
  readonly edges: ReadonlyArray<RfidSampleEdge>;
  readonly nodes: ReadonlyArray<RfidSample>;
  readonly pageInfo: PageInfo;
  /** The number of RFID reads on all pages. Counting can need additional REST calls. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** An RFID read and its cursor in the list. */
export type RfidSampleEdge = {
  readonly __typename?: 'RfidSampleEdge';
  /** Pass as `after` to continue after this RFID read. */
  readonly cursor: Scalars['String']['output'];
  readonly node: RfidSample;
};

/** A tag that RFID readers have detected. */
export type RfidTag = {
  readonly __typename?: 'RfidTag';
  /** The time of the first read in the range that detected the tag. */
  readonly firstSeenAt: Scalars['DateTime']['output'];
  /** The last read that detected the tag: where it was seen. */
  readonly lastRead: RfidSample;
  /** The time of the last read that detected the tag. */
  readonly lastSeenAt: Scalars['DateTime']['output'];
  /** The number of reads that detected the tag. */
  readonly readCount: Scalars['Int']['output'];
  readonly tagId: Scalars['String']['output'];
};

/** A measurement that a device sent: a number, an image or an RFID read. */
export type Sample = {
  /**
   * The typed id. Ids of numbers and RFID reads contain the stream's number and the sample's number:
   * `ScalarSample:88001:90210`. Ids of images contain only the image's number: `ImageSample:501`. Samples that arrive later
   * have higher numbers.
   */
  readonly id: Scalars['ID']['output'];
  /** The platform's number for the sample, for example `90210`. */
  readonly platformId: Scalars['String']['output'];
  /** When the device took the sample. The sample may have arrived much later. */
  readonly sampledAt: Scalars['DateTime']['output'];
  /** The stream that the sample belongs to. */
  readonly stream?: Maybe<Stream>;
};

/** An action that changes how one stream, or one group of streams, is sampled. */
export type SampleAction = {
  readonly __typename?: 'SampleAction';
  /** The platform's number for the group of streams to change. Null if the action changes one stream. */
  readonly sampleGroupPlatformId?: Maybe<Scalars['String']['output']>;
  /** The stream to change. Null if the action changes a group. */
  readonly stream?: Maybe<Stream>;
  readonly type: SampleActionType;
};

/** An action that changes how a stream or a group of streams is sampled. Set either `streamId` or `sampleGroupPlatformId`. */
export type SampleActionInput = {
  /** The platform's number for the group of streams. */
  readonly sampleGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
  /** The id of the stream, for example `Stream:88001`. */
  readonly streamId?: InputMaybe<Scalars['ID']['input']>;
  readonly type: SampleActionType;
};

/** How the sampling of a stream changes. */
export type SampleActionType =
  | 'PAUSE'
  | 'PAUSE_SINGLE'
  | 'RESUME'
  | 'SINGLE';

/** The content of a delivery queue. */
export type SampleBatch = {
  readonly __typename?: 'SampleBatch';
  /** True if the queue contains more samples after the last one in this batch. */
  readonly hasMore: Scalars['Boolean']['output'];
  /** In order of arrival. */
  readonly samples: ReadonlyArray<Sample>;
};

/** The platform's delivery queues. */
export type SampleBatchKind =
  /** The queue of RFID reads (`RfidSample`). */
  | 'RFID'
  /** The queue of numbers (`ScalarSample`). */
  | 'SCALAR';

/** Kinds of samples. */
export type SampleKind =
  /** Images, see `ImageSample`. */
  | 'IMAGE'
  /** RFID reads, see `RfidSample`. */
  | 'RFID'
  /** Numbers, see `ScalarSample`. */
  | 'SCALAR';

/** A numeric measurement. */
export type ScalarSample = Node & Sample & {
  readonly __typename?: 'ScalarSample';
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  /** The text that the platform sends, for example `102.0000`. */
  readonly rawValue: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  /** The value in the stream's units. Null if `rawValue` is not a number. */
  readonly value?: Maybe<Scalars['Float']['output']>;
};

/** One page of numbers. */
export type ScalarSampleConnection = {
  readonly __typename?: 'ScalarSampleConnection';
  readonly edges: ReadonlyArray<ScalarSampleEdge>;
  readonly nodes: ReadonlyArray<ScalarSample>;
  readonly pageInfo: PageInfo;
  /** The number of samples on all pages. Counting can need additional REST calls. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A number and its cursor in the list. */
export type ScalarSampleEdge = {
  readonly __typename?: 'ScalarSampleEdge';
  /** Pass as `after` to continue after this sample. */
  readonly cursor: Scalars['String']['output'];
  readonly node: ScalarSample;
};

/** The objects that match a text best: equal names first, then names that begin with the text, then others by name. */
export type SearchResult = {
  readonly __typename?: 'SearchResult';
  readonly devices?: Maybe<ReadonlyArray<Device>>;
  readonly sites?: Maybe<ReadonlyArray<Site>>;
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
};

/**
 * Numbers over time as columns: `times[i]` belongs to `values[i]`, `min[i]` and `max[i]`. A gap is a pause of more than two
 * and a half times the usual interval, which is the median time between two samples in the range. A gap appears as a point
 * with a null value; do not draw the line across it.
 */
export type Series = {
  readonly __typename?: 'Series';
  /** The share of the range that has data, from 0 (no data) to 1 (no gaps). */
  readonly coverage: Scalars['Float']['output'];
  /**
   * Pass it as `after` to get only the points that are new or changed. In the series that you have, remove the points from
   * `replaceFrom` on and append the new ones. It then equals the full series, late samples included. Keep `from` and move only
   * `to`: with another `from`, `maxPoints` or `method` you get the full series.
   */
  readonly cursor: Scalars['String']['output'];
  /** The highest value that each point represents, in the stream's units. Null marks a gap. */
  readonly max: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly method: SeriesMethod;
  /** The lowest value that each point represents, in the stream's units. Null marks a gap. */
  readonly min: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  /** True if there are fewer points than samples, because samples were left out or combined. */
  readonly reduced: Scalars['Boolean']['output'];
  /** Replace the points that you have from this time on by these points. Unix milliseconds. */
  readonly replaceFrom: Scalars['Float']['output'];
  readonly source: SeriesSource;
  /** The number of samples that the series represents. Samples without a numeric value do not count. */
  readonly sourceCount: Scalars['Int']['output'];
  /** Unix milliseconds in ascending order. Samples taken at the same instant have equal times. */
  readonly times: ReadonlyArray<Scalars['Float']['output']>;
  /** In the stream's units. Null marks a gap. */
  readonly values: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
};

/** The values of one stream. Item `i` of each list belongs to `times[i]` of the shared series. */
export type SeriesLine = {
  readonly __typename?: 'SeriesLine';
  /** The share of the range that has data, from 0 (no data) to 1 (no gaps). */
  readonly coverage: Scalars['Float']['output'];
  /** The highest number of each interval, in the stream's units. */
  readonly max: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  /** The lowest number of each interval, in the stream's units. */
  readonly min: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  /** The number of samples that the line represents. */
  readonly sourceCount: Scalars['Int']['output'];
  readonly stream?: Maybe<Stream>;
  /** The mean of each interval, in the stream's units. Null if the stream has no number in the interval. */
  readonly values: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
};

/** How a series is reduced to `maxPoints` points. */
export type SeriesMethod =
  /**
   * Largest Triangle Three Buckets. Returns real samples: the first, the last, and those that preserve the shape of the
   * line.
   */
  | 'LTTB'
  /** The mean of each time bucket, placed at the middle of the bucket. */
  | 'MEAN'
  /** The lowest and the highest sample of each time bucket. No spike is lost. */
  | 'MIN_MAX';

/** The data that a series was computed from. */
export type SeriesSource =
  /**
   * The platform's aggregates of 10 to 60 minutes. MEAN and MIN_MAX use them if each time bucket consists of whole
   * aggregates, and they are smaller than the samples. Values are rounded to four decimals, an extreme is placed in the
   * middle of its aggregate, and a gap is visible only if it leaves a whole aggregate empty.
   */
  | 'AGGREGATES'
  /** The samples. */
  | 'SAMPLES';

/** Input of `setSiteCustomAttributes`. */
export type SetSiteCustomAttributesInput = {
  /** 1 to 10,000 entries. Each attribute of a site can occur only once. */
  readonly attributes: ReadonlyArray<SiteCustomAttributeInput>;
};

/** Result of `setSiteCustomAttributes`. */
export type SetSiteCustomAttributesPayload = {
  readonly __typename?: 'SetSiteCustomAttributesPayload';
  /** The changed sites in their new state. Null if nothing was written. */
  readonly sites?: Maybe<ReadonlyArray<Maybe<Site>>>;
  /** Problems with the input. Empty if the change was written. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Input of `setStreamCustomAttributes`. */
export type SetStreamCustomAttributesInput = {
  /** 1 to 10,000 entries. Each attribute of a stream can occur only once. */
  readonly attributes: ReadonlyArray<StreamCustomAttributeInput>;
};

/** Result of `setStreamCustomAttributes`. */
export type SetStreamCustomAttributesPayload = {
  readonly __typename?: 'SetStreamCustomAttributesPayload';
  /** The changed streams in their new state. Null if nothing was written. */
  readonly streams?: Maybe<ReadonlyArray<Maybe<Stream>>>;
  /** Problems with the input. Empty if the change was written. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/** Input of `setStreamThreshold`. */
export type SetStreamThresholdInput = {
  /** At most 100 levels, from the lowest to the highest. An empty list removes all levels. */
  readonly levels: ReadonlyArray<ThresholdLevelInput>;
  /** The id of the stream, for example `Stream:88001`. */
  readonly streamId: Scalars['ID']['input'];
};

/** Result of `setStreamThreshold`. */
export type SetStreamThresholdPayload = {
  readonly __typename?: 'SetStreamThresholdPayload';
  /** The stream with its new threshold. Null if nothing was written. */
  readonly stream?: Maybe<Stream>;
  /** Problems with the input. Empty if the change was written. */
  readonly userErrors: ReadonlyArray<UserError>;
};

/**
 * Several streams on one time axis. Each value is the mean of one stream in one interval. All intervals have the same
 * length: long enough that there are at most `maxPoints` of them, and that the slowest stream has a number in each.
 */
export type SharedSeries = {
  readonly __typename?: 'SharedSeries';
  /**
   * Pass it as `after` to get only the points that are new or changed. In the series that you have, remove the points from
   * `replaceFrom` on and append the new ones. It then equals the full series, late samples included. Keep `from` and move only
   * `to`: with another `from`, `maxPoints` or other streams you get the full series.
   */
  readonly cursor: Scalars['String']['output'];
  /** The length of each interval in seconds. */
  readonly intervalSeconds: Scalars['Float']['output'];
  /** One line per stream, in the order of `streamIds` or of `Site.streams`. Null for a stream that could not be read. */
  readonly lines: ReadonlyArray<Maybe<SeriesLine>>;
  /** Replace the points that you have from this time on by these points. Unix milliseconds. */
  readonly replaceFrom: Scalars['Float']['output'];
  /** The middle of each interval in which at least one stream has a number. Unix milliseconds in ascending order. */
  readonly times: ReadonlyArray<Scalars['Float']['output']>;
};

/** A location where devices are installed, for example a pumping station, a weather mast or a barn. */
export type Site = Node & {
  readonly __typename?: 'Site';
  /** When the site was set up. Null if the platform does not know. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The custom attributes of the site. */
  readonly customAttributes?: Maybe<ReadonlyArray<CustomAttribute>>;
  /** The devices installed at this site. */
  readonly devices?: Maybe<ReadonlyArray<Device>>;
  /**
   * Great-circle distance from a point, in kilometres, rounded to metres. Null if the platform has no coordinates for the
   * site. In a list with a `near` filter, use `SiteEdge.distanceKm` for the distance from the point of the filter.
   */
  readonly distanceKm?: Maybe<Scalars['Float']['output']>;
  readonly id: Scalars['ID']['output'];
  /**
   * The images of the site's streams taken at or after `since`, oldest first. Streams with units are skipped, because they
   * measure numbers.
   */
  readonly images?: Maybe<ImageSampleConnection>;
  /** Null if the platform has no coordinates for the site. */
  readonly location?: Maybe<Location>;
  readonly name: Scalars['String']['output'];
  /** When the newest number of the site's streams was measured. Null if there is none. */
  readonly newestSampledAt?: Maybe<Scalars['DateTime']['output']>;
  /** The organization that owns the site. Null if the account has several organizations and the platform does not say which. */
  readonly organization?: Maybe<Organization>;
  /** The platform's number for the site, for example `16828`. */
  readonly platformId: Scalars['String']['output'];
  /** The site's RFID reads taken at or after `since`, oldest first. */
  readonly rfidReads?: Maybe<RfidSampleConnection>;
  /**
   * Up to 100 numbers of this site in order of arrival. Without `after`: the newest. With `after`: the numbers that arrived
   * after that sample.
   */
  readonly samplesAfter?: Maybe<ReadonlyArray<ScalarSample>>;
  /** The site's numbers taken at or after `since`, oldest first. */
  readonly samplesSince?: Maybe<ScalarSampleConnection>;
  /** Up to 50 of the site's streams on one time axis, for a chart with several lines. Set either `streamIds` or `type`. */
  readonly series?: Maybe<SharedSeries>;
  /** The platform's name for the state of the site, for example `Active`. */
  readonly status: Scalars['String']['output'];
  /** The streams measured at this site. */
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
  /** The most serious alarm level of the site's streams. `Threshold.level` says how the gateway finds it. */
  readonly worstAlarm?: Maybe<AlarmLevel>;
};


/** A location where devices are installed, for example a pumping station, a weather mast or a barn. */
export type SiteDistanceKmArgs = {
  from: PointInput;
};


/** A location where devices are installed, for example a pumping station, a weather mast or a barn. */
export type SiteImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A location where devices are installed, for example a pumping station, a weather mast or a barn. */
export type SiteRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A location where devices are installed, for example a pumping station, a weather mast or a barn. */
export type SiteSamplesAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


/** A location where devices are installed, for example a pumping station, a weather mast or a barn. */
export type SiteSamplesSinceArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A location where devices are installed, for example a pumping station, a weather mast or a barn. */
export type SiteSeriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  range: TimeRange;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  type?: InputMaybe<Scalars['String']['input']>;
};

/** One page of sites. */
export type SiteConnection = {
  readonly __typename?: 'SiteConnection';
  readonly edges: ReadonlyArray<SiteEdge>;
  /** The statuses of the matching sites, with counts. */
  readonly facets: SiteFacets;
  /**
   * False if the list may be incomplete: the platform returns at most 10,000 sites, and `totalCount` and all pages cover
   * only those. `site(id)` also finds the others.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Site>;
  readonly pageInfo: PageInfo;
  /** The number of matching sites on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** The new value of one attribute of one site. Set either `attributeId` or `name`. */
export type SiteCustomAttributeInput = {
  /** The platform's number for the attribute, see `Query.siteCustomAttributeNames`. */
  readonly attributeId?: InputMaybe<Scalars['ID']['input']>;
  /** The exact name of the attribute. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** The id of the site, for example `Site:16828`. */
  readonly siteId: Scalars['ID']['input'];
  /** At most 256 characters. */
  readonly value: Scalars['String']['input'];
};

/** A site and its cursor in the list. */
export type SiteEdge = {
  readonly __typename?: 'SiteEdge';
  /** Pass as `after` to continue after this site. */
  readonly cursor: Scalars['String']['output'];
  /**
   * Great-circle distance of the site from the point of the `near` filter, in kilometres, rounded to metres. Null in lists
   * without a `near` filter.
   */
  readonly distanceKm?: Maybe<Scalars['Float']['output']>;
  readonly node: Site;
};

/** The values in use among the matching sites, the most frequent first, at most 100 of each kind. Costs no REST call. */
export type SiteFacets = {
  readonly __typename?: 'SiteFacets';
  readonly statuses: ReadonlyArray<FacetValue>;
};

/**
 * Returns only sites that match every condition that is set. The conditions that cost REST calls are checked last, and only
 * for the sites that match all others.
 */
export type SiteFilter = {
  /** Only sites with this custom attribute. Needs the attributes: one REST call for all sites, cached. */
  readonly customAttribute?: InputMaybe<CustomAttributeCondition>;
  /** Only these sites, at most 1,000. */
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Part of the name, case-insensitive. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only sites inside this circle, nearest first unless `orderBy` is set. Sites without coordinates are excluded.
   * `SiteEdge.distanceKm` returns the distance of each site.
   */
  readonly near?: InputMaybe<NearPoint>;
  /** Only sites of this organization, for example `Organization:12`. */
  readonly organizationId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * Only sites where no stream has sent a number for this long. Costs the same as `StreamFilter.silentFor`, but only for the
   * streams of sites without a recent number. Leaves out sites where no stream has units or has ever sent a number.
   */
  readonly silentFor?: InputMaybe<Duration>;
  /** The full status, case-insensitive, for example `Active`. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Only sites inside this box. Sites without coordinates are excluded. */
  readonly within?: InputMaybe<BoundingBox>;
  /** Only sites whose most serious stream has one of these alarm levels. Costs the same as `StreamFilter.alarmLevel`. */
  readonly worstAlarm?: InputMaybe<ReadonlyArray<AlarmLevel>>;
};

/** Sort order of sites. */
export type SiteOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: SiteOrderField;
};

/** Fields that sites can be sorted by. */
export type SiteOrderField =
  | 'CREATED_AT'
  /** The distance from the point of the `near` filter. Requires that filter. */
  | 'DISTANCE'
  | 'ID'
  | 'NAME'
  /** The time of the newest number at the site: the site that has been silent for longest comes first. */
  | 'NEWEST_SAMPLED_AT'
  | 'STATUS'
  /** The most serious alarm level of the site's streams, from `NONE` to `EMERGENCY`. */
  | 'WORST_ALARM';

/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type Stream = Node & {
  readonly __typename?: 'Stream';
  /**
   * Count, minimum, maximum, average and sum of the numbers in each interval of `range`, for at most 10,000 intervals. The
   * gateway combines the platform's aggregates, which are rounded to four decimals, and loads samples only where no aggregate
   * fits. An interval that is partly outside `range` counts only the numbers inside `range`.
   */
  readonly aggregates?: Maybe<ReadonlyArray<Aggregate>>;
  /** The channel that the stream is measured through. Null if the channel is unknown. See `channelLink`. */
  readonly channel?: Maybe<Channel>;
  /** The rule that linked the stream to `channel`. Null if the channel is unknown. */
  readonly channelLink?: Maybe<ChannelLink>;
  /** When the stream was set up. Null if the platform does not know. */
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  /** The custom attributes of the stream. */
  readonly customAttributes?: Maybe<ReadonlyArray<CustomAttribute>>;
  readonly id: Scalars['ID']['output'];
  /** The stream's images taken at or after `since`, oldest first. */
  readonly images?: Maybe<ImageSampleConnection>;
  /**
   * The image with the latest `sampledAt`. Null if the stream has none. Streams with units measure numbers: the result is
   * null without a REST call.
   */
  readonly lastImage?: Maybe<ImageSample>;
  /**
   * The RFID read with the latest `sampledAt`. Null if the stream has none. Streams with units measure numbers: the result
   * is null without a REST call.
   */
  readonly lastRfidRead?: Maybe<RfidSample>;
  /** The number with the latest `sampledAt`. Null if the stream has none. */
  readonly lastSample?: Maybe<ScalarSample>;
  readonly name: Scalars['String']['output'];
  /** The platform's number for the stream, for example `88001`. */
  readonly platformId: Scalars['String']['output'];
  /** The stream's RFID reads taken at or after `since`, oldest first. */
  readonly rfidReads?: Maybe<RfidSampleConnection>;
  /**
   * Up to 100 RFID reads in order of arrival. Without `after`: the newest. With `after`: the reads that arrived after that
   * one.
   */
  readonly rfidReadsAfter?: Maybe<ReadonlyArray<RfidSample>>;
  /**
   * The stream's numbers, sorted by `sampledAt`. With `range`: the numbers in the range. Paging with
   * `after: endCursor` returns each number that existed at the start exactly once, even if samples arrive meanwhile.
   *
   * Without `range`: the newest numbers. `order: ASC` returns the newest `first` numbers, oldest first, and `after` continues
   * with newer ones. `order: DESC` returns the newest first, and `after` continues with older ones.
   */
  readonly samples?: Maybe<ScalarSampleConnection>;
  /**
   * Up to 100 numbers in order of arrival. Without `after`: the newest. With `after`: the numbers that arrived after that
   * sample. Devices can send late, so a number can arrive after one with a later `sampledAt`.
   */
  readonly samplesAfter?: Maybe<ReadonlyArray<ScalarSample>>;
  /** The stream's numbers taken at or after `since`, oldest first. */
  readonly samplesSince?: Maybe<ScalarSampleConnection>;
  /** The numbers of `range` as columns for a chart, reduced to at most `maxPoints` points. */
  readonly series?: Maybe<Series>;
  /** The site where the stream is measured. */
  readonly site?: Maybe<Site>;
  readonly status?: Maybe<Classification>;
  /** The threshold of the stream, and the state of its newest value. */
  readonly threshold: Threshold;
  /** The measured quantity, for example `Pressure`. */
  readonly type?: Maybe<Classification>;
  /** The unit of the values, for example `bar`. Empty for images and RFID reads. */
  readonly units: Scalars['String']['output'];
  /** The scale factor that the platform stores for the values. Null if it stores none. */
  readonly valueScale?: Maybe<Scalars['Float']['output']>;
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamAggregatesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  every: AggregateInterval;
  fill?: InputMaybe<AggregateFill>;
  hoursOfDay?: InputMaybe<HoursOfDay>;
  range: TimeRange;
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamRfidReadsAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamSamplesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<OrderDirection>;
  range?: InputMaybe<TimeRange>;
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamSamplesAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamSamplesSinceArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


/** A series of samples of one quantity at one site, for example a pressure, a water level or the tags that pass a gate. */
export type StreamSeriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  method?: InputMaybe<SeriesMethod>;
  range: TimeRange;
};

/** One page of streams. */
export type StreamConnection = {
  readonly __typename?: 'StreamConnection';
  readonly edges: ReadonlyArray<StreamEdge>;
  /** The types, units and statuses of the matching streams, with counts. */
  readonly facets: StreamFacets;
  /**
   * False if the list may be incomplete: the platform returns at most 10,000 streams, and `totalCount` and all pages cover
   * only those. `Site.streams` and `stream(id)` also find the others.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Stream>;
  readonly pageInfo: PageInfo;
  /** The number of matching streams on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** The new value of one attribute of one stream. Set either `attributeId` or `name`. */
export type StreamCustomAttributeInput = {
  /** The platform's number for the attribute, see `Query.streamCustomAttributeNames`. */
  readonly attributeId?: InputMaybe<Scalars['ID']['input']>;
  /** The exact name of the attribute. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** The id of the stream, for example `Stream:88001`. */
  readonly streamId: Scalars['ID']['input'];
  /** At most 256 characters. */
  readonly value: Scalars['String']['input'];
};

/** A stream and its cursor in the list. */
export type StreamEdge = {
  readonly __typename?: 'StreamEdge';
  /** Pass as `after` to continue after this stream. */
  readonly cursor: Scalars['String']['output'];
  readonly node: Stream;
  /**
   * The number that the list is sorted by, if `orderBy` is `NEWEST_VALUE` or `AGGREGATE`. Null with other orders, and for a
   * stream without a number.
   */
  readonly orderValue?: Maybe<Scalars['Float']['output']>;
};

/** The values in use among the matching streams, the most frequent first, at most 100 of each kind. Costs no REST call. */
export type StreamFacets = {
  readonly __typename?: 'StreamFacets';
  /** Names of statuses, or the platform's numbers where it has no names. */
  readonly statuses: ReadonlyArray<FacetValue>;
  readonly types: ReadonlyArray<FacetValue>;
  /** The unit of streams of images and RFID reads is the empty text. */
  readonly units: ReadonlyArray<FacetValue>;
};

/**
 * Returns only streams that match every condition that is set. Conditions on names and ids cost no REST call. The conditions
 * that do are checked last, and only for the streams that match all others. So set `type` or `siteIds` too where you can.
 */
export type StreamFilter = {
  /** Only streams with one of these alarm levels. Costs the same as `thresholdStatus`. */
  readonly alarmLevel?: InputMaybe<ReadonlyArray<AlarmLevel>>;
  /** Only streams with this custom attribute. Needs the attributes: one REST call for all streams, cached. */
  readonly customAttribute?: InputMaybe<CustomAttributeCondition>;
  /** Only these streams, at most 1,000. */
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Part of the name, case-insensitive. */
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only streams whose newest number is in this range. The newest numbers of all streams that sent in the last hour come
   * together, usually in one REST call. Every other stream needs a call of its own.
   */
  readonly newestValue?: InputMaybe<NumberRange>;
  /** Only streams at sites of this organization, for example `Organization:12`. Needs the list of sites. */
  readonly organizationId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * Only streams that have sent no number for this long. Up to 50 minutes, usually one REST call answers for all streams. For a
   * longer time, each stream that was silent for an hour needs a call of its own. Leaves out streams without units that have never
   * sent a number, because they carry images or RFID reads.
   */
  readonly silentFor?: InputMaybe<Duration>;
  /** Only streams at sites with this custom attribute. Needs the attributes: one REST call for all sites, cached. */
  readonly siteCustomAttribute?: InputMaybe<CustomAttributeCondition>;
  /** Only streams of this site, for example `Site:16828`. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  /** Only streams of these sites, at most 1,000. */
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** The name of the status, case-insensitive, or the platform's number for it. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only streams that are in a threshold level with one of these names, case-insensitive, for example `["High"]`. The first
   * time, each stream needs one REST call for its levels. They stay cached, and from then on the newest numbers are enough,
   * as for `newestValue`. See `Threshold.level`.
   */
  readonly thresholdStatus?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The full type name, case-insensitive, for example `Pressure`. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
  /** The exact unit, case-sensitive, for example `bar`. */
  readonly units?: InputMaybe<Scalars['String']['input']>;
};

/** Sort order of streams. */
export type StreamOrder = {
  /** The statistic to sort by. Set it only with the field `AGGREGATE`. */
  readonly aggregate?: InputMaybe<AggregateOrder>;
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: StreamOrderField;
};

/** Fields that streams can be sorted by. */
export type StreamOrderField =
  /** The statistic in `aggregate`, which must be set. Each matching stream needs one REST call or more. */
  | 'AGGREGATE'
  /** From `NONE` to `EMERGENCY`. Costs the same as the filter `alarmLevel`. */
  | 'ALARM_LEVEL'
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  /** The time of the newest number: the stream that has been silent for longest comes first. */
  | 'NEWEST_SAMPLED_AT'
  /** The newest number. Costs the same as the filter `newestValue`. */
  | 'NEWEST_VALUE'
  | 'TYPE'
  | 'UNITS';

/** The numbers of one stream, as part of `Query.samplesOf`. */
export type StreamSamples = {
  readonly __typename?: 'StreamSamples';
  /**
   * The first page of samples. For the next page, query `stream(id: …) { samples(after: …) }` with the same range and
   * order.
   */
  readonly samples?: Maybe<ScalarSampleConnection>;
  /** Null if there is no stream with this id. */
  readonly stream?: Maybe<Stream>;
  /** The typed id of the stream, for example `Stream:88001`. */
  readonly streamId: Scalars['ID']['output'];
};

/**
 * Events that the gateway sends as they happen, at the same address as queries: over a websocket with the protocol
 * `graphql-transport-ws`, over SSE with `Accept: text/event-stream`, or over multipart HTTP with
 * `Accept: multipart/mixed;subscriptionSpec=1.0`.
 */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * Sends every sample as it arrives. The gateway polls the platform every few seconds, once for all subscribers. To resume
   * after a disconnect without losing samples, pass the `id` of the last sample you received as `after`. Late images are sent if
   * they were taken within the last hour and are among its newest 1,000. `images` returns all.
   */
  readonly sampleReceived: Sample;
  /**
   * Sends an event when a stream enters another level of its threshold. Each change is sent once. To resume after a disconnect
   * without losing any, pass the `cursor` of the last event as `after`.
   *
   * The gateway derives the events from the samples that it polls and the levels that it has cached. A level counts once the
   * values have stayed in it for its `falseAlarmFilterSeconds`, by the times of the samples. When a sample suggests a change,
   * the gateway asks the platform for the stream's status, and reads the levels again if they contradict it. A late sample
   * changes nothing if a newer one has already arrived; the platform does the same. Changing the levels sends no event.
   */
  readonly thresholdStatusChanged: ThresholdStatusChange;
};


/**
 * Events that the gateway sends as they happen, at the same address as queries: over a websocket with the protocol
 * `graphql-transport-ws`, over SSE with `Accept: text/event-stream`, or over multipart HTTP with
 * `Accept: multipart/mixed;subscriptionSpec=1.0`.
 */
export type SubscriptionSampleReceivedArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  kinds?: InputMaybe<ReadonlyArray<SampleKind>>;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};


/**
 * Events that the gateway sends as they happen, at the same address as queries: over a websocket with the protocol
 * `graphql-transport-ws`, over SSE with `Accept: text/event-stream`, or over multipart HTTP with
 * `Accept: multipart/mixed;subscriptionSpec=1.0`.
 */
export type SubscriptionThresholdStatusChangedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** The threshold of a stream: levels that divide its values into bands. */
export type Threshold = Node & {
  readonly __typename?: 'Threshold';
  /** How serious `level` is. `NONE` if `level` is null. */
  readonly alarmLevel?: Maybe<AlarmLevel>;
  /** The stream's number with the type `Threshold`: `Threshold:88001`. Select it, so that clients can cache the threshold. */
  readonly id: Scalars['ID']['output'];
  /**
   * The level that the newest number is in. Null if the stream has no threshold or no sample. The gateway compares the newest
   * number with the cached levels, which are up to an hour old, so a list of streams does not need a REST call for each stream.
   * It asks the platform for `status` only if the newest sample is not a number.
   */
  readonly level?: Maybe<ThresholdLevel>;
  /** The levels from the lowest to the highest. Empty if the stream has no threshold. */
  readonly levels?: Maybe<ReadonlyArray<ThresholdLevel>>;
  /** The platform's name for the state of the newest value. Null if the platform does not know. */
  readonly status?: Maybe<Scalars['String']['output']>;
};

/** A stream entered another level of its threshold. */
export type ThresholdChangeRow = {
  readonly __typename?: 'ThresholdChangeRow';
  /** The name of the level. */
  readonly level: Scalars['String']['output'];
  readonly previousLevel: Scalars['String']['output'];
  /** The typed id of the site. Null if the platform does not name the site. */
  readonly siteId?: Maybe<Scalars['ID']['output']>;
  readonly siteName?: Maybe<Scalars['String']['output']>;
  /** The typed id of the stream. */
  readonly streamId: Scalars['ID']['output'];
  readonly streamName: Scalars['String']['output'];
  /** For example `Normal → High at 7.4 bar, Pump station 3`. */
  readonly text: Scalars['String']['output'];
  /** When the device took the first sample in the level. */
  readonly time: Scalars['DateTime']['output'];
  /** The name of the stream and the level, for example `Inlet pressure: High`. */
  readonly title: Scalars['String']['output'];
  readonly units: Scalars['String']['output'];
  /** The value that made the level count, in `units`. */
  readonly value?: Maybe<Scalars['Float']['output']>;
};

/** A band of values, and the actions to take when a value enters it. */
export type ThresholdLevel = {
  readonly __typename?: 'ThresholdLevel';
  readonly comment?: Maybe<Scalars['String']['output']>;
  /** How long a value must stay in the band before the actions are taken, in seconds. */
  readonly falseAlarmFilterSeconds: Scalars['Float']['output'];
  /** In the stream's units. Equal to the upper limit of the level below. Null if the band has no lower end. */
  readonly lowerLimit?: Maybe<Scalars['Float']['output']>;
  readonly name: Scalars['String']['output'];
  readonly notificationActions: ReadonlyArray<NotificationAction>;
  readonly outputActions: ReadonlyArray<OutputAction>;
  readonly sampleActions: ReadonlyArray<SampleAction>;
  /** The time between two samples while the value is in the band, in seconds. */
  readonly sampleIntervalSeconds: Scalars['Float']['output'];
  readonly transmissionInterval: TransmissionInterval;
  /** True if the device sends its samples immediately when a value enters the band. */
  readonly transmitImmediately: Scalars['Boolean']['output'];
  /** In the stream's units. Null if the band has no upper end. */
  readonly upperLimit?: Maybe<Scalars['Float']['output']>;
};

/** A band of values. It starts at the upper limit of the previous level. */
export type ThresholdLevelInput = {
  /** At most 512 characters. */
  readonly comment?: InputMaybe<Scalars['String']['input']>;
  /** How long a value must stay in the band before the actions are taken, in seconds. A whole number from 0 to 4294967295. */
  readonly falseAlarmFilterSeconds?: InputMaybe<Scalars['Float']['input']>;
  /** 1 to 256 characters. */
  readonly name: Scalars['String']['input'];
  readonly notificationActions?: InputMaybe<ReadonlyArray<NotificationActionInput>>;
  readonly outputActions?: InputMaybe<ReadonlyArray<OutputActionInput>>;
  readonly sampleActions?: InputMaybe<ReadonlyArray<SampleActionInput>>;
  /** The time between two samples while the value is in the band, in seconds. A whole number from 30 to 4294967295. */
  readonly sampleIntervalSeconds?: InputMaybe<Scalars['Float']['input']>;
  readonly transmissionInterval?: InputMaybe<TransmissionInterval>;
  /** True if the device sends its samples immediately when a value enters the band. */
  readonly transmitImmediately?: InputMaybe<Scalars['Boolean']['input']>;
  /** In the stream's units. Must be greater than that of the previous level. Only the last level can omit it. */
  readonly upperLimit?: InputMaybe<Scalars['Float']['input']>;
};

/** A stream has entered another level of its threshold. See `Subscription.thresholdStatusChanged`. */
export type ThresholdStatusChange = {
  readonly __typename?: 'ThresholdStatusChange';
  /**
   * Names the stream and the sample that caused the change, for example `ThresholdStatusChange:88001:90210`. Pass it as
   * `after` to resume.
   */
  readonly cursor: Scalars['String']['output'];
  /** When the device took the first sample in the level. At least `falseAlarmFilterSeconds` before `sampledAt`. */
  readonly enteredAt: Scalars['DateTime']['output'];
  /** The level that counts now. `Threshold.status` is its name, unless newer samples have arrived. */
  readonly level: ThresholdLevel;
  /** The level that counted before. */
  readonly previousLevel: ThresholdLevel;
  /** When the device took the sample that caused the change. */
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  /** The value that caused the change, in the stream's units. */
  readonly value: Scalars['Float']['output'];
};

/** A period of time. It includes `from` and excludes `to`. `from` must be before `to`. */
export type TimeRange = {
  readonly from: Scalars['DateTime']['input'];
  readonly to: Scalars['DateTime']['input'];
};

/** How often a device sends samples while the value is in a band. */
export type TransmissionInterval =
  | 'EMERGENCY'
  | 'EVENT'
  | 'NORMAL';

/** The date and time formats of the user that the gateway is logged in as. */
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
  /** Null if the platform has none. */
  readonly emailAddress?: Maybe<Scalars['String']['output']>;
  /** Null if the platform has none. */
  readonly firstName?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  /** Null if the platform has none. */
  readonly lastName?: Maybe<Scalars['String']['output']>;
  /** Null if the platform has none. */
  readonly mobilePhone?: Maybe<Scalars['String']['output']>;
  /** The platform's number for the user, for example `77`. */
  readonly platformId: Scalars['String']['output'];
  /** The user's IANA time zone, for example `Europe/Zurich`. Together with the fields below, needs one REST call per user. */
  readonly timezoneName?: Maybe<Scalars['String']['output']>;
  readonly userName: Scalars['String']['output'];
};

/** One page of users. */
export type UserConnection = {
  readonly __typename?: 'UserConnection';
  readonly edges: ReadonlyArray<UserEdge>;
  /**
   * False if the list may be incomplete: the platform returns at most 10,000 users, and `totalCount` and all pages cover
   * only those. `user(id)` also finds the others.
   */
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<User>;
  readonly pageInfo: PageInfo;
  /** The number of users on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A user and the cursor in the list. */
export type UserEdge = {
  readonly __typename?: 'UserEdge';
  /** Pass as `after` to continue after this user. */
  readonly cursor: Scalars['String']['output'];
  readonly node: User;
};

/** A problem with the input, for example an unknown id. If there is one, nothing was written. */
export type UserError = {
  readonly __typename?: 'UserError';
  readonly code: UserErrorCode;
  /** The path to the invalid part of the input, for example `["attributes", "3", "siteId"]`. List indexes start at 0. */
  readonly field: ReadonlyArray<Scalars['String']['output']>;
  /** A description of the problem in English, for developers. */
  readonly message: Scalars['String']['output'];
};

/** The kind of problem with the input. */
export type UserErrorCode =
  /** Several things have this name. Use the id instead. */
  | 'AMBIGUOUS'
  /** The input contains the same entry twice. */
  | 'DUPLICATE'
  /** The value cannot be combined with another value that is also set. */
  | 'EXCLUSIVE'
  /** The value is not an id of the expected type. */
  | 'INVALID_ID'
  /** The value must be greater than the value before it. */
  | 'NOT_ASCENDING'
  /** Nothing has this id or name. */
  | 'NOT_FOUND'
  /** The number or date is too small, too large, or not a whole number where one is required. */
  | 'OUT_OF_RANGE'
  /** The value is missing or empty. */
  | 'REQUIRED'
  /** The text is too long. */
  | 'TOO_LONG'
  /** The list has too many items. */
  | 'TOO_MANY';

/** Sort order of users. */
export type UserOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: UserOrderField;
};

/** Fields that users can be sorted by. */
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
    | ( ThresholdModel & { __typename: 'Threshold' } )
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
  AggregateOrder: AggregateOrder;
  AlarmLevel: AlarmLevel;
  BackfillSamplesInput: BackfillSamplesInput;
  BackfillSamplesPayload: ResolverTypeWrapper<QueueBackfilled>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BoundingBox: BoundingBox;
  Channel: ResolverTypeWrapper<ChannelModel>;
  ChannelConnection: ResolverTypeWrapper<Omit<ChannelConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['ChannelEdge']>, nodes: ReadonlyArray<ResolversTypes['Channel']> }>;
  ChannelEdge: ResolverTypeWrapper<Omit<ChannelEdge, 'node'> & { node: ResolversTypes['Channel'] }>;
  ChannelFacets: ResolverTypeWrapper<ChannelFacets>;
  ChannelFilter: ChannelFilter;
  ChannelLink: ChannelLink;
  ChannelOrder: ChannelOrder;
  ChannelOrderField: ChannelOrderField;
  ChartRow: ResolverTypeWrapper<ChartRowModel>;
  Classification: ResolverTypeWrapper<ClassificationModel>;
  CustomAttribute: ResolverTypeWrapper<CustomAttributeModel>;
  CustomAttributeCondition: CustomAttributeCondition;
  CustomAttributeName: ResolverTypeWrapper<CustomAttributeNameModel>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Device: ResolverTypeWrapper<DeviceModel>;
  DeviceConnection: ResolverTypeWrapper<Omit<DeviceConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['DeviceEdge']>, nodes: ReadonlyArray<ResolversTypes['Device']> }>;
  DeviceEdge: ResolverTypeWrapper<Omit<DeviceEdge, 'node'> & { node: ResolversTypes['Device'] }>;
  DeviceFacets: ResolverTypeWrapper<DeviceFacets>;
  DeviceFilter: DeviceFilter;
  DeviceHealth: ResolverTypeWrapper<DeviceHealthModel>;
  DeviceHealthConnection: ResolverTypeWrapper<DeviceHealthConnectionModel>;
  DeviceHealthEdge: ResolverTypeWrapper<Omit<DeviceHealthEdge, 'node'> & { node: ResolversTypes['DeviceHealth'] }>;
  DeviceLog: ResolverTypeWrapper<DeviceLogModel>;
  DeviceLogConnection: ResolverTypeWrapper<DeviceLogConnectionModel>;
  DeviceLogEdge: ResolverTypeWrapper<Omit<DeviceLogEdge, 'node'> & { node: ResolversTypes['DeviceLog'] }>;
  DeviceOrder: DeviceOrder;
  DeviceOrderField: DeviceOrderField;
  Duration: Duration;
  ErrorCode: ErrorCode;
  FacetValue: ResolverTypeWrapper<FacetValue>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  GpsPosition: ResolverTypeWrapper<GpsPosition>;
  HoursOfDay: HoursOfDay;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  ImageSample: ResolverTypeWrapper<ImageSampleModel>;
  ImageSampleConnection: ResolverTypeWrapper<ImageSampleConnectionModel>;
  ImageSampleEdge: ResolverTypeWrapper<Omit<ImageSampleEdge, 'node'> & { node: ResolversTypes['ImageSample'] }>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ListSizeFactor: ListSizeFactor;
  Location: ResolverTypeWrapper<Location>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NearPoint: NearPoint;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  NotificationAction: ResolverTypeWrapper<NotificationAction>;
  NotificationActionInput: NotificationActionInput;
  NotificationType: NotificationType;
  NumberRange: NumberRange;
  OrderDirection: OrderDirection;
  OrderStatistic: OrderStatistic;
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
  RfidReadConnection: ResolverTypeWrapper<RfidReadConnectionModel>;
  RfidReadFilter: RfidReadFilter;
  RfidSample: ResolverTypeWrapper<RfidSampleModel>;
  RfidSampleConnection: ResolverTypeWrapper<RfidSampleConnectionModel>;
  RfidSampleEdge: ResolverTypeWrapper<Omit<RfidSampleEdge, 'node'> & { node: ResolversTypes['RfidSample'] }>;
  RfidTag: ResolverTypeWrapper<RfidTagModel>;
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
  SearchResult: ResolverTypeWrapper<SearchText>;
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
  SiteFacets: ResolverTypeWrapper<SiteFacets>;
  SiteFilter: SiteFilter;
  SiteOrder: SiteOrder;
  SiteOrderField: SiteOrderField;
  Stream: ResolverTypeWrapper<StreamModel>;
  StreamConnection: ResolverTypeWrapper<Omit<StreamConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['StreamEdge']>, nodes: ReadonlyArray<ResolversTypes['Stream']> }>;
  StreamCustomAttributeInput: StreamCustomAttributeInput;
  StreamEdge: ResolverTypeWrapper<Omit<StreamEdge, 'node'> & { node: ResolversTypes['Stream'] }>;
  StreamFacets: ResolverTypeWrapper<StreamFacets>;
  StreamFilter: StreamFilter;
  StreamOrder: StreamOrder;
  StreamOrderField: StreamOrderField;
  StreamSamples: ResolverTypeWrapper<StreamSamplesModel>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Threshold: ResolverTypeWrapper<ThresholdModel>;
  ThresholdChangeRow: ResolverTypeWrapper<ThresholdRowModel>;
  ThresholdLevel: ResolverTypeWrapper<ThresholdLevelModel>;
  ThresholdLevelInput: ThresholdLevelInput;
  ThresholdStatusChange: ResolverTypeWrapper<ThresholdChange>;
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
  AggregateOrder: AggregateOrder;
  BackfillSamplesInput: BackfillSamplesInput;
  BackfillSamplesPayload: QueueBackfilled;
  Boolean: Scalars['Boolean']['output'];
  BoundingBox: BoundingBox;
  Channel: ChannelModel;
  ChannelConnection: Omit<ChannelConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['ChannelEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Channel']> };
  ChannelEdge: Omit<ChannelEdge, 'node'> & { node: ResolversParentTypes['Channel'] };
  ChannelFacets: ChannelFacets;
  ChannelFilter: ChannelFilter;
  ChannelOrder: ChannelOrder;
  ChartRow: ChartRowModel;
  Classification: ClassificationModel;
  CustomAttribute: CustomAttributeModel;
  CustomAttributeCondition: CustomAttributeCondition;
  CustomAttributeName: CustomAttributeNameModel;
  DateTime: Scalars['DateTime']['output'];
  Device: DeviceModel;
  DeviceConnection: Omit<DeviceConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['DeviceEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Device']> };
  DeviceEdge: Omit<DeviceEdge, 'node'> & { node: ResolversParentTypes['Device'] };
  DeviceFacets: DeviceFacets;
  DeviceFilter: DeviceFilter;
  DeviceHealth: DeviceHealthModel;
  DeviceHealthConnection: DeviceHealthConnectionModel;
  DeviceHealthEdge: Omit<DeviceHealthEdge, 'node'> & { node: ResolversParentTypes['DeviceHealth'] };
  DeviceLog: DeviceLogModel;
  DeviceLogConnection: DeviceLogConnectionModel;
  DeviceLogEdge: Omit<DeviceLogEdge, 'node'> & { node: ResolversParentTypes['DeviceLog'] };
  DeviceOrder: DeviceOrder;
  Duration: Duration;
  FacetValue: FacetValue;
  Float: Scalars['Float']['output'];
  GpsPosition: GpsPosition;
  HoursOfDay: HoursOfDay;
  ID: Scalars['ID']['output'];
  ImageSample: ImageSampleModel;
  ImageSampleConnection: ImageSampleConnectionModel;
  ImageSampleEdge: Omit<ImageSampleEdge, 'node'> & { node: ResolversParentTypes['ImageSample'] };
  Int: Scalars['Int']['output'];
  ListSizeFactor: ListSizeFactor;
  Location: Location;
  Mutation: Record<PropertyKey, never>;
  NearPoint: NearPoint;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  NotificationAction: NotificationAction;
  NotificationActionInput: NotificationActionInput;
  NumberRange: NumberRange;
  Organization: OrganizationModel;
  OrganizationConnection: Omit<OrganizationConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['OrganizationEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Organization']> };
  OrganizationEdge: Omit<OrganizationEdge, 'node'> & { node: ResolversParentTypes['Organization'] };
  OrganizationOrder: OrganizationOrder;
  OutputAction: OutputAction;
  OutputActionInput: OutputActionInput;
  PageInfo: PageInfo;
  PointInput: PointInput;
  Query: Record<PropertyKey, never>;
  RfidReadConnection: RfidReadConnectionModel;
  RfidReadFilter: RfidReadFilter;
  RfidSample: RfidSampleModel;
  RfidSampleConnection: RfidSampleConnectionModel;
  RfidSampleEdge: Omit<RfidSampleEdge, 'node'> & { node: ResolversParentTypes['RfidSample'] };
  RfidTag: RfidTagModel;
  Sample: ResolversInterfaceTypes<ResolversParentTypes>['Sample'];
  SampleAction: SampleActionModel;
  SampleActionInput: SampleActionInput;
  SampleBatch: Omit<SampleBatch, 'samples'> & { samples: ReadonlyArray<ResolversParentTypes['Sample']> };
  ScalarSample: ScalarSampleModel;
  ScalarSampleConnection: ScalarSampleConnectionModel;
  ScalarSampleEdge: Omit<ScalarSampleEdge, 'node'> & { node: ResolversParentTypes['ScalarSample'] };
  SearchResult: SearchText;
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
  SiteFacets: SiteFacets;
  SiteFilter: SiteFilter;
  SiteOrder: SiteOrder;
  Stream: StreamModel;
  StreamConnection: Omit<StreamConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['StreamEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Stream']> };
  StreamCustomAttributeInput: StreamCustomAttributeInput;
  StreamEdge: Omit<StreamEdge, 'node'> & { node: ResolversParentTypes['Stream'] };
  StreamFacets: StreamFacets;
  StreamFilter: StreamFilter;
  StreamOrder: StreamOrder;
  StreamSamples: StreamSamplesModel;
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  Threshold: ThresholdModel;
  ThresholdChangeRow: ThresholdRowModel;
  ThresholdLevel: ThresholdLevelModel;
  ThresholdLevelInput: ThresholdLevelInput;
  ThresholdStatusChange: ThresholdChange;
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

export type DeferDirectiveArgs = {
  if?: Scalars['Boolean']['input'];
  label?: Maybe<Scalars['String']['input']>;
};

export type DeferDirectiveResolver<Result, Parent, ContextType = Context, Args = DeferDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ListSizeDirectiveArgs = {
  assumedSize?: Maybe<Scalars['Int']['input']>;
  enclosingArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  factors?: Maybe<ReadonlyArray<ListSizeFactor>>;
  intervalArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  sizedFields?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  slicingArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = Context, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type StreamDirectiveArgs = {
  if?: Scalars['Boolean']['input'];
  initialCount?: Maybe<Scalars['Int']['input']>;
  label?: Maybe<Scalars['String']['input']>;
};

export type StreamDirectiveResolver<Result, Parent, ContextType = Context, Args = StreamDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AcknowledgeSamplesPayloadResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AcknowledgeSamplesPayload'] = ResolversParentTypes['AcknowledgeSamplesPayload']> = {
  lastAcknowledged?: Resolver<Maybe<ResolversTypes['Sample']>, ParentType, ContextType>;
  userErrors?: Resolver<ReadonlyArray<ResolversTypes['UserError']>, ParentType, ContextType>;
};

export type AggregateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Aggregate'] = ResolversParentTypes['Aggregate']> = {
  avg?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  cursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  delta?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  deltaResets?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  endAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  first?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  integral?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  integralUnits?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  last?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  max?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  min?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  percentile?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType, RequireFields<AggregatePercentileArgs, 'p'>>;
  replaceFrom?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  startAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  stdDev?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  sum?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  timeWeightedAvg?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
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
  facets?: Resolver<ResolversTypes['ChannelFacets'], ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Channel']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ChannelEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChannelEdge'] = ResolversParentTypes['ChannelEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Channel'], ParentType, ContextType>;
};

export type ChannelFacetsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChannelFacets'] = ResolversParentTypes['ChannelFacets']> = {
  statuses?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
  types?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
};

export type ChartRowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChartRow'] = ResolversParentTypes['ChartRow']> = {
  cursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  max?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  min?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  replaceFrom?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  siteId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  siteName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  streamId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  streamName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  time?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  units?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
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
  lastContactAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastHealth?: Resolver<Maybe<ReadonlyArray<ResolversTypes['DeviceHealth']>>, ParentType, ContextType, Partial<DeviceLastHealthArgs>>;
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
  facets?: Resolver<ResolversTypes['DeviceFacets'], ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Device']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DeviceEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceEdge'] = ResolversParentTypes['DeviceEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Device'], ParentType, ContextType>;
  orderValue?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type DeviceFacetsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceFacets'] = ResolversParentTypes['DeviceFacets']> = {
  firmwareVersions?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
  models?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
};

export type DeviceHealthResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeviceHealth'] = ResolversParentTypes['DeviceHealth']> = {
  counterTypeId?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sampledAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  units?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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

export type FacetValueResolvers<ContextType = Context, ParentType extends ResolversParentTypes['FacetValue'] = ResolversParentTypes['FacetValue']> = {
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  __resolveType: TypeResolveFn<'Channel' | 'Device' | 'ImageSample' | 'Organization' | 'RfidSample' | 'ScalarSample' | 'Site' | 'Stream' | 'Threshold' | 'User', ParentType, ContextType>;
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
  chart?: Resolver<ReadonlyArray<ResolversTypes['ChartRow']>, ParentType, ContextType, RequireFields<QueryChartArgs, 'maxPoints' | 'range' | 'timeZone'>>;
  device?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType, RequireFields<QueryDeviceArgs, 'id'>>;
  deviceBySerialNumber?: Resolver<Maybe<ResolversTypes['Device']>, ParentType, ContextType, RequireFields<QueryDeviceBySerialNumberArgs, 'serialNumber'>>;
  devices?: Resolver<Maybe<ResolversTypes['DeviceConnection']>, ParentType, ContextType, RequireFields<QueryDevicesArgs, 'first'>>;
  image?: Resolver<Maybe<ResolversTypes['ImageSample']>, ParentType, ContextType, RequireFields<QueryImageArgs, 'id'>>;
  images?: Resolver<Maybe<ResolversTypes['ImageSampleConnection']>, ParentType, ContextType, RequireFields<QueryImagesArgs, 'first' | 'since'>>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Node']>>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  organization?: Resolver<Maybe<ResolversTypes['Organization']>, ParentType, ContextType, RequireFields<QueryOrganizationArgs, 'id'>>;
  organizations?: Resolver<Maybe<ResolversTypes['OrganizationConnection']>, ParentType, ContextType, RequireFields<QueryOrganizationsArgs, 'first'>>;
  rfidReads?: Resolver<Maybe<ResolversTypes['RfidReadConnection']>, ParentType, ContextType, RequireFields<QueryRfidReadsArgs, 'first' | 'since'>>;
  sampleBatch?: Resolver<Maybe<ResolversTypes['SampleBatch']>, ParentType, ContextType, RequireFields<QuerySampleBatchArgs, 'kind'>>;
  sampleBatchStatus?: Resolver<Maybe<ResolversTypes['Sample']>, ParentType, ContextType, RequireFields<QuerySampleBatchStatusArgs, 'kind'>>;
  samplesOf?: Resolver<Maybe<ReadonlyArray<ResolversTypes['StreamSamples']>>, ParentType, ContextType, RequireFields<QuerySamplesOfArgs, 'first' | 'order' | 'streamIds'>>;
  search?: Resolver<Maybe<ResolversTypes['SearchResult']>, ParentType, ContextType, RequireFields<QuerySearchArgs, 'first' | 'text'>>;
  seriesOf?: Resolver<Maybe<ResolversTypes['SharedSeries']>, ParentType, ContextType, RequireFields<QuerySeriesOfArgs, 'maxPoints' | 'range' | 'streamIds'>>;
  site?: Resolver<Maybe<ResolversTypes['Site']>, ParentType, ContextType, RequireFields<QuerySiteArgs, 'id'>>;
  siteCustomAttributeNames?: Resolver<Maybe<ReadonlyArray<ResolversTypes['CustomAttributeName']>>, ParentType, ContextType>;
  sites?: Resolver<Maybe<ResolversTypes['SiteConnection']>, ParentType, ContextType, RequireFields<QuerySitesArgs, 'first'>>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType, RequireFields<QueryStreamArgs, 'id'>>;
  streamCustomAttributeNames?: Resolver<Maybe<ReadonlyArray<ResolversTypes['CustomAttributeName']>>, ParentType, ContextType>;
  streams?: Resolver<Maybe<ResolversTypes['StreamConnection']>, ParentType, ContextType, RequireFields<QueryStreamsArgs, 'first'>>;
  thresholdChanges?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ThresholdChangeRow']>>, ParentType, ContextType, RequireFields<QueryThresholdChangesArgs, 'range'>>;
  uiPreferences?: Resolver<Maybe<ResolversTypes['UiPreferences']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  users?: Resolver<Maybe<ResolversTypes['UserConnection']>, ParentType, ContextType, RequireFields<QueryUsersArgs, 'first'>>;
};

export type RfidReadConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RfidReadConnection'] = ResolversParentTypes['RfidReadConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['RfidSampleEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['RfidSample']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  tagCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  tags?: Resolver<ReadonlyArray<ResolversTypes['RfidTag']>, ParentType, ContextType, RequireFields<RfidReadConnectionTagsArgs, 'first'>>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
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

export type RfidTagResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RfidTag'] = ResolversParentTypes['RfidTag']> = {
  firstSeenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastRead?: Resolver<ResolversTypes['RfidSample'], ParentType, ContextType>;
  lastSeenAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  readCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  tagId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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

export type SearchResultResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SearchResult'] = ResolversParentTypes['SearchResult']> = {
  devices?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Device']>>, ParentType, ContextType>;
  sites?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Site']>>, ParentType, ContextType>;
  streams?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Stream']>>, ParentType, ContextType>;
};

export type SeriesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Series'] = ResolversParentTypes['Series']> = {
  coverage?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  max?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
  method?: Resolver<ResolversTypes['SeriesMethod'], ParentType, ContextType>;
  min?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Float']>>, ParentType, ContextType>;
  reduced?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  replaceFrom?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
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
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  intervalSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lines?: Resolver<ReadonlyArray<Maybe<ResolversTypes['SeriesLine']>>, ParentType, ContextType>;
  replaceFrom?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
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
  newestSampledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  organization?: Resolver<Maybe<ResolversTypes['Organization']>, ParentType, ContextType>;
  platformId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rfidReads?: Resolver<Maybe<ResolversTypes['RfidSampleConnection']>, ParentType, ContextType, RequireFields<SiteRfidReadsArgs, 'first' | 'since'>>;
  samplesAfter?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ScalarSample']>>, ParentType, ContextType, Partial<SiteSamplesAfterArgs>>;
  samplesSince?: Resolver<Maybe<ResolversTypes['ScalarSampleConnection']>, ParentType, ContextType, RequireFields<SiteSamplesSinceArgs, 'first' | 'since'>>;
  series?: Resolver<Maybe<ResolversTypes['SharedSeries']>, ParentType, ContextType, RequireFields<SiteSeriesArgs, 'maxPoints' | 'range'>>;
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  streams?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Stream']>>, ParentType, ContextType>;
  worstAlarm?: Resolver<Maybe<ResolversTypes['AlarmLevel']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SiteConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SiteConnection'] = ResolversParentTypes['SiteConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['SiteEdge']>, ParentType, ContextType>;
  facets?: Resolver<ResolversTypes['SiteFacets'], ParentType, ContextType>;
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

export type SiteFacetsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SiteFacets'] = ResolversParentTypes['SiteFacets']> = {
  statuses?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
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
  facets?: Resolver<ResolversTypes['StreamFacets'], ParentType, ContextType>;
  isComplete?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Stream']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type StreamEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StreamEdge'] = ResolversParentTypes['StreamEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Stream'], ParentType, ContextType>;
  orderValue?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type StreamFacetsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StreamFacets'] = ResolversParentTypes['StreamFacets']> = {
  statuses?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
  types?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
  units?: Resolver<ReadonlyArray<ResolversTypes['FacetValue']>, ParentType, ContextType>;
};

export type StreamSamplesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['StreamSamples'] = ResolversParentTypes['StreamSamples']> = {
  samples?: Resolver<Maybe<ResolversTypes['ScalarSampleConnection']>, ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  streamId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  sampleReceived?: SubscriptionResolver<ResolversTypes['Sample'], "sampleReceived", ParentType, ContextType, Partial<SubscriptionSampleReceivedArgs>>;
  thresholdStatusChanged?: SubscriptionResolver<ResolversTypes['ThresholdStatusChange'], "thresholdStatusChanged", ParentType, ContextType, Partial<SubscriptionThresholdStatusChangedArgs>>;
};

export type ThresholdResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Threshold'] = ResolversParentTypes['Threshold']> = {
  alarmLevel?: Resolver<Maybe<ResolversTypes['AlarmLevel']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  level?: Resolver<Maybe<ResolversTypes['ThresholdLevel']>, ParentType, ContextType>;
  levels?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ThresholdLevel']>>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ThresholdChangeRowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ThresholdChangeRow'] = ResolversParentTypes['ThresholdChangeRow']> = {
  level?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  previousLevel?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  siteId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  siteName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  streamId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  streamName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  time?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  units?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
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

export type ThresholdStatusChangeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ThresholdStatusChange'] = ResolversParentTypes['ThresholdStatusChange']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  enteredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['ThresholdLevel'], ParentType, ContextType>;
  previousLevel?: Resolver<ResolversTypes['ThresholdLevel'], ParentType, ContextType>;
  sampledAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  stream?: Resolver<Maybe<ResolversTypes['Stream']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
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
  ChannelFacets?: ChannelFacetsResolvers<ContextType>;
  ChartRow?: ChartRowResolvers<ContextType>;
  Classification?: ClassificationResolvers<ContextType>;
  CustomAttribute?: CustomAttributeResolvers<ContextType>;
  CustomAttributeName?: CustomAttributeNameResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Device?: DeviceResolvers<ContextType>;
  DeviceConnection?: DeviceConnectionResolvers<ContextType>;
  DeviceEdge?: DeviceEdgeResolvers<ContextType>;
  DeviceFacets?: DeviceFacetsResolvers<ContextType>;
  DeviceHealth?: DeviceHealthResolvers<ContextType>;
  DeviceHealthConnection?: DeviceHealthConnectionResolvers<ContextType>;
  DeviceHealthEdge?: DeviceHealthEdgeResolvers<ContextType>;
  DeviceLog?: DeviceLogResolvers<ContextType>;
  DeviceLogConnection?: DeviceLogConnectionResolvers<ContextType>;
  DeviceLogEdge?: DeviceLogEdgeResolvers<ContextType>;
  FacetValue?: FacetValueResolvers<ContextType>;
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
  RfidReadConnection?: RfidReadConnectionResolvers<ContextType>;
  RfidSample?: RfidSampleResolvers<ContextType>;
  RfidSampleConnection?: RfidSampleConnectionResolvers<ContextType>;
  RfidSampleEdge?: RfidSampleEdgeResolvers<ContextType>;
  RfidTag?: RfidTagResolvers<ContextType>;
  Sample?: SampleResolvers<ContextType>;
  SampleAction?: SampleActionResolvers<ContextType>;
  SampleBatch?: SampleBatchResolvers<ContextType>;
  ScalarSample?: ScalarSampleResolvers<ContextType>;
  ScalarSampleConnection?: ScalarSampleConnectionResolvers<ContextType>;
  ScalarSampleEdge?: ScalarSampleEdgeResolvers<ContextType>;
  SearchResult?: SearchResultResolvers<ContextType>;
  Series?: SeriesResolvers<ContextType>;
  SeriesLine?: SeriesLineResolvers<ContextType>;
  SetSiteCustomAttributesPayload?: SetSiteCustomAttributesPayloadResolvers<ContextType>;
  SetStreamCustomAttributesPayload?: SetStreamCustomAttributesPayloadResolvers<ContextType>;
  SetStreamThresholdPayload?: SetStreamThresholdPayloadResolvers<ContextType>;
  SharedSeries?: SharedSeriesResolvers<ContextType>;
  Site?: SiteResolvers<ContextType>;
  SiteConnection?: SiteConnectionResolvers<ContextType>;
  SiteEdge?: SiteEdgeResolvers<ContextType>;
  SiteFacets?: SiteFacetsResolvers<ContextType>;
  Stream?: StreamResolvers<ContextType>;
  StreamConnection?: StreamConnectionResolvers<ContextType>;
  StreamEdge?: StreamEdgeResolvers<ContextType>;
  StreamFacets?: StreamFacetsResolvers<ContextType>;
  StreamSamples?: StreamSamplesResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Threshold?: ThresholdResolvers<ContextType>;
  ThresholdChangeRow?: ThresholdChangeRowResolvers<ContextType>;
  ThresholdLevel?: ThresholdLevelResolvers<ContextType>;
  ThresholdStatusChange?: ThresholdStatusChangeResolvers<ContextType>;
  UiPreferences?: UiPreferencesResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserConnection?: UserConnectionResolvers<ContextType>;
  UserEdge?: UserEdgeResolvers<ContextType>;
  UserError?: UserErrorResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  cost?: CostDirectiveResolver<any, any, ContextType>;
  defer?: DeferDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
  stream?: StreamDirectiveResolver<any, any, ContextType>;
};
