/** Authenticates callers by API keys from a file. Changes of the file take effect within a second. */
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { type ApiKeyEntry, ApiKeysFileError, parseApiKeys, verifyApiKey } from './apiKeys.js';
import { createUnauthenticatedError } from './authErrors.js';
import type { Authenticator, Caller, OnKeys } from './caller.js';
import type { ProvidedCredential } from './providedCredential.js';

/**
 * The file is small, so it is read at each interval. A file watcher would miss changes of mounted volumes, which
 * replace folders and keep modification times.
 */
const RELOAD_INTERVAL_MS = 1000;

/** Rejects with an `ApiKeysFileError` if the file is not usable. */
export async function createApiKeyAuthenticator(
  file: string,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  let text = await readKeys(file);
  let entries = parseApiKeys(text);
  let loggedReason = '';
  let onKeys: OnKeys = () => {};

  /** Keeps the current keys if the file is not usable, and logs each reason once. */
  async function reload(): Promise<void> {
    try {
      const current = await readKeys(file);
      if (current !== text) {
        entries = parseApiKeys(current);
        onKeys([...entries.values()]);
      }
      text = current;
      loggedReason = '';
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (reason !== loggedReason)
        logger.error({ cause }, 'API_KEYS_FILE is not usable; the keys stay as they were');
      loggedReason = reason;
    }
  }

  const timer = setInterval(() => void reload(), RELOAD_INTERVAL_MS).unref();
  return {
    authenticate(credential) {
      const result = verifyApiKey(entries, readKey(credential), clock);
      if (result.status === 'expired') throw createUnauthenticatedError('The API key has expired.');
      if (result.status === 'unknown') throw createUnauthenticatedError('The API key is not valid.');
      return toCaller(result.entry);
    },
    watchKeys(listener) {
      onKeys = listener;
      listener([...entries.values()]);
    },
    close: () => clearInterval(timer),
  };
}

async function readKeys(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiKeysFileError(`The file can't be read: ${reason}`);
  }
}

function readKey({ apiKey, bearer }: ProvidedCredential): string {
  const key = apiKey ?? bearer;
  if (key !== undefined) return key;
  throw createUnauthenticatedError('Send an API key as "Authorization: Bearer …" or as "X-API-Key: …".');
}

function toCaller({ id, name, scopes, organizations }: ApiKeyEntry): Caller {
  const organizationIds = organizations === '*' ? undefined : new Set(organizations);
  return { name, id, scopes: new Set(scopes), organizationIds };
}
