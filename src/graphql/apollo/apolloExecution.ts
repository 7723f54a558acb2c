/** Lets Apollo Server execute with an executor of our own, in the two places that it has for that. */
import {
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestContextResponseForOperation,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { Executor } from '../../execution/executor.js';

type ApolloOperation<Context extends BaseContext> = GraphQLRequestContextResponseForOperation<Context>;

export interface ApolloExecution<Context extends BaseContext> {
  gateway: ApolloServerOptionsWithGateway<Context>['gateway'];
  plugin: ApolloServerPlugin<Context>;
}

/**
 * What went well is answered by a plugin, which is the shortest way. What has errors goes on to where gateways plug
 * in, so that all that Apollo Server does about errors is done. Everything by that second way would be simpler, but for
 * each execution Apollo Server then makes an object with a getter, and the engine keeps such a one, with the whole
 * request, until the next sweep of the old space: a sixth of all that was allocated.
 */
export function createApolloExecution<Context extends BaseContext>(
  schema: GraphQLSchema,
  execute: Executor,
  prepare: (operation: ApolloOperation<Context>) => Promise<void> | undefined,
): ApolloExecution<Context> {
  /** By the context of the operation. */
  const failed = new WeakMap<object, ExecutionResult>();

  async function answer(operation: ApolloOperation<Context>): Promise<GraphQLResponse | null> {
    const { document, request, contextValue } = operation;
    const preparing = prepare(operation);
    if (preparing !== undefined) await preparing;
    const result = await execute({
      document,
      operationName: request.operationName,
      variableValues: request.variables,
      contextValue,
    });
    if (!result.errors) return toResponse(result);
    failed.set(contextValue, result);
    return null;
  }

  return {
    gateway: toGateway(schema, (context) => failed.get(context)),
    plugin: {
      async requestDidStart() {
        return { responseForOperation: answer };
      },
    },
  };
}

function toResponse({ data = null }: ExecutionResult): GraphQLResponse {
  return {
    http: { headers: new HeaderMap() },
    body: { kind: 'single', singleResult: { data } },
  };
}

/** Executes nothing by itself: each operation has been executed before it gets here. */
function toGateway(
  schema: GraphQLSchema,
  resultOf: (context: object) => ExecutionResult | undefined,
): ApolloServerOptionsWithGateway<object>['gateway'] {
  return {
    onSchemaLoadOrUpdate(tell) {
      // The supergraph's text is for reports to Apollo, which nothing here makes.
      tell({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    async load() {
      return { executor: async ({ context }) => resultOf(context) ?? { data: null } };
    },
    async stop() {},
  };
}
