/** Builds the executable schema from the SDL files and the resolvers. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { markSchemaFields } from '../execution/fieldDependence.js';
import { resolvers } from './resolvers.js';

/** The same relative path from `src/graphql` and `dist/graphql`. */
const schemaDirectory = new URL('../../schema/', import.meta.url);

export function createSchema(): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: readTypeDefinitions(),
    resolvers,
    inheritResolversFromInterfaces: false,
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  });
  markSchemaFields(schema, resolvers);
  return schema;
}

function readTypeDefinitions(): string[] {
  const directory = fileURLToPath(schemaDirectory);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, schemaDirectory), 'utf8'));
}
