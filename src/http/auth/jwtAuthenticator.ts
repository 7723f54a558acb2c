/** Knows callers by JSON web tokens of one issuer, checked against the keys that the issuer publishes. */
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
import { createUnauthenticatedError } from './authErrors.js';
import type { Authenticator, Caller } from './caller.js';
import { toOrganizationId } from './organizationId.js';

export interface JwtSettings {
  issuer: string;
  audience: string;
  jwksUrl: string;
  /** The claim that holds the scopes, as a list or as one text with spaces. */
  scopesClaim: string;
  /** The claim that holds the ids of organizations as a list, or `*` for all of them. */
  organizationsClaim: string;
  /** Milliseconds between two looks for keys that are not known; 30,000 where absent. */
  keysCooldownMs?: number;
}

/** Asymmetric ones alone: a public key taken for a shared secret, and `none`, are not among them. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** How far the issuer's clock and ours may be apart. */
const CLOCK_SKEW_SECONDS = 60;
const KEYS_TIMEOUT_MS = 5000;
const KEYS_COOLDOWN_MS = 30_000;
/** How long known keys serve while the issuer's server is away. */
const STALE_KEYS_MS = 3_600_000;

export function createJwtAuthenticator(
  settings: JwtSettings,
  { clock, logger }: { clock: Clock; logger: Logger },
): Authenticator {
  const findKey = createKeyFinder(settings, toMonotonicClock(clock), logger);
  return {
    async authenticate({ bearer }) {
      if (bearer === undefined)
        throw createUnauthenticatedError('Show a token as "Authorization: Bearer …".');
      return toCaller(await readClaims(bearer, findKey, settings, clock), settings);
    },
    close() {},
  };
}

async function readClaims(
  token: string,
  findKey: JWTVerifyGetKey,
  { issuer, audience }: JwtSettings,
  clock: Clock,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, findKey, {
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
 * Looks for unknown keys at most once in a cooldown, whatever tokens come. Where the keys can't be had, the
 * next look waits as well, and those known until then serve on for a while: neither a flood of tokens nor a
 * pause of the issuer's server keeps good callers out.
 */
function createKeyFinder(
  { jwksUrl, keysCooldownMs = KEYS_COOLDOWN_MS }: JwtSettings,
  monotonicClock: Clock,
  logger: Logger,
): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: keysCooldownMs,
    timeoutDuration: KEYS_TIMEOUT_MS,
  });
  let failing: { sinceMs: number; lookedAtMs: number } | undefined;

  /** Milliseconds until the keys may be looked for again. */
  function msToWait(): number {
    const sinceLookMs = failing ? monotonicClock.now() - failing.lookedAtMs : keysCooldownMs;
    return Math.max(0, keysCooldownMs - sinceLookMs);
  }

  const fromKnown: JWTVerifyGetKey = async (header, token) => {
    const isUsable = failing && monotonicClock.now() - failing.sinceMs < STALE_KEYS_MS;
    const known = isUsable ? keys.jwks() : undefined;
    // A key that is not among them may be there by now: that can't be told.
    return known
      ? createLocalJWKSet(known)(header, token).catch(() => throwKeysUnavailable(msToWait()))
      : throwKeysUnavailable(msToWait());
  };

  return async (header, token) => {
    if (msToWait() > 0) return fromKnown(header, token);
    try {
      const key = await keys(header, token);
      failing = undefined;
      return key;
    } catch (error) {
      if (isTokenError(error)) throw error;
      failing = { sinceMs: failing?.sinceMs ?? monotonicClock.now(), lookedAtMs: monotonicClock.now() };
      logger.error({ cause: error }, 'The keys at JWKS_URL could not be read');
      return fromKnown(header, token);
    }
  };
}

/** Whether the keys were there, and the token fits none of them. */
function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

function throwKeysUnavailable(retryAfterMs: number): never {
  throw new GatewayError('AUTHENTICATION_UNAVAILABLE', "The issuer's keys can't be read just now.", {
    retryable: true,
    retryAfterMs,
  });
}

function toCaller(claims: JWTPayload, { scopesClaim, organizationsClaim }: JwtSettings): Caller {
  const given = toScopeWords(claims[scopesClaim]);
  return {
    name: claims.sub ?? 'a token without a subject',
    id: claims.sub,
    scopes: new Set(allScopes.filter((scope) => given.includes(scope))),
    organizationIds: readOrganizations(claims[organizationsClaim], organizationsClaim),
  };
}

function toScopeWords(claim: unknown): readonly unknown[] {
  return typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];
}

/** A token that does not say is refused rather than let see all, or nothing: either would be found out late. */
function readOrganizations(claim: unknown, name: string): ReadonlySet<number> | undefined {
  if (claim === '*') return undefined;
  const ids = Array.isArray(claim) ? claim.map(toOrganizationId) : [];
  if (ids.length > 0 && ids.every((id) => id !== undefined)) return new Set(ids);
  throw new GatewayError(
    'FORBIDDEN',
    `The token's claim ${JSON.stringify(name)} has to list the ids of organizations, or be "*" for all of them.`,
  );
}
