/** `fieldgraph api-key`: makes a key, shows it once, and adds its entry to the file where one is named. */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { allScopes, type Scope } from './graphql/scopes.js';
import {
  type ApiKeyEntry,
  type ApiKeyGrant,
  ApiKeysFileError,
  makeApiKey,
  parseApiKeys,
} from './http/callers/apiKeys.js';

export interface CommandOutcome {
  isDone: boolean;
  /** What to tell whoever ran it. */
  text: string;
}

const usage = `Usage: fieldgraph api-key --name NAME --scopes read,write [--organizations 310,311] [--expires 2027-01-31]

Without --organizations the key sees the whole account, without --expires it never ends. Where API_KEYS_FILE
names a file, the entry is added to it; else it is printed.`;

/** Whoever can read the file can't make a key of it; it need not be read by others all the same. */
const OWNER_ONLY = 0o600;

export async function apiKeyCommand(
  args: readonly string[],
  file: string | undefined,
): Promise<CommandOutcome> {
  const grant = readGrant(args);
  if (typeof grant === 'string') return { isDone: false, text: `${grant}\n\n${usage}` };
  const { key, entry } = makeApiKey(grant);
  if (!file)
    return { isDone: true, text: `${showKey(key)}\n\nIts entry for API_KEYS_FILE:\n\n${toText([entry])}` };
  try {
    await addToFile(file, entry);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { isDone: false, text: `API_KEYS_FILE: ${error.message}` };
  }
  return { isDone: true, text: `${showKey(key)}\n\nIts entry was added to ${file}.` };
}

function showKey(key: string): string {
  return `The key, which is shown this once and kept nowhere:\n\n  ${key}`;
}

/** What is wrong, where it is no grant. */
function readGrant(args: readonly string[]): ApiKeyGrant | string {
  const given = readOptions(args);
  if (typeof given === 'string') return given;
  const { name, scopes = '', organizations, expires } = given;
  if (!name) return '--name is missing.';
  const scopeList = scopes.split(',').map((scope) => scope.trim());
  if (!scopeList.every(isScope)) return `--scopes has to be of ${allScopes.join(',')}.`;
  const ids = organizations === undefined ? '*' : organizations.split(',').map(Number);
  if (ids !== '*' && !ids.every((id) => Number.isSafeInteger(id) && id > 0)) {
    return '--organizations has to be ids such as 310,311.';
  }
  const expiresAtMs = expires === undefined ? undefined : Date.parse(expires);
  if (Number.isNaN(expiresAtMs)) return '--expires has to be a date such as 2027-01-31.';
  const expiresAt = expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString();
  return { name, scopes: scopeList, organizations: ids, expiresAt };
}

function isScope(text: string): text is Scope {
  return allScopes.some((scope) => scope === text);
}

function readOptions(args: readonly string[]) {
  const options = {
    name: { type: 'string' },
    scopes: { type: 'string' },
    organizations: { type: 'string' },
    expires: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whole or not at all: a gateway that reads meanwhile finds the old file or the new one. */
async function addToFile(file: string, entry: ApiKeyEntry): Promise<void> {
  const entries = [...(await readEntries(file)), entry];
  const beside = `${file}.${randomUUID()}`;
  try {
    await writeFile(beside, toText(entries), { mode: OWNER_ONLY });
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}

async function readEntries(file: string): Promise<Iterable<ApiKeyEntry>> {
  try {
    return parseApiKeys(await readFile(file, 'utf8')).values();
  } catch (error) {
    if (error instanceof ApiKeysFileError || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

function toText(keys: readonly ApiKeyEntry[]): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}
