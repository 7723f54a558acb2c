/** Assembles one gateway: callers and the platform, the graph, and the HTTP server in front of them. */
import { fileURLToPath } from 'node:url';
import { createApolloServer, createGraphExecution } from '../graphql/apollo/apolloServer.js';
import { createErrorReporter } from '../graphql/apollo/formatError.js';
import { createDocumentStore, createParsedDocuments } from '../graphql/documents/documentStore.js';
import { watchTrustedDocuments } from '../graphql/documents/trustedDocuments.js';
import { createOperationGuard } from '../graphql/limits/operationGuard.js';
import { createSchema, readSchemaText } from '../graphql/schema.js';
import { createAuthenticator } from '../http/auth/authenticator.js';
import { chooseHostCheck } from '../http/auth/hostCheck.js';
import { serveWebsocket } from '../http/delivery/sockets/websocket.js';
import { createIncrementalHandler } from '../http/delivery/streams/incrementalHandler.js';
import { StreamHandler } from '../http/delivery/streams/streamHandler.js';
import { createDelivery } from '../http/delivery/subscriptions.js';
import { createCallerRateLimiter } from '../http/rateLimits/callerRateLimiter.js';
import {
  createCallerThrottle,
  createPageLimit,
  createPageRate,
  limitFailedLogins,
} from '../http/rateLimits/callerThrottle.js';
import { ExecutionLimit } from '../http/rateLimits/executionLimit.js';
import { createAddressResolver } from '../http/rateLimits/remoteAddress.js';
import { AccessLog } from '../http/requests/accessLog.js';
import { createRefusalReporter } from '../http/requests/refusalReporter.js';
import { createRequestMetrics } from '../http/requests/requestMetrics.js';
import { createCors } from '../http/responses/cors.js';
import { createExplorerFiles } from '../http/server/explorerFiles.js';
import { createGraphqlHandler } from '../http/server/graphqlHandler.js';
import { createSchemaPage } from '../http/server/pages.js';
import { startHttpServer, toMaxWaitMs } from '../http/server/server.js';
import { createByteBudgets } from '../lib/byteBudget.js';
import { toMonotonicClock } from '../lib/clock.js';
import { defaultResilienceLimits } from '../rest/resilience/resilienceLimits.js';
import { batchRateCounts, type Coordinator, createLocalCoordinator } from './coordinator.js';
import { type GatewayOptions, type GatewaySettings, toSettings } from './gatewayOptions.js';
import type { OnDrain } from './logging.js';
import { createGatewayMetrics } from './metrics.js';
import { checkCredentialAtStart, createPlatformAccess } from './platformAccess.js';
import { createSessionOpener } from './sessions.js';
import { connectRedisCoordinator } from './sharing/redisCoordinator.js';
import { WriteLog } from './writeLog.js';

export interface Gateway {
  /** For example `http://127.0.0.1:4000`. */
  url: string;
  /**
   * Stops accepting requests, completes the current ones, and closes all connections. Resolves with the number of responses
   * that could not be completed.
   */
  stop(onDrain?: OnDrain): Promise<number>;
}

type CallerLayer = Awaited<ReturnType<typeof createCallerLayer>>;
type GraphLayer = Awaited<ReturnType<typeof startGraphLayer>>;

/** A stop may take 10 s; the remaining second is for closing Apollo Server and the platform connections. */
const DRAIN_TIMEOUT_MS = 9_000;
/** Calls to the platform end earlier, so that the operations that wait for them can respond with STOPPING. */
const CALLS_TIMEOUT_MS = 8_500;
/** The time that a stop may take, including that of sending the last spans to the collector. */
const STOP_TIMEOUT_MS = 9_400;
/** Time limit for the last poll before subscriptions end. It is part of `DRAIN_TIMEOUT_MS`. */
const LAST_POLL_MS = 1_000;

/** How often the credentials of open connections are verified. */
const RECHECK_INTERVAL_MS = 30_000;

/** Leads to the built page from `src/gateway`, `build/gateway` and `dist/server`. */
const explorerDirectory = fileURLToPath(new URL('../../dist/explorer/', import.meta.url));

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const settings = await toSettings(options);
  const callers = await createCallerLayer(settings);
  try {
    return await serve(settings, callers);
  } catch (error) {
    // Listening may fail, for example because the address is in use, while the program that embeds the gateway
    // continues.
    await closeCallerLayer(settings, callers, performance.now());
    throw error;
  }
}

async function serve(settings: GatewaySettings, callers: CallerLayer): Promise<Gateway> {
  const graph = await startGraphLayer(settings);
  const server = await startServerLayer(settings, callers, graph);
  const { access, authenticator } = callers;
  if (settings.checksPlatform) checkCredentialAtStart({ access, authenticator, logger: settings.logger });
  access.startPolling();

  async function stop(onDrain?: OnDrain): Promise<number> {
    const endMs = performance.now() + STOP_TIMEOUT_MS;
    authenticator.close();
    onDrain?.(server.openWork());
    let refused = 0;
    const endCalls = setTimeout(() => {
      refused = server.openWork().requests;
      void access.close();
    }, CALLS_TIMEOUT_MS);
    const cutOff = await server.close(access.finishFeeds(settings.lastPollMs ?? LAST_POLL_MS));
    clearTimeout(endCalls);
    await graph.apolloServer.stop();
    await closeCallerLayer(settings, callers, endMs);
    return Math.max(cutOff, refused);
  }
  let stopping: Promise<number> | undefined;
  return {
    url: server.url,
    stop(onDrain) {
      stopping ??= stop(onDrain);
      return stopping;
    },
  };
}

/** Authenticates callers, limits their rates, and opens their sessions on the platform. */
async function createCallerLayer(settings: GatewaySettings) {
  const { callerAuth, limits, clock, logger, channelAttribute } = settings;
  const healthCounters = new Map(settings.healthCounters?.map((counter) => [counter.typeId, counter]));
  const authenticator = await createAuthenticator(callerAuth, { clock, logger });
  const coordinator = createCoordinator(settings);
  const usesCallerCredentials = callerAuth.kind === 'platform';
  const access = createPlatformAccess({ ...settings, coordinator, usesCallerCredentials });
  const monotonic = toMonotonicClock(clock);
  const { rateCounts } = coordinator;
  const rate = createCallerRateLimiter(limits.rate, monotonic, rateCounts && batchRateCounts(rateCounts));
  const pageRate = createPageRate(limits.rate, monotonic);
  const throttle = createCallerThrottle(rate, monotonic);
  const maxWaitMs = toMaxWaitMs(settings.timeouts);
  const { maxRestCalls, maxHeapBytes } = limits;
  const { operationTimeoutMs = defaultResilienceLimits.operationTimeoutMs } = settings.resilience ?? {};
  const writeLog = new WriteLog(logger);
  const sessions = {
    ...{ authenticator, access, channelAttribute, healthCounters },
    ...{ maxRestCalls, operationTimeoutMs, clock, writeLog, callerLogger: settings.callerLogger },
  };
  return {
    authenticator,
    coordinator,
    access,
    checkReady: () => Promise.all([authenticator.checkReady?.(), access.checkReady()]),
    writeLog,
    throttle,
    limitPage: createPageLimit(pageRate, throttle),
    openSession: limitFailedLogins(createSessionOpener(sessions), rate, pageRate, monotonic),
    usesCallerCredentials,
    operationTimeoutMs,
    budgets: createByteBudgets(limits.maxCallerBytes, maxHeapBytes),
    executions: new ExecutionLimit({ maxCost: limits.operation.maxCost, maxWaitMs, maxHeapBytes }),
  };
}

/** The last spans have until `endMs`, by `performance.now`. */
async function closeCallerLayer(
  { tracer }: GatewaySettings,
  callers: CallerLayer,
  endMs: number,
): Promise<void> {
  callers.authenticator.close();
  callers.writeLog.close();
  await callers.access.close();
  await callers.coordinator.close();
  await tracer?.close(endMs - performance.now());
}

/** Workers share through their primary. With Redis, the gateway as a whole shares with its replicas too. */
function createCoordinator(settings: GatewaySettings): Coordinator {
  const { coordinator = createLocalCoordinator(settings.clock), redisUrl, livePollMs } = settings;
  if (redisUrl === undefined) return coordinator;
  return connectRedisCoordinator({ ...settings, url: redisUrl, local: coordinator, pollMs: livePollMs });
}

async function startGraphLayer({ isSubgraph = false, ...settings }: GatewaySettings) {
  const { limits, callerLogger } = settings;
  const schema = createSchema({ isSubgraph });
  const documents = createDocumentStore(limits.trustedDocumentsOnly);
  const watching = { ...settings, schema, replace: documents.setTrusted };
  const trusted = await watchTrustedDocuments(limits.trustedDocuments, watching);
  const admission = { guard: createOperationGuard(schema, limits.operation), documents };
  const execution = createGraphExecution(schema, limits.operation, limits.maxCallerBytes);
  const requestMetrics = createRequestMetrics();
  const reportErrors = createErrorReporter(callerLogger, requestMetrics.recordError);
  const parsedDocuments = createParsedDocuments();
  const shared = {
    ...{ schema, limits: limits.operation, documents, parsedDocuments },
    ...{ logger: callerLogger, reportErrors },
  };
  const apolloServer = createApolloServer({ ...shared, ...execution });
  await apolloServer.start();
  return { ...shared, ...execution, admission, apolloServer, requestMetrics, stopWatching: trusted.close };
}

/** Listens for HTTP and websockets, and serves `/metrics`. */
async function startServerLayer(settings: GatewaySettings, callers: CallerLayer, graph: GraphLayer) {
  const { host, port, limits, clock, timeouts, callerLogger: logger } = settings;
  const { openSession, throttle, access, budgets, executions, usesCallerCredentials } = callers;
  const { tracer: tracing } = settings;
  const { requestMetrics } = graph;
  const common = {
    tracing,
    accessLog: new AccessLog(settings),
    reportRefusal: createRefusalReporter(settings.logger, clock, requestMetrics.recordRefusal),
    openSession,
    throttle,
    budgets,
    executions,
    admission: graph.admission,
    isAllowedHost: chooseHostCheck(settings.callerAuth.kind, settings),
    cors: createCors(limits.corsOrigins, limits.corsHeaders),
    requestMetrics,
    clock,
    logger,
  };
  const metrics = createGatewayMetrics({
    access: settings.metrics ?? 'callers',
    openSession,
    usesCallerCredentials,
    metricValues: () => ({
      requests: requestMetrics.counts(),
      executions: executions.counts(),
      platform: access.metricValues(),
      websockets: websocket.connectionCount(),
      streams: streams.connectionCount(),
      subscriptions: shared.subscriptions.metrics.counts(),
      spans: tracing?.counts(),
      certificateExpiresAtMs: http.certificateExpiresAtMs?.(),
    }),
    coordinator: callers.coordinator,
  });
  const { apolloServer } = graph;
  const shared = createDelivery({
    ...common,
    ...graph,
    hidesSuggestions: !limits.operation.allowsIntrospection,
  });
  const delivery = {
    ...shared,
    ...common,
    ...limits,
    recheckIntervalMs: settings.recheckIntervalMs ?? RECHECK_INTERVAL_MS,
    worker: callers.coordinator.workers?.id,
  };
  const streams = new StreamHandler(delivery);
  const stopParts = () => {
    graph.stopWatching();
    metrics.close();
    shared.subscriptions.close();
    shared.operations.stop();
  };
  const http = await startHttpServer({
    ...common,
    host,
    port,
    graphql: createGraphqlHandler({
      ...common,
      apolloServer,
      streams,
      respondInParts: createIncrementalHandler(delivery),
      maxBodyBytes: limits.maxBodyBytes,
    }),
    explorer: createExplorerFiles(explorerDirectory, new URL(settings.platform.url).origin),
    schemaPage: createSchemaPage({ ...common, ...describeSchema(settings) }),
    limitPage: callers.limitPage,
    workers: callers.coordinator.workers,
    checkReady: callers.checkReady,
    metrics: metrics.page,
    operationTimeoutMs: callers.operationTimeoutMs,
    timeouts,
    tls: settings.tls,
    resolveAddress: createAddressResolver(settings.trustedProxies ?? []),
  }).catch((error: unknown) => {
    stopParts();
    throw error;
  });
  const websocket = serveWebsocket({
    ...delivery,
    server: http.server,
    maxMessageBytes: limits.maxBodyBytes,
  });
  return {
    url: http.url,
    openWork: () => ({ requests: http.requestCount(), websockets: websocket.connectionCount() }),
    async close(feedsFinished: Promise<void>) {
      stopParts();
      const endMs = performance.now() + DRAIN_TIMEOUT_MS;
      const closeConnections = async () => {
        await feedsFinished;
        const closingStreams = streams.close(DRAIN_TIMEOUT_MS - LAST_POLL_MS);
        await Promise.all([websocket.close(endMs - performance.now()), closingStreams]);
      };
      return http.close(DRAIN_TIMEOUT_MS, settings.idleGraceMs ?? 0, closeConnections());
    },
  };
}

/** Callers who may send only trusted documents cannot introspect either. */
function describeSchema({ isSubgraph = false, limits }: GatewaySettings) {
  const allowsIntrospection = limits.operation.allowsIntrospection && !limits.trustedDocumentsOnly;
  return { sdl: readSchemaText({ isSubgraph }), allowsIntrospection };
}
