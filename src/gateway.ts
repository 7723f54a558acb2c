/** Puts the gateway together: the REST client behind the graph behind the HTTP server. */
import { fileURLToPath } from 'node:url';
import { type CallerLimits, defaultCallerLimits } from './callerLimits.js';
import { createApolloServer } from './graphql/apolloServer.js';
import { type Context, createContext } from './graphql/context.js';
import { createDocumentStore } from './graphql/documents/documentStore.js';
import { readTrustedDocuments } from './graphql/documents/trustedDocuments.js';
import { createOperationGuard, type OperationCost } from './graphql/limits/operationGuard.js';
import { createSchema } from './graphql/schema.js';
import { createCallerRate } from './http/callerRate.js';
import { createCors } from './http/cors.js';
import { createExplorerFiles } from './http/explorerFiles.js';
import { createGraphqlHandler } from './http/graphqlHandler.js';
import { type ServerTimeouts, startHttpServer } from './http/server.js';
import { serveWebsocket } from './http/websocket.js';
import { type Clock, systemClock } from './lib/clock.js';
import type { Logger } from './lib/logger.js';
import { createSampleFeed, type SampleFeed } from './live/sampleFeed.js';
import { type ConnectedPlatform, connectPlatform } from './platform.js';
import type { Credential } from './rest/token/requestToken.js';
import { createCallAllowance } from './sources/callAllowance.js';
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
  /** Those absent are the defaults; the rate alone is then without a limit. */
  callerLimits?: Partial<CallerLimits> | undefined;
  timeouts?: Partial<ServerTimeouts> | undefined;
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
/** All that stopping may take; what is closed last needs a little of it. */
const DRAIN_MS = 9_500;
const UNLIMITED = { perSecond: 0, burst: 1 };

/** Beside `src` as well as beside `dist`, the built page is in `dist`. */
const explorerDirectory = fileURLToPath(new URL('../dist/explorer/', import.meta.url));

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger, livePollMs, host, port, clock = systemClock } = options;
  const { platform: credential, redisUrl } = options;
  const platform = connectPlatform({ platform: credential, redisUrl, clock, logger });
  const feed = createSampleFeed({ rest: platform.rest, clock, logger, pollMs: livePollMs });
  const limits = { ...defaultCallerLimits, rate: UNLIMITED, ...options.callerLimits };
  const newContext = createContextFactory(options, platform, feed, clock, limits.mostRestCalls);

  const schema = createSchema();
  const documents = createDocumentStore({
    trusted:
      limits.trustedDocuments === undefined ? new Map() : readTrustedDocuments(limits.trustedDocuments),
    trustedOnly: limits.trustedDocumentsOnly,
  });
  const admission = { guard: createOperationGuard(schema, limits.operation), documents };
  const rate = createCallerRate(limits.rate, clock);
  const cors = createCors(limits.corsOrigins);
  const apolloServer = createApolloServer({ schema, limits: limits.operation, documents, logger });
  await apolloServer.start();
  const http = await startHttpServer({
    host,
    port,
    graphql: createGraphqlHandler({
      apolloServer,
      createContext: newContext,
      admission,
      rate,
      mostBodyBytes: limits.mostBodyBytes,
    }),
    explorer: createExplorerFiles(explorerDirectory),
    checkReady: platform.checkReady,
    cors,
    timeouts: options.timeouts,
    logger,
  });
  const websocket = serveWebsocket({
    server: http.server,
    schema,
    createContext: (requestId, cost) => newContext({ requestId, cost }),
    admission,
    rate,
    cors,
    mostMessageBytes: limits.mostBodyBytes,
    hidesSuggestions: !limits.operation.allowsIntrospection,
    logger,
  });

  async function stop(): Promise<void> {
    feed.stop();
    await Promise.all([websocket.close(DRAIN_MS), http.close(DRAIN_MS)]);
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
  cost?: OperationCost | undefined;
}

/** Each operation has sources of its own over the one cache, and a deadline. */
function createContextFactory(
  { channelAttribute }: GatewayOptions,
  platform: ConnectedPlatform,
  feed: SampleFeed,
  clock: Clock,
  mostRestCalls: number,
) {
  const { rest, writes: restWrites, cache, keys, stats } = platform;
  const nowMs = () => clock.now();
  return ({ requestId, signal, noCache, explain = false, cost }: OperationFacts): Context => {
    const explanation = explain ? createExplanation() : undefined;
    let beforeCall = createCallAllowance(mostRestCalls);
    return createContext({
      requestId,
      feed,
      explain: explanation && (() => ({ cost, ...explanation.report(), ...platform.status() })),
      createSources({ pastCaches, renewed }) {
        if (renewed) beforeCall = createCallAllowance(mostRestCalls);
        const callOptions = {
          requestId,
          signal,
          noCache: noCache || pastCaches,
          deadlineAtMs: nowMs() + OPERATION_TIMEOUT_MS,
          beforeCall,
        };
        const reader = createReader({ cache, keys, stats, options: callOptions, explanation });
        return createSources({ rest, restWrites, reader, channelAttribute, nowMs });
      },
    });
  };
}
