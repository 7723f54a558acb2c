/** Settings of the gateway: its address and processes, its platform, its logs and metrics. */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isPublicHost } from '../http/auth/hostCheck.js';
import { isNetwork } from '../http/rateLimits/remoteAddress.js';
import type { MetricsAccess } from '../http/server/pages.js';
import type { LogLevel } from '../lib/logger.js';
import { decodeIfValid } from '../lib/records.js';
import {
  checkItem,
  fraction,
  integer,
  list,
  oneOf,
  optional,
  parseInteger,
  quote,
  type Setting,
  SettingError,
  text,
} from './setting.js';

const MAX_WORKERS = 256;

const metricsAccesses = ['callers', 'open', 'off'] as const satisfies readonly MetricsAccess[];

const livePolls = ['on-demand', 'always'] as const;

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];

export const listenSettings = {
  PORT: integer({ default: 4000, min: 0, max: 65_535 }, 'Port of the gateway. 0 selects a free port.'),
  HOST: { ...text('127.0.0.1', 'Address that the gateway listens on.'), parse: parseHost },
  PUBLIC_HOSTS: list(
    'Host names, with or without a port, by which callers reach the gateway through a proxy, separated by commas. An open gateway on loopback refuses other names with 421.',
    checkItem(isPublicHost, 'host names such as gateway.example or gateway.example:8443'),
  ),
  TRUSTED_PROXIES: list(
    'Addresses and networks of reverse proxies, such as `10.0.0.0/8,::1`, separated by commas. For callers behind these proxies, the gateway reads the address from `X-Forwarded-For`.',
    checkItem(isNetwork, 'addresses or networks such as 10.0.0.0/8'),
  ),
  TLS_CERT_FILE: optional(
    'File with the certificate chain (PEM). If set, the gateway serves https. It re-reads the file when it changes.',
  ),
  TLS_KEY_FILE: optional('File with the private key of the certificate (PEM).'),
  WORKERS: {
    defaultText: '1',
    defaultValue: 1,
    description: `Number of processes that serve requests, or \`auto\` for one per core. With 2 or more, an additional process supervises them. From 1 to ${MAX_WORKERS}.`,
    parse: (value) =>
      value === 'auto'
        ? Math.min(availableParallelism(), MAX_WORKERS)
        : parseInteger(value, { min: 1, max: MAX_WORKERS }, 'auto'),
  } satisfies Setting<number>,
};

export const platformSettings = {
  PLATFORM_URL: optional(
    'Address of the REST API, without `/v2.0`. Use https, except on loopback. Without it, the gateway starts the embedded sandbox and uses that.',
    { defaultText: 'the sandbox', parse: parsePlatformUrl },
  ),
  PLATFORM_KEY: optional('Key of the API client. Required with PLATFORM_URL.'),
  PLATFORM_SECRET: optional('Secret of the API client. Required with PLATFORM_URL.'),
  PLATFORM_KEY_FILE: optional('File that contains the key, instead of PLATFORM_KEY.'),
  PLATFORM_SECRET_FILE: optional(
    'File that contains the secret, instead of PLATFORM_SECRET. The gateway re-reads the file when it changes; it reads a pipe only once.',
  ),
  PLATFORM_TIMEOUT_SECONDS: integer(
    { default: 30, min: 2, max: 300 },
    'Maximum seconds that an operation waits for the platform, including all attempts. One attempt may take half of this time.',
  ),
  CHANNEL_ATTRIBUTE: text(
    'channel_id',
    'Name of the stream custom attribute whose value is the id of a channel.',
  ),
  HEALTH_COUNTERS: list(
    'Names and units of health counter types, separated by commas: `1=Battery:mV,4=Restarts`. The sandbox sets its own by default.',
    parseHealthCounter,
  ),
  REVALIDATION_CALLS_PER_MINUTE: integer(
    { default: 600, min: 0, max: 1_000_000 },
    'Maximum number of background loads per minute that renew stale entities, for all WORKERS together. While an entity waits for its renewal, it is served stale, at most for as long as during an outage. 0 means no limit.',
  ),
  LIVE_POLL_SECONDS: integer(
    { default: 5, min: 1, max: 3600 },
    'Seconds between two polls for new samples while there are subscribers.',
  ),
  LIVE_POLL_MAX_SECONDS: integer(
    { default: 30, min: 1, max: 3600 },
    'Maximum seconds between two polls of an idle platform. The interval is a tenth of the time since the last sample or subscriber, at most this value, but at least LIVE_POLL_SECONDS.',
  ),
  LIVE_POLL: oneOf(
    livePolls,
    'on-demand',
    'When the gateway polls for new samples: `on-demand` (while there are subscribers) or `always` (numeric samples only; last samples then need no REST call). With CALLER_AUTH=platform, it polls only on demand.',
  ),
  FEDERATION: oneOf(
    ['on', 'off'],
    'off',
    '`on` makes the graph a Federation 2.9 subgraph: it adds `_service` and `_entities`, which routers use.',
  ),
  REDIS_URL: optional(
    'Address of the Redis server through which replicas share the token, cached responses, polls for samples, caller rates and logins. Without it, replicas share nothing.',
    { defaultText: 'none', parse: parseRedisUrl },
  ),
  REDIS_URL_FILE: optional(
    'File that contains the address of Redis with its password, instead of REDIS_URL.',
  ),
};

export const reportSettings = {
  METRICS: oneOf(
    metricsAccesses,
    'callers',
    'Who may read /metrics: `callers` (scope `read`, not restricted to organizations), `open` (everyone who reaches the address) or `off`.',
  ),
  LOG_LEVEL: oneOf(logLevels, 'info', `Lowest level that is logged. One of ${logLevels.join(', ')}.`),
  ACCESS_LOG: fraction(
    0,
    'Fraction of operations that the gateway logs when they complete: 0 for none, 1 for all.',
  ),
  SLOW_OPERATION_MS: integer(
    { default: 5000, min: 0, max: 3_600_000 },
    'The gateway logs a warning about queries and mutations that take at least this many milliseconds. 0 turns the warning off.',
  ),
};

/** An IPv6 address may be in brackets, as in URLs. */
function parseHost(value: string): string {
  const name = value.replace(/^\[(.*)\]$/, '$1');
  if (isIP(name) !== 0 || /^[\w-]+(\.[\w-]+)*\.?$/.test(name)) return name;
  throw new SettingError(
    `must be a host name or an address, without scheme and port; ${quote(value)} is not. 0.0.0.0 stands for all addresses.`,
  );
}

/** The address without a trailing slash. Messages may show it, so it must not contain a credential. */
function parsePlatformUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // A password or a key may be in it, or be the value.
    const shown = /^[^@?#]*[.:][^@?#]*$/.test(value) ? `; ${quote(value)} is not` : '';
    throw new SettingError(`must be an http or https address such as https://rest.example.com${shown}.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new SettingError('must not contain a user, password, query or fragment.');
  }
  const address = value.replace(/\/+$/, '').replace(/\/v2\.0$/, '');
  // The path of an endpoint, or a second address.
  if (/\/v2\.0\/|\/auth\/token$|\/\/.*\/\//.test(address))
    throw new SettingError(
      `must be one address that ends before /v2.0 or /auth/token; ${quote(value)} is not.`,
    );
  return address;
}

/** The address may contain a password, so the message does not repeat it. */
function parseRedisUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // `redis:6379` is an address without a host: the client would connect to its default one.
  const hasHost = url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  // The client ignores a query. A password with `?` would end there, and another host would get it.
  const isAddress = hasHost && /^\/?\d*$/.test(url.pathname) && url.search === '' && url.hash === '';
  const isDecodable = (text: string) => decodeIfValid(text) !== undefined;
  if (isAddress && isDecodable(url.username) && isDecodable(url.password)) return value;
  throw new SettingError(
    'must be a redis or rediss address such as redis://user:password@host:6379/0, without a query. Percent-encode special characters of the password: `@` as %40, `/` as %2F, `?` as %3F, `#` as %23, `%` as %25.',
  );
}

interface HealthCounterSetting {
  typeId: number;
  name: string;
  units: string | null;
}

/** Reads an item of HEALTH_COUNTERS. Throws a `SettingError`. */
export function parseHealthCounter(item: string): HealthCounterSetting {
  const [, type, name = '', units] = /^(\d{1,9})=([^:=]{1,64})(?::([^:=]{1,32}))?$/.exec(item) ?? [];
  if (type === undefined || name.trim() === '') {
    throw new SettingError(`must be items such as \`1=Battery:mV\`; ${quote(item)} is not.`);
  }
  return { typeId: Number(type), name: name.trim(), units: units?.trim() ?? null };
}

export const sandboxHealthCounters: readonly HealthCounterSetting[] = [
  '1=Battery:mV',
  '2=Signal:dBm',
  '3=Temperature:0.1 °C',
  '4=Restarts',
].map(parseHealthCounter);
