/**
 * Starts Hive Gateway and Apollo Gateway with the supergraph on standard input, and prints their addresses as JSON. Runs
 * in a process of its own, in plain JavaScript, because the types of Hive Gateway change those of graphql-js.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createGatewayRuntime } from '@graphql-hive/gateway';

const supergraphSdl = await text(process.stdin);

/** Starts Hive Gateway, and returns its address. */
async function startHive(subscriptions) {
  const hive = createServer(
    createGatewayRuntime({
      supergraph: supergraphSdl,
      logging: false,
      deferStream: true,
      transportEntries: { fieldgraph: { options: { subscriptions } } },
      propagateHeaders: {
        fromClientToSubgraphs: ({ request }) => ({
          authorization: request.headers.get('authorization'),
          traceparent: request.headers.get('traceparent'),
          tracestate: request.headers.get('tracestate'),
        }),
      },
    }),
  );
  await new Promise((resolve) => hive.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${hive.address().port}`;
}

// The gateway streams subscriptions over the same address.
const hive = await startHive({ kind: 'http' });
const hiveSocket = await startHive({
  kind: 'ws',
  options: { connectionParams: { authorization: '{context.headers.authorization}' } },
});

const apollo = new ApolloServer({
  gateway: new ApolloGateway({
    supergraphSdl,
    buildService: ({ url }) =>
      new RemoteGraphQLDataSource({
        url,
        willSendRequest({ request, context }) {
          request.http?.headers.set('authorization', context.authorization ?? '');
        },
      }),
  }),
});
const { url } = await startStandaloneServer(apollo, {
  listen: { host: '127.0.0.1', port: 0 },
  context: async ({ req }) => ({ authorization: req.headers.authorization }),
});

process.stdout.write(`${JSON.stringify({ hive, hiveSocket, apollo: url.replace(/\/$/, '') })}\n`);
