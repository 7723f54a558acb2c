/** Reads the address of the REST API and its credential. */
import { readFileSync } from 'node:fs';
import type { ParsedSettings } from './settings.js';

/** A platform with a credential, or the embedded sandbox. Key and secret are empty with CALLER_AUTH=platform. */
export type PlatformConfig =
  | { kind: 'sandbox' }
  | { kind: 'remote'; url: string; key: string; secret: string };

/** Adds to `problems` the parts that are missing, superfluous or unreadable. */
export function readPlatform(reading: ParsedSettings): PlatformConfig {
  const { values, problems, isSet } = reading;
  const key = readSecret(reading, 'PLATFORM_KEY');
  const secret = readSecret(reading, 'PLATFORM_SECRET');
  const url = values.PLATFORM_URL ?? '';
  if (!isSet('PLATFORM_URL')) {
    // A credential without an address is a mistake. Serving invented data would hide it.
    if (key ?? secret) problems.push('PLATFORM_URL: is missing, although a key or secret is set.');
    return { kind: 'sandbox' };
  }
  if (values.CALLER_AUTH === 'platform') {
    if (key ?? secret)
      problems.push('PLATFORM_KEY: is not used with CALLER_AUTH=platform; remove key and secret.');
    return { kind: 'remote', url, key: '', secret: '' };
  }
  if (key === undefined) problems.push('PLATFORM_KEY: is missing; PLATFORM_URL requires it.');
  if (secret === undefined) problems.push('PLATFORM_SECRET: is missing; PLATFORM_URL requires it.');
  return { kind: 'remote', url, key: key ?? '', secret: secret ?? '' };
}

function readSecret(
  { values, problems }: ParsedSettings,
  name: 'PLATFORM_KEY' | 'PLATFORM_SECRET',
): string | undefined {
  const fileName = `${name}_FILE` as const;
  const value = values[name];
  const file = values[fileName];
  if (file === undefined) return value;
  if (value !== undefined) problems.push(`${fileName}: is set together with ${name}; set one of them.`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`${fileName}: can't be read: ${reason}`);
    return undefined;
  }
}
