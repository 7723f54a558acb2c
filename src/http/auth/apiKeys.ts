/**
 * API keys: how they are made, kept and recognized. The file keeps a salted SHA-256 of a random 256-bit secret.
 * A slow hash guards what people choose; nobody searches 2^256 secrets at any speed, and a slow one would let
 * whoever sends wrong keys use up the processor.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { allScopes, type Scope } from '../../graphql/scopes.js';
import type { Clock } from '../../lib/clock.js';
import { toOrganizationId } from './organizationId.js';

/** One key as the file has it. */
export interface ApiKeyEntry {
  /** Names the entry inside the key itself; no secret. */
  id: string;
  name: string;
  scopes: readonly Scope[];
  /** `*`: all of them. */
  organizations: '*' | readonly number[];
  /** RFC 3339; null: it never expires. */
  expiresAt: string | null;
  /** 128 bits, in hexadecimal. */
  salt: string;
  /** SHA-256 of salt and secret, in hexadecimal. */
  hash: string;
}

export type ApiKeyGrant = Pick<ApiKeyEntry, 'name' | 'scopes' | 'organizations' | 'expiresAt'>;

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;

/** The key itself is nowhere but in this answer. */
export function createApiKey(grant: ApiKeyGrant): { key: string; entry: ApiKeyEntry } {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const hash = hashOf(salt, secret).toString('hex');
  return { key: `fg_${id}_${secret}`, entry: { id, ...grant, salt, hash } };
}

export type ApiKeyVerdict =
  | { status: 'good'; entry: ApiKeyEntry }
  | { status: 'expired' }
  | { status: 'unknown' };

/** What keys without an entry are compared with, so that they take the same work as any other. */
const unknownKeyEntry = { salt: '00'.repeat(SALT_BYTES), hash: '00'.repeat(SECRET_BYTES) };

/** The same work for every key of a length, whether there is an entry for it or not. */
export function verifyApiKey(
  entries: ReadonlyMap<string, ApiKeyEntry>,
  key: string,
  clock: Clock,
): ApiKeyVerdict {
  const [, id = '', secret = ''] = /^fg_([0-9a-f]{16})_([\w-]{43})$/.exec(key) ?? ['', '', key];
  const entry = entries.get(id);
  const { salt, hash } = entry ?? unknownKeyEntry;
  const isSame = timingSafeEqual(hashOf(salt, secret), Buffer.from(hash, 'hex'));
  if (!isSame || entry === undefined) return { status: 'unknown' };
  const hasExpired = entry.expiresAt !== null && clock.now() >= Date.parse(entry.expiresAt);
  return hasExpired ? { status: 'expired' } : { status: 'good', entry };
}

function hashOf(salt: string, secret: string): Buffer {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret).digest();
}

/** What is wrong with a file of keys, a line each. No hash is repeated. */
export class ApiKeysFileError extends Error {
  override readonly name = 'ApiKeysFileError';
}

/** The entries of a file by id. Throws `ApiKeysFileError`. */
export function parseApiKeys(text: string): ReadonlyMap<string, ApiKeyEntry> {
  const entries = readEntries(text);
  const problems = entries.flatMap((entry, index) =>
    problemsOf(entry).map((problem) => `keys[${index}].${problem}`),
  );
  if (problems.length > 0) throw new ApiKeysFileError(problems.join('\n'));
  const known = (entries as readonly ApiKeyEntry[]).map(withNumericIds);
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  if (byId.size < known.length) throw new ApiKeysFileError('Two entries have the same id.');
  return byId;
}

/** Typed ids such as `Organization:310` become numbers. */
function withNumericIds(entry: ApiKeyEntry): ApiKeyEntry {
  const { organizations } = entry;
  if (organizations === '*') return entry;
  return { ...entry, organizations: organizations.flatMap((id) => toOrganizationId(id) ?? []) };
}

function readEntries(text: string): readonly unknown[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    // The parser's message quotes the file, hashes and all.
    throw new ApiKeysFileError('It is no JSON.');
  }
  const keys = isObject(file) ? file['keys'] : undefined;
  if (!Array.isArray(keys)) throw new ApiKeysFileError('It has to be {"keys": […]}.');
  return keys;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problemsOf(entry: unknown): string[] {
  const fields = isObject(entry) ? entry : {};
  return Object.entries(checks).flatMap(([name, { holds, rule }]) =>
    holds(fields[name]) ? [] : [`${name} has to be ${rule}.`],
  );
}

const isHex = (digits: number) => (value: unknown) =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);

const isOrganizationId = (value: unknown) => toOrganizationId(value) !== undefined;

const checks: Readonly<Record<keyof ApiKeyEntry, { holds: (value: unknown) => boolean; rule: string }>> = {
  id: { holds: isHex(2 * ID_BYTES), rule: 'the id printed with the key' },
  name: { holds: (value) => typeof value === 'string' && value !== '', rule: 'a name' },
  scopes: {
    holds: (value) => Array.isArray(value) && value.every((scope) => allScopes.includes(scope)),
    rule: `a list of ${allScopes.join(', ')}`,
  },
  organizations: {
    holds: (value) => value === '*' || (Array.isArray(value) && value.every(isOrganizationId)),
    rule: 'a list of organization ids such as 310 or "Organization:310", or "*" for all of them',
  },
  expiresAt: {
    holds: (value) => value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value))),
    rule: 'a date such as 2027-01-31T00:00:00Z, or null',
  },
  salt: { holds: isHex(2 * SALT_BYTES), rule: 'the salt printed with the key' },
  hash: { holds: isHex(64), rule: 'the hash printed with the key' },
};
