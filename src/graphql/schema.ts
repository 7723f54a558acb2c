/** Builds the executable schema from the SDL files and the resolvers. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, type GraphQLSchema, isObjectType } from 'graphql';
import { DateTime } from './arguments/timeArguments.js';
import type { Resolvers } from './generated/resolverTypes.js';
import { Device, DeviceHealth, DeviceLog } from './resolvers/Device.js';
import { createFederationResolvers, federationDefinitions, toSubgraphSdl } from './resolvers/federation.js';
import { Classification, CustomAttribute, CustomAttributeName } from './resolvers/identity.js';
import {
  AcknowledgeSamplesPayload,
  BackfillSamplesPayload,
  Mutation,
  SetSiteCustomAttributesPayload,
  SetStreamCustomAttributesPayload,
  SetStreamThresholdPayload,
} from './resolvers/Mutation.js';
import { Organization, User } from './resolvers/Organization.js';
import { Query, SearchResult } from './resolvers/Query.js';
import {
  Aggregate,
  ChartRow,
  ImageSample,
  RfidSample,
  ScalarSample,
  SeriesLine,
  StreamSamples,
  ThresholdChangeRow,
} from './resolvers/Sample.js';
import { Site } from './resolvers/Site.js';
import { Channel, SampleAction, Stream, Threshold } from './resolvers/Stream.js';
import { Subscription, ThresholdStatusChange } from './resolvers/Subscription.js';

/** The same relative path from `src/graphql`, `build/graphql` and `dist/server`. */
const schemaDirectory = new URL('../../schema/', import.meta.url);

interface SchemaOptions {
  /** Adds the fields by which a Federation router uses the graph as a subgraph. Default false. */
  isSubgraph?: boolean;
}

/** The SDL of the graph, with the directives on its fields. */
export function readSchemaText({ isSubgraph = false }: SchemaOptions = {}): string {
  const typeDefinitions = readTypeDefinitions();
  return (isSubgraph ? [...typeDefinitions, federationDefinitions] : typeDefinitions).join('\n');
}

/** The SDL for composing a supergraph, which `_service { sdl }` returns too. */
export function readSubgraphText(): string {
  return toSubgraphSdl(readSchemaText());
}

export function createSchema({ isSubgraph = false }: SchemaOptions = {}): GraphQLSchema {
  // A test validates the SDL. At each start it would take 30 ms.
  const schema = buildSchema(readSchemaText({ isSubgraph }), { assumeValidSDL: true });
  const { serialize, parseValue, parseLiteral, extensions } = DateTime;
  Object.assign(schema.getType('DateTime') ?? {}, { serialize, parseValue, parseLiteral, extensions });
  addResolvers(schema, resolvers);
  if (isSubgraph) addResolvers(schema, createFederationResolvers(readSchemaText()));
  return schema;
}

/** Fields keep the functions themselves, because relations are declared for them. Throws for fields that do not exist. */
function addResolvers(schema: GraphQLSchema, resolversByType: Readonly<Record<string, object>>): void {
  for (const [typeName, resolversOfType] of Object.entries(resolversByType)) {
    const type = schema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    for (const [name, resolver] of Object.entries(resolversOfType)) {
      const field = fields[name];
      if (!field) throw new Error(`${typeName}.${name} has a resolver, but is not in the schema.`);
      Object.assign(field, typeof resolver === 'function' ? { resolve: resolver } : resolver);
    }
  }
}

function readTypeDefinitions(): string[] {
  const directory = fileURLToPath(schemaDirectory);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, schemaDirectory), 'utf8'));
}

/** Interfaces need no `resolveType`, because every model of an implementing type has `__typename`. */
const resolvers: Omit<Resolvers, 'DateTime'> = {
  Query,
  Mutation,
  SetSiteCustomAttributesPayload,
  SetStreamCustomAttributesPayload,
  SetStreamThresholdPayload,
  AcknowledgeSamplesPayload,
  BackfillSamplesPayload,
  Subscription,
  ThresholdStatusChange,
  Organization,
  User,
  Site,
  Device,
  DeviceHealth,
  DeviceLog,
  Channel,
  Stream,
  Aggregate,
  ChartRow,
  ThresholdChangeRow,
  SeriesLine,
  StreamSamples,
  CustomAttribute,
  CustomAttributeName,
  Classification,
  SearchResult,
  Threshold,
  SampleAction,
  ScalarSample,
  ImageSample,
  RfidSample,
};
