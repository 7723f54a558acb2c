/** Creates the authenticator that `CALLER_AUTH` selects: none, API keys from a file, JWTs, or platform credentials. */
import type { Clock } from '../../lib/clock.js';
import { messageOf } from '../../lib/errorMessage.js';
import type { Logger } from '../../lib/logger.js';
import { readTextFile, watchFiles } from '../../lib/settingFiles.js';
import { SettingFileError } from '../../lib/startupErrors.js';
import { createUnauthenticatedError } from '../responses/sendError.js';
import {
  type ApiKeyEntry,
  createKeysFileError,
  describeKeyCommand,
  hasExpired,
  parseApiKeys,
  verifyApiKey,
} from './apiKeys.js';
import type { Authenticator, Caller, OnKeys } from './caller.js';
import type { JwtSettings } from './jwtAuthenticator.js';
import type { ProvidedCredential } from './providedCredential.js';

/** The value of `CALLER_AUTH` with its settings. */
export type CallerAuth =
  | { kind: 'open' }
  | { kind: 'api-key'; file: string }
  | ({ kind: 'jwt' } & JwtSettings)
  | { kind: 'platform' };

const allRights = { scopes: new Set(['read', 'write'] as const), organizationIds: undefined };
const anonymousCaller: Caller = { name: 'anyone', ...allRights };

/** Rejects with a `SettingFileError` if the file of API keys is not usable. */
export async function createAuthenticator(
  auth: CallerAuth,
  parts: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  if (auth.kind === 'open') return { authenticate: () => anonymousCaller, close() {} };
  const authenticator = await createVerifier(auth, parts);
  return {
    ...authenticator,
    authenticate(credential) {
      if (credential.error) throw credential.error;
      return authenticator.authenticate(credential);
    },
  };
}

async function createVerifier(
  auth: Exclude<CallerAuth, { kind: 'open' }>,
  parts: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  if (auth.kind === 'api-key') return createApiKeyAuthenticator(auth.file, parts);
  if (auth.kind === 'platform') return { authenticate: toPlatformCaller, close() {} };
  const { createJwtAuthenticator } = await import('./jwtAuthenticator.js');
  return createJwtAuthenticator(auth, parts);
}

/** Does not verify the credential: the platform does at its first use. */
function toPlatformCaller({ basic, bearer }: ProvidedCredential): Caller {
  if (basic) {
    const credential = { kind: 'client' as const, key: basic.user, secret: basic.password };
    return { name: basic.user, id: basic.user, ...allRights, credential };
  }
  // The token becomes part of a header, so it must consist of visible ASCII characters.
  if (bearer !== undefined && /^[\x21-\x7e]+$/.test(bearer)) {
    return { name: 'a platform token', ...allRights, credential: { kind: 'token', token: bearer } };
  }
  throw createUnauthenticatedError(
    'Send your platform credential: Key and Secret as "Authorization: Basic …", or a token as "Authorization: Bearer …".',
  );
}

/** Changes of the file take effect within a second. Rejects with a `SettingFileError` if the file is not usable. */
async function createApiKeyAuthenticator(
  file: string,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  let entries: ReadonlyMap<string, ApiKeyEntry> = new Map();
  let onKeys: OnKeys = () => {};
  const watched = await watchFiles({
    read: () => readTextFile(file),
    apply(text) {
      entries = parseApiKeys(text);
      onKeys([...entries.values()]);
      if ([...entries.values()].every((entry) => hasExpired(entry, clock.now())))
        logger.warn({}, 'API_KEYS_FILE contains no valid key');
    },
    onReload: () => logger.info({ keys: entries.size }, 'API keys read'),
    onFailure: (cause) => logger.error({ cause }, 'API_KEYS_FILE is not usable; keeping the previous keys'),
  }).catch((error: unknown) => throwUnreadable(error, file));
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
    close: watched.close,
  };
}

function throwUnreadable(error: unknown, file: string): never {
  if (error instanceof SettingFileError) throw error;
  const reason = messageOf(error);
  const remedy = reason.startsWith('ENOENT') ? ` ${describeKeyCommand(file)}` : '';
  throw createKeysFileError(`The file can't be read: ${reason}.${remedy}`);
}

function readKey({ apiKey, bearer }: ProvidedCredential): string {
  const key = apiKey ?? bearer;
  if (key !== undefined) return key;
  throw createUnauthenticatedError('Send an API key as "Authorization: Bearer …" or as "X-API-Key: …".');
}

export function toCaller({ id, name, scopes, organizations }: ApiKeyEntry): Caller {
  const organizationIds = organizations === '*' ? undefined : new Set(organizations);
  return { name, id, scopes: new Set(scopes), organizationIds };
}
