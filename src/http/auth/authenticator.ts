/** Tells who calls, in the one way that the gateway is set to. */
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createApiKeyAuthenticator } from './apiKeyAuthenticator.js';
import { createUnauthenticatedError } from './authErrors.js';
import type { Authenticator, Caller } from './caller.js';
import { createJwtAuthenticator, type JwtSettings } from './jwtAuthenticator.js';
import type { ProvidedCredential } from './providedCredential.js';

/** The four ways of `CALLER_AUTH`. */
export type CallerAuth =
  | { kind: 'open' }
  | { kind: 'api-key'; file: string }
  | ({ kind: 'jwt' } & JwtSettings)
  | { kind: 'platform' };

const allRights = { scopes: new Set(['read', 'write'] as const), organizationIds: undefined };
const anonymousCaller: Caller = { name: 'anyone', ...allRights };

/** Rejects with an `ApiKeysFileError` where the file of keys is not usable. */
export async function createAuthenticator(
  auth: CallerAuth,
  parts: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  if (auth.kind === 'open') return { authenticate: () => anonymousCaller, close() {} };
  const authenticator = await createAuthenticatorOfKind(auth, parts);
  return {
    ...authenticator,
    authenticate(credential) {
      if (credential.error) throw credential.error;
      return authenticator.authenticate(credential);
    },
  };
}

async function createAuthenticatorOfKind(
  auth: Exclude<CallerAuth, { kind: 'open' }>,
  parts: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  if (auth.kind === 'api-key') return createApiKeyAuthenticator(auth.file, parts);
  if (auth.kind === 'jwt') return createJwtAuthenticator(auth, parts);
  return { authenticate: toPlatformCaller, close() {} };
}

/** Whether the platform lets this credential in is found out where it is used first. */
function toPlatformCaller({ basic, bearer, apiKey }: ProvidedCredential): Caller {
  if (basic) {
    const credential = { kind: 'client' as const, key: basic.user, secret: basic.password };
    return { name: basic.user, id: basic.user, ...allRights, credential };
  }
  // It becomes part of a header: what can't stand in one is no token.
  if (bearer !== undefined && /^[\x21-\x7e]+$/.test(bearer)) {
    return { name: 'a platform token', ...allRights, credential: { kind: 'token', token: bearer } };
  }
  if (apiKey !== undefined || bearer !== undefined)
    throw createUnauthenticatedError('This is no platform credential.');
  throw createUnauthenticatedError(
    'Show your platform credential: Key and Secret as "Authorization: Basic …", or a token as "Authorization: Bearer …".',
  );
}
