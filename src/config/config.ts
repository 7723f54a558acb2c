/** Reads the configuration from the environment. Nothing outside this folder reads `process.env`. */
import type { CallerAuth } from '../http/auth/authenticator.js';
import { isLoopback } from '../http/auth/hostCheck.js';
import type { TlsFiles } from '../http/server/tls.js';
import { messageOf } from '../lib/errorMessage.js';
import { isPipe, readFileOnce } from '../lib/settingFiles.js';
import { ConfigError } from '../lib/startupErrors.js';
import type { TracingSettings } from '../tracing/tracing.js';
import { isClearTextUrl } from './callerSettings.js';
import { parseHealthCounter, reportSettings, sandboxHealthCounters } from './gatewaySettings.js';
import { toCallerLimits } from './limitSettings.js';
import { findMisspelled, findSettingHints, skipsCertificateChecks } from './settingHints.js';
import {
  type Environment,
  type ParsedSettings,
  readSettings,
  type SettingValues,
  sandboxSettings,
  settings,
} from './settings.js';
import { readPairs } from './tracingSettings.js';

export type Config = ReturnType<typeof readConfig>;
export type SandboxConfig = ReturnType<typeof toSandboxConfig>;

/** Throws a `ConfigError` that lists all problems. */
export function readConfig(environment: Environment = process.env) {
  const reading = readSettings(settings, environment);
  const { values, problems } = reading;
  const platform = readPlatform(reading);
  const config = {
    host: values.HOST,
    port: values.PORT,
    publicHosts: values.PUBLIC_HOSTS,
    trustedProxies: values.TRUSTED_PROXIES,
    tls: readTlsFiles(reading),
    workers: values.WORKERS,
    platform,
    sendsClearText: platform.kind === 'remote' && platform.url !== '' && isClearTextUrl(platform.url),
    callerAuth: readCallerAuth(reading),
    redisUrl: readCheckedSecret(reading, 'REDIS_URL'),
    channelAttribute: values.CHANNEL_ATTRIBUTE,
    healthCounters:
      reading.isSet('PLATFORM_URL') || reading.isSet('HEALTH_COUNTERS')
        ? values.HEALTH_COUNTERS.map(parseHealthCounter)
        : sandboxHealthCounters,
    isSubgraph: values.FEDERATION === 'on',
    resilience: {
      operationTimeoutMs: values.PLATFORM_TIMEOUT_SECONDS * 1000,
      attemptTimeoutMs: values.PLATFORM_TIMEOUT_SECONDS * 500,
    },
    revalidationsPerMinute: values.REVALIDATION_CALLS_PER_MINUTE,
    livePollMs: values.LIVE_POLL_SECONDS * 1000,
    liveMaxPollMs: values.LIVE_POLL_MAX_SECONDS * 1000,
    pollsAlways: values.LIVE_POLL === 'always',
    metrics: values.METRICS,
    accessLog: values.ACCESS_LOG,
    slowOperationMs: values.SLOW_OPERATION_MS,
    tracing: readTracing(reading),
    callerLimits: toCallerLimits(values),
    logLevel: values.LOG_LEVEL,
    sandbox: toSandboxConfig(values),
    hints: findSettingHints(environment),
    skipsCertificateChecks: skipsCertificateChecks(environment),
  };
  if (values.TRUSTED_DOCUMENTS_ONLY === 'true' && values.TRUSTED_DOCUMENTS === undefined) {
    problems.push('TRUSTED_DOCUMENTS: is missing; TRUSTED_DOCUMENTS_ONLY=true requires it.');
  }
  // A caller's messages may occupy half of its memory, so a longer one would be refused again and again.
  if (values.MAX_BODY_BYTES > values.MAX_CALLER_BYTES / 2) {
    problems.push(`MAX_BODY_BYTES: must be at most half of MAX_CALLER_BYTES (${values.MAX_CALLER_BYTES}).`);
  }
  const types = config.healthCounters.map(({ typeId }) => typeId);
  const twice = types.find((type, index) => types.indexOf(type) !== index);
  if (twice !== undefined) problems.push(`HEALTH_COUNTERS: names the type ${twice} twice.`);
  if (problems.length > 0) throw new ConfigError(problems, config.hints);
  return config;
}

/** Reads only the settings of `fieldgraph sandbox`. Throws a `ConfigError`. */
export function readSandboxConfig() {
  const { LOG_LEVEL } = reportSettings;
  const { values, problems } = readSettings({ ...sandboxSettings, LOG_LEVEL }, process.env);
  const hints = findMisspelled(process.env);
  if (problems.length > 0) throw new ConfigError(problems, hints);
  return { sandbox: toSandboxConfig(values), logLevel: values.LOG_LEVEL, hints };
}

/** Names of the set variables by which other programs find a proxy for the platform. The gateway uses none. */
export function readProxyVariables(environment: Environment, platform: PlatformConfig): string[] {
  const host = platform.kind === 'remote' ? new URL(platform.url).hostname : '';
  const direct = (environment['NO_PROXY'] || environment['no_proxy'] || '').toLowerCase().split(/[\s,]+/);
  const isDirect = (item: string) => {
    const name = item.replace(/^\*?\./, '').replace(/:\d+$/, '');
    return name === '*' || host === name || host.endsWith(`.${name}`);
  };
  if (direct.filter(Boolean).some(isDirect)) return [];
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
  return names.filter((name) => environment[name]?.trim());
}

/** Reads one setting, for commands that need no other. Throws a `ConfigError`. */
export function readSetting<Name extends keyof SettingValues>(name: Name): SettingValues[Name] {
  const { values, problems } = readSettings({ [name]: settings[name] }, process.env);
  if (problems.length > 0) throw new ConfigError(problems);
  return values[name] as SettingValues[Name];
}

function toSandboxConfig(values: Pick<SettingValues, keyof typeof sandboxSettings>) {
  return {
    port: values.SANDBOX_PORT,
    databaseFile: values.SANDBOX_DB,
    siteCount: values.SANDBOX_SITES,
    days: values.SANDBOX_DAYS,
    key: values.SANDBOX_KEY,
    secret: values.SANDBOX_SECRET,
  };
}

/** Both files, or none. */
function readTlsFiles({ values, problems }: ParsedSettings): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = values;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile !== undefined) problems.push('TLS_KEY_FILE: is missing; TLS_CERT_FILE requires it.');
  if (keyFile !== undefined) problems.push('TLS_CERT_FILE: is missing; TLS_KEY_FILE requires it.');
  return undefined;
}

/** Adds to `problems` the settings that are missing, and an open gateway that other machines can reach. */
function readCallerAuth({ values, problems, isSet }: ParsedSettings): CallerAuth {
  const kind = values.CALLER_AUTH;
  const need = (name: 'API_KEYS_FILE' | 'JWT_ISSUER' | 'JWT_AUDIENCE' | 'JWKS_URL'): string => {
    if (!isSet(name)) problems.push(`${name}: is missing; CALLER_AUTH=${kind} requires it.`);
    return values[name] ?? '';
  };
  if (kind === 'open') checkOpen(values, problems);
  if (kind === 'api-key') return { kind, file: need('API_KEYS_FILE') };
  if (kind !== 'jwt') return { kind };
  return {
    kind,
    issuer: need('JWT_ISSUER'),
    audience: need('JWT_AUDIENCE'),
    keys: readKeysLocation(values, problems, need),
    scopesClaim: values.JWT_SCOPES_CLAIM,
    roleScopes: values.JWT_ROLE_SCOPES,
    organizationsClaim: values.JWT_ORGANIZATIONS_CLAIM,
    roleOrganizations: values.JWT_ROLE_ORGANIZATIONS,
  };
}

/** Reads where the issuer's keys are: in a file or at an address. */
function readKeysLocation(
  { JWKS_FILE: file, JWKS_URL, JWKS_ALLOW_HTTP }: SettingValues,
  problems: string[],
  need: (name: 'JWKS_URL') => string,
): { file: string } | { url: string } {
  if (file !== undefined && JWKS_URL !== undefined) {
    problems.push('JWKS_FILE: is set together with JWKS_URL; set one of them.');
  }
  if (file !== undefined) return { file };
  const url = need('JWKS_URL');
  if (JWKS_URL !== undefined && JWKS_ALLOW_HTTP === 'false' && isClearTextUrl(JWKS_URL)) {
    problems.push(
      'JWKS_URL: must be an https address, or http on loopback. JWKS_ALLOW_HTTP=true accepts http inside a trusted network.',
    );
  }
  return { url };
}

function checkOpen({ HOST, CALLER_AUTH_OPEN }: SettingValues, problems: string[]): void {
  if (isLoopback(HOST) || CALLER_AUTH_OPEN === 'yes-really') return;
  problems.push(
    `HOST: other machines can reach ${HOST}, and CALLER_AUTH=open accepts every caller. ` +
      'Make a key: API_KEYS_FILE=keys.json npx fieldgraph api-key --name NAME --scopes read. ' +
      'Then start with CALLER_AUTH=api-key API_KEYS_FILE=keys.json. ' +
      'To accept every caller instead, set CALLER_AUTH_OPEN=yes-really.',
  );
}

/** A platform with a credential, or the embedded sandbox. Key and secret are empty with CALLER_AUTH=platform. */
type PlatformConfig =
  | { kind: 'sandbox' }
  | ({ kind: 'remote'; url: string; key: string; secret: string } & ReturnType<typeof toCredentialFiles> & {
        /** The settings that contain the key and the secret, for messages. */
        settingNames?: { key: string; secret: string };
      });

/** Adds to `problems` the parts that are missing, superfluous or unreadable. */
function readPlatform(reading: ParsedSettings): PlatformConfig {
  const { values, problems, isSet } = reading;
  const key = readSecret(reading, 'PLATFORM_KEY');
  const secret = readSecret(reading, 'PLATFORM_SECRET');
  const url = values.PLATFORM_URL ?? '';
  if (!isSet('PLATFORM_URL')) {
    // A credential without an address is a mistake. Serving generated data would hide it.
    if (key ?? secret) problems.push('PLATFORM_URL: is missing, although a key or secret is set.');
    return { kind: 'sandbox' };
  }
  if (values.CALLER_AUTH === 'platform') {
    if (key ?? secret)
      problems.push('PLATFORM_KEY: is not used with CALLER_AUTH=platform; remove key and secret.');
    return { kind: 'remote', url, key: '', secret: '' };
  }
  // A file without a secret is reported as a separate problem.
  for (const name of ['PLATFORM_KEY', 'PLATFORM_SECRET'] as const) {
    const isAbsent = !isSet(name) && !isSet(`${name}_FILE`);
    if (isAbsent) problems.push(`${name}: is missing; PLATFORM_URL requires it.`);
  }
  const nameOf = (name: 'PLATFORM_KEY' | 'PLATFORM_SECRET') =>
    isSet(`${name}_FILE`) ? `${name}_FILE` : name;
  const settingNames = { key: nameOf('PLATFORM_KEY'), secret: nameOf('PLATFORM_SECRET') };
  return {
    kind: 'remote',
    url,
    key: key ?? '',
    secret: secret ?? '',
    settingNames,
    ...toCredentialFiles(values),
  };
}

/** Without a secret file that can be read again, the credential cannot change while the gateway runs. */
function toCredentialFiles({ PLATFORM_KEY_FILE: keyFile, PLATFORM_SECRET_FILE: secretFile }: SettingValues) {
  if (secretFile === undefined || isPipe(secretFile)) return {};
  return { files: { keyFile: keyFile === undefined || isPipe(keyFile) ? undefined : keyFile, secretFile } };
}

/** The content of the file is checked like the value of the setting. */
function readCheckedSecret(
  reading: ParsedSettings,
  name: 'REDIS_URL' | 'OTEL_EXPORTER_OTLP_HEADERS',
): string | undefined {
  const fileName = `${name}_FILE` as const;
  const secret = readSecret(reading, name);
  if (secret === undefined || reading.values[fileName] === undefined) return secret;
  try {
    return settings[name].parse(secret);
  } catch (error) {
    reading.problems.push(`${fileName}: ${messageOf(error)}`);
    return undefined;
  }
}

function readSecret(
  { values, problems }: ParsedSettings,
  name: 'PLATFORM_KEY' | 'PLATFORM_SECRET' | 'REDIS_URL' | 'OTEL_EXPORTER_OTLP_HEADERS',
): string | undefined {
  const fileName = `${name}_FILE` as const;
  const value = values[name];
  const file = values[fileName];
  if (file === undefined) return value;
  if (value !== undefined) problems.push(`${fileName}: is set together with ${name}; set one of them.`);
  try {
    const secret = readFileOnce(file).trim();
    if (secret !== '') return secret;
    problems.push(`${fileName}: is empty.`);
    return undefined;
  } catch (error) {
    // Without the path: the variable may contain the secret itself.
    const reason = messageOf(error).replace(/, \w+ '.*'$/s, '');
    problems.push(`${fileName}: can't be read: ${reason}.`);
    return undefined;
  }
}

/** Maximum memory of the encoded spans that wait for the collector. */
const MAX_QUEUED_SPAN_BYTES = 16 * 1024 * 1024;
const MAX_CLOSE_MS = 2000;

/** Undefined if tracing is off. */
function readTracing(reading: ParsedSettings): TracingSettings | undefined {
  const { values, isSet } = reading;
  const headers = readCheckedSecret(reading, 'OTEL_EXPORTER_OTLP_HEADERS');
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || values.OTEL_SDK_DISABLED === 'true') return undefined;
  const own = Object.assign({}, ...values.OTEL_RESOURCE_ATTRIBUTES.map(readPairs)) as Record<string, string>;
  // The name has precedence over the attribute, unless only the attribute is set.
  const name =
    isSet('OTEL_SERVICE_NAME') || own['service.name'] === undefined
      ? { 'service.name': values.OTEL_SERVICE_NAME }
      : {};
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: readPairs(headers ?? ''),
    isCompressed: values.OTEL_EXPORTER_OTLP_COMPRESSION === 'gzip',
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    maxQueuedBytes: MAX_QUEUED_SPAN_BYTES,
    maxQueuedSpans: values.OTEL_BSP_MAX_QUEUE_SIZE,
    // While a batch is sent, the queue has room for the next one.
    maxBatchSpans: Math.max(
      1,
      Math.min(values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, Math.floor(values.OTEL_BSP_MAX_QUEUE_SIZE / 2)),
    ),
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    maxCloseMs: MAX_CLOSE_MS,
    resource: { ...own, ...name },
    sampler: { name: values.OTEL_TRACES_SAMPLER, ratio: values.OTEL_TRACES_SAMPLER_ARG },
  };
}
