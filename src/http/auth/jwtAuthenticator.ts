/** Authenticates callers by JSON Web Tokens of one issuer, verified with the issuer's published keys (JWKS). */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { GatewayError } from '../../errors.js';
import { allScopes } from '../../graphql/scopes.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { toMonotonicClock } from '../../lib/monotonicClock.js';
import { createUnauthenticatedError } from '../responses/sendError.js';
import { toOrganizationId } from './apiKeys.js';
import type { Authenticator, Caller } from './caller.js';

export interface JwtSettings {
  issuer: string;
  audience: string;
  jwksUrl: string;
  /** The claim with the scopes: a list, or one string separated by spaces. */
  scopesClaim: string;
  /** The claim with the organizations: a list of ids, or `*` for the whole account. */
  organizationsClaim: string;
  /** Minimum milliseconds between two requests for unknown keys; default 30,000. */
  keysCooldownMs?: number;
}

/** Only asymmetric algorithms: with HS256 the public key could be used as a shared secret, and `none` verifies nothing. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** Maximum difference between the issuer's clock and ours. */
const CLOCK_SKEW_SECONDS = 60;
const KEYS_TIMEOUT_MS = 5000;
const KEYS_COOLDOWN_MS = 30_000;
/** How long the cached keys are used while the issuer's server is unavailable. */
const STALE_KEYS_MS = 3_600_000;

export function createJwtAuthenticator(
  settings: JwtSettings,
  { clock, logger }: { clock: Clock; logger: Logger },
): Authenticator {
  const getKey = createKeyProvider(settings, toMonotonicClock(clock), logger);
  return {
    async authenticate({ bearer }) {
      if (bearer === undefined)
        throw createUnauthenticatedError('Send a token as "Authorization: Bearer …".');
      return toCaller(await readClaims(bearer, getKey, settings, clock), settings);
    },
    close() {},
  };
}

async function readClaims(
  token: string,
  getKey: JWTVerifyGetKey,
  { issuer, audience }: JwtSettings,
  clock: Clock,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, getKey, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(clock.now()),
    });
    return payload;
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    if (error instanceof errors.JWTExpired) throw createUnauthenticatedError('The token has expired.');
    throw createUnauthenticatedError('The token is not valid.', error);
  }
}

/**
 * Requests unknown keys at most once per cooldown, for any number of tokens. If a request fails, the cooldown applies
 * too, and the cached keys are used for up to an hour. So neither a flood of tokens nor an outage of the issuer's server
 * locks out callers with valid tokens.
 */
function createKeyProvider(
  { jwksUrl, keysCooldownMs = KEYS_COOLDOWN_MS }: JwtSettings,
  monotonicClock: Clock,
  logger: Logger,
): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: keysCooldownMs,
    timeoutDuration: KEYS_TIMEOUT_MS,
  });
  let failure: { sinceMs: number; lastAttemptAtMs: number } | undefined;

  /** Milliseconds until the keys may be requested again. */
  function remainingCooldownMs(): number {
    const elapsedMs = failure ? monotonicClock.now() - failure.lastAttemptAtMs : keysCooldownMs;
    return Math.max(0, keysCooldownMs - elapsedMs);
  }

  const fromCachedKeys: JWTVerifyGetKey = async (header, token) => {
    const isUsable = failure && monotonicClock.now() - failure.sinceMs < STALE_KEYS_MS;
    const cached = isUsable ? keys.jwks() : undefined;
    // The issuer may have published a key that is not cached, so an unknown key means "unavailable", not "invalid".
    return cached
      ? createLocalJWKSet(cached)(header, token).catch(() => throwKeysUnavailable(remainingCooldownMs()))
      : throwKeysUnavailable(remainingCooldownMs());
  };

  return async (header, token) => {
    if (remainingCooldownMs() > 0) return fromCachedKeys(header, token);
    try {
      const key = await keys(header, token);
      failure = undefined;
      return key;
    } catch (error) {
      if (isTokenError(error)) throw error;
      failure = { sinceMs: failure?.sinceMs ?? monotonicClock.now(), lastAttemptAtMs: monotonicClock.now() };
      logger.error({ cause: error }, 'The keys at JWKS_URL could not be read');
      return fromCachedKeys(header, token);
    }
  };
}

/** Whether the keys were available and the token matches none of them. */
function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

function throwKeysUnavailable(retryAfterMs: number): never {
  throw new GatewayError('AUTHENTICATION_UNAVAILABLE', "The issuer's keys are not available now.", {
    retryable: true,
    retryAfterMs,
  });
}

function toCaller(claims: JWTPayload, { scopesClaim, organizationsClaim }: JwtSettings): Caller {
  const claimed = toScopeWords(claims[scopesClaim]);
  return {
    name: claims.sub ?? 'a token without a subject',
    id: claims.sub,
    scopes: new Set(allScopes.filter((scope) => claimed.includes(scope))),
    organizationIds: readOrganizations(claims[organizationsClaim], organizationsClaim),
  };
}

function toScopeWords(claim: unknown): readonly unknown[] {
  return typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];
}

/** Refuses a token without the claim: access to everything or to nothing would be a mistake that is noticed late. */
function readOrganizations(claim: unknown, name: string): ReadonlySet<number> | undefined {
  if (claim === '*') return undefined;
  const ids = Array.isArray(claim) ? claim.map(toOrganizationId) : [];
  if (ids.length > 0 && ids.every((id) => id !== undefined)) return new Set(ids);
  throw new GatewayError(
    'FORBIDDEN',
    `The token's claim ${JSON.stringify(name)} must be a list of organization ids, or "*" for all organizations.`,
  );
}
