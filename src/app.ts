/** Composition root: builds every part from the configuration and hands each its own slice of it. */
import { destination, pino } from 'pino';
import { type Config, ConfigError, type LogLevel, type SandboxConfig } from './config.js';
import { startGateway } from './gateway.js';
import { gatewayGreeting, sandboxGreeting } from './greeting.js';
import { ApiKeysFileError } from './http/callers/apiKeys.js';
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
  const { platform, sandbox: sandboxConfig, ...settings } = config;
  const sandbox = platform.kind === 'sandbox' ? await startSandbox(sandboxConfig, logger) : undefined;
  const upstream = platform.kind === 'remote' ? platform : { ...sandboxConfig, url: sandbox?.url ?? '' };
  const gateway = await startGateway({ ...settings, platform: upstream, logger }).catch(
    async (error: unknown) => {
      await sandbox?.close();
      throw toConfigError(error);
    },
  );
  return {
    greeting: gatewayGreeting(
      gateway.url,
      upstream,
      platform.kind === 'sandbox',
      settings.callerAuth.kind === 'open',
    ),
    url: gateway.url,
    async stop() {
      await gateway.stop();
      await sandbox?.close();
    },
  };
}

/** A file of keys that can't be used is a setting that can't be used. */
function toConfigError(error: unknown): unknown {
  if (!(error instanceof ApiKeysFileError)) return error;
  return new ConfigError(error.message.split('\n').map((problem) => `API_KEYS_FILE: ${problem}`));
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
