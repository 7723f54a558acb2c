/** Creates the authenticator that `CALLER_AUTH` selects. */
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createApiKeyAuthenticator } from './apiKeyAuthenticator.js';
import { createUnauthenticatedError } from './authErrors.js';
import type { Authenticator, Caller } from './caller.js';
import { createJwtAuthenticator, type JwtSettings } from './jwtAuthenticator.js';
import type { ProvidedCredential } from './providedCredential.js';

/** The value of `CALLER_AUTH` with its settings. */
export type CallerAuth =
  | { kind: 'open' }
  | { kind: 'api-key'; file: string }
  | ({ kind: 'jwt' } & JwtSettings)
  | { kind: 'platform' };

const allRights = { scopes: new Set(['read', 'write'] as const), organizationIds: undefined };
const anonymousCaller: Caller = { name: 'anyone', ...allRights };

/** Rejects with an `ApiKeysFileError` if the file of API keys is not usable. */
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

function createVerifier(
  auth: Exclude<CallerAuth, { kind: 'open' }>,
  parts: { clock: Clock; logger: Logger },
): Authenticator | Promise<Authenticator> {
  if (auth.kind === 'api-key') return createApiKeyAuthenticator(auth.file, parts);
  if (auth.kind === 'jwt') return createJwtAuthenticator(auth, parts);
  return { authenticate: toPlatformCaller, close() {} };
}

/** Does not verify the credential: the platform does at its first use. */
function toPlatformCaller({ basic, bearer, apiKey }: ProvidedCredential): Caller {
  if (basic) {
    const credential = { kind: 'client' as const, key: basic.user, secret: basic.password };
    return { name: basic.user, id: basic.user, ...allRights, credential };
  }
  // The token becomes part of a header, so it must consist of visible ASCII characters.
  if (bearer !== undefined && /^[\x21-\x7e]+$/.test(bearer)) {
    return { name: 'a platform token', ...allRights, credential: { kind: 'token', token: bearer } };
  }
  if (apiKey !== undefined || bearer !== undefined)
    throw createUnauthenticatedError('The platform credential is not valid.');
  throw createUnauthenticatedError(
    'Send your platform credential: Key and Secret as "Authorization: Basic …", or a token as "Authorization: Bearer …".',
  );
}
