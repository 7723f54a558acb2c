/** Puts the gateway together: the REST client behind the graph behind the HTTP server. */
import { fileURLToPath } from 'node:url';
import { type CallerLimits, defaultCallerLimits } from '../config/callerLimits.js';
import { createApolloServer } from '../graphql/apollo/apolloServer.js';
import { createDocumentStore, type DocumentStore } from '../graphql/documents/documentStore.js';
import { readTrustedDocuments } from '../graphql/documents/trustedDocuments.js';
import { createOperationGuard } from '../graphql/limits/operationGuard.js';
import { createSchema } from '../graphql/schema.js';
import { type CallerAuth, createAuthenticator } from '../http/auth/authenticator.js';
import { allowAnyHost, createHostCheck } from '../http/auth/hostCheck.js';
import { serveWebsocket } from '../http/delivery/websocket.js';
import { createCallerRateLimiter } from '../http/rateLimits/callerRateLimiter.js';
import { createCallerThrottle } from '../http/rateLimits/callerThrottle.js';
import { limitFailedLogins } from '../http/rateLimits/failedLogins.js';
import { createGraphqlHandler } from '../http/requests/graphqlHandler.js';
import { createCors } from '../http/responses/cors.js';
import { createExplorerFiles } from '../http/server/explorerFiles.js';
import type { MetricsAccess } from '../http/server/metricsPage.js';
import { createRequestMetrics } from '../http/server/requestMetrics.js';
import { type ServerTimeouts, startHttpServer } from '../http/server/server.js';
import { createByteBudgets } from '../lib/byteBudget.js';
import { type Clock, systemClock } from '../lib/clock.js';
import { createLimitedLogger } from '../lib/limitedLogger.js';
import type { Logger } from '../lib/logger.js';
import { isLoopback } from '../lib/loopback.js';
import { toMonotonicClock } from '../lib/monotonicClock.js';
import type { Credential } from '../rest/auth/requestToken.js';
import type { ResilienceLimits } from '../rest/resilience/resilienceLimits.js';
import { checkPlatform } from './checkPlatform.js';
import { createGatewayMetrics } from './gatewayMetrics.js';
import type { Peers } from './peers.js';
import { createPlatformAccess } from './platformAccess.js';
import { createSessionOpener } from './sessions.js';

export interface GatewayOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Host names, with or without a port, by which callers reach an open gateway on loopback through a proxy. */
  publicHosts?: readonly string[] | undefined;
  /** Key and secret are not used where callers bring their own. */
  platform: Credential & { url: string };
  /** Who may call; absent: everybody. */
  callerAuth?: CallerAuth | undefined;
  /** The name of the stream attribute whose value is a channel's id. */
  channelAttribute: string;
  /** How often the platform is asked for new samples while somebody listens. */
  livePollMs: number;
  /** Shared by replicas: token, budget and answers. Absent: this process is alone. */
  redisUrl?: string | undefined;
  /** Where other numbers than the usual ones are wanted. */
  resilience?: Partial<ResilienceLimits> | undefined;
  /** How often the credentials of open websockets are looked at again, in milliseconds. */
  websocketRecheckIntervalMs?: number;
  /** Those absent are the defaults; operations and messages alone are then without a rate. */
  callerLimits?: Partial<CallerLimits> | undefined;
  timeouts?: Partial<ServerTimeouts> | undefined;
  /** Who may read `/metrics`; `callers` where absent. */
  metrics?: MetricsAccess | undefined;
  /** Checks the credential and the organizations of API keys after the start, and logs problems. */
  checksPlatform?: boolean | undefined;
  /** Other processes that serve the same; absent: there are none. */
  peers?: Peers | undefined;
  logger: Logger;
  clock?: Clock;
}

export interface Gateway {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** Takes no more requests, lets those under way end, closes everything. */
  stop(): Promise<void>;
}

/** All that stopping may take; what is closed last needs a little of it. */
const DRAIN_TIMEOUT_MS = 9_500;
const UNLIMITED_RATE = { perSecond: 0, burst: 1 };

/** Beside `src` as well as beside `dist`, the built page is in `dist`. */
const explorerDirectory = fileURLToPath(new URL('../../dist/explorer/', import.meta.url));

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger, host, port, channelAttribute, callerAuth = { kind: 'open' } } = options;
  const clock = options.clock ?? systemClock;
  const monotonic = toMonotonicClock(clock);
  const limits = {
    ...defaultCallerLimits,
    rate: UNLIMITED_RATE,
    messages: UNLIMITED_RATE,
    ...options.callerLimits,
  };
  const { maxRestCalls } = limits;
  const callerLogger = createLimitedLogger(logger, clock);
  const authenticator = await createAuthenticator(callerAuth, { clock, logger });
  const usesCallerCredentials = callerAuth.kind === 'platform';
  const access = createPlatformAccess({
    ...options,
    clock,
    usesCallerCredentials,
  });
  const isAllowedHost =
    callerAuth.kind === 'open' && isLoopback(host)
      ? createHostCheck(host, options.publicHosts)
      : allowAnyHost;
  const rate = createCallerRateLimiter(limits.rate, monotonic, options.peers?.rateCounts);
  const openSession = limitFailedLogins(
    createSessionOpener({
      authenticator,
      access,
      channelAttribute,
      maxRestCalls: maxRestCalls,
      clock,
      logger,
    }),
    rate,
  );

  const schema = createSchema();
  const documents = createDocuments(limits);
  const admission = { guard: createOperationGuard(schema, limits.operation), documents };
  const throttle = createCallerThrottle(rate, monotonic);
  const budgets = createByteBudgets(limits.maxCallerBytes);
  const requestMetrics = createRequestMetrics();
  const metrics = createGatewayMetrics({
    access: options.metrics ?? 'callers',
    openSession,
    usesCallerCredentials,
    metricValues: () => ({
      requests: requestMetrics.counts(),
      platform: access.metricValues(),
      websockets: websocket.connectionCount(),
    }),
    peers: options.peers,
  });
  const cors = createCors(limits.corsOrigins, limits.corsHeaders);
  const apolloServer = createApolloServer({
    schema,
    limits: limits.operation,
    documents,
    logger: callerLogger,
  });
  await apolloServer.start();
  const http = await startHttpServer({
    host,
    port,
    graphql: createGraphqlHandler({
      apolloServer,
      openSession,
      admission,
      throttle,
      budgets,
      maxBodyBytes: limits.maxBodyBytes,
      clock,
      requestMetrics,
    }),
    explorer: createExplorerFiles(explorerDirectory),
    isAllowedHost,
    checkReady: access.checkReady,
    metrics: metrics.page,
    requestMetrics,
    cors,
    timeouts: options.timeouts,
    logger: callerLogger,
  });
  const websocket = serveWebsocket({
    server: http.server,
    schema,
    openSession,
    isAllowedHost,
    recheckIntervalMs: options.websocketRecheckIntervalMs,
    admission,
    throttle,
    cors,
    maxMessageBytes: limits.maxBodyBytes,
    hidesSuggestions: !limits.operation.allowsIntrospection,
    requestMetrics,
    messages: limits.messages,
    maxUnsentBytes: limits.maxUnsentBytes,
    maxUnsentMs: limits.maxUnsentMs,
    budgets,
    clock,
    logger: callerLogger,
  });

  if (options.checksPlatform) checkPlatform({ access, authenticator, logger });

  async function stop(): Promise<void> {
    authenticator.close();
    metrics.close();
    access.stopFeeds();
    await Promise.all([websocket.close(DRAIN_TIMEOUT_MS), http.close(DRAIN_TIMEOUT_MS)]);
    await apolloServer.stop();
    await access.close();
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

function createDocuments({ trustedDocuments, trustedDocumentsOnly }: CallerLimits): DocumentStore {
  return createDocumentStore({
    trusted: trustedDocuments === undefined ? new Map() : readTrustedDocuments(trustedDocuments),
    trustedOnly: trustedDocumentsOnly,
  });
}
