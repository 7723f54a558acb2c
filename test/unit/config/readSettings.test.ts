/**
 * Each setting of the table has an effect: it changes a value of the configuration that code outside `src/config`
 * reads.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import type { Setting } from '../../../src/config/setting.js';
import { type Environment, settings } from '../../../src/config/settings.js';

const redisUrl = 'redis://host:6379';
const directory = mkdtempSync(path.join(tmpdir(), 'fieldgraph-settings-'));
const [file, headersFile] = ['file', 'headers'].map((name) => path.join(directory, name)) as [string, string];
writeFileSync(file, redisUrl);
writeFileSync(headersFile, 'a=b');
const platform = { PLATFORM_URL: 'https://platform.example' };
const keys = { PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' };
const jwt = { CALLER_AUTH: 'jwt', JWT_ISSUER: 'i', JWT_AUDIENCE: 'a' };
const jwksUrl = 'http://issuer.example/keys';

/** Some settings have an effect only together with others. */
const environments: readonly Environment[] = [
  {},
  { HOST: '0.0.0.0' },
  keys,
  { ...platform, ...keys },
  { ...platform, PLATFORM_KEY: 'k' },
  { ...platform, PLATFORM_SECRET: 's' },
  { TLS_CERT_FILE: file },
  { TLS_KEY_FILE: file },
  { CALLER_AUTH: 'api-key' },
  { TRUSTED_DOCUMENTS: file },
  { CALLER_AUTH: 'jwt', JWT_ISSUER: 'i', JWKS_FILE: file },
  { CALLER_AUTH: 'jwt', JWT_AUDIENCE: 'a', JWKS_FILE: file },
  jwt,
  { ...jwt, JWKS_FILE: file },
  { ...jwt, JWKS_URL: jwksUrl },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example' },
];

/** Every setting accepts at least one of these texts that is not its default. */
const texts = [
  ...['2', '7000', '0.5', 'true', 'off', 'on', 'always', 'yes-really', 'debug', 'gzip', 'platform'],
  ...['http/json', 'always_on', 'role-1=read', 'role-1=310', '1=a', 'text', '10.0.0.0/8', redisUrl],
  ...['70000', '2000000', 'https://other.example', jwksUrl, file, headersFile],
];

/** A configuration, or nothing if it is not usable. */
function tryToRead(environment: Environment): object | undefined {
  try {
    const { hints: _, ...config } = readConfig(environment);
    return config;
  } catch {
    return undefined;
  }
}

/** The names of the properties that differ, without those of their parents. A map counts as one property. */
function differingNames(one: unknown, other: unknown, name = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(one) || !isObject(other)) return [name];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((key) => differingNames(one[key], other[key], /^\w+$/.test(key) ? key : name));
}

/** The values that the setting changes, with the first text and environment in which it has an effect. */
function effectOf(name: string): string[] {
  const setting: Setting<unknown> = settings[name as keyof typeof settings];
  for (const text of texts) {
    try {
      if (isDeepStrictEqual(setting.parse(text), setting.defaultValue)) continue;
    } catch {
      continue;
    }
    for (const environment of environments) {
      const changed = tryToRead({ ...environment, [name]: text });
      const names = changed ? differingNames(tryToRead(environment), changed) : [];
      if (names.length > 0) return names;
    }
  }
  return [];
}

const sources = new URL('../../../src/', import.meta.url);
const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('config/'))
  .map((name) => readFileSync(new URL(name, sources), 'utf8'))
  .map((text) => text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, ''))
  .join('\n');

/** A name before a colon is declared or assigned, unless it is taken out of an object. */
const isRead = (name: string) =>
  new RegExp(String.raw`\b${name}\b(?!\??:)|const \{[^{}]*\b${name}\b[^{}]*\} =`).test(code);

describe('each setting', () => {
  it.each(Object.keys(settings))('%s changes a value that the gateway reads', (name) => {
    const names = effectOf(name);
    expect(names).not.toEqual([]);
    expect(names.filter(isRead)).not.toEqual([]);
  });
});
