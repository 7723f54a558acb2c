/** Composition root: builds every part from the configuration and hands each its own slice of it. */
import type { Config, SandboxConfig } from './config.js';
import type { Gateway, GatewayOptions } from './gateway.js';
import { gatewayGreeting, sandboxGreeting } from './greeting.js';
import type { Logger } from './lib/logger.js';
import { createLogger } from './logging.js';
import type { Sandbox } from './sandbox/sandbox.js';
import { startWorkers } from './workers/startWorkers.js';

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
  const { platform, sandbox: sandboxConfig, workers, logLevel, ...settings } = config;
  const sandbox = platform.kind === 'sandbox' ? await startSandbox(sandboxConfig, logger) : undefined;
  const upstream = platform.kind === 'remote' ? platform : { ...sandboxConfig, url: sandbox?.url ?? '' };
  const options = { ...settings, platform: upstream };
  const starting =
    workers === 1
      ? startAlone({ ...options, logger })
      : startWorkers({ gateway: options, count: workers, logLevel }, logger);
  const gateway = await starting.catch(async (error: unknown) => {
    await sandbox?.close();
    throw error;
  });
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

/** Loaded here alone: a process that only watches over workers is small without it. */
async function startAlone(options: GatewayOptions): Promise<Gateway> {
  const { startGateway } = await import('./gateway.js');
  return startGateway(options);
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

async function startSandbox({ databaseFile, ...config }: SandboxConfig, logger: Logger): Promise<Sandbox> {
  const { createSandbox } = await import('./sandbox/sandbox.js');
  const { createProgressLog } = await import('./sandbox/seed/progressLog.js');
  return createSandbox({
    ...config,
    ...(databaseFile === undefined ? {} : { databaseFile }),
    log: (message) => logger.debug({ part: 'sandbox' }, message),
    onSeedProgress: createProgressLog(logger, () => performance.now()),
  });
}
