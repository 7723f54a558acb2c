/** Misspelled settings and settings without effect are named, and other variables are left alone. */
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import { findSettingHints } from '../../../src/config/settingHints.js';
import { ConfigError } from '../../../src/lib/startupErrors.js';

it.each([
  ['PLATFORM_SECRT', 'PLATFORM_SECRET'],
  ['PLATFORM_KYE_FILE', 'PLATFORM_KEY_FILE'],
  ['REDIS_URI', 'REDIS_URL'],
  ['REDSI_URL', 'REDIS_URL'],
  ['redis_url', 'REDIS_URL'],
  ['API_KEY_FILE', 'API_KEYS_FILE'],
  ['API_KEYS', 'API_KEYS_FILE'],
  ['TLS_CERT', 'TLS_CERT_FILE'],
  ['tls_key', 'TLS_KEY_FILE'],
  ['WORKER', 'WORKERS'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['PLATFORM_BASE_URL', 'PLATFORM_URL'],
  ['PLATFORM_API_KEY', 'PLATFORM_KEY'],
  ['PLATFORM_SECRET_KEY', 'PLATFORM_SECRET'],
  ['PLATFORM_TIMEOUT', 'PLATFORM_TIMEOUT_SECONDS'],
  ['PLATFORM_TIMEOUT_MS', 'PLATFORM_TIMEOUT_SECONDS'],
  ['OTEL_EXPORTER_OLTP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
])('%s is meant as %s', (name, meant) => {
  expect(findSettingHints({ [name]: 'value' })).toEqual([`${name} is not a setting. Did you mean ${meant}?`]);
  expect(findSettingHints({ [name]: ' ', PATH: '/bin' })).toEqual([]);
});

it.each([
  ...['PATH', 'HOME', 'HOSTNAME', 'POST', 'HTTPS_PROXY', 'NODE_ENV', 'LOGNAME', 'SSL_CERT_FILE'],
  ...[
    'REDIS_PORT',
    'REDIS_SERVICE_HOST',
    'REDIS_PORT_6379_TCP_ADDR',
    'SANDBOX_PORT_4010_TCP',
    'FIELDGRAPH_PORT',
    'PLATFORM_TOKEN',
    'PLATFORM_ORG',
    'SANDBOX_HOST',
  ],
  ...['OTEL_BLRP_SCHEDULE_DELAY', 'OTEL_BLRP_MAX_QUEUE_SIZE', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'],
])('%s belongs to another program', (name) => {
  expect(findSettingHints({ [name]: 'value' })).toEqual([]);
});

it('no hint names a similar variable if the setting itself is also set', () => {
  expect(findSettingHints({ REDIS_URI: 'a', REDIS_URL: 'b' })).toEqual([]);
});

it('a hint names the traces-only variables, which the gateway does not read', () => {
  const name = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const hint = `${name} has no effect: the gateway reads OTEL_EXPORTER_OTLP_ENDPOINT.`;
  expect(findSettingHints({ [name]: 'http://collector:4318/v1/traces' })).toEqual([hint]);
  const general = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  expect(findSettingHints({ ...general, [name]: 'http://collector:4318/v1/traces' })).toEqual([hint]);
  expect(findSettingHints(general)).toEqual([]);
});

it('a hint names keys that are not checked', () => {
  const [hint] = findSettingHints({ API_KEYS_FILE: 'keys.json' });
  expect(hint).toBe('API_KEYS_FILE has no effect with CALLER_AUTH=open; set CALLER_AUTH=api-key.');
  expect(findSettingHints({ API_KEYS_FILE: 'keys.json', CALLER_AUTH: 'api-key' })).toEqual([]);
});

const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

it.each([
  [{ JWT_AUDIENCE: 'a', JWKS_FILE: 'b' }, ['JWT_AUDIENCE', 'JWKS_FILE']],
  [{ JWT_ROLE_SCOPES: '{}', CALLER_AUTH: 'api-key', API_KEYS_FILE: 'keys.json' }, ['JWT_ROLE_SCOPES']],
  [{ LIVE_POLL: 'always', CALLER_AUTH: 'platform' }, ['LIVE_POLL=always']],
  [{ LIVE_POLL: 'always' }, []],
  [{ CORS_HEADERS: 'X-Tenant' }, ['CORS_HEADERS']],
  [{ CORS_HEADERS: 'X-Tenant', CORS_ORIGINS: 'https://dashboard.example.com' }, []],
  [{ FEDERATION: 'on', TRUSTED_DOCUMENTS_ONLY: 'true' }, ['FEDERATION=on']],
  [{ FEDERATION: 'on', TRUSTED_DOCUMENTS: 'documents' }, []],
  [{ FEDERATION: 'off', TRUSTED_DOCUMENTS_ONLY: 'true' }, []],
  [{ ...traced, OTEL_TRACES_SAMPLER_ARG: '0.1' }, ['OTEL_TRACES_SAMPLER_ARG']],
  [
    { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.1', OTEL_TRACES_SAMPLER: 'always_on' },
    ['OTEL_TRACES_SAMPLER_ARG'],
  ],
  [{ ...traced, OTEL_TRACES_SAMPLER_ARG: '0.1', OTEL_TRACES_SAMPLER: 'traceidratio' }, []],
  [{ ...traced, OTEL_TRACES_SAMPLER_ARG: '0.1', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, []],
  [{ OTEL_TRACES_SAMPLER_ARG: '0.1' }, []],
])('a hint names each setting that another one excludes in %o', (environment, settings) => {
  const hints = findSettingHints(environment);
  expect(hints.map((hint) => hint.split(' ')[0]).sort()).toEqual([...settings].sort());
  for (const hint of hints) expect(hint).toMatch(/ has no effect with(out)? /);
});

it('a hint is part of the message about problems', () => {
  const environment = { PLATFORM_URL: 'https://a.example', PLATFORM_KEY: 'k', PLATFORM_SECRT: 'hidden' };
  expect(() => readConfig(environment)).toThrow(ConfigError);
  expect(() => readConfig(environment)).toThrow(
    /PLATFORM_SECRET: is missing.*\n.*Did you mean PLATFORM_SECRET\?$/,
  );
  expect(() => readConfig(environment)).not.toThrow(/hidden/);
});
