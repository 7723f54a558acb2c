import type { CodegenConfig } from '@graphql-codegen/cli';

/** Which model of `src/sources` stands behind each type of the graph. */
const mappers = {
  Organization: '../../sources/organizations.js#Organization as OrganizationModel',
  User: '../../sources/users.js#User as UserModel',
  UiPreferences: '../../sources/users.js#UiPreferences as UiPreferencesModel',
  Site: '../../sources/sites.js#Site as SiteModel',
  Device: '../../sources/devices.js#Device as DeviceModel',
  DeviceHealth: '../../sources/deviceRecords.js#DeviceHealth as DeviceHealthModel',
  DeviceLog: '../../sources/deviceRecords.js#DeviceLog as DeviceLogModel',
  Channel: '../../sources/channels.js#Channel as ChannelModel',
  Stream: '../../sources/streams.js#Stream as StreamModel',
  CustomAttribute: '../../sources/customAttributes.js#CustomAttribute as CustomAttributeModel',
  CustomAttributeName: '../../sources/customAttributes.js#CustomAttributeName as CustomAttributeNameModel',
  Threshold: '../../sources/thresholds.js#Threshold as ThresholdModel',
  ThresholdLevel: '../../sources/thresholds.js#ThresholdLevel as ThresholdLevelModel',
  SampleAction: '../../sources/thresholds.js#SampleAction as SampleActionModel',
  Classification: '../../sources/wireValues.js#Classification as ClassificationModel',
  ScalarSample: '../../sources/samples.js#ScalarSample as ScalarSampleModel',
  ImageSample: '../../sources/samples.js#ImageSample as ImageSampleModel',
  RfidSample: '../../sources/samples.js#RfidSample as RfidSampleModel',
  ScalarSampleConnection: '../sampleConnection.js#ScalarSampleConnection as ScalarSampleConnectionModel',
  ImageSampleConnection: '../sampleConnection.js#ImageSampleConnection as ImageSampleConnectionModel',
  RfidSampleConnection: '../sampleConnection.js#RfidSampleConnection as RfidSampleConnectionModel',
  DeviceHealthConnection: '../recordConnection.js#DeviceHealthConnection as DeviceHealthConnectionModel',
  DeviceLogConnection: '../recordConnection.js#DeviceLogConnection as DeviceLogConnectionModel',
  Series: '../../sources/series.js#Series as SeriesModel',
  SharedSeries: '../../sources/sharedSeries.js#SharedSeries as SharedSeriesModel',
  SeriesLine: '../../sources/sharedSeries.js#SeriesLine as SeriesLineModel',
  StreamSamples: '../streamSamples.js#StreamSamples as StreamSamplesModel',
  Aggregate: '../../sources/aggregates.js#Aggregate as AggregateModel',
  SetSiteCustomAttributesPayload: '../mutations/setAttributes.js#AttributesSet as SiteAttributesSet',
  SetStreamCustomAttributesPayload: '../mutations/setAttributes.js#AttributesSet as StreamAttributesSet',
  SetStreamThresholdPayload: '../mutations/setThreshold.js#ThresholdSet',
  AcknowledgeSamplesPayload: '../mutations/moveQueue.js#QueueMoved as QueueAcknowledged',
  BackfillSamplesPayload: '../mutations/moveQueue.js#QueueMoved as QueueBackfilled',
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
  },
};

export default config;
