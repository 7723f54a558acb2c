/** Reads the configuration from the environment. Nothing outside this folder reads `process.env`. */
import type { CallerAuth } from '../http/auth/authenticator.js';
import type { MetricsAccess } from '../http/server/metricsPage.js';
import { readCallerAuth } from './callerAuthConfig.js';
import { type CallerLimits, toCallerLimits } from './callerLimits.js';
import { type LogLevel, reportSettings } from './gatewaySettings.js';
import { type PlatformConfig, readPlatform } from './platformConfig.js';
import { sandboxSettings } from './sandboxSettings.js';
import { type Environment, readSettings, type SettingValues, settings } from './settings.js';

export interface Config {
  host: string;
  port: number;
  /** Host names, with or without a port, by which callers reach the gateway through a proxy. */
  publicHosts: readonly string[];
  /** Number of processes that serve requests. */
  workers: number;
  platform: PlatformConfig;
  callerAuth: CallerAuth;
  redisUrl: string | undefined;
  channelAttribute: string;
  livePollMs: number;
  liveMaxPollMs: number;
  keepsPolling: boolean;
  metrics: MetricsAccess;
  callerLimits: CallerLimits;
  logLevel: LogLevel;
  sandbox: SandboxConfig;
}

export interface SandboxConfig {
  /** Undefined if SANDBOX_PORT is not set. */
  port: number | undefined;
  databaseFile: string | undefined;
  siteCount: number;
  key: string;
  secret: string;
}

/** Lists all problems of the configuration, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Throws a `ConfigError` that lists all problems. */
export function readConfig(environment: Environment = process.env): Config {
  const reading = readSettings(settings, environment);
  const { values, problems } = reading;
  const config: Config = {
    host: values.HOST,
    port: values.PORT,
    publicHosts: values.PUBLIC_HOSTS,
    workers: values.WORKERS,
    platform: readPlatform(reading),
    callerAuth: readCallerAuth(reading),
    redisUrl: values.REDIS_URL,
    channelAttribute: values.CHANNEL_ATTRIBUTE,
    livePollMs: values.LIVE_POLL_SECONDS * 1000,
    liveMaxPollMs: values.LIVE_POLL_MAX_SECONDS * 1000,
    keepsPolling: values.LIVE_POLL === 'always',
    metrics: values.METRICS,
    callerLimits: toCallerLimits(values),
    logLevel: values.LOG_LEVEL,
    sandbox: toSandboxConfig(values),
  };
  if (values.TRUSTED_DOCUMENTS_ONLY === 'true' && values.TRUSTED_DOCUMENTS === undefined) {
    problems.push('TRUSTED_DOCUMENTS: is missing; TRUSTED_DOCUMENTS_ONLY=true requires it.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Reads the settings of `fieldgraph sandbox` alone. Throws a `ConfigError`. */
export function readSandboxConfig(
  environment: Environment = process.env,
): Pick<Config, 'sandbox' | 'logLevel'> {
  const { LOG_LEVEL } = reportSettings;
  const { values, problems } = readSettings({ ...sandboxSettings, LOG_LEVEL }, environment);
  if (problems.length > 0) throw new ConfigError(problems);
  return { sandbox: toSandboxConfig(values), logLevel: values.LOG_LEVEL };
}

/** The file that `fieldgraph api-key` adds keys to. */
export function readApiKeysFile(environment: Environment = process.env): string | undefined {
  const { API_KEYS_FILE } = settings;
  return readSettings({ API_KEYS_FILE }, environment).values.API_KEYS_FILE;
}

function toSandboxConfig(values: Pick<SettingValues, keyof typeof sandboxSettings>): SandboxConfig {
  return {
    port: values.SANDBOX_PORT,
    databaseFile: values.SANDBOX_DB,
    siteCount: values.SANDBOX_SITES,
    key: values.SANDBOX_KEY,
    secret: values.SANDBOX_SECRET,
  };
}
