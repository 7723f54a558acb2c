/** The only reader of the environment: one table of settings, from which values, messages and `--help` come. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { callerAuthSettings, readCallerAuth } from './callerAuthConfig.js';
import { type CallerLimits, callerLimitSettings, readCallerLimits } from './callerLimits.js';
import type { CallerAuth } from './http/callers/authenticator.js';
import type { MetricsAccess } from './http/metricsPage.js';

export interface Config {
  host: string;
  port: number;
  /** Processes that serve. */
  workers: number;
  platform: PlatformConfig;
  callerAuth: CallerAuth;
  redisUrl: string | undefined;
  channelAttribute: string;
  livePollMs: number;
  metrics: MetricsAccess;
  callerLimits: CallerLimits;
  logLevel: LogLevel;
  sandbox: SandboxConfig;
}

/**
 * Where the REST API is: somewhere with a credential, or the embedded sandbox. Key and secret are empty where
 * callers bring their own.
 */
export type PlatformConfig =
  | { kind: 'sandbox' }
  | { kind: 'remote'; url: string; key: string; secret: string };

export interface SandboxConfig {
  port: number;
  databaseFile: string | undefined;
  siteCount: number;
  key: string;
  secret: string;
}

export type LogLevel = (typeof logLevels)[number];

const metricsAccesses = ['callers', 'open', 'off'] as const satisfies readonly MetricsAccess[];

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting {
  name: string;
  /** What holds where it is absent or empty, in words. */
  default: string;
  description: string;
}

const MOST_WORKERS = 256;

/** Every variable, in the order of `--help` and `docs/configuration.md`. */
export const settings = [
  { name: 'PORT', default: '4000', description: 'Port of the gateway; 0 picks a free one.' },
  { name: 'HOST', default: '127.0.0.1', description: 'Address the gateway listens on.' },
  {
    name: 'WORKERS',
    default: '1',
    description: `Processes that serve, 1 to ${MOST_WORKERS}, or \`auto\` for one on each core; above 1, one more watches over them.`,
  },
  {
    name: 'PLATFORM_URL',
    default: 'the sandbox',
    description: 'Address of the REST API, what stands before /v2.0. Absent, the embedded sandbox serves it.',
  },
  { name: 'PLATFORM_KEY', default: '', description: 'Key of the API client. Needed with PLATFORM_URL.' },
  {
    name: 'PLATFORM_SECRET',
    default: '',
    description: 'Secret of the API client. Needed with PLATFORM_URL.',
  },
  {
    name: 'PLATFORM_KEY_FILE',
    default: '',
    description: 'File that holds the key, instead of PLATFORM_KEY.',
  },
  {
    name: 'PLATFORM_SECRET_FILE',
    default: '',
    description: 'File that holds the secret, instead of PLATFORM_SECRET.',
  },
  {
    name: 'REDIS_URL',
    default: 'none',
    description:
      'Redis shared by replicas: the token, its budget and answers. Absent, each process has its own.',
  },
  ...callerAuthSettings,
  {
    name: 'CHANNEL_ATTRIBUTE',
    default: 'channel_id',
    description: "Name of the stream custom attribute whose value is a channel's id.",
  },
  {
    name: 'LIVE_POLL_SECONDS',
    default: '5',
    description: 'Seconds between two looks for new samples while somebody listens, 1 to 3600.',
  },
  ...callerLimitSettings,
  {
    name: 'METRICS',
    default: 'callers',
    description:
      'Who reads /metrics: `callers` (scope `read`, whole account), `open` (whoever reaches the address), `off`.',
  },
  { name: 'LOG_LEVEL', default: 'info', description: `One of ${logLevels.join(', ')}.` },
  { name: 'SANDBOX_PORT', default: '4010', description: 'Port of the sandbox; 0 picks a free one.' },
  {
    name: 'SANDBOX_DB',
    default: 'in memory',
    description: "File of the sandbox's data, kept over restarts.",
  },
  {
    name: 'SANDBOX_SITES',
    default: '40',
    description: 'How many sites the sandbox is filled with, 1 to 2000.',
  },
  { name: 'SANDBOX_KEY', default: 'sandbox', description: "Key of the sandbox's API client." },
  { name: 'SANDBOX_SECRET', default: 'sandbox', description: "Secret of the sandbox's API client." },
] as const satisfies readonly Setting[];

type SettingName = (typeof settings)[number]['name'];

/** Everything that is wrong with the environment, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Throws a `ConfigError` that lists all that is wrong. */
export function readConfig(environment: Environment): Config {
  const reader = createReader(environment);
  const host = reader.text('HOST', '127.0.0.1');
  const callerAuth = readCallerAuth(reader, host);
  const config: Config = {
    host,
    port: reader.whole('PORT', 4000, 0, 65_535),
    workers: readWorkers(reader),
    platform: readPlatform(reader, callerAuth.kind === 'platform'),
    callerAuth,
    redisUrl: readRedisUrl(reader),
    channelAttribute: reader.text('CHANNEL_ATTRIBUTE', 'channel_id'),
    livePollMs: reader.whole('LIVE_POLL_SECONDS', 5, 1, 3600) * 1000,
    metrics: reader.oneOf('METRICS', metricsAccesses, 'callers'),
    callerLimits: readCallerLimits(reader),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    sandbox: {
      port: reader.whole('SANDBOX_PORT', 4010, 0, 65_535),
      databaseFile: reader.optional('SANDBOX_DB'),
      siteCount: reader.whole('SANDBOX_SITES', 40, 1, 2000),
      key: reader.text('SANDBOX_KEY', 'sandbox'),
      secret: reader.text('SANDBOX_SECRET', 'sandbox'),
    },
  };
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

type Reader = ReturnType<typeof createReader>;

function createReader(environment: Environment) {
  const problems: string[] = [];
  /** An empty variable counts as absent: that is how compose files and shells leave one out. */
  const optional = (name: SettingName) => environment[name]?.trim() || undefined;
  const text = (name: SettingName, otherwise: string) => optional(name) ?? otherwise;

  function whole(name: SettingName, otherwise: number, least: number, most: number): number {
    const value = optional(name);
    if (value === undefined) return otherwise;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    problems.push(`${name}: ${JSON.stringify(value)} is no whole number from ${least} to ${most}.`);
    return otherwise;
  }

  function oneOf<Value extends string>(name: SettingName, values: readonly Value[], otherwise: Value): Value {
    const value = text(name, otherwise);
    const known = values.find((candidate) => candidate === value);
    if (known === undefined)
      problems.push(`${name}: ${JSON.stringify(value)} is none of ${values.join(', ')}.`);
    return known ?? otherwise;
  }

  return { problems, optional, text, whole, oneOf };
}

function readWorkers(reader: Reader): number {
  if (reader.optional('WORKERS') === 'auto') return Math.min(availableParallelism(), MOST_WORKERS);
  return reader.whole('WORKERS', 1, 1, MOST_WORKERS);
}

function readPlatform(reader: Reader, isCallers: boolean): PlatformConfig {
  const key = readSecret(reader, 'PLATFORM_KEY', 'PLATFORM_KEY_FILE');
  const secret = readSecret(reader, 'PLATFORM_SECRET', 'PLATFORM_SECRET_FILE');
  const url = reader.optional('PLATFORM_URL');
  if (url === undefined) {
    // A credential without an address is a mistake: quietly serving invented data would hide it.
    if (key ?? secret) reader.problems.push('PLATFORM_URL: is missing, though a key or secret is given.');
    return { kind: 'sandbox' };
  }
  if (isCallers) {
    if (key ?? secret)
      reader.problems.push('PLATFORM_KEY: is not used with CALLER_AUTH=platform; leave it out.');
    return { kind: 'remote', url: readUrl(reader, url), key: '', secret: '' };
  }
  if (key === undefined) reader.problems.push('PLATFORM_KEY: is missing; PLATFORM_URL needs it.');
  if (secret === undefined) reader.problems.push('PLATFORM_SECRET: is missing; PLATFORM_URL needs it.');
  return { kind: 'remote', url: readUrl(reader, url), key: key ?? '', secret: secret ?? '' };
}

/** Without a trailing slash. The address may be seen in messages: it must hold no credential. */
function readUrl({ problems }: Reader, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    problems.push('PLATFORM_URL: is no http or https address.');
  } else if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    problems.push('PLATFORM_URL: may hold no user, password, query or fragment.');
  }
  return text.replace(/\/+$/, '').replace(/\/v2\.0$/, '');
}

/** The address may hold a password: it is never repeated. */
function readRedisUrl(reader: Reader): string | undefined {
  const text = reader.optional('REDIS_URL');
  const isUsable = text === undefined || (URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol));
  if (!isUsable) reader.problems.push('REDIS_URL: is no redis or rediss address.');
  return text;
}

function readSecret(reader: Reader, name: SettingName, fileName: SettingName): string | undefined {
  const value = reader.optional(name);
  const file = reader.optional(fileName);
  if (file === undefined) return value;
  if (value !== undefined)
    reader.problems.push(`${fileName}: is given together with ${name}; give one of them.`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    reader.problems.push(`${fileName}: can't be read: ${reason}`);
    return undefined;
  }
}
