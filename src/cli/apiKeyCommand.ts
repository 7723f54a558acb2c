/** `fieldgraph api-key`: creates a key, prints it once, and adds its entry to API_KEYS_FILE if that is set. */
import { randomUUID } from 'node:crypto';
import { access, chmod, chown, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isCalendarDay } from '../graphql/arguments/timeArguments.js';
import { allScopes } from '../graphql/scopes.js';
import {
  type ApiKeyEntry,
  type ApiKeyGrant,
  createApiKey,
  isScope,
  parseApiKeys,
  toOrganizationId,
} from '../http/auth/apiKeys.js';
import type { Clock } from '../lib/clock.js';
import { readTextFile } from '../lib/settingFiles.js';
import { SettingFileError } from '../lib/startupErrors.js';
import { parseOptions } from './parseOptions.js';

export const apiKeyUsage = `Usage: fieldgraph api-key --name NAME --scopes SCOPES [--organizations IDS] [--expires DATE]

Creates a key for CALLER_AUTH=api-key and prints it once. If API_KEYS_FILE names a file, the entry of the key
is added to it; otherwise a complete key file with this entry is printed.

Options:
  --name           Name of the key in the log.
  --scopes         Scopes of the key, separated by commas: ${allScopes.join(', ')}.
  --organizations  Organizations that the key may see, such as 310,311 or Organization:310. Default: the whole
                   account.
  --expires        Date (UTC) at which the key expires, such as 2027-01-31, or a time with its zone, such as
                   2027-01-31T10:00+01:00. Default: it does not expire.
  -h, --help       Prints this text.`;

/** The permissions of a new file. Although it contains only hashes of keys, other users of the machine can't read it. */
const OWNER_ONLY = 0o600;
const PERMISSIONS = 0o777;

export async function apiKeyCommand(
  args: readonly string[],
  { file, clock }: { file: string | undefined; clock: Clock },
): Promise<{ kind: 'done' | 'failed'; text: string }> {
  const grant = readGrant(args, clock.now());
  if (typeof grant === 'string') return { kind: 'failed', text: `${grant}\n\n${apiKeyUsage}` };
  const { key, entry } = createApiKey(grant);
  if (!file)
    return {
      kind: 'done',
      text: `${showKey(key)}\n\nA key file for API_KEYS_FILE, with its entry:\n\n${toText([entry])}`,
    };
  try {
    await addToFile(file, entry);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { kind: 'failed', text: `API_KEYS_FILE: ${error.message}` };
  }
  return { kind: 'done', text: `${showKey(key)}\n\nIts entry was added to ${file}.` };
}

function showKey(key: string): string {
  return `The key. It is shown only now and is not stored:\n\n  ${key}`;
}

/** Returns a message if the arguments are invalid. */
function readGrant(args: readonly string[], nowMs: number): ApiKeyGrant | string {
  const provided = parseOptions(args, {
    name: { type: 'string' },
    scopes: { type: 'string' },
    organizations: { type: 'string' },
    expires: { type: 'string' },
  });
  if (typeof provided === 'string') return provided;
  const { name, scopes = '', organizations, expires } = provided;
  if (!name?.trim()) return '--name is missing.';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return '--name must be one line without control characters.';
  const scopeList = scopes.split(',').map((scope) => scope.trim());
  if (!scopeList.every(isScope)) return `--scopes must list scopes of ${allScopes.join(',')}.`;
  const ids = readOrganizations(organizations);
  if (ids === undefined) return '--organizations must list ids such as 310,311 or Organization:310.';
  const expiresAtMs = expires === undefined ? undefined : readDate(expires);
  if (Number.isNaN(expiresAtMs))
    return '--expires must be a date such as 2027-01-31, or a time with its zone such as 2027-01-31T10:00+01:00.';
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
    return `--expires must be in the future; ${expires} is in the past.`;
  }
  const expiresAt = expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString();
  return { name, scopes: [...new Set(scopeList)], organizations: ids, expiresAt };
}

/** Unix milliseconds; NaN if it is not a date. */
function readDate(text: string): number {
  // A time without a zone would be read in the zone of this machine.
  const [, day] = /^(\d{4}-\d{2}-\d{2})(T.*(Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  return day !== undefined && isCalendarDay(day) ? Date.parse(text) : Number.NaN;
}

/** Undefined if an id is invalid. */
function readOrganizations(text: string | undefined): ApiKeyGrant['organizations'] | undefined {
  if (text === undefined) return '*';
  const ids = text.split(',').map((id) => toOrganizationId(id.trim()));
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined;
}

/**
 * Replaces the file atomically: a gateway that reads it at that moment sees either the old file or the new one. A
 * symbolic link stays; the file that it points to is replaced.
 */
async function addToFile(file: string, entry: ApiKeyEntry): Promise<void> {
  const entries = [...(await readEntries(file)), entry];
  const target = await realpath(file).catch(() => file);
  const temporaryFile = `${target}.${randomUUID()}`;
  // The error about a missing folder names it, not the temporary file.
  await access(path.dirname(target));
  try {
    await writeFile(temporaryFile, toText(entries), { mode: OWNER_ONLY });
    await copyPermissions(target, temporaryFile);
    await rename(temporaryFile, target);
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

/**
 * Copies the owner and the permissions of one file to another, because the gateway may run as a user who was given
 * access to the first.
 */
async function copyPermissions(from: string, to: string): Promise<void> {
  const before = await stat(from).catch(() => undefined);
  if (before === undefined) return;
  const { uid, gid } = await stat(to);
  if (before.uid !== uid || before.gid !== gid) {
    await chown(to, before.uid, before.gid).catch((error: unknown) => {
      // The owner may set only a group that they belong to. If this fails, the file stays usable for the owner.
      if (before.uid !== uid)
        throw new Error(`Another user owns ${from}. Run the command as that user, or as root.`, {
          cause: error,
        });
    });
  }
  await chmod(to, before.mode & PERMISSIONS);
}

async function readEntries(file: string): Promise<Iterable<ApiKeyEntry>> {
  try {
    return parseApiKeys(await readTextFile(file)).values();
  } catch (error) {
    if (error instanceof SettingFileError || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

function toText(keys: readonly ApiKeyEntry[]): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}
