/** Issues and verifies access tokens: JWTs signed with a key in the database, so that they survive a restart. */
import { randomBytes, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.js';
import type { WireToken } from '../../rest/wire.js';
import { readMeta, writeMeta } from '../database/openDatabase.js';
import type { Queries } from '../database/queries.js';
import { HttpError } from '../httpError.js';
import type { ApiClient } from '../requestContext.js';

export const TOKEN_PATH = '/auth/token';

const ISSUER = 'fieldgraph-sandbox';
const ALGORITHM = 'HS256';

export type Tokens = ReturnType<typeof createTokens>;

function signingKey(db: Queries): Uint8Array {
  const stored = readMeta(db, 'signing_key');
  if (stored !== undefined) return Buffer.from(stored, 'base64');
  const key = randomBytes(32);
  writeMeta(db, 'signing_key', key.toString('base64'));
  return key;
}

interface Claims {
  readonly client: number;
  readonly account: number;
  readonly version: number;
  /** Unix seconds. */
  readonly exp: number;
}

/** Tokens whose signature was verified, of some hundred bytes each. */
const MAX_VERIFIED = 1000;

/** Revocation increments the version. Tokens with a lower version are revoked, until a restart. */
export function createTokens(db: Queries, clock: Clock, lifetimeSeconds: number) {
  const key = signingKey(db);
  let version = 0;
  let revokedStatus: 401 | 403 = 401;

  const verified = new LRUCache<string, Claims>({ max: MAX_VERIFIED });

  /**
   * A token that was verified before needs no signature check, so its request reads the database in the same turn
   * of the event loop.
   */
  async function readClaims(token: string): Promise<Claims> {
    const cached = verified.get(token);
    if (cached !== undefined && clock.now() < cached.exp * 1000) return cached;
    const options = { issuer: ISSUER, algorithms: [ALGORITHM], currentDate: new Date(clock.now()) };
    try {
      const { payload } = await jwtVerify<Claims>(token, key, options);
      verified.set(token, payload);
      return payload;
    } catch (error) {
      const isExpired = error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
      const reason = isExpired ? 'The access token has expired.' : 'The access token is not valid.';
      throw new HttpError(401, reason, { 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    }
  }

  return {
    async issue(client: ApiClient): Promise<WireToken> {
      const now = Math.floor(clock.now() / 1000);
      const token = await new SignJWT({ client: client.id, account: client.accountId, version })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(key);
      return { access_token: token, token_type: 'JWT', expires_in: lifetimeSeconds };
    },
    /** @throws HttpError 401 for an invalid token, 401 or the status of `revokeAll` for a revoked one. */
    async verify(token: string): Promise<ApiClient> {
      const claims = await readClaims(token);
      if (claims.version < version) throw new HttpError(revokedStatus, 'The access token was revoked.');
      return { id: claims.client, accountId: claims.account };
    },
    /** Revokes all issued tokens. Requests with a revoked token get this status. */
    revokeAll(status: 401 | 403): void {
      revokedStatus = status;
      version++;
    },
  };
}
