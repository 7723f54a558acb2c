/** Tells who calls, in the one way that the gateway is set to. */
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import type { MaybePromise } from '../../lib/maybePromise.js';
import { createApiKeyAuthenticator } from './apiKeyAuthenticator.js';
import type { ApiKeyEntry } from './apiKeys.js';
import type { Caller } from './caller.js';
import type { GivenCredential } from './givenCredential.js';
import { createJwtAuthenticator, type JwtSettings } from './jwtAuthenticator.js';
import { unauthenticated } from './refusals.js';

/** The four ways of `CALLER_AUTH`. */
export type CallerAuth =
  | { kind: 'open' }
  | { kind: 'api-key'; file: string }
  | ({ kind: 'jwt' } & JwtSettings)
  | { kind: 'platform' };

export interface Authenticator {
  /** Throws or rejects with UNAUTHENTICATED, FORBIDDEN or AUTHENTICATION_UNAVAILABLE. */
  authenticate(given: GivenCredential): MaybePromise<Caller>;
  /** Calls the listener with the API keys at once and after each change of their file; absent without API keys. */
  watchKeys?(listener: OnKeys): void;
  close(): void;
}

export type OnKeys = (keys: readonly Pick<ApiKeyEntry, 'name' | 'organizations'>[]) => void;

const everything = { scopes: new Set(['read', 'write'] as const), organizationIds: undefined };
const anyone: Caller = { name: 'anyone', ...everything };

/** Rejects with an `ApiKeysFileError` where the file of keys is not usable. */
export async function createAuthenticator(
  auth: CallerAuth,
  parts: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  if (auth.kind === 'open') return { authenticate: () => anyone, close() {} };
  const authenticator = await createKnower(auth, parts);
  return {
    ...authenticator,
    authenticate(given) {
      if (given.problem) throw given.problem;
      return authenticator.authenticate(given);
    },
  };
}

async function createKnower(
  auth: Exclude<CallerAuth, { kind: 'open' }>,
  parts: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  if (auth.kind === 'api-key') return createApiKeyAuthenticator(auth.file, parts);
  if (auth.kind === 'jwt') return createJwtAuthenticator(auth, parts);
  return { authenticate: toPlatformCaller, close() {} };
}

/** Whether the platform lets this credential in is found out where it is used first. */
function toPlatformCaller({ basic, bearer, apiKey }: GivenCredential): Caller {
  if (basic) {
    const credential = { kind: 'client' as const, key: basic.user, secret: basic.password };
    return { name: basic.user, id: basic.user, ...everything, credential };
  }
  // It becomes part of a header: what can't stand in one is no token.
  if (bearer !== undefined && /^[\x21-\x7e]+$/.test(bearer)) {
    return { name: 'a platform token', ...everything, credential: { kind: 'token', token: bearer } };
  }
  if (apiKey !== undefined || bearer !== undefined) throw unauthenticated('This is no platform credential.');
  throw unauthenticated(
    'Show your platform credential: Key and Secret as "Authorization: Basic …", or a token as "Authorization: Bearer …".',
  );
}
