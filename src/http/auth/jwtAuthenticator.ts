/** Authenticates callers by JSON Web Tokens of one issuer, verified with the issuer's published keys (JWKS). */
import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { GatewayError } from '../../errors.js';
import { allScopes } from '../../graphql/scopes.js';
import { type Clock, toMonotonicClock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createUnauthenticatedError } from '../responses/sendError.js';
import { toOrganizationId } from './apiKeys.js';
import type { Authenticator, Caller } from './caller.js';
import { ALGORITHMS, RemoteKeys, readKeysFile } from './issuerKeys.js';

export interface JwtSettings {
  issuer: string;
  audience: string;
  keys: { url: string } | { file: string };
  /** Name or path (with dots) of the claim with the scopes or roles: a list, or one string separated by spaces. */
  scopesClaim: string;
  /** The scopes of each role in that claim. `read` and `write` need no entry. */
  roleScopes?: RoleTable;
  /** Name or path of the claim with the organizations or roles: a list, or `*` for the whole account. */
  organizationsClaim: string;
  /** The organizations of each role in that claim. If the table has entries, other values of the claim are ignored. */
  roleOrganizations?: RoleTable;
  /** Minimum milliseconds between two requests for unknown keys; default 30,000. */
  keysCooldownMs?: number;
}

const CLOCK_SKEW_SECONDS = 60;

export type RoleTable = Readonly<Record<string, readonly string[]>>;

/** Rejects if the keys are in a file that is not usable. */
export async function createJwtAuthenticator(
  settings: JwtSettings,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Authenticator> {
  const { keys, keysCooldownMs } = settings;
  const source =
    'file' in keys
      ? await readKeysFile(keys.file, logger)
      : new RemoteKeys({ url: keys.url, keysCooldownMs, monotonicClock: toMonotonicClock(clock), logger });
  return {
    checkReady: () => source.checkReady(),
    close: () => source.close(),
    async authenticate({ bearer }) {
      if (bearer === undefined)
        throw createUnauthenticatedError('Send a token as "Authorization: Bearer …".');
      return toCaller(await readClaims(bearer, source.getKey, settings, clock), settings);
    },
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
    // Without keys, too, open connections end when their tokens expire.
    if (error instanceof errors.JWTExpired || (error instanceof GatewayError && hasExpired(token, clock)))
      throw createUnauthenticatedError('The token has expired.', error);
    if (error instanceof GatewayError) throw error;
    throw createUnauthenticatedError('The token is not valid.', error);
  }
}

/** Whether an unverified token says that it has expired. */
function hasExpired(token: string, clock: Clock): boolean {
  try {
    const { exp } = decodeJwt(token);
    return exp !== undefined && exp + CLOCK_SKEW_SECONDS <= clock.now() / 1000;
  } catch {
    return false;
  }
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
  return words.flatMap((word) =>
    typeof word === 'string' && Object.hasOwn(roles, word) ? (roles[word] ?? []) : [],
  );
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
  const reason = explainNoOrganizations(claim, hasRoles);
  throw new GatewayError('FORBIDDEN', `The token's claim ${JSON.stringify(name)} ${reason}`);
}

function explainNoOrganizations(claim: unknown, hasRoles: boolean): string {
  if (claim === undefined) return 'is missing, so the token gives access to no organization.';
  if (Array.isArray(claim) && claim.length === 0)
    return 'is an empty list, so the token gives access to no organization.';
  return hasRoles
    ? 'has none of the roles that JWT_ROLE_ORGANIZATIONS names.'
    : 'must be a list of organization ids, or "*" for all organizations.';
}
