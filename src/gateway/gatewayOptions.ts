/** The options of one gateway, and its settings: the options with their defaults. */
import type { CallerAuth } from '../http/auth/authenticator.js';
import type { AccessLogSettings } from '../http/requests/accessLog.js';
import { type CallerLimits, defaultCallerLimits } from '../http/requests/callerLimits.js';
import type { MetricsAccess } from '../http/server/pages.js';
import type { ServerTimeouts } from '../http/server/server.js';
import type { TlsFiles } from '../http/server/tls.js';
import { type Clock, systemClock } from '../lib/clock.js';
import { createLimitedLogger, type Logger } from '../lib/logger.js';
import type { HealthCounter } from '../sources/entities/deviceRecords.js';
import type { Tracing, TracingSettings } from '../tracing/tracing.js';
import type { Coordinator } from './coordinator.js';
import { withTraceIds } from './logging.js';
import type { PlatformSettings } from './platform.js';
import type { PollSettings } from './platformAccess.js';

export interface GatewayOptions extends AccessLogSettings, PlatformSettings, PollSettings {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Host names, with or without a port, by which callers reach an open gateway on loopback through a proxy. */
  publicHosts?: readonly string[] | undefined;
  /** Addresses and networks of reverse proxies whose `X-Forwarded-For` counts. */
  trustedProxies?: readonly string[] | undefined;
  /** If absent, the gateway serves http. */
  tls?: TlsFiles | undefined;
  /** If absent, everybody may call. */
  callerAuth?: CallerAuth | undefined;
  /** Name of the stream attribute whose value is a channel's id. */
  channelAttribute: string;
  /** Names and units of the types of health counters. If absent, the counters have neither. */
  healthCounters?: readonly (HealthCounter & { typeId: number })[] | undefined;
  /** Adds the fields by which Federation routers use the graph as a subgraph. Default false. */
  isSubgraph?: boolean | undefined;
  /** Replicas with the same Redis share state. Absent if this gateway is the only one. */
  redisUrl?: string | undefined;
  /** Milliseconds after which an operation continues without a reply of Redis; 50 by default. */
  redisDeadlineMs?: number | undefined;
  /** Milliseconds between two verifications of the credential of an open connection; 30,000 by default. */
  recheckIntervalMs?: number;
  /** Milliseconds for the last poll before a stop ends subscriptions, and for delivering its samples; 1,000 by default. */
  lastPollMs?: number | undefined;
  /**
   * Milliseconds that idle connections stay open during a stop, so that a client which sends a request in this time gets
   * a refusal instead of a closed connection; 0 by default.
   */
  idleGraceMs?: number | undefined;
  /** Overrides of the default limits. Without an override, operations and messages have no rate limit. */
  callerLimits?: Partial<CallerLimits> | undefined;
  timeouts?: Partial<ServerTimeouts> | undefined;
  /** Decides who may read `/metrics`; `callers` by default. */
  metrics?: MetricsAccess | undefined;
  /** Absent if tracing is off. */
  tracing?: TracingSettings | undefined;
  /** Checks the credential, the organizations of API keys and the trusted documents at the start, and logs problems. */
  checksPlatform?: boolean | undefined;
  /** Shares state with the other workers of this gateway. Absent if there are none. */
  coordinator?: Coordinator | undefined;
  logger: Logger;
  clock?: Clock;
}

export interface GatewaySettings extends GatewayOptions {
  callerAuth: CallerAuth;
  limits: CallerLimits;
  clock: Clock;
  /** Rate limited, because callers cause its messages. */
  callerLogger: Logger;
  tracer: Tracing | undefined;
}

/** Starts tracing, if it is configured. */
export async function toSettings(options: GatewayOptions): Promise<GatewaySettings> {
  const tracer = await startTracing(options);
  const { callerAuth = { kind: 'open' }, clock = systemClock } = options;
  const logger = tracer ? withTraceIds(options.logger, (id) => tracer.traceIdOf(id)) : options.logger;
  return {
    ...options,
    callerAuth,
    clock,
    logger,
    tracer,
    limits: { ...defaultCallerLimits, ...options.callerLimits },
    callerLogger: createLimitedLogger(logger, clock),
  };
}

/** Loaded on demand: a gateway without tracing stays small. */
async function startTracing({ tracing, platform, logger }: GatewayOptions): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { Tracing } = await import('../tracing/tracing.js');
  const onFailure = (reason: string) => logger.warn({ reason }, 'Exporting spans failed');
  return new Tracing({ settings: tracing, platformUrl: platform.url, onFailure });
}
