/** Authenticates callers by JSON Web Tokens of one issuer, verified with the issuer's published keys (JWKS). */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { GatewayError } from '../../errors.js';
import { allScopes } from '../../graphql/scopes.js';
import { type Clock, toMonotonicClock } from '../../lib/clock.js';
import { messageOf } from '../../lib/errorMessage.js';
import type { Logger } from '../../lib/logger.js';
import { isRecord, parseJsonFile, toRecord } from '../../lib/records.js';
import { SettingFileError } from '../../lib/startupErrors.js';
import { watchFiles } from '../../lib/watchedFiles.js';
import { createUnauthenticatedError } from '../responses/sendError.js';
import { toOrganizationId } from './apiKeys.js';
import type { Authenticator, Caller } from './caller.js';

export interface JwtSettings {
  issuer: string;
  audience: string;
  /** Where the issuer's public keys are: at an address, or in a file. */
  keys: { url: string } | { file: string };
  /** The claim with the scopes or roles: a list, or one string separated by spaces. A name, or a path with dots. */
  scopesClaim: string;
  /** The scopes of each role in that claim. `read` and `write` need no entry. */
  roleScopes?: RoleTable;
  /** The claim with the organizations or roles: ids, or `*` for the whole account. A name, or a path with dots. */
  organizationsClaim: string;
  /** The organizations of each role in that claim. If the table has entries, other values of the claim are ignored. */
  roleOrganizations?: RoleTable;
  /** Minimum milliseconds between two requests for unknown keys; default 30,000. */
  keysCooldownMs?: number;
}

/** Only asymmetric algorithms: with HS256 the public key could be used as a shared secret, and `none` verifies nothing. */
const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
/** By the curve of the key. */
const CURVE_ALGORITHMS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['EdDSA', 'Ed25519']],
]);
const ALGORITHMS = [...RSA_ALGORITHMS, ...[...CURVE_ALGORITHMS.values()].flat()];
/** Verification with shorter RSA keys fails. */
const MIN_RSA_BITS = 2048;
/** Maximum difference between the issuer's clock and ours. */
const CLOCK_SKEW_SECONDS = 60;
const KEYS_TIMEOUT_MS = 5000;
const KEYS_COOLDOWN_MS = 30_000;
/** How long the cached keys are used while the issuer's server is unavailable. */
const STALE_KEYS_MS = 3_600_000;

/** The values of each role. */
export type RoleTable = Readonly<Record<string, readonly string[]>>;

/** Rejects if the keys are in a file that is not usable. */
export async function createJwtAuthenticator(
  settings: JwtSettings,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  const { keys, keysCooldownMs = KEYS_COOLDOWN_MS } = settings;
  const { getKey, close } =
    'file' in keys
      ? await readKeysFile(keys.file, logger)
      : { getKey: createKeyProvider(keys.url, keysCooldownMs, toMonotonicClock(clock), logger), close() {} };
  return {
    async authenticate({ bearer }) {
      if (bearer === undefined)
        throw createUnauthenticatedError('Send a token as "Authorization: Bearer …".');
      return toCaller(await readClaims(bearer, getKey, settings, clock), settings);
    },
    close,
  };
}

async function readKeysFile(file: string, logger: Logger) {
  let getKey: JWTVerifyGetKey = () => throwKeysUnavailable(0);
  const watched = await watchFiles({
    files: [file],
    apply([text = '']) {
      getKey = createLocalJWKSet(parseKeys(text));
    },
    onFailure: (cause) => logger.error({ cause }, 'JWKS_FILE is not usable; keeping the previous keys'),
  }).catch((error: unknown) => {
    throw new SettingFileError('JWKS_FILE', messageOf(error));
  });
  const getCurrent: JWTVerifyGetKey = (header, token) => getKey(header, token);
  return { getKey: getCurrent, close: watched.close };
}

function parseKeys(text: string): JSONWebKeySet {
  const set = parseJsonFile(text);
  const problem = findKeySetProblem(set);
  if (problem !== undefined) throw new SettingFileError('JWKS_FILE', `The file has ${problem}.`);
  return { keys: toRecord(set)['keys'] as JWK[] };
}

/**
 * Returns why a JSON Web Key Set verifies no token, as the end of the sentence "It has …"; undefined if it verifies
 * some.
 */
export function findKeySetProblem(set: unknown): string | undefined {
  const { keys } = toRecord(set);
  if (!Array.isArray(keys) || !keys.some(isVerificationKey)) return NO_KEY;
  return keys.every(isRecord) ? undefined : 'an entry in "keys" that is not an object';
}

const NO_KEY = `no public key that verifies signatures: {"keys": […]} with RSA of at least ${MIN_RSA_BITS} bits, ${[...CURVE_ALGORITHMS.keys()].join(', ')}`;

/** Whether tokens that are signed with its private part can be accepted. */
export function isVerificationKey(key: unknown): boolean {
  if (!isRecord(key)) return false;
  const { use = 'sig', key_ops: operations, alg, kty, crv } = key;
  if (use !== 'sig' || (Array.isArray(operations) && !operations.includes('verify'))) return false;
  const algorithms = kty === 'RSA' ? RSA_ALGORITHMS : (CURVE_ALGORITHMS.get(crv) ?? []);
  if (alg === undefined ? algorithms.length === 0 : !algorithms.includes(String(alg))) return false;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    return kty !== 'RSA' || (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
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
  url: string,
  keysCooldownMs: number,
  monotonicClock: Clock,
  logger: Logger,
): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), {
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

function toCaller(claims: JWTPayload, settings: JwtSettings): Caller {
  const { scopesClaim, roleScopes = NO_ROLES, organizationsClaim, roleOrganizations = NO_ROLES } = settings;
  const subject = readSubject(claims);
  const words = toWords(readClaim(claims, scopesClaim));
  const granted = [...words, ...valuesOf(roleScopes, words)];
  return {
    name: subject ?? 'a token without a subject',
    id: subject,
    scopes: new Set(allScopes.filter((scope) => granted.includes(scope))),
    organizationIds: readOrganizations(
      readClaim(claims, organizationsClaim),
      organizationsClaim,
      roleOrganizations,
    ),
  };
}

const NO_ROLES: RoleTable = {};

/** `jose` does not check its type. Other values would identify several callers as one. */
function readSubject({ sub }: { readonly sub?: unknown }): string | undefined {
  if (sub === undefined || typeof sub === 'string') return sub;
  throw createUnauthenticatedError('The token\'s claim "sub" must be a string.');
}

function valuesOf(roles: RoleTable, words: readonly unknown[]): readonly string[] {
  return words.flatMap((word) => (Object.hasOwn(roles, String(word)) ? (roles[String(word)] ?? []) : []));
}

/** A claim with exactly this name, or else the value at a path such as `realm_access.roles`. Names may contain dots. */
function readClaim(claims: object, path: string): unknown {
  const claim = readOwn(claims, path);
  if (claim !== undefined) return claim;
  for (const { index } of path.matchAll(/\./g)) {
    const parent = readOwn(claims, path.slice(0, index));
    const isObject = typeof parent === 'object' && parent !== null;
    const value = isObject ? readClaim(parent, path.slice(index + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function readOwn(claims: object, name: string): unknown {
  return Object.hasOwn(claims, name) ? (claims as Record<string, unknown>)[name] : undefined;
}

function toWords(claim: unknown): readonly unknown[] {
  return typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];
}

/**
 * Refuses a token without the claim. Granting access to everything or to nothing instead would be a mistake that
 * is noticed late.
 */
function readOrganizations(claim: unknown, name: string, roles: RoleTable): ReadonlySet<number> | undefined {
  const hasRoles = Object.keys(roles).length > 0;
  const fromRoles = valuesOf(roles, toWords(claim));
  if (hasRoles ? fromRoles.includes('*') : claim === '*') return undefined;
  const values = hasRoles ? fromRoles : claim;
  const ids = Array.isArray(values) ? values.map(toOrganizationId) : [];
  if (ids.length > 0 && ids.every((id) => id !== undefined)) return new Set(ids);
  const expected = hasRoles
    ? 'has none of the roles that JWT_ROLE_ORGANIZATIONS names.'
    : 'must be a list of organization ids, or "*" for all organizations.';
  throw new GatewayError('FORBIDDEN', `The token's claim ${JSON.stringify(name)} ${expected}`);
}
