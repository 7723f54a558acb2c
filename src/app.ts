/**
 * Composition root: starts the gateway, its workers and the sandbox from the configuration. It is also what programs that
 * embed the gateway import: `startApp(readConfig({ PORT: '0' }))`.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config, SandboxConfig } from './config/config.js';
import { SANDBOX_PORT } from './config/settings.js';
import { createLogger, finishLog, logDrain } from './gateway/logging.js';
import { systemClock } from './lib/clock.js';
import { createLimitedLogger, type Logger } from './lib/logger.js';
import { describeSandboxError, StartupError } from './lib/startupErrors.js';
import type { Sandbox } from './sandbox/sandbox.js';
import type { SandboxLog } from './sandbox/server/httpServer.js';

/**
 * Most clients send another request in this time, and learn from its refusal that the connection closes. The last poll
 * of a stop takes as long.
 */
const IDLE_GRACE_MS = 1_000;

export { readConfig } from './config/config.js';

export interface App {
  url: string;
  /** @param signal for the log: the signal that ends the process. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface GatewayApp extends App {
  /** The platform that the gateway calls: the configured one, or the sandbox. */
  platformUrl: string;
}

/**
 * Starts the gateway, and the embedded sandbox if no platform is configured.
 * @param stopping when it is aborted, the app does not wait for workers that have not started. The caller then stops it.
 */
export async function startApp(config: Config, stopping?: AbortSignal): Promise<GatewayApp> {
  const logger = createLogger(config.logLevel);
  const {
    platform,
    sandbox: sandboxConfig,
    workers,
    logLevel,
    hints,
    skipsCertificateChecks,
    sendsClearText,
    ...settings
  } = config;
  logHints(logger, hints);
  if (sendsClearText) logger.warn({}, 'PLATFORM_URL is http: the credential and the data are not encrypted');
  if (skipsCertificateChecks) logger.warn({}, 'Certificates are not checked');
  // Before the sandbox is seeded, which takes seconds, so that a taken port is reported at once.
  if (platform.kind === 'sandbox') {
    if (await sharesPortWithSandbox(config))
      throw new StartupError(
        `PORT and SANDBOX_PORT are both ${config.port}. Choose another port with SANDBOX_PORT; 0 takes a free port.`,
      );
    await tryToListen(config);
  }
  const sandbox = platform.kind === 'sandbox' ? await startSandbox(sandboxConfig, 0, logger) : undefined;
  const upstream = platform.kind === 'remote' ? platform : { ...sandboxConfig, url: sandbox?.url ?? '' };
  const options = { ...settings, platform: upstream, checksPlatform: true, idleGraceMs: IDLE_GRACE_MS };
  // Loaded on demand, so that a primary process does not load the gateway and stays small.
  const starting =
    workers === 1
      ? import('./gateway/gateway.js').then(({ startGateway }) => startGateway({ ...options, logger }))
      : import('./workers/startWorkers.js').then(({ startWorkers }) =>
          startWorkers({ gateway: options, workerCount: workers, logLevel }, logger, stopping),
        );
  const gateway = await starting.catch(async (error: unknown) => {
    await sandbox?.close();
    throw error;
  });
  return {
    url: gateway.url,
    platformUrl: upstream.url,
    async stop(signal) {
      await logDrain(logger, signal, (onDrain) => gateway.stop(onDrain));
      await sandbox?.close();
      await finishLog();
    },
  };
}

/** Rejects with the system's error if a server can't listen at this address. */
export async function tryToListen({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } finally {
    server.close();
  }
}

/** The sandbox listens on the first of these addresses only, but a gateway on any of them would take its port. */
const INCLUDING_SANDBOX = ['127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '::'];

/** Whether the gateway and the sandbox would listen on the same port. */
export async function sharesPortWithSandbox({
  host,
  port,
  sandbox,
}: Pick<Config, 'host' | 'port' | 'sandbox'>): Promise<boolean> {
  if (port === 0 || port !== sandbox.port) return false;
  const found = await lookup(host).catch(() => undefined);
  return found !== undefined && INCLUDING_SANDBOX.includes(found.address);
}

export async function startSandboxAlone(config: SandboxAloneConfig): Promise<App> {
  const logger = createLogger(config.logLevel);
  logHints(logger, config.hints);
  const sandbox = await startSandbox(config.sandbox, SANDBOX_PORT, logger);
  return {
    url: sandbox.url,
    stop: () => sandbox.close(),
  };
}

export type SandboxAloneConfig = Pick<Config, 'sandbox' | 'logLevel' | 'hints'>;

function logHints(logger: Logger, hints: readonly string[]): void {
  for (const hint of hints) logger.warn({ hint }, 'An environment variable has no effect');
}

/** `defaultPort` applies if SANDBOX_PORT is not set. */
async function startSandbox(
  { databaseFile, port, ...config }: SandboxConfig,
  defaultPort: number,
  logger: Logger,
): Promise<Sandbox> {
  const problem = databaseFile === undefined ? undefined : await findSandboxFileProblem(databaseFile);
  if (problem !== undefined) throw new StartupError(`SANDBOX_DB: ${problem}`);
  const { createSandbox } = await import('./sandbox/sandbox.js');
  const { createProgressLog } = await import('./sandbox/seed/progressLog.js');
  try {
    return await createSandbox({
      ...config,
      port: port ?? defaultPort,
      ...(databaseFile === undefined ? {} : { databaseFile }),
      log: createSandboxLog(logger, databaseFile),
      onSeedProgress: createProgressLog(logger, () => performance.now()),
    });
  } catch (error) {
    throw describeSandboxError(error, databaseFile);
  }
}

/** Returns a sentence that says why the sandbox can't store its data in the file. Changes nothing. */
export async function findSandboxFileProblem(file: string): Promise<string | undefined> {
  const { findFileProblem } = await import('./sandbox/database/openDatabase.js');
  return findFileProblem(file);
}

/** Rate limited, because each request may fail for the same reason. */
function createSandboxLog(logger: Logger, databaseFile: string | undefined): SandboxLog {
  const sandboxLogger = createLimitedLogger(logger, systemClock);
  const fields = { part: 'sandbox', ...(databaseFile === undefined ? {} : { SANDBOX_DB: databaseFile }) };
  return (reason, level) => {
    if (level === 'warn') sandboxLogger.warn({ ...fields, reason }, 'The simulator of the sandbox failed');
    else if (level === 'error') sandboxLogger.error({ ...fields, reason }, 'The sandbox failed to respond');
    else logger.debug(fields, reason);
  };
}
