/** All resolvers of the graph, by type. */
import { DateTime } from './arguments/DateTime.js';
import type { Resolvers } from './generated/resolverTypes.js';
import { Channel } from './resolvers/Channel.js';
import { Classification } from './resolvers/Classification.js';
import { CustomAttribute, CustomAttributeName } from './resolvers/CustomAttribute.js';
import { Device, DeviceHealth, DeviceLog } from './resolvers/Device.js';
import {
  AcknowledgeSamplesPayload,
  BackfillSamplesPayload,
  Mutation,
  SetSiteCustomAttributesPayload,
  SetStreamCustomAttributesPayload,
  SetStreamThresholdPayload,
} from './resolvers/Mutation.js';
import { Organization } from './resolvers/Organization.js';
import { Query } from './resolvers/Query.js';
import { type Relation, relationOf } from './resolvers/relation.js';
import { ImageSample, RfidSample, ScalarSample } from './resolvers/Sample.js';
import { SeriesLine, StreamSamples } from './resolvers/Series.js';
import { Site } from './resolvers/Site.js';
import { Stream } from './resolvers/Stream.js';
import { Subscription } from './resolvers/Subscription.js';
import { SampleAction, Threshold } from './resolvers/Threshold.js';
import { User } from './resolvers/User.js';

/** Interfaces need no `resolveType`, because every model of an implementing type has `__typename`. */
export const resolvers: Resolvers = {
  DateTime,
  Query,
  Mutation,
  SetSiteCustomAttributesPayload,
  SetStreamCustomAttributesPayload,
  SetStreamThresholdPayload,
  AcknowledgeSamplesPayload,
  BackfillSamplesPayload,
  Subscription,
  Organization,
  User,
  Site,
  Device,
  DeviceHealth,
  DeviceLog,
  Channel,
  Stream,
  SeriesLine,
  StreamSamples,
  CustomAttribute,
  CustomAttributeName,
  Classification,
  Threshold,
  SampleAction,
  ScalarSample,
  ImageSample,
  RfidSample,
};

/** The declaration of a field that has a resolver; undefined for fields that are properties of their object. */
export function findRelation(typeName: string, fieldName: string): Relation | undefined {
  const fields = (resolvers as Readonly<Record<string, object | undefined>>)[typeName];
  return fields && relationOf((fields as Readonly<Record<string, unknown>>)[fieldName]);
}
