/** Lets Apollo Server execute with our own executor, in the one place it has for that: where gateways plug in. */
import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { Executor } from './executor.js';

type ApolloGateway = ApolloServerOptionsWithGateway<object>['gateway'];

/**
 * What Apollo Server does before and after executing stays as it is, errors and plugins included. A plugin that
 * answers by itself (`responseForOperation`) would have to do all of that over again.
 */
export function createApolloGateway(schema: GraphQLSchema, execute: Executor): ApolloGateway {
  return {
    onSchemaLoadOrUpdate(tell) {
      // The supergraph's text is for reports to Apollo, which nothing here makes.
      tell({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    async load() {
      return {
        executor: async ({ document, request, context }) =>
          execute({
            document,
            operationName: request.operationName,
            variableValues: request.variables,
            contextValue: context,
          }),
      };
    },
    async stop() {},
  };
}
