/** Composition root: builds every part from the configuration and hands each its own slice of it. */
import { destination, pino } from 'pino';
import type { Config, LogLevel, SandboxConfig } from './config.js';
import { startGateway } from './gateway.js';
import { gatewayGreeting, sandboxGreeting } from './greeting.js';
import type { Logger } from './lib/logger.js';
import { createSandbox, type Sandbox } from './sandbox/sandbox.js';

export interface App {
  /** What to tell whoever started it. */
  greeting: string;
  /** Where it listens. */
  url: string;
  stop(): Promise<void>;
}

/** The gateway, and the sandbox behind it where no platform is configured. */
export async function startApp(config: Config): Promise<App> {
  const logger = createLogger(config.logLevel);
  const {
    platform,
    sandbox: sandboxConfig,
    host,
    port,
    channelAttribute,
    livePollMs,
    redisUrl,
    callerLimits,
  } = config;
  const sandbox = platform.kind === 'sandbox' ? await startSandbox(sandboxConfig, logger) : undefined;
  const upstream = platform.kind === 'remote' ? platform : { ...sandboxConfig, url: sandbox?.url ?? '' };
  const gateway = await startGateway({
    host,
    port,
    platform: upstream,
    channelAttribute,
    livePollMs,
    redisUrl,
    callerLimits,
    logger,
  });
  return {
    greeting: gatewayGreeting(gateway.url, upstream, platform.kind === 'sandbox'),
    url: gateway.url,
    async stop() {
      await gateway.stop();
      await sandbox?.close();
    },
  };
}

/** The sandbox without a gateway. */
export async function startSandboxAlone(config: Config): Promise<App> {
  const sandbox = await startSandbox(config.sandbox, createLogger(config.logLevel));
  return {
    greeting: sandboxGreeting(sandbox.url, config.sandbox),
    url: sandbox.url,
    stop: () => sandbox.close(),
  };
}

function startSandbox({ databaseFile, ...config }: SandboxConfig, logger: Logger): Promise<Sandbox> {
  return createSandbox({
    ...config,
    ...(databaseFile === undefined ? {} : { databaseFile }),
    log: (message) => logger.debug({ part: 'sandbox' }, message),
  });
}

/** Logs go to standard error, a JSON line each: standard output is for whoever started the process. */
function createLogger(level: LogLevel): Logger {
  const serializers = { cause: pino.stdSerializers.err };
  return pino({ level, serializers, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination(2));
}
