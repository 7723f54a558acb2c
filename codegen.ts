import type { CodegenConfig } from '@graphql-codegen/cli';

/** The model that resolvers receive as source object, for each GraphQL type. */
const mappers = {
  Organization: '../../sources/entities/organizations.js#Organization as OrganizationModel',
  User: '../../sources/entities/users.js#User as UserModel',
  UiPreferences: '../../sources/entities/users.js#UiPreferences as UiPreferencesModel',
  Site: '../../sources/entities/sites.js#Site as SiteModel',
  Device: '../../sources/entities/devices.js#Device as DeviceModel',
  DeviceHealth: '../../sources/entities/deviceRecords.js#DeviceHealth as DeviceHealthModel',
  DeviceLog: '../../sources/entities/deviceRecords.js#DeviceLog as DeviceLogModel',
  Channel: '../../sources/entities/channels.js#Channel as ChannelModel',
  Stream: '../../sources/entities/streams.js#Stream as StreamModel',
  CustomAttribute: '../../sources/entities/customAttributes.js#CustomAttribute as CustomAttributeModel',
  CustomAttributeName:
    '../../sources/entities/customAttributes.js#CustomAttributeName as CustomAttributeNameModel',
  Threshold: '../../sources/entities/thresholds.js#Threshold as ThresholdModel',
  ThresholdLevel: '../../sources/entities/thresholds.js#ThresholdLevel as ThresholdLevelModel',
  ThresholdStatusChange: '../../live/thresholdChanges.js#ThresholdChange',
  SampleAction: '../../sources/entities/thresholds.js#SampleAction as SampleActionModel',
  Classification: '../../sources/core/wireValues.js#Classification as ClassificationModel',
  ScalarSample: '../../sources/samples/samples.js#ScalarSample as ScalarSampleModel',
  ImageSample: '../../sources/samples/samples.js#ImageSample as ImageSampleModel',
  RfidSample: '../../sources/samples/samples.js#RfidSample as RfidSampleModel',
  ScalarSampleConnection:
    '../connections/sampleConnection.js#ScalarSampleConnection as ScalarSampleConnectionModel',
  ImageSampleConnection:
    '../connections/sampleConnection.js#ImageSampleConnection as ImageSampleConnectionModel',
  RfidSampleConnection:
    '../connections/sampleConnection.js#RfidSampleConnection as RfidSampleConnectionModel',
  RfidReadConnection: '../connections/sampleConnection.js#RfidReadConnection as RfidReadConnectionModel',
  RfidTag: '../connections/sampleConnection.js#RfidTag as RfidTagModel',
  SearchResult: '../arguments/search.js#SearchText',
  DeviceHealthConnection:
    '../connections/listConnection.js#DeviceHealthConnection as DeviceHealthConnectionModel',
  DeviceLogConnection: '../connections/listConnection.js#DeviceLogConnection as DeviceLogConnectionModel',
  Series: '../../sources/charts/deltas.js#SeriesSince as SeriesModel',
  SharedSeries: '../../sources/charts/deltas.js#SharedSeriesSince as SharedSeriesModel',
  SeriesLine: '../../sources/charts/series.js#SeriesLine as SeriesLineModel',
  StreamSamples: '../connections/sampleConnection.js#StreamSamples as StreamSamplesModel',
  Aggregate: '../../sources/charts/deltas.js#AggregateSince as AggregateModel',
  ThresholdChangeRow: '../../sources/charts/chartRows.js#ThresholdRow as ThresholdRowModel',
  ChartRow: '../../sources/charts/chartRows.js#ChartRowSince as ChartRowModel',
  SetSiteCustomAttributesPayload: '../mutations/writes.js#SetAttributesResult as SiteAttributesSet',
  SetStreamCustomAttributesPayload: '../mutations/writes.js#SetAttributesResult as StreamAttributesSet',
  SetStreamThresholdPayload: '../mutations/writes.js#SetThresholdResult',
  AcknowledgeSamplesPayload: '../mutations/writes.js#MoveQueueResult as QueueAcknowledged',
  BackfillSamplesPayload: '../mutations/writes.js#MoveQueueResult as QueueBackfilled',
};

const config: CodegenConfig = {
  schema: 'schema/*.graphql',
  generates: {
    'src/graphql/generated/resolverTypes.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        contextType: '../context.js#Context',
        mappers,
        useTypeImports: true,
        immutableTypes: true,
        disableDescriptions: true,
        enumsAsTypes: true,
        inputMaybeValue: 'T | null | undefined',
        scalars: {
          ID: { input: 'string', output: 'string' },
          DateTime: { input: 'number', output: 'string' },
        },
        strictScalars: true,
        defaultScalarType: 'unknown',
        makeResolverTypeCallable: true,
        resolversNonOptionalTypename: { unionMember: true, interfaceImplementingType: true },
      },
    },
    'examples/react/generated/': {
      documents: 'examples/react/*.tsx',
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        onlyOperationTypes: true,
        skipTypename: true,
        avoidOptionals: { field: true },
        scalars: { DateTime: 'string' },
        strictScalars: true,
        defaultScalarType: 'unknown',
      },
    },
  },
};

export default config;
