/** Puts the gateway together: the REST client behind the graph behind the HTTP server. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createApolloServer } from './graphql/apolloServer.js';
import { type Context, createContext } from './graphql/context.js';
import { createSchema } from './graphql/schema.js';
import { createExplorerFiles } from './http/explorerFiles.js';
import { createGraphqlHandler } from './http/graphqlHandler.js';
import { startHttpServer } from './http/server.js';
import { serveWebsocket } from './http/websocket.js';
import { type Clock, systemClock } from './lib/clock.js';
import type { Logger } from './lib/logger.js';
import { createSampleFeed, type SampleFeed } from './live/sampleFeed.js';
import { type ConnectedPlatform, connectPlatform } from './platform.js';
import type { Credential } from './rest/token/requestToken.js';
import { createExplanation } from './sources/explanation.js';
import { createReader } from './sources/reader.js';
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
  /** Shared by replicas: token, budget and answers. Absent: this process is alone. */
  redisUrl?: string | undefined;
  logger: Logger;
  clock?: Clock;
}

export interface Gateway {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** Takes no more requests, lets those under way end, closes everything. */
  stop(): Promise<void>;
}

/** The most milliseconds that an operation waits for the platform. */
const OPERATION_TIMEOUT_MS = 30_000;
const DRAIN_MS = 10_000;

/** Beside `src` as well as beside `dist`, the built page is in `dist`. */
const explorerDirectory = fileURLToPath(new URL('../dist/explorer/', import.meta.url));

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger, livePollMs, host, port, clock = systemClock } = options;
  const { platform: credential, redisUrl } = options;
  const platform = connectPlatform({ platform: credential, redisUrl, clock, logger });
  const feed = createSampleFeed({ rest: platform.rest, clock, logger, pollMs: livePollMs });
  const newContext = createContextFactory(options, platform, feed, clock);

  const schema = createSchema();
  const apolloServer = createApolloServer(schema, logger);
  await apolloServer.start();
  const http = await startHttpServer({
    host,
    port,
    graphql: createGraphqlHandler({ apolloServer, createContext: newContext }),
    explorer: createExplorerFiles(explorerDirectory),
    checkReady: platform.checkReady,
    logger,
  });
  const websocket = serveWebsocket({
    server: http.server,
    schema,
    createContext: () => newContext({ requestId: randomUUID() }),
  });

  async function stop(): Promise<void> {
    feed.stop();
    await websocket.close();
    await http.close(DRAIN_MS);
    await apolloServer.stop();
    await platform.close();
  }
  let stopping: Promise<void> | undefined;
  return {
    url: http.url,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

interface OperationFacts {
  requestId: string;
  signal?: AbortSignal;
  noCache?: boolean;
  explain?: boolean;
}

/** Each operation has sources of its own over the one cache, and a deadline. */
function createContextFactory(
  { channelAttribute }: GatewayOptions,
  platform: ConnectedPlatform,
  feed: SampleFeed,
  clock: Clock,
) {
  const { rest, cache, keys, pages, stats } = platform;
  const nowMs = () => clock.now();
  return ({ requestId, signal, noCache, explain = false }: OperationFacts): Context => {
    const explanation = explain ? createExplanation() : undefined;
    return createContext({
      requestId,
      feed,
      explain: explanation && (() => ({ ...explanation.report(), ...platform.status() })),
      createSources() {
        const callOptions = { signal, noCache, deadlineAtMs: nowMs() + OPERATION_TIMEOUT_MS };
        const reader = createReader({ cache, keys, pages, stats, options: callOptions, explanation });
        return createSources({ rest, reader, channelAttribute, nowMs });
      },
    });
  };
}
