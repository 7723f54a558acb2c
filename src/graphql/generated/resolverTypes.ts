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
  DateTime: { input: number; output: string; }
};

export type AcknowledgeSamplesInput = {
  readonly agent?: InputMaybe<Scalars['String']['input']>;
  readonly kind: SampleBatchKind;
  readonly sampleId: Scalars['ID']['input'];
};

export type AcknowledgeSamplesPayload = {
  readonly __typename?: 'AcknowledgeSamplesPayload';
  readonly lastAcknowledged?: Maybe<Sample>;
  readonly userErrors: ReadonlyArray<UserError>;
};

export type Aggregate = {
  readonly __typename?: 'Aggregate';
  readonly avg?: Maybe<Scalars['Float']['output']>;
  readonly count: Scalars['Int']['output'];
  readonly cursor?: Maybe<Scalars['String']['output']>;
  readonly delta?: Maybe<Scalars['Float']['output']>;
  readonly deltaResets?: Maybe<Scalars['Int']['output']>;
  readonly endAt: Scalars['DateTime']['output'];
  readonly first?: Maybe<Scalars['Float']['output']>;
  readonly integral?: Maybe<Scalars['Float']['output']>;
  readonly integralUnits?: Maybe<Scalars['String']['output']>;
  readonly last?: Maybe<Scalars['Float']['output']>;
  readonly max?: Maybe<Scalars['Float']['output']>;
  readonly min?: Maybe<Scalars['Float']['output']>;
  readonly percentile?: Maybe<Scalars['Float']['output']>;
  readonly replaceFrom?: Maybe<Scalars['DateTime']['output']>;
  readonly startAt: Scalars['DateTime']['output'];
  readonly stdDev?: Maybe<Scalars['Float']['output']>;
  readonly sum?: Maybe<Scalars['Float']['output']>;
  readonly timeWeightedAvg?: Maybe<Scalars['Float']['output']>;
};


export type AggregatePercentileArgs = {
  p: Scalars['Float']['input'];
};

export type AggregateFill =
  | 'NONE'
  | 'NULL';

export type AggregateInterval =
  { readonly days: Scalars['Int']['input']; readonly hours?: never; readonly minutes?: never; readonly months?: never; readonly weeks?: never; }
  |  { readonly days?: never; readonly hours: Scalars['Int']['input']; readonly minutes?: never; readonly months?: never; readonly weeks?: never; }
  |  { readonly days?: never; readonly hours?: never; readonly minutes: Scalars['Int']['input']; readonly months?: never; readonly weeks?: never; }
  |  { readonly days?: never; readonly hours?: never; readonly minutes?: never; readonly months: Scalars['Int']['input']; readonly weeks?: never; }
  |  { readonly days?: never; readonly hours?: never; readonly minutes?: never; readonly months?: never; readonly weeks: Scalars['Int']['input']; };

export type AggregateOrder = {
  readonly range: TimeRange;
  readonly statistic?: InputMaybe<OrderStatistic>;
};

export type AlarmLevel =
  | 'EMERGENCY'
  | 'EVENT'
  | 'NONE';

export type BackfillSamplesInput = {
  readonly agent?: InputMaybe<Scalars['String']['input']>;
  readonly kind: SampleBatchKind;
  readonly since: Scalars['DateTime']['input'];
};

export type BackfillSamplesPayload = {
  readonly __typename?: 'BackfillSamplesPayload';
  readonly sampleBatch?: Maybe<SampleBatch>;
  readonly userErrors: ReadonlyArray<UserError>;
};

export type BoundingBox = {
  readonly east: Scalars['Float']['input'];
  readonly north: Scalars['Float']['input'];
  readonly south: Scalars['Float']['input'];
  readonly west: Scalars['Float']['input'];
};

export type Channel = Node & {
  readonly __typename?: 'Channel';
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  readonly device?: Maybe<Device>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly numberOnDevice?: Maybe<Scalars['Int']['output']>;
  readonly platformId: Scalars['String']['output'];
  readonly status?: Maybe<Classification>;
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
  readonly type?: Maybe<Classification>;
};

export type ChannelConnection = {
  readonly __typename?: 'ChannelConnection';
  readonly edges: ReadonlyArray<ChannelEdge>;
  readonly facets: ChannelFacets;
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Channel>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type ChannelEdge = {
  readonly __typename?: 'ChannelEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Channel;
};

export type ChannelFacets = {
  readonly __typename?: 'ChannelFacets';
  readonly statuses: ReadonlyArray<FacetValue>;
  readonly types: ReadonlyArray<FacetValue>;
};

export type ChannelFilter = {
  readonly deviceId?: InputMaybe<Scalars['ID']['input']>;
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly type?: InputMaybe<Scalars['String']['input']>;
};

export type ChannelLink =
  | 'CHANNEL_ID'
  | 'CUSTOM_ATTRIBUTE'
  | 'NAME';

export type ChannelOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: ChannelOrderField;
};

export type ChannelOrderField =
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'NUMBER_ON_DEVICE'
  | 'TYPE';

export type ChartRow = {
  readonly __typename?: 'ChartRow';
  readonly cursor?: Maybe<Scalars['String']['output']>;
  readonly max?: Maybe<Scalars['Float']['output']>;
  readonly min?: Maybe<Scalars['Float']['output']>;
  readonly replaceFrom?: Maybe<Scalars['DateTime']['output']>;
  readonly siteId?: Maybe<Scalars['ID']['output']>;
  readonly siteName?: Maybe<Scalars['String']['output']>;
  readonly streamId: Scalars['ID']['output'];
  readonly streamName: Scalars['String']['output'];
  readonly time: Scalars['DateTime']['output'];
  readonly units: Scalars['String']['output'];
  readonly value?: Maybe<Scalars['Float']['output']>;
};

export type Classification = {
  readonly __typename?: 'Classification';
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly platformId: Scalars['String']['output'];
};

export type CustomAttribute = {
  readonly __typename?: 'CustomAttribute';
  readonly name: Scalars['String']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly value: Scalars['String']['output'];
};

export type CustomAttributeCondition = {
  readonly name: Scalars['String']['input'];
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly valueContains?: InputMaybe<Scalars['String']['input']>;
};

export type CustomAttributeName = {
  readonly __typename?: 'CustomAttributeName';
  readonly name: Scalars['String']['output'];
  readonly platformId: Scalars['String']['output'];
};

export type Device = Node & {
  readonly __typename?: 'Device';
  readonly akid?: Maybe<Scalars['String']['output']>;
  readonly channels?: Maybe<ReadonlyArray<Channel>>;
  readonly firmwareVersion: Scalars['String']['output'];
  readonly health?: Maybe<DeviceHealthConnection>;
  readonly iccid?: Maybe<Scalars['String']['output']>;
  readonly iccid2?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly lastContactAt?: Maybe<Scalars['DateTime']['output']>;
  readonly lastHealth?: Maybe<ReadonlyArray<DeviceHealth>>;
  readonly lastLog?: Maybe<DeviceLog>;
  readonly logs?: Maybe<DeviceLogConnection>;
  readonly meid?: Maybe<Scalars['String']['output']>;
  readonly modelNumber: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly serialNumber: Scalars['String']['output'];
  readonly site?: Maybe<Site>;
};


export type DeviceHealthArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


export type DeviceLastHealthArgs = {
  counters?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


export type DeviceLogsArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type DeviceConnection = {
  readonly __typename?: 'DeviceConnection';
  readonly edges: ReadonlyArray<DeviceEdge>;
  readonly facets: DeviceFacets;
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Device>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type DeviceEdge = {
  readonly __typename?: 'DeviceEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Device;
  readonly orderValue?: Maybe<Scalars['Float']['output']>;
};

export type DeviceFacets = {
  readonly __typename?: 'DeviceFacets';
  readonly firmwareVersions: ReadonlyArray<FacetValue>;
  readonly models: ReadonlyArray<FacetValue>;
};

export type DeviceFilter = {
  readonly firmwareVersion?: InputMaybe<Scalars['String']['input']>;
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly modelNumber?: InputMaybe<Scalars['String']['input']>;
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  readonly organizationId?: InputMaybe<Scalars['ID']['input']>;
  readonly serialNumberContains?: InputMaybe<Scalars['String']['input']>;
  readonly silentFor?: InputMaybe<Duration>;
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type DeviceHealth = {
  readonly __typename?: 'DeviceHealth';
  readonly counterTypeId: Scalars['Int']['output'];
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly platformId: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly units?: Maybe<Scalars['String']['output']>;
  readonly value: Scalars['Float']['output'];
};

export type DeviceHealthConnection = {
  readonly __typename?: 'DeviceHealthConnection';
  readonly edges: ReadonlyArray<DeviceHealthEdge>;
  readonly nodes: ReadonlyArray<DeviceHealth>;
  readonly pageInfo: PageInfo;
};

export type DeviceHealthEdge = {
  readonly __typename?: 'DeviceHealthEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: DeviceHealth;
};

export type DeviceLog = {
  readonly __typename?: 'DeviceLog';
  readonly loggedAt: Scalars['DateTime']['output'];
  readonly message: Scalars['String']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly source: Scalars['String']['output'];
};

export type DeviceLogConnection = {
  readonly __typename?: 'DeviceLogConnection';
  readonly edges: ReadonlyArray<DeviceLogEdge>;
  readonly nodes: ReadonlyArray<DeviceLog>;
  readonly pageInfo: PageInfo;
};

export type DeviceLogEdge = {
  readonly __typename?: 'DeviceLogEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: DeviceLog;
};

export type DeviceOrder = {
  readonly counter?: InputMaybe<Scalars['String']['input']>;
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: DeviceOrderField;
};

export type DeviceOrderField =
  | 'FIRMWARE_VERSION'
  | 'HEALTH_COUNTER'
  | 'ID'
  | 'MODEL_NUMBER'
  | 'NAME'
  | 'SERIAL_NUMBER';

export type Duration =
  { readonly days: Scalars['Int']['input']; readonly hours?: never; readonly minutes?: never; }
  |  { readonly days?: never; readonly hours: Scalars['Int']['input']; readonly minutes?: never; }
  |  { readonly days?: never; readonly hours?: never; readonly minutes: Scalars['Int']['input']; };

export type ErrorCode =
  | 'AUTHENTICATION_UNAVAILABLE'
  | 'BAD_REQUEST'
  | 'BAD_USER_INPUT'
  | 'BATCHING_REFUSED'
  | 'BODY_COMPRESSED'
  | 'BODY_TOO_LARGE'
  | 'CANCELLED'
  | 'CIRCULAR_FRAGMENT'
  | 'COST_TOO_HIGH'
  | 'CREDENTIAL_EXPIRED'
  | 'CSRF_REFUSED'
  | 'DOCUMENT_NOT_TRUSTED'
  | 'FORBIDDEN'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'INTERNAL_SERVER_ERROR'
  | 'INTROSPECTION_OFF'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'OVERLOADED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'PLATFORM_BAD_RESPONSE'
  | 'PLATFORM_RATE_LIMITED'
  | 'PLATFORM_REFUSED'
  | 'PLATFORM_TIMEOUT'
  | 'PLATFORM_UNAUTHORIZED'
  | 'PLATFORM_UNAVAILABLE'
  | 'RATE_LIMITED'
  | 'SLOW_CONSUMER'
  | 'STOPPING'
  | 'SUBSCRIPTION_OVER_HTTP'
  | 'TOO_DEEP'
  | 'TOO_MANY_ALIASES'
  | 'TOO_MANY_DIRECTIVES'
  | 'TOO_MANY_ERRORS'
  | 'TOO_MANY_REPEATS'
  | 'TOO_MANY_REST_CALLS'
  | 'TOO_MANY_ROOT_FIELDS'
  | 'TOO_MANY_SUBSCRIPTIONS'
  | 'TOO_MANY_TOKENS'
  | 'UNAUTHENTICATED';

export type FacetValue = {
  readonly __typename?: 'FacetValue';
  readonly count: Scalars['Int']['output'];
  readonly value: Scalars['String']['output'];
};

export type GpsPosition = {
  readonly __typename?: 'GpsPosition';
  readonly altitude?: Maybe<Scalars['Float']['output']>;
  readonly dilutionOfPrecision?: Maybe<Scalars['Float']['output']>;
  readonly latitude: Scalars['Float']['output'];
  readonly longitude: Scalars['Float']['output'];
  readonly measuredAt?: Maybe<Scalars['DateTime']['output']>;
  readonly satelliteCount?: Maybe<Scalars['Int']['output']>;
};

export type HoursOfDay = {
  readonly from: Scalars['Int']['input'];
  readonly to: Scalars['Int']['input'];
};

export type ImageSample = Node & Sample & {
  readonly __typename?: 'ImageSample';
  readonly byteSize?: Maybe<Scalars['Int']['output']>;
  readonly contentType?: Maybe<Scalars['String']['output']>;
  readonly height?: Maybe<Scalars['Int']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  readonly url: Scalars['String']['output'];
  readonly width?: Maybe<Scalars['Int']['output']>;
};

export type ImageSampleConnection = {
  readonly __typename?: 'ImageSampleConnection';
  readonly edges: ReadonlyArray<ImageSampleEdge>;
  readonly nodes: ReadonlyArray<ImageSample>;
  readonly pageInfo: PageInfo;
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

export type ImageSampleEdge = {
  readonly __typename?: 'ImageSampleEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: ImageSample;
};

export type ListSizeFactor = {
  readonly argument: Scalars['String']['input'];
  readonly size: Scalars['Int']['input'];
};

export type Location = {
  readonly __typename?: 'Location';
  readonly latitude: Scalars['Float']['output'];
  readonly longitude: Scalars['Float']['output'];
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  readonly acknowledgeSamples?: Maybe<AcknowledgeSamplesPayload>;
  readonly backfillSamples?: Maybe<BackfillSamplesPayload>;
  readonly setSiteCustomAttributes?: Maybe<SetSiteCustomAttributesPayload>;
  readonly setStreamCustomAttributes?: Maybe<SetStreamCustomAttributesPayload>;
  readonly setStreamThreshold?: Maybe<SetStreamThresholdPayload>;
};


export type MutationAcknowledgeSamplesArgs = {
  input: AcknowledgeSamplesInput;
};


export type MutationBackfillSamplesArgs = {
  input: BackfillSamplesInput;
};


export type MutationSetSiteCustomAttributesArgs = {
  input: SetSiteCustomAttributesInput;
};


export type MutationSetStreamCustomAttributesArgs = {
  input: SetStreamCustomAttributesInput;
};


export type MutationSetStreamThresholdArgs = {
  input: SetStreamThresholdInput;
};

export type NearPoint = {
  readonly latitude: Scalars['Float']['input'];
  readonly longitude: Scalars['Float']['input'];
  readonly radiusKm: Scalars['Float']['input'];
};

export type Node = {
  readonly id: Scalars['ID']['output'];
};

export type NotificationAction = {
  readonly __typename?: 'NotificationAction';
  readonly relevanceThreshold?: Maybe<Scalars['Int']['output']>;
  readonly repeatsForAllOnFailed?: Maybe<Scalars['Int']['output']>;
  readonly repeatsPerUserOnFailed?: Maybe<Scalars['Int']['output']>;
  readonly type: NotificationType;
  readonly userGroupPlatformId?: Maybe<Scalars['String']['output']>;
};

export type NotificationActionInput = {
  readonly relevanceThreshold?: InputMaybe<Scalars['Int']['input']>;
  readonly repeatsForAllOnFailed?: InputMaybe<Scalars['Int']['input']>;
  readonly repeatsPerUserOnFailed?: InputMaybe<Scalars['Int']['input']>;
  readonly type: NotificationType;
  readonly userGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
};

export type NotificationType =
  | 'MAIL'
  | 'SMS'
  | 'TICKET_SYSTEM'
  | 'VOICE';

export type NumberRange = {
  readonly max?: InputMaybe<Scalars['Float']['input']>;
  readonly min?: InputMaybe<Scalars['Float']['input']>;
};

export type OrderDirection =
  | 'ASC'
  | 'DESC';

export type OrderStatistic =
  | 'AVG'
  | 'COUNT'
  | 'DELTA'
  | 'INTEGRAL'
  | 'LAST'
  | 'MAX'
  | 'MIN'
  | 'SUM'
  | 'TIME_WEIGHTED_AVG';

export type Organization = Node & {
  readonly __typename?: 'Organization';
  readonly accountPlatformId?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly sites?: Maybe<SiteConnection>;
};


export type OrganizationSitesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<SiteFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<SiteOrder>;
};

export type OrganizationConnection = {
  readonly __typename?: 'OrganizationConnection';
  readonly edges: ReadonlyArray<OrganizationEdge>;
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Organization>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type OrganizationEdge = {
  readonly __typename?: 'OrganizationEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Organization;
};

export type OrganizationOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: OrganizationOrderField;
};

export type OrganizationOrderField =
  | 'ID'
  | 'NAME';

export type OutputAction = {
  readonly __typename?: 'OutputAction';
  readonly channelNumber: Scalars['Int']['output'];
  readonly type: OutputActionType;
};

export type OutputActionInput = {
  readonly channelNumber: Scalars['Int']['input'];
  readonly type: OutputActionType;
};

export type OutputActionType =
  | 'PULSE_ONCE'
  | 'SET_DOWN'
  | 'SET_UP';

export type PageInfo = {
  readonly __typename?: 'PageInfo';
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  readonly hasNextPage: Scalars['Boolean']['output'];
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

export type PointInput = {
  readonly latitude: Scalars['Float']['input'];
  readonly longitude: Scalars['Float']['input'];
};

export type Query = {
  readonly __typename?: 'Query';
  readonly channel?: Maybe<Channel>;
  readonly channels?: Maybe<ChannelConnection>;
  readonly chart: ReadonlyArray<ChartRow>;
  readonly device?: Maybe<Device>;
  readonly deviceBySerialNumber?: Maybe<Device>;
  readonly devices?: Maybe<DeviceConnection>;
  readonly image?: Maybe<ImageSample>;
  readonly images?: Maybe<ImageSampleConnection>;
  readonly node?: Maybe<Node>;
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  readonly organization?: Maybe<Organization>;
  readonly organizations?: Maybe<OrganizationConnection>;
  readonly rfidReads?: Maybe<RfidReadConnection>;
  readonly sampleBatch?: Maybe<SampleBatch>;
  readonly sampleBatchStatus?: Maybe<Sample>;
  readonly samplesOf?: Maybe<ReadonlyArray<StreamSamples>>;
  readonly search?: Maybe<SearchResult>;
  readonly seriesOf?: Maybe<SharedSeries>;
  readonly site?: Maybe<Site>;
  readonly siteCustomAttributeNames?: Maybe<ReadonlyArray<CustomAttributeName>>;
  readonly sites?: Maybe<SiteConnection>;
  readonly stream?: Maybe<Stream>;
  readonly streamCustomAttributeNames?: Maybe<ReadonlyArray<CustomAttributeName>>;
  readonly streams?: Maybe<StreamConnection>;
  readonly thresholdChanges?: Maybe<ReadonlyArray<ThresholdChangeRow>>;
  readonly uiPreferences?: Maybe<UiPreferences>;
  readonly user?: Maybe<User>;
  readonly users?: Maybe<UserConnection>;
};


export type QueryChannelArgs = {
  id: Scalars['ID']['input'];
};


export type QueryChannelsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ChannelFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<ChannelOrder>;
};


export type QueryChartArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  every?: InputMaybe<AggregateInterval>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  range: TimeRange;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


export type QueryDeviceArgs = {
  id: Scalars['ID']['input'];
};


export type QueryDeviceBySerialNumberArgs = {
  serialNumber: Scalars['String']['input'];
};


export type QueryDevicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<DeviceFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<DeviceOrder>;
};


export type QueryImageArgs = {
  id: Scalars['ID']['input'];
};


export type QueryImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


export type QueryOrganizationArgs = {
  id: Scalars['ID']['input'];
};


export type QueryOrganizationsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<OrganizationOrder>;
};


export type QueryRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type QuerySampleBatchArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  backfillHours?: InputMaybe<Scalars['Int']['input']>;
  kind: SampleBatchKind;
};


export type QuerySampleBatchStatusArgs = {
  kind: SampleBatchKind;
};


export type QuerySamplesOfArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<OrderDirection>;
  range?: InputMaybe<TimeRange>;
  streamIds: ReadonlyArray<Scalars['ID']['input']>;
};


export type QuerySearchArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  text: Scalars['String']['input'];
};


export type QuerySeriesOfArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  range: TimeRange;
  streamIds: ReadonlyArray<Scalars['ID']['input']>;
};


export type QuerySiteArgs = {
  id: Scalars['ID']['input'];
};


export type QuerySitesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<SiteFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<SiteOrder>;
};


export type QueryStreamArgs = {
  id: Scalars['ID']['input'];
};


export type QueryStreamsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<StreamFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<StreamOrder>;
};


export type QueryThresholdChangesArgs = {
  range: TimeRange;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};


export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


export type QueryUsersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<UserOrder>;
};

export type RfidReadConnection = {
  readonly __typename?: 'RfidReadConnection';
  readonly edges: ReadonlyArray<RfidSampleEdge>;
  readonly nodes: ReadonlyArray<RfidSample>;
  readonly pageInfo: PageInfo;
  readonly tagCount: Scalars['Int']['output'];
  readonly tags: ReadonlyArray<RfidTag>;
  readonly totalCount: Scalars['Int']['output'];
};


export type RfidReadConnectionTagsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};

export type RfidReadFilter = {
  readonly streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly tagId?: InputMaybe<Scalars['String']['input']>;
  readonly tagIds?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type RfidSample = Node & Sample & {
  readonly __typename?: 'RfidSample';
  readonly endAt?: Maybe<Scalars['DateTime']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly position?: Maybe<GpsPosition>;
  readonly rawTagIds: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly startAt?: Maybe<Scalars['DateTime']['output']>;
  readonly stream?: Maybe<Stream>;
  readonly tagIds: ReadonlyArray<Scalars['String']['output']>;
};

export type RfidSampleConnection = {
  readonly __typename?: 'RfidSampleConnection';
  readonly edges: ReadonlyArray<RfidSampleEdge>;
  readonly nodes: ReadonlyArray<RfidSample>;
  readonly pageInfo: PageInfo;
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

export type RfidSampleEdge = {
  readonly __typename?: 'RfidSampleEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: RfidSample;
};

export type RfidTag = {
  readonly __typename?: 'RfidTag';
  readonly firstSeenAt: Scalars['DateTime']['output'];
  readonly lastRead: RfidSample;
  readonly lastSeenAt: Scalars['DateTime']['output'];
  readonly readCount: Scalars['Int']['output'];
  readonly tagId: Scalars['String']['output'];
};

export type Sample = {
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
};

export type SampleAction = {
  readonly __typename?: 'SampleAction';
  readonly sampleGroupPlatformId?: Maybe<Scalars['String']['output']>;
  readonly stream?: Maybe<Stream>;
  readonly type: SampleActionType;
};

export type SampleActionInput = {
  readonly sampleGroupPlatformId?: InputMaybe<Scalars['ID']['input']>;
  readonly streamId?: InputMaybe<Scalars['ID']['input']>;
  readonly type: SampleActionType;
};

export type SampleActionType =
  | 'PAUSE'
  | 'PAUSE_SINGLE'
  | 'RESUME'
  | 'SINGLE';

export type SampleBatch = {
  readonly __typename?: 'SampleBatch';
  readonly hasMore: Scalars['Boolean']['output'];
  readonly samples: ReadonlyArray<Sample>;
};

export type SampleBatchKind =
  | 'RFID'
  | 'SCALAR';

export type SampleKind =
  | 'IMAGE'
  | 'RFID'
  | 'SCALAR';

export type ScalarSample = Node & Sample & {
  readonly __typename?: 'ScalarSample';
  readonly id: Scalars['ID']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly rawValue: Scalars['String']['output'];
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  readonly value?: Maybe<Scalars['Float']['output']>;
};

export type ScalarSampleConnection = {
  readonly __typename?: 'ScalarSampleConnection';
  readonly edges: ReadonlyArray<ScalarSampleEdge>;
  readonly nodes: ReadonlyArray<ScalarSample>;
  readonly pageInfo: PageInfo;
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

export type ScalarSampleEdge = {
  readonly __typename?: 'ScalarSampleEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: ScalarSample;
};

export type SearchResult = {
  readonly __typename?: 'SearchResult';
  readonly devices?: Maybe<ReadonlyArray<Device>>;
  readonly sites?: Maybe<ReadonlyArray<Site>>;
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
};

export type Series = {
  readonly __typename?: 'Series';
  readonly coverage: Scalars['Float']['output'];
  readonly cursor: Scalars['String']['output'];
  readonly max: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly method: SeriesMethod;
  readonly min: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly reduced: Scalars['Boolean']['output'];
  readonly replaceFrom: Scalars['Float']['output'];
  readonly source: SeriesSource;
  readonly sourceCount: Scalars['Int']['output'];
  readonly times: ReadonlyArray<Scalars['Float']['output']>;
  readonly values: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
};

export type SeriesLine = {
  readonly __typename?: 'SeriesLine';
  readonly coverage: Scalars['Float']['output'];
  readonly max: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly min: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly sourceCount: Scalars['Int']['output'];
  readonly stream?: Maybe<Stream>;
  readonly values: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
};

export type SeriesMethod =
  | 'LTTB'
  | 'MEAN'
  | 'MIN_MAX';

export type SeriesSource =
  | 'AGGREGATES'
  | 'SAMPLES';

export type SetSiteCustomAttributesInput = {
  readonly attributes: ReadonlyArray<SiteCustomAttributeInput>;
};

export type SetSiteCustomAttributesPayload = {
  readonly __typename?: 'SetSiteCustomAttributesPayload';
  readonly sites?: Maybe<ReadonlyArray<Maybe<Site>>>;
  readonly userErrors: ReadonlyArray<UserError>;
};

export type SetStreamCustomAttributesInput = {
  readonly attributes: ReadonlyArray<StreamCustomAttributeInput>;
};

export type SetStreamCustomAttributesPayload = {
  readonly __typename?: 'SetStreamCustomAttributesPayload';
  readonly streams?: Maybe<ReadonlyArray<Maybe<Stream>>>;
  readonly userErrors: ReadonlyArray<UserError>;
};

export type SetStreamThresholdInput = {
  readonly levels: ReadonlyArray<ThresholdLevelInput>;
  readonly streamId: Scalars['ID']['input'];
};

export type SetStreamThresholdPayload = {
  readonly __typename?: 'SetStreamThresholdPayload';
  readonly stream?: Maybe<Stream>;
  readonly userErrors: ReadonlyArray<UserError>;
};

export type SharedSeries = {
  readonly __typename?: 'SharedSeries';
  readonly cursor: Scalars['String']['output'];
  readonly intervalSeconds: Scalars['Float']['output'];
  readonly lines: ReadonlyArray<Maybe<SeriesLine>>;
  readonly replaceFrom: Scalars['Float']['output'];
  readonly times: ReadonlyArray<Scalars['Float']['output']>;
};

export type Site = Node & {
  readonly __typename?: 'Site';
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  readonly customAttributes?: Maybe<ReadonlyArray<CustomAttribute>>;
  readonly devices?: Maybe<ReadonlyArray<Device>>;
  readonly distanceKm?: Maybe<Scalars['Float']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly images?: Maybe<ImageSampleConnection>;
  readonly location?: Maybe<Location>;
  readonly name: Scalars['String']['output'];
  readonly newestSampledAt?: Maybe<Scalars['DateTime']['output']>;
  readonly organization?: Maybe<Organization>;
  readonly platformId: Scalars['String']['output'];
  readonly rfidReads?: Maybe<RfidSampleConnection>;
  readonly samplesAfter?: Maybe<ReadonlyArray<ScalarSample>>;
  readonly samplesSince?: Maybe<ScalarSampleConnection>;
  readonly series?: Maybe<SharedSeries>;
  readonly status: Scalars['String']['output'];
  readonly streams?: Maybe<ReadonlyArray<Stream>>;
  readonly worstAlarm?: Maybe<AlarmLevel>;
};


export type SiteDistanceKmArgs = {
  from: PointInput;
};


export type SiteImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type SiteRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type SiteSamplesAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


export type SiteSamplesSinceArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type SiteSeriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  range: TimeRange;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  type?: InputMaybe<Scalars['String']['input']>;
};

export type SiteConnection = {
  readonly __typename?: 'SiteConnection';
  readonly edges: ReadonlyArray<SiteEdge>;
  readonly facets: SiteFacets;
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Site>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type SiteCustomAttributeInput = {
  readonly attributeId?: InputMaybe<Scalars['ID']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly siteId: Scalars['ID']['input'];
  readonly value: Scalars['String']['input'];
};

export type SiteEdge = {
  readonly __typename?: 'SiteEdge';
  readonly cursor: Scalars['String']['output'];
  readonly distanceKm?: Maybe<Scalars['Float']['output']>;
  readonly node: Site;
};

export type SiteFacets = {
  readonly __typename?: 'SiteFacets';
  readonly statuses: ReadonlyArray<FacetValue>;
};

export type SiteFilter = {
  readonly customAttribute?: InputMaybe<CustomAttributeCondition>;
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  readonly near?: InputMaybe<NearPoint>;
  readonly organizationId?: InputMaybe<Scalars['ID']['input']>;
  readonly silentFor?: InputMaybe<Duration>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly within?: InputMaybe<BoundingBox>;
  readonly worstAlarm?: InputMaybe<ReadonlyArray<AlarmLevel>>;
};

export type SiteOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: SiteOrderField;
};

export type SiteOrderField =
  | 'CREATED_AT'
  | 'DISTANCE'
  | 'ID'
  | 'NAME'
  | 'NEWEST_SAMPLED_AT'
  | 'STATUS'
  | 'WORST_ALARM';

export type Stream = Node & {
  readonly __typename?: 'Stream';
  readonly aggregates?: Maybe<ReadonlyArray<Aggregate>>;
  readonly channel?: Maybe<Channel>;
  readonly channelLink?: Maybe<ChannelLink>;
  readonly createdAt?: Maybe<Scalars['DateTime']['output']>;
  readonly customAttributes?: Maybe<ReadonlyArray<CustomAttribute>>;
  readonly id: Scalars['ID']['output'];
  readonly images?: Maybe<ImageSampleConnection>;
  readonly lastImage?: Maybe<ImageSample>;
  readonly lastRfidRead?: Maybe<RfidSample>;
  readonly lastSample?: Maybe<ScalarSample>;
  readonly name: Scalars['String']['output'];
  readonly platformId: Scalars['String']['output'];
  readonly rfidReads?: Maybe<RfidSampleConnection>;
  readonly rfidReadsAfter?: Maybe<ReadonlyArray<RfidSample>>;
  readonly samples?: Maybe<ScalarSampleConnection>;
  readonly samplesAfter?: Maybe<ReadonlyArray<ScalarSample>>;
  readonly samplesSince?: Maybe<ScalarSampleConnection>;
  readonly series?: Maybe<Series>;
  readonly site?: Maybe<Site>;
  readonly status?: Maybe<Classification>;
  readonly threshold: Threshold;
  readonly type?: Maybe<Classification>;
  readonly units: Scalars['String']['output'];
  readonly valueScale?: Maybe<Scalars['Float']['output']>;
};


export type StreamAggregatesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  every: AggregateInterval;
  fill?: InputMaybe<AggregateFill>;
  hoursOfDay?: InputMaybe<HoursOfDay>;
  range: TimeRange;
  timeZone?: InputMaybe<Scalars['String']['input']>;
};


export type StreamImagesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type StreamRfidReadsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RfidReadFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type StreamRfidReadsAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


export type StreamSamplesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  order?: InputMaybe<OrderDirection>;
  range?: InputMaybe<TimeRange>;
};


export type StreamSamplesAfterArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


export type StreamSamplesSinceArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  since: Scalars['DateTime']['input'];
};


export type StreamSeriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  maxPoints?: InputMaybe<Scalars['Int']['input']>;
  method?: InputMaybe<SeriesMethod>;
  range: TimeRange;
};

export type StreamConnection = {
  readonly __typename?: 'StreamConnection';
  readonly edges: ReadonlyArray<StreamEdge>;
  readonly facets: StreamFacets;
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<Stream>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type StreamCustomAttributeInput = {
  readonly attributeId?: InputMaybe<Scalars['ID']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly streamId: Scalars['ID']['input'];
  readonly value: Scalars['String']['input'];
};

export type StreamEdge = {
  readonly __typename?: 'StreamEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: Stream;
  readonly orderValue?: Maybe<Scalars['Float']['output']>;
};

export type StreamFacets = {
  readonly __typename?: 'StreamFacets';
  readonly statuses: ReadonlyArray<FacetValue>;
  readonly types: ReadonlyArray<FacetValue>;
  readonly units: ReadonlyArray<FacetValue>;
};

export type StreamFilter = {
  readonly alarmLevel?: InputMaybe<ReadonlyArray<AlarmLevel>>;
  readonly customAttribute?: InputMaybe<CustomAttributeCondition>;
  readonly ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly nameContains?: InputMaybe<Scalars['String']['input']>;
  readonly newestValue?: InputMaybe<NumberRange>;
  readonly organizationId?: InputMaybe<Scalars['ID']['input']>;
  readonly silentFor?: InputMaybe<Duration>;
  readonly siteCustomAttribute?: InputMaybe<CustomAttributeCondition>;
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly thresholdStatus?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly type?: InputMaybe<Scalars['String']['input']>;
  readonly units?: InputMaybe<Scalars['String']['input']>;
};

export type StreamOrder = {
  readonly aggregate?: InputMaybe<AggregateOrder>;
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: StreamOrderField;
};

export type StreamOrderField =
  | 'AGGREGATE'
  | 'ALARM_LEVEL'
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'NEWEST_SAMPLED_AT'
  | 'NEWEST_VALUE'
  | 'TYPE'
  | 'UNITS';

export type StreamSamples = {
  readonly __typename?: 'StreamSamples';
  readonly samples?: Maybe<ScalarSampleConnection>;
  readonly stream?: Maybe<Stream>;
  readonly streamId: Scalars['ID']['output'];
};

export type Subscription = {
  readonly __typename?: 'Subscription';
  readonly sampleReceived: Sample;
  readonly thresholdStatusChanged: ThresholdStatusChange;
};


export type SubscriptionSampleReceivedArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  kinds?: InputMaybe<ReadonlyArray<SampleKind>>;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};


export type SubscriptionThresholdStatusChangedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  streamIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type Threshold = Node & {
  readonly __typename?: 'Threshold';
  readonly alarmLevel?: Maybe<AlarmLevel>;
  readonly id: Scalars['ID']['output'];
  readonly level?: Maybe<ThresholdLevel>;
  readonly levels?: Maybe<ReadonlyArray<ThresholdLevel>>;
  readonly status?: Maybe<Scalars['String']['output']>;
};

export type ThresholdChangeRow = {
  readonly __typename?: 'ThresholdChangeRow';
  readonly level: Scalars['String']['output'];
  readonly previousLevel: Scalars['String']['output'];
  readonly siteId?: Maybe<Scalars['ID']['output']>;
  readonly siteName?: Maybe<Scalars['String']['output']>;
  readonly streamId: Scalars['ID']['output'];
  readonly streamName: Scalars['String']['output'];
  readonly text: Scalars['String']['output'];
  readonly time: Scalars['DateTime']['output'];
  readonly title: Scalars['String']['output'];
  readonly units: Scalars['String']['output'];
  readonly value?: Maybe<Scalars['Float']['output']>;
};

export type ThresholdLevel = {
  readonly __typename?: 'ThresholdLevel';
  readonly comment?: Maybe<Scalars['String']['output']>;
  readonly falseAlarmFilterSeconds: Scalars['Float']['output'];
  readonly lowerLimit?: Maybe<Scalars['Float']['output']>;
  readonly name: Scalars['String']['output'];
  readonly notificationActions: ReadonlyArray<NotificationAction>;
  readonly outputActions: ReadonlyArray<OutputAction>;
  readonly sampleActions: ReadonlyArray<SampleAction>;
  readonly sampleIntervalSeconds: Scalars['Float']['output'];
  readonly transmissionInterval: TransmissionInterval;
  readonly transmitImmediately: Scalars['Boolean']['output'];
  readonly upperLimit?: Maybe<Scalars['Float']['output']>;
};

export type ThresholdLevelInput = {
  readonly comment?: InputMaybe<Scalars['String']['input']>;
  readonly falseAlarmFilterSeconds?: InputMaybe<Scalars['Float']['input']>;
  readonly name: Scalars['String']['input'];
  readonly notificationActions?: InputMaybe<ReadonlyArray<NotificationActionInput>>;
  readonly outputActions?: InputMaybe<ReadonlyArray<OutputActionInput>>;
  readonly sampleActions?: InputMaybe<ReadonlyArray<SampleActionInput>>;
  readonly sampleIntervalSeconds?: InputMaybe<Scalars['Float']['input']>;
  readonly transmissionInterval?: InputMaybe<TransmissionInterval>;
  readonly transmitImmediately?: InputMaybe<Scalars['Boolean']['input']>;
  readonly upperLimit?: InputMaybe<Scalars['Float']['input']>;
};

export type ThresholdStatusChange = {
  readonly __typename?: 'ThresholdStatusChange';
  readonly cursor: Scalars['String']['output'];
  readonly enteredAt: Scalars['DateTime']['output'];
  readonly level: ThresholdLevel;
  readonly previousLevel: ThresholdLevel;
  readonly sampledAt: Scalars['DateTime']['output'];
  readonly stream?: Maybe<Stream>;
  readonly value: Scalars['Float']['output'];
};

export type TimeRange = {
  readonly from: Scalars['DateTime']['input'];
  readonly to: Scalars['DateTime']['input'];
};

export type TransmissionInterval =
  | 'EMERGENCY'
  | 'EVENT'
  | 'NORMAL';

export type UiPreferences = {
  readonly __typename?: 'UiPreferences';
  readonly dateFormat: Scalars['String']['output'];
  readonly timeFormat: Scalars['String']['output'];
};

export type User = Node & {
  readonly __typename?: 'User';
  readonly emailAddress?: Maybe<Scalars['String']['output']>;
  readonly firstName?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly lastName?: Maybe<Scalars['String']['output']>;
  readonly mobilePhone?: Maybe<Scalars['String']['output']>;
  readonly platformId: Scalars['String']['output'];
  readonly timezoneName?: Maybe<Scalars['String']['output']>;
  readonly userName: Scalars['String']['output'];
};

export type UserConnection = {
  readonly __typename?: 'UserConnection';
  readonly edges: ReadonlyArray<UserEdge>;
  readonly isComplete: Scalars['Boolean']['output'];
  readonly nodes: ReadonlyArray<User>;
  readonly pageInfo: PageInfo;
  readonly totalCount: Scalars['Int']['output'];
};

export type UserEdge = {
  readonly __typename?: 'UserEdge';
  readonly cursor: Scalars['String']['output'];
  readonly node: User;
};

export type UserError = {
  readonly __typename?: 'UserError';
  readonly code: UserErrorCode;
  readonly field: ReadonlyArray<Scalars['String']['output']>;
  readonly message: Scalars['String']['output'];
};

export type UserErrorCode =
  | 'AMBIGUOUS'
  | 'DUPLICATE'
  | 'EXCLUSIVE'
  | 'INVALID_ID'
  | 'NOT_ASCENDING'
  | 'NOT_FOUND'
  | 'OUT_OF_RANGE'
  | 'REQUIRED'
  | 'TOO_LONG'
  | 'TOO_MANY';

export type UserOrder = {
  readonly direction?: InputMaybe<OrderDirection>;
  readonly field: UserOrderField;
};

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
