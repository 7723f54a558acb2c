/** Puts the gateway together: the REST client behind the graph behind the HTTP server. */
import { fileURLToPath } from 'node:url';
import { createApolloServer } from './graphql/apolloServer.js';
import { createSchema } from './graphql/schema.js';
import { type CallerAuth, createAuthenticator } from './http/callers/authenticator.js';
import { createExplorerFiles } from './http/explorerFiles.js';
import { createGraphqlHandler } from './http/graphqlHandler.js';
import { anyHost, createHostCheck } from './http/hostCheck.js';
import { startHttpServer } from './http/server.js';
import { serveWebsocket } from './http/websocket.js';
import { type Clock, systemClock } from './lib/clock.js';
import type { Logger } from './lib/logger.js';
import { isLoopback } from './lib/loopback.js';
import { createPlatformAccess } from './platformAccess.js';
import type { PatienceLimits } from './rest/patience/patienceLimits.js';
import type { Credential } from './rest/token/requestToken.js';
import { createSessionOpener } from './sessions.js';

export interface GatewayOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
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
  patience?: Partial<PatienceLimits> | undefined;
  /** How often the credentials of open websockets are looked at again, in milliseconds. */
  websocketRecheckMs?: number;
  logger: Logger;
  clock?: Clock;
}

export interface Gateway {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** Takes no more requests, lets those under way end, closes everything. */
  stop(): Promise<void>;
}

const DRAIN_MS = 10_000;

/** Beside `src` as well as beside `dist`, the built page is in `dist`. */
const explorerDirectory = fileURLToPath(new URL('../dist/explorer/', import.meta.url));

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger, host, port, channelAttribute, callerAuth = { kind: 'open' } } = options;
  const clock = options.clock ?? systemClock;
  const authenticator = await createAuthenticator(callerAuth, { clock, logger });
  const access = createPlatformAccess({ ...options, clock, isCallers: callerAuth.kind === 'platform' });
  const isOwnHost = callerAuth.kind === 'open' && isLoopback(host) ? createHostCheck(host) : anyHost;
  const openSession = createSessionOpener({ authenticator, access, channelAttribute, clock });

  const schema = createSchema();
  const apolloServer = createApolloServer(schema, logger);
  await apolloServer.start();
  const http = await startHttpServer({
    host,
    port,
    graphql: createGraphqlHandler({ apolloServer, openSession }),
    explorer: createExplorerFiles(explorerDirectory),
    isOwnHost,
    checkReady: access.checkReady,
    logger,
  });
  const websocket = serveWebsocket({
    server: http.server,
    schema,
    openSession,
    isOwnHost,
    recheckMs: options.websocketRecheckMs,
  });

  async function stop(): Promise<void> {
    authenticator.close();
    access.stopFeeds();
    await websocket.close();
    await http.close(DRAIN_MS);
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
