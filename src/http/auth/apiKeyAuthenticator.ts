/** Knows callers by API keys from a file, which is read again when it changes. */
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { type ApiKeyEntry, ApiKeysFileError, parseApiKeys, verifyApiKey } from './apiKeys.js';
import { createUnauthenticatedError } from './authErrors.js';
import type { Authenticator, Caller, OnKeys } from './caller.js';
import type { ProvidedCredential } from './providedCredential.js';

/**
 * The file is small and is simply read: watching it would miss what mounted volumes do, which replace folders
 * and keep times.
 */
const RELOAD_INTERVAL_MS = 1000;

/** Rejects with an `ApiKeysFileError` where the file is not usable to begin with. */
export async function createApiKeyAuthenticator(
  file: string,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  let text = await readKeys(file);
  let entries = parseApiKeys(text);
  let said = '';
  let onKeys: OnKeys = () => {};

  /** A file that can't be used leaves the keys as they were, and is told of once. */
  async function look(): Promise<void> {
    try {
      const current = await readKeys(file);
      if (current !== text) {
        entries = parseApiKeys(current);
        onKeys([...entries.values()]);
      }
      text = current;
      said = '';
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (reason !== said) logger.error({ cause }, 'API_KEYS_FILE is not usable; the keys stay as they were');
      said = reason;
    }
  }

  const timer = setInterval(() => void look(), RELOAD_INTERVAL_MS).unref();
  return {
    authenticate(credential) {
      const verdict = verifyApiKey(entries, readKey(credential), clock);
      if (verdict.status === 'expired') throw createUnauthenticatedError('The API key has expired.');
      if (verdict.status === 'unknown') throw createUnauthenticatedError('The API key is not valid.');
      return toCaller(verdict.entry);
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
    throw new ApiKeysFileError(`It can't be read: ${reason}`);
  }
}

function readKey({ apiKey, bearer }: ProvidedCredential): string {
  const key = apiKey ?? bearer;
  if (key !== undefined) return key;
  throw createUnauthenticatedError('Show an API key as "Authorization: Bearer …" or as "X-API-Key: …".');
}

function toCaller({ id, name, scopes, organizations }: ApiKeyEntry): Caller {
  const organizationIds = organizations === '*' ? undefined : new Set(organizations);
  return { name, id, scopes: new Set(scopes), organizationIds };
}
