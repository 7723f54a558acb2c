/**
 * Creates, stores and verifies API keys. The file contains a salted SHA-256 of a random 256-bit secret. A slow hash
 * would protect passwords chosen by people; 2^256 random secrets cannot be searched at any speed, and a slow hash would
 * let a flood of wrong keys exhaust the processor.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseId } from '../../graphql/arguments/nodeId.js';
import { allScopes, type Scope } from '../../graphql/scopes.js';
import type { Clock } from '../../lib/clock.js';
import { messageOf } from '../../lib/errorMessage.js';
import { parseJsonFile, toRecord } from '../../lib/records.js';
import { SettingFileError } from '../../lib/startupErrors.js';

export interface ApiKeyEntry {
  /** Part of the key that identifies the entry; not secret. */
  id: string;
  name: string;
  scopes: readonly Scope[];
  /** `*`: the whole account. */
  organizations: '*' | readonly number[];
  /** RFC 3339; null if the key never expires. */
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

/** Only the returned value contains the key; the entry cannot restore it. */
export function createApiKey(grant: ApiKeyGrant): { key: string; entry: ApiKeyEntry } {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const hash = hashOf(salt, secret).toString('hex');
  return { key: `fg_${id}_${secret}`, entry: { id, ...grant, salt, hash } };
}

type ApiKeyVerification =
  | { status: 'valid'; entry: ApiKeyEntry }
  | { status: 'expired' }
  | { status: 'unknown' };

/** Unknown keys are compared with this entry, so that they take as long as known ones. */
const unknownKeyEntry = { salt: '00'.repeat(SALT_BYTES), hash: '00'.repeat(SECRET_BYTES) };

export function verifyApiKey(
  entries: ReadonlyMap<string, ApiKeyEntry>,
  key: string,
  clock: Clock,
): ApiKeyVerification {
  const [, id = '', secret = ''] = /^fg_([0-9a-f]{16})_([\w-]{43})$/.exec(key) ?? ['', '', key];
  const entry = entries.get(id);
  const { salt, hash } = entry ?? unknownKeyEntry;
  const isSame = timingSafeEqual(hashOf(salt, secret), Buffer.from(hash, 'hex'));
  if (!isSame || entry === undefined) return { status: 'unknown' };
  return hasExpired(entry, clock.now()) ? { status: 'expired' } : { status: 'valid', entry };
}

export function hasExpired({ expiresAt }: ApiKeyEntry, nowMs: number): boolean {
  return expiresAt !== null && nowMs >= Date.parse(expiresAt);
}

function hashOf(salt: string, secret: string): Buffer {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(secret).digest();
}

/** Lists the problems of a file of keys, one per line. It quotes no hash. */
export function createKeysFileError(problems: string): SettingFileError {
  return new SettingFileError('API_KEYS_FILE', problems);
}

export function describeKeyCommand(file: string): string {
  return `Make a key: API_KEYS_FILE=${file} npx fieldgraph api-key --name NAME --scopes read.`;
}

/** Returns the entries of a file by id. Throws a `SettingFileError`. */
export function parseApiKeys(text: string): ReadonlyMap<string, ApiKeyEntry> {
  const entries = readEntries(text);
  const problems = entries.flatMap((entry, index) => problemsOf(entry, `keys[${index}]`));
  if (problems.length > 0) throw createKeysFileError(listProblems(problems));
  const normalized = (entries as readonly ApiKeyEntry[]).map(withNumericIds);
  const byId = new Map(normalized.map((entry) => [entry.id, entry]));
  const repeated = normalized.findIndex((entry) => byId.get(entry.id) !== entry);
  if (repeated === -1) return byId;
  throw createKeysFileError(
    `keys[${repeated}] and a later entry have the same id, ${normalized[repeated]?.id}.`,
  );
}

const MAX_LISTED_PROBLEMS = 20;

function listProblems(problems: readonly string[]): string {
  const omitted = problems.length - MAX_LISTED_PROBLEMS;
  if (omitted <= 0) return problems.join('\n');
  return [...problems.slice(0, MAX_LISTED_PROBLEMS), `There are ${omitted} more problems.`].join('\n');
}

/** Converts typed ids such as `Organization:310` to numbers. */
function withNumericIds(entry: ApiKeyEntry): ApiKeyEntry {
  const { organizations } = entry;
  if (organizations === '*') return entry;
  return { ...entry, organizations: organizations.flatMap((id) => toOrganizationId(id) ?? []) };
}

function readEntries(text: string): readonly unknown[] {
  let content: unknown;
  try {
    content = parseJsonFile(text);
  } catch (error) {
    throw createKeysFileError(messageOf(error));
  }
  const { keys } = toRecord(content);
  if (!Array.isArray(keys)) throw createKeysFileError('The file must have the form {"keys": […]}.');
  return keys;
}

/** `path` names the entry in the messages, for example `keys[0]`. */
function problemsOf(entry: unknown, path: string): string[] {
  const fields = toRecord(entry);
  const invalid = Object.entries(checks).flatMap(([name, { isValid, rule }]) =>
    isValid(fields[name]) ? [] : [`${path}.${name} must be ${rule}.`],
  );
  // An operator who writes "disabled" expects that the key stops working.
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(checks, name));
  return [...invalid, ...unknown.map((name) => `${path}${describeUnknown(name, fields['name'])}`)];
}

const MAX_SHOWN_CHARACTERS = 40;

function describeUnknown(member: string, keyName: unknown): string {
  const show = (text: string) => JSON.stringify(text.slice(0, MAX_SHOWN_CHARACTERS));
  const owner = typeof keyName === 'string' ? ` (${show(keyName)})` : '';
  const members = Object.keys(checks).join(', ');
  return `${owner} has the unknown member ${show(member)}; the members are ${members}. To revoke a key, delete its entry.`;
}

const isHex = (digits: number) => (value: unknown) =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);

export function isScope(value: unknown): value is Scope {
  return allScopes.some((scope) => scope === value);
}

const isOrganizationId = (value: unknown) => toOrganizationId(value) !== undefined;

const checks: Readonly<Record<keyof ApiKeyEntry, { isValid: (value: unknown) => boolean; rule: string }>> = {
  id: { isValid: isHex(2 * ID_BYTES), rule: 'the id printed with the key' },
  name: { isValid: (value) => typeof value === 'string' && value !== '', rule: 'a name' },
  scopes: {
    isValid: (value) => Array.isArray(value) && value.every(isScope),
    rule: `a list of ${allScopes.join(', ')}`,
  },
  organizations: {
    isValid: (value) => value === '*' || (Array.isArray(value) && value.every(isOrganizationId)),
    rule: 'a list of organization ids such as 310 or "Organization:310", or "*" for all of them',
  },
  expiresAt: {
    isValid: (value) => value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value))),
    rule: 'a date such as 2027-01-31T00:00:00Z, or null',
  },
  salt: { isValid: isHex(2 * SALT_BYTES), rule: 'the salt printed with the key' },
  hash: { isValid: isHex(64), rule: 'the hash printed with the key' },
};

/** Accepts a number, its text, and the typed form `Organization:310`; undefined for anything else. */
export function toOrganizationId(value: unknown): number | undefined {
  if (typeof value === 'string') return parseId('Organization', value);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
