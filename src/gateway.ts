/** Puts the gateway together: the REST client behind the graph behind the HTTP server. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createApolloServer } from './graphql/apolloServer.js';
import { createContext } from './graphql/context.js';
import { createSchema } from './graphql/schema.js';
import { createExplorerFiles } from './http/explorerFiles.js';
import { createGraphqlHandler } from './http/graphqlHandler.js';
import { startHttpServer } from './http/server.js';
import { serveWebsocket } from './http/websocket.js';
import { type Clock, systemClock } from './lib/clock.js';
import type { Logger } from './lib/logger.js';
import { createSampleFeed } from './live/sampleFeed.js';
import { type Credential, requestToken } from './rest/requestToken.js';
import { type CallOptions, createRestCaller } from './rest/restCaller.js';
import { createRestClient } from './rest/restClient.js';
import { createTokenManager } from './rest/tokenManager.js';
import { createTransport } from './rest/transport.js';
import { createSources } from './sources/sources.js';

export interface GatewayOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  platform: Credential & { url: string };
  /** The name of the stream attribute whose value is a channel's id. */
  channelAttribute: string;
  /** How often the platform is asked for new samples while somebody listens. */
  livePollMs: number;
  logger: Logger;
  clock?: Clock;
}

export interface Gateway {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** Takes no more requests, lets those under way end, closes everything. */
  stop(): Promise<void>;
}

/** The most milliseconds for one REST call, body included. */
const REST_TIMEOUT_MS = 30_000;
/** The most bytes read of one REST answer: 10,000 rows of the longest texts stay below. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
const MOST_SOCKETS = 64;
const DRAIN_MS = 10_000;

/** Beside `src` as well as beside `dist`, the built page is in `dist`. */
const explorerDirectory = fileURLToPath(new URL('../dist/explorer/', import.meta.url));

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger, platform, channelAttribute, livePollMs, host, port, clock = systemClock } = options;
  const transport = createTransport({
    baseUrl: platform.url,
    timeoutMs: REST_TIMEOUT_MS,
    maxBodyBytes: LARGEST_ANSWER,
    maxSockets: MOST_SOCKETS,
  });
  const tokens = createTokenManager({
    requestToken: () => requestToken(transport, platform, clock),
    clock,
    logger,
  });
  const rest = createRestClient(createRestCaller({ transport, tokens, clock, logger }));

  const feed = createSampleFeed({ rest, clock, logger, pollMs: livePollMs });
  const newContext = ({ requestId, ...options }: { requestId: string } & CallOptions) =>
    createContext({
      requestId,
      feed,
      createSources: () => createSources({ rest, channelAttribute }, options),
    });

  const schema = createSchema();
  const apolloServer = createApolloServer(schema, logger);
  await apolloServer.start();
  const graphql = createGraphqlHandler({ apolloServer, createContext: newContext });
  const http = await startHttpServer({
    host,
    port,
    graphql,
    explorer: createExplorerFiles(explorerDirectory),
    checkReady: async () => {
      await tokens.get();
    },
    logger,
  });

  const websocket = serveWebsocket({
    server: http.server,
    schema,
    createContext: () => newContext({ requestId: randomUUID() }),
  });

  return {
    url: http.url,
    async stop() {
      feed.stop();
      await websocket.close();
      await http.close(DRAIN_MS);
      await apolloServer.stop();
      transport.close();
    },
  };
}
