/* eslint-disable */
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * A point in time as RFC 3339 text. Results are in UTC, for example `2020-11-19T18:29:42Z`. Arguments accept any offset, for
   * example `2020-11-19T19:29:42+01:00`, and Unix milliseconds, for example `1605810582000`. Unix seconds
   * are an error.
   */
  DateTime: { input: string; output: string; }
};

/** Input of `acknowledgeSamples`. */
export type AcknowledgeSamplesInput = {
  /** A name for your application in the platform's logs, 1 to 256 characters. */
  agent?: InputMaybe<Scalars['String']['input']>;
  kind: SampleBatchKind;
  /** The `id` or `platformId` of the last sample that you have stored. */
  sampleId: Scalars['ID']['input'];
};

/** How to return intervals that contain no values. */
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
  { days: Scalars['Int']['input']; hours?: never; minutes?: never; months?: never; weeks?: never; }
  |  /**
   * 1 to 24. Intervals of more than one hour follow local time: an interval that contains a clock change is shorter or
   * longer by the change, usually an hour.
   */
  { days?: never; hours: Scalars['Int']['input']; minutes?: never; months?: never; weeks?: never; }
  |  /**
   * 1 to 1,440. For values below 10, and for values that are not a multiple of 10 or 15, the gateway reads the samples
   * instead of the platform's aggregates. Intervals of up to 60 minutes end at a clock change, and a repeated hour gets
   * separate intervals.
   */
  { days?: never; hours?: never; minutes: Scalars['Int']['input']; months?: never; weeks?: never; }
  |  /** 1 to 1,000. Each interval starts on the first day of a month. 3 gives quarters, 12 gives years. */
  { days?: never; hours?: never; minutes?: never; months: Scalars['Int']['input']; weeks?: never; }
  |  /** 1 to 1,000. Each interval starts on a Monday. With 2 or more, intervals count from 1970-01-05. */
  { days?: never; hours?: never; minutes?: never; months?: never; weeks: Scalars['Int']['input']; };

/**
 * Sorts streams by a statistic of their values in a range. The gateway reads each stream, so at most 200 streams may match the
 * filter. Use `first` for a ranking: the ten largest flows of today are `first: 10` with `direction: DESC`.
 */
export type AggregateOrder = {
  range: TimeRange;
  statistic?: InputMaybe<OrderStatistic>;
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
  /** The stream has no threshold, or the level triggers no action. */
  | 'NONE';

/** Input of `backfillSamples`. */
export type BackfillSamplesInput = {
  /** A name for your application in the platform's logs, 1 to 256 characters. */
  agent?: InputMaybe<Scalars['String']['input']>;
  kind: SampleBatchKind;
  /** The point in time to move to, 2000-01-01T01:01:01Z or later. Fractions of a second are ignored. */
  since: Scalars['DateTime']['input'];
};

/** A box on the map. If `west` is greater than `east`, the box crosses the 180th meridian. */
export type BoundingBox = {
  /** Decimal degrees, -180 to 180. */
  east: Scalars['Float']['input'];
  /** Decimal degrees, -90 to 90, not less than `south`. */
  north: Scalars['Float']['input'];
  /** Decimal degrees, -90 to 90. */
  south: Scalars['Float']['input'];
  /** Decimal degrees, -180 to 180. */
  west: Scalars['Float']['input'];
};

/** Returns only channels that match every condition that is set. */
export type ChannelFilter = {
  /** Only channels of this device, for example `Device:4711`. */
  deviceId?: InputMaybe<Scalars['ID']['input']>;
  /** Part of the name. Case and accents do not matter. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /** The name of the status, case-insensitive, or the platform's number for it. */
  status?: InputMaybe<Scalars['String']['input']>;
  /** The name of the type, case-insensitive, for example `DIGITAL`, or the platform's number for it. */
  type?: InputMaybe<Scalars['String']['input']>;
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
  direction?: InputMaybe<OrderDirection>;
  field: ChannelOrderField;
};

/** Fields that channels can be sorted by. */
export type ChannelOrderField =
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'NUMBER_ON_DEVICE'
  | 'TYPE';

/** A condition on custom attributes. Without `value` and `valueContains`, any value matches. */
export type CustomAttributeCondition = {
  /** The full name of the attribute, case-insensitive. */
  name: Scalars['String']['input'];
  /** The full value, case-insensitive. */
  value?: InputMaybe<Scalars['String']['input']>;
  /** Part of the value. Case and accents do not matter. */
  valueContains?: InputMaybe<Scalars['String']['input']>;
};

/**
 * Returns only devices that match every condition that is set. Conditions that cost REST calls are checked last, and only
 * for devices that match all other conditions.
 */
export type DeviceFilter = {
  /** The full firmware version, case-sensitive. */
  firmwareVersion?: InputMaybe<Scalars['String']['input']>;
  /** Only these devices, at most 1,000. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** The full model number, case-insensitive. */
  modelNumber?: InputMaybe<Scalars['String']['input']>;
  /** Part of the name. Case and accents do not matter. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /** Only devices at sites of this organization, for example `Organization:12`. Also loads the list of sites. */
  organizationId?: InputMaybe<Scalars['ID']['input']>;
  /** Part of the serial number. Case and accents do not matter. */
  serialNumberContains?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only devices that have made no contact for this long; see `Device.lastContactAt`. A device whose streams have sent
   * a numeric sample in this time needs no separate REST call. Every other device needs one call for its last health record
   * and one for its last log record.
   */
  silentFor?: InputMaybe<Duration>;
  /** Only devices at this site, for example `Site:16828`. */
  siteId?: InputMaybe<Scalars['ID']['input']>;
  /** Only devices at these sites, at most 1,000. */
  siteIds?: InputMaybe<Array<Scalars['ID']['input']>>;
};

/** Sort order of devices. */
export type DeviceOrder = {
  /**
   * The health counter for `HEALTH_COUNTER`: its name in the gateway's setting `HEALTH_COUNTERS`, case-insensitive, or the
   * platform's number for its type.
   */
  counter?: InputMaybe<Scalars['String']['input']>;
  direction?: InputMaybe<OrderDirection>;
  field: DeviceOrderField;
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
  { days: Scalars['Int']['input']; hours?: never; minutes?: never; }
  |  /** At least 1. */
  { days?: never; hours: Scalars['Int']['input']; minutes?: never; }
  |  /** At least 1. */
  { days?: never; hours?: never; minutes: Scalars['Int']['input']; };

/**
 * The values of `extensions.code` of errors. No field returns this type; clients generate their types from it. See
 * docs/errors.md.
 */
export type ErrorCode =
  /** The credential cannot be verified at the moment. */
  | 'AUTHENTICATION_UNAVAILABLE'
  /** The HTTP request is not a GraphQL request. */
  | 'BAD_REQUEST'
  /** An argument has an invalid value, for example an id of the wrong type or a range that ends before it begins. */
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
  /** The operation costs more than `MAX_COST`, or its result is larger than `MAX_CALLER_BYTES`. */
  | 'COST_TOO_HIGH'
  /** The credential of a connection is no longer valid, so its subscriptions ended. */
  | 'CREDENTIAL_EXPIRED'
  /** A page of another origin sent the request or could have sent it, because no header forces a CORS preflight. */
  | 'CSRF_REFUSED'
  /** No trusted document has this id, or the gateway executes trusted documents only and this is not one of them. */
  | 'DOCUMENT_NOT_TRUSTED'
  /** The caller is known but not authorized: its credential lacks the scope or is restricted to organizations. */
  | 'FORBIDDEN'
  /** The document has a syntax error. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The operation does not match the schema. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** A bug in the gateway. The gateway's log has the cause, under the `requestId` of the error. */
  | 'INTERNAL_SERVER_ERROR'
  /** The operation reads the schema, and `INTROSPECTION=off` hides it. */
  | 'INTROSPECTION_OFF'
  /** The document has several operations, and the request does not say which one to execute. */
  | 'OPERATION_RESOLUTION_FAILURE'
  /** The gateway executes as many operations of all callers as its memory allows. */
  | 'OVERLOADED'
  /** The gateway does not know a document with this hash. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** The gateway accepts only documents, not their hashes. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The platform's response does not match its specification. */
  | 'PLATFORM_BAD_RESPONSE'
  /** The platform's limit on calls or token requests is exhausted; `retryAfterMs` says how long to wait. */
  | 'PLATFORM_RATE_LIMITED'
  /** The platform refuses this call. */
  | 'PLATFORM_REFUSED'
  /** The platform did not respond in time. */
  | 'PLATFORM_TIMEOUT'
  /** The platform refuses the credential, or does not authorize it for this endpoint. */
  | 'PLATFORM_UNAUTHORIZED'
  /** The platform could not be reached, responded with status 408 or 500 and above, or its circuit breaker is open. */
  | 'PLATFORM_UNAVAILABLE'
  /** The caller exceeds a limit on its rate or memory: too many operations, messages, long requests or unread responses, or too many wrong credentials from its address. */
  | 'RATE_LIMITED'
  /** The client did not read responses or samples in time, so the connection or subscription ended. */
  | 'SLOW_CONSUMER'
  /** The gateway is stopping: it accepts no new requests, and ends subscriptions and operations that take too long. */
  | 'STOPPING'
  /** A subscription was sent by POST or GET, but the client does not accept a stream. */
  | 'SUBSCRIPTION_OVER_HTTP'
  /** The operation has more levels than `MAX_DEPTH`. */
  | 'TOO_DEEP'
  /** The document has more aliases than `MAX_ALIASES`. */
  | 'TOO_MANY_ALIASES'
  /** A field, fragment, variable or operation has more directives than `MAX_DIRECTIVES`. */
  | 'TOO_MANY_DIRECTIVES'
  /** The operation has more errors than a response lists. Further fields that failed are null without an error. */
  | 'TOO_MANY_ERRORS'
  /** One object selects the same response name more often than `MAX_REPEATS`. */
  | 'TOO_MANY_REPEATS'
  /** The operation has made `MAX_REST_CALLS` REST calls. Fields that needed further calls are null. */
  | 'TOO_MANY_REST_CALLS'
  /** The operation has more root fields than `MAX_ROOT_FIELDS`. */
  | 'TOO_MANY_ROOT_FIELDS'
  /** The caller has more connections and subscriptions open than `MAX_CALLER_BYTES` allows, or more than 1,000 operations on one stream. */
  | 'TOO_MANY_SUBSCRIPTIONS'
  /** The document has more tokens than `MAX_TOKENS`. */
  | 'TOO_MANY_TOKENS'
  /** The request has no credential, or an invalid one. HTTP status 401, websocket close code 4401. */
  | 'UNAUTHENTICATED';

/**
 * Hours of the day in the time zone of the field, for example `{ from: 2, to: 4 }` for the night minimum of a flow. If `from`
 * is greater than `to`, the hours span midnight. 0 to 24 is the same as no restriction.
 */
export type HoursOfDay = {
  /** 0 to 23, inclusive. */
  from: Scalars['Int']['input'];
  /** 0 to 24, exclusive. */
  to: Scalars['Int']['input'];
};

/** A list argument, and the maximum number of items that each item of the argument adds to the result. */
export type ListSizeFactor = {
  argument: Scalars['String']['input'];
  size: Scalars['Int']['input'];
};

/** A circle on the map. */
export type NearPoint = {
  /** Decimal degrees, -90 to 90. */
  latitude: Scalars['Float']['input'];
  /** Decimal degrees, -180 to 180. */
  longitude: Scalars['Float']['input'];
  /** The radius in kilometres, greater than 0. */
  radiusKm: Scalars['Float']['input'];
};

/** An action that notifies a group of users. All numbers are whole numbers of 0 or more. */
export type NotificationActionInput = {
  relevanceThreshold?: InputMaybe<Scalars['Int']['input']>;
  /** How often the notification of the whole group is repeated if it fails. */
  repeatsForAllOnFailed?: InputMaybe<Scalars['Int']['input']>;
  /** How often a failed notification of one user is repeated. */
  repeatsPerUserOnFailed?: InputMaybe<Scalars['Int']['input']>;
  type: NotificationType;
  /** The platform's number for the group of users to notify. */
  userGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
};

/** How users are notified. */
export type NotificationType =
  | 'MAIL'
  | 'SMS'
  | 'TICKET_SYSTEM'
  | 'VOICE';

/** A range of numbers. Omit a bound to leave the range open on that side. */
export type NumberRange = {
  /** The highest number of the range. */
  max?: InputMaybe<Scalars['Float']['input']>;
  /** The lowest number of the range. */
  min?: InputMaybe<Scalars['Float']['input']>;
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
  /** The increase of a counter over the range, computed from the samples. */
  | 'DELTA'
  /** The integral over time, for example the volume of a flow, computed from the samples. */
  | 'INTEGRAL'
  | 'LAST'
  | 'MAX'
  | 'MIN'
  | 'SUM'
  /** The mean weighted by time, computed from the samples. */
  | 'TIME_WEIGHTED_AVG';

/** Sort order of organizations. */
export type OrganizationOrder = {
  direction?: InputMaybe<OrderDirection>;
  field: OrganizationOrderField;
};

/** Fields that organizations can be sorted by. */
export type OrganizationOrderField =
  | 'ID'
  | 'NAME';

/** An action that switches an output of the device. */
export type OutputActionInput = {
  /** The number of the output, 0 to 15. */
  channelNumber: Scalars['Int']['input'];
  type: OutputActionType;
};

/** How an output is switched. */
export type OutputActionType =
  | 'PULSE_ONCE'
  | 'SET_DOWN'
  | 'SET_UP';

/** A point on the map. */
export type PointInput = {
  /** Decimal degrees, -90 to 90. */
  latitude: Scalars['Float']['input'];
  /** Decimal degrees, -180 to 180. */
  longitude: Scalars['Float']['input'];
};

/** Returns only RFID reads that match every condition that is set. */
export type RfidReadFilter = {
  /** Only reads of these streams, at most 1,000. */
  streamIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Only reads that detected this tag. */
  tagId?: InputMaybe<Scalars['String']['input']>;
  /** Only reads that detected one of these tags, at most 1,000. */
  tagIds?: InputMaybe<Array<Scalars['String']['input']>>;
};

/** An action that changes how a stream or a group of streams is sampled. Set either `streamId` or `sampleGroupPlatformId`. */
export type SampleActionInput = {
  /** The platform's number for the group of streams. */
  sampleGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
  /** The id of the stream, for example `Stream:88001`. */
  streamId?: InputMaybe<Scalars['ID']['input']>;
  type: SampleActionType;
};

/** How the sampling of a stream changes. */
export type SampleActionType =
  | 'PAUSE'
  | 'PAUSE_SINGLE'
  | 'RESUME'
  | 'SINGLE';

/**
 * The platform's delivery queues. A queue delivers all samples of one kind in the account, in order of arrival. For each
 * credential and kind, the platform stores which sample was acknowledged last.
 */
export type SampleBatchKind =
  /** The queue of RFID reads (`RfidSample`). */
  | 'RFID'
  /** The queue of numeric samples (`ScalarSample`). */
  | 'SCALAR';

/** Kinds of samples. */
export type SampleKind =
  /** Images, see `ImageSample`. */
  | 'IMAGE'
  /** RFID reads, see `RfidSample`. */
  | 'RFID'
  /** Numeric samples, see `ScalarSample`. */
  | 'SCALAR';

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
   * aggregates, and if the aggregates have fewer bytes than the samples. Values are rounded to four decimals, an extreme is
   * placed in the middle of its aggregate, and a gap is visible only if it leaves a whole aggregate empty.
   */
  | 'AGGREGATES'
  /** The samples. */
  | 'SAMPLES';

/** Input of `setSiteCustomAttributes`. */
export type SetSiteCustomAttributesInput = {
  /**
   * 1 to 10,000 entries. The gateway also limits the size of a request: by default, about 3,000 entries fit if you send
   * them as variables. Each attribute of a site can occur only once.
   */
  attributes: Array<SiteCustomAttributeInput>;
};

/** Input of `setStreamCustomAttributes`. */
export type SetStreamCustomAttributesInput = {
  /**
   * 1 to 10,000 entries. The gateway also limits the size of a request: by default, about 3,000 entries fit if you send
   * them as variables. Each attribute of a stream can occur only once.
   */
  attributes: Array<StreamCustomAttributeInput>;
};

/** Input of `setStreamThreshold`. */
export type SetStreamThresholdInput = {
  /** At most 100 levels, from the lowest to the highest. An empty list removes all levels. */
  levels: Array<ThresholdLevelInput>;
  /** The id of the stream, for example `Stream:88001`. */
  streamId: Scalars['ID']['input'];
};

/** The new value of one attribute of one site. Set either `attributeId` or `name`. */
export type SiteCustomAttributeInput = {
  /** The platform's number for the attribute, see `Query.siteCustomAttributeNames`. */
  attributeId?: InputMaybe<Scalars['ID']['input']>;
  /** The exact name of the attribute. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The id of the site, for example `Site:16828`. */
  siteId: Scalars['ID']['input'];
  /** At most 256 characters. */
  value: Scalars['String']['input'];
};

/**
 * Returns only sites that match every condition that is set. Conditions that cost REST calls are checked last, and only
 * for sites that match all other conditions.
 */
export type SiteFilter = {
  /** Only sites with this custom attribute. Loads the attributes of all sites in one REST call, and caches them. */
  customAttribute?: InputMaybe<CustomAttributeCondition>;
  /** Only these sites, at most 1,000. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Part of the name. Case and accents do not matter. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only sites inside this circle, nearest first unless `orderBy` is set. Sites without coordinates are excluded.
   * `SiteEdge.distanceKm` returns the distance of each site.
   */
  near?: InputMaybe<NearPoint>;
  /** Only sites of this organization, for example `Organization:12`. */
  organizationId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * Only sites whose streams have sent no value for this long. A value is a number, or text such as `ERR`. The filter
   * makes the same REST calls as `StreamFilter.silentFor`, but only for sites that have sent no value recently. A site is
   * left out if its streams have no units and have never sent a value.
   */
  silentFor?: InputMaybe<Duration>;
  /** The full status, case-insensitive, for example `Active`. */
  status?: InputMaybe<Scalars['String']['input']>;
  /** Only sites inside this box. Sites without coordinates are excluded. */
  within?: InputMaybe<BoundingBox>;
  /** Only sites whose most serious alarm level is one of these. Costs the same as `StreamFilter.alarmLevel`. */
  worstAlarm?: InputMaybe<Array<AlarmLevel>>;
};

/** Sort order of sites. */
export type SiteOrder = {
  direction?: InputMaybe<OrderDirection>;
  field: SiteOrderField;
};

/** Fields that sites can be sorted by. */
export type SiteOrderField =
  | 'CREATED_AT'
  /** The distance from the point of the `near` filter. Requires that filter. */
  | 'DISTANCE'
  | 'ID'
  | 'NAME'
  /** The time in `newestSampledAt`: the site that has been silent the longest comes first. */
  | 'NEWEST_SAMPLED_AT'
  | 'STATUS'
  /** The most serious alarm level of the site's streams, from `NONE` to `EMERGENCY`. */
  | 'WORST_ALARM';

/** The new value of one attribute of one stream. Set either `attributeId` or `name`. */
export type StreamCustomAttributeInput = {
  /** The platform's number for the attribute, see `Query.streamCustomAttributeNames`. */
  attributeId?: InputMaybe<Scalars['ID']['input']>;
  /** The exact name of the attribute. */
  name?: InputMaybe<Scalars['String']['input']>;
  /** The id of the stream, for example `Stream:88001`. */
  streamId: Scalars['ID']['input'];
  /** At most 256 characters. */
  value: Scalars['String']['input'];
};

/**
 * Returns only streams that match every condition that is set. Conditions on a stream's own fields, such as `type`, cost
 * no REST call and are checked first. Conditions that cost REST calls are checked only for the streams that are left. To
 * save calls, also set `type` or `siteIds`.
 */
export type StreamFilter = {
  /** Only streams with one of these alarm levels. Costs the same as `thresholdStatus`. */
  alarmLevel?: InputMaybe<Array<AlarmLevel>>;
  /** Only streams with this custom attribute. Loads the attributes of all streams in one REST call, and caches them. */
  customAttribute?: InputMaybe<CustomAttributeCondition>;
  /** Only these streams, at most 1,000. */
  ids?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Part of the name. Case and accents do not matter. */
  nameContains?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only streams whose newest value is in this range. Streams that have sent a value in the last hour are loaded together,
   * usually in one REST call. Every other stream needs a separate call.
   */
  newestValue?: InputMaybe<NumberRange>;
  /** Only streams at sites of this organization, for example `Organization:12`. Also loads the list of sites. */
  organizationId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * Only streams that have sent neither a number nor text such as `ERR` for this long. For durations of up to 50 minutes,
   * one REST call usually covers all streams. For longer durations, each stream that was silent for an hour needs a separate
   * call. Leaves out streams without units that have never sent a number or text, because they carry images or RFID reads.
   */
  silentFor?: InputMaybe<Duration>;
  /** Only streams at sites with this custom attribute. Loads the attributes of all sites in one REST call, and caches them. */
  siteCustomAttribute?: InputMaybe<CustomAttributeCondition>;
  /** Only streams of this site, for example `Site:16828`. */
  siteId?: InputMaybe<Scalars['ID']['input']>;
  /** Only streams of these sites, at most 1,000. */
  siteIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** The name of the status, case-insensitive, or the platform's number for it. */
  status?: InputMaybe<Scalars['String']['input']>;
  /**
   * Only streams that are in a threshold level with one of these names, for example `["High"]`. Case does not matter. The
   * first use costs one REST call per stream, to load its levels. The gateway caches the levels, so later uses only cost
   * the calls of `newestValue`. See `Threshold.level`.
   */
  thresholdStatus?: InputMaybe<Array<Scalars['String']['input']>>;
  /** The name of the type, case-insensitive, for example `Pressure`, or the platform's number for it. */
  type?: InputMaybe<Scalars['String']['input']>;
  /** The exact unit, case-sensitive, for example `bar`. */
  units?: InputMaybe<Scalars['String']['input']>;
};

/** Sort order of streams. */
export type StreamOrder = {
  /** The statistic to sort by. Set it only with the field `AGGREGATE`. */
  aggregate?: InputMaybe<AggregateOrder>;
  direction?: InputMaybe<OrderDirection>;
  field: StreamOrderField;
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
  /** The time of the newest number, or text such as `ERR`: the stream that has been silent the longest comes first. */
  | 'NEWEST_SAMPLED_AT'
  /** The newest value. Costs the same as the filter `newestValue`. */
  | 'NEWEST_VALUE'
  | 'TYPE'
  | 'UNITS';

/** A band of values. It starts at the upper limit of the previous level. */
export type ThresholdLevelInput = {
  /** At most 512 characters. */
  comment?: InputMaybe<Scalars['String']['input']>;
  /** How long a value must stay in the band before the actions are taken, in seconds. A whole number from 0 to 4294967295. */
  falseAlarmFilterSeconds?: InputMaybe<Scalars['Float']['input']>;
  /** 1 to 256 characters. */
  name: Scalars['String']['input'];
  notificationActions?: InputMaybe<Array<NotificationActionInput>>;
  outputActions?: InputMaybe<Array<OutputActionInput>>;
  sampleActions?: InputMaybe<Array<SampleActionInput>>;
  /** The time between two samples while the value is in the band, in seconds. A whole number from 30 to 4294967295. */
  sampleIntervalSeconds?: InputMaybe<Scalars['Float']['input']>;
  transmissionInterval?: InputMaybe<TransmissionInterval>;
  /** True if the device sends its samples immediately when a value enters the band. */
  transmitImmediately?: InputMaybe<Scalars['Boolean']['input']>;
  /** In the stream's units. Must be greater than the upper limit of the previous level. Only the last level can omit it. */
  upperLimit?: InputMaybe<Scalars['Float']['input']>;
};

/** A period of time. It includes `from` and excludes `to`. `from` must be before `to`. */
export type TimeRange = {
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
};

/** How often a device sends samples while the value is in a band. */
export type TransmissionInterval =
  | 'EMERGENCY'
  | 'EVENT'
  | 'NORMAL';

/** The kind of problem with the input. */
export type UserErrorCode =
  /** Several objects have this name. Use the id instead. */
  | 'AMBIGUOUS'
  /** The input contains the same entry twice. */
  | 'DUPLICATE'
  /** The value cannot be combined with another value that is also set. */
  | 'EXCLUSIVE'
  /** The value is not an id of the expected type. */
  | 'INVALID_ID'
  /** The value must be greater than the value before it. */
  | 'NOT_ASCENDING'
  /** No object has this id or name. */
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
  direction?: InputMaybe<OrderDirection>;
  field: UserOrderField;
};

/** Fields that users can be sorted by. */
export type UserOrderField =
  | 'ID'
  | 'USER_NAME';

export type SiteStreamsQueryVariables = Exact<{
  id: Scalars['ID']['input'];
}>;


export type SiteStreamsQuery = { site: { id: string, name: string, streams: Array<{ id: string, name: string, units: string }> | null } | null };

export type ChartQueryVariables = Exact<{
  id: Scalars['ID']['input'];
  range: TimeRange;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type ChartQuery = { stream: { id: string, threshold: { id: string, levels: Array<{ name: string, lowerLimit: number | null, upperLimit: number | null, transmissionInterval: TransmissionInterval, transmitImmediately: boolean, notificationActions: Array<{ type: NotificationType }>, outputActions: Array<{ type: OutputActionType }> }> | null }, series: { times: Array<number>, values: Array<number | null>, min: Array<number | null>, max: Array<number | null>, cursor: string, replaceFrom: number } | null } | null };

export type SamplesSubscriptionVariables = Exact<{
  streamId: Scalars['ID']['input'];
}>;


export type SamplesSubscription = { sampleReceived:
    | { id: string }
    | { id: string }
    | { id: string }
   };

export type SitesQueryVariables = Exact<{ [key: string]: never; }>;


export type SitesQuery = { sites: { nodes: Array<{ id: string, name: string, location: { latitude: number, longitude: number } | null }> } | null };

export type AlarmsQueryVariables = Exact<{ [key: string]: never; }>;


export type AlarmsQuery = { sites: { nodes: Array<{ id: string }> } | null, streams: { nodes: Array<{ id: string, name: string, units: string, site: { id: string, name: string } | null, threshold: { id: string, level: { name: string } | null }, lastSample: { id: string, value: number | null, sampledAt: string } | null }> } | null };

export type AlarmChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type AlarmChangesSubscription = { thresholdStatusChanged: { cursor: string } };


export const SiteStreamsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SiteStreams"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"site"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"streams"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}}]}}]}}]}}]} as unknown as DocumentNode<SiteStreamsQuery, SiteStreamsQueryVariables>;
export const ChartDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Chart"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"range"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TimeRange"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stream"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"threshold"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"levels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"lowerLimit"}},{"kind":"Field","name":{"kind":"Name","value":"upperLimit"}},{"kind":"Field","name":{"kind":"Name","value":"transmissionInterval"}},{"kind":"Field","name":{"kind":"Name","value":"transmitImmediately"}},{"kind":"Field","name":{"kind":"Name","value":"notificationActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"Field","name":{"kind":"Name","value":"outputActions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"series"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"range"},"value":{"kind":"Variable","name":{"kind":"Name","value":"range"}}},{"kind":"Argument","name":{"kind":"Name","value":"maxPoints"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"method"},"value":{"kind":"EnumValue","value":"MEAN"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"times"}},{"kind":"Field","name":{"kind":"Name","value":"values"}},{"kind":"Field","name":{"kind":"Name","value":"min"}},{"kind":"Field","name":{"kind":"Name","value":"max"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"replaceFrom"}}]}}]}}]}}]} as unknown as DocumentNode<ChartQuery, ChartQueryVariables>;
export const SamplesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"Samples"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"streamId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sampleReceived"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"streamIds"},"value":{"kind":"ListValue","values":[{"kind":"Variable","name":{"kind":"Name","value":"streamId"}}]}},{"kind":"Argument","name":{"kind":"Name","value":"kinds"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"SCALAR"}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<SamplesSubscription, SamplesSubscriptionVariables>;
export const SitesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Sites"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sites"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"NAME"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"latitude"}},{"kind":"Field","name":{"kind":"Name","value":"longitude"}}]}}]}}]}}]}}]} as unknown as DocumentNode<SitesQuery, SitesQueryVariables>;
export const AlarmsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Alarms"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sites"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"worstAlarm"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"EVENT"},{"kind":"EnumValue","value":"EMERGENCY"}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"streams"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"alarmLevel"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"EVENT"},{"kind":"EnumValue","value":"EMERGENCY"}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"ALARM_LEVEL"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"units"}},{"kind":"Field","name":{"kind":"Name","value":"site"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"threshold"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"level"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"lastSample"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"sampledAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<AlarmsQuery, AlarmsQueryVariables>;
export const AlarmChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"AlarmChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"thresholdStatusChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}}]}}]}}]} as unknown as DocumentNode<AlarmChangesSubscription, AlarmChangesSubscriptionVariables>;