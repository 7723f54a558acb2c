/** Issues and checks access tokens: JWTs signed with a key that lives in the database, so they outlive restarts. */
import { randomBytes, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../lib/clock.js';
import { readMeta, writeMeta } from '../database/meta.js';
import type { Queries } from '../database/queries.js';
import { HttpError } from '../httpError.js';
import type { ApiClient } from '../requestContext.js';

export const TOKEN_PATH = '/auth/token';

const ISSUER = 'fieldgraph-sandbox';
const ALGORITHM = 'HS256';

export interface Tokens {
  issue(client: ApiClient): Promise<string>;
  /** @throws Refusal 401 (or what `revokeAll` was told) when the token is not good. */
  verify(token: string): Promise<ApiClient>;
  /** Every token issued so far is answered with this status from now on. */
  revokeAll(status: 401 | 403): void;
}

export interface TokenOptions {
  readonly db: Queries;
  readonly clock: Clock;
  readonly lifetimeSeconds: number;
}

function signingKey(db: Queries): Uint8Array {
  const known = readMeta(db, 'signing_key');
  if (known !== undefined) return Buffer.from(known, 'base64');
  const key = randomBytes(32);
  writeMeta(db, 'signing_key', key.toString('base64'));
  return key;
}

interface Claims {
  readonly client: number;
  readonly account: number;
  readonly generation: number;
}

/** Claims: `client`, `account`, `generation` (which revocation raises), `iat`, `exp`, `jti`. */
export function createTokens({ db, clock, lifetimeSeconds }: TokenOptions): Tokens {
  const key = signingKey(db);
  let generation = Number(readMeta(db, 'token_generation') ?? 0);
  let revokedStatus: 401 | 403 = 401;

  async function readClaims(token: string): Promise<Claims> {
    const options = { issuer: ISSUER, algorithms: [ALGORITHM], currentDate: new Date(clock.now()) };
    try {
      const { payload } = await jwtVerify<Claims>(token, key, options);
      return payload;
    } catch (error) {
      const isExpired = error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
      const reason = isExpired ? 'The access token has expired.' : 'The access token is not valid.';
      throw new HttpError(401, reason, { 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    }
  }

  return {
    issue(client) {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ client: client.id, account: client.accountId, generation })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(key);
    },
    async verify(token) {
      const claims = await readClaims(token);
      if (claims.generation < generation) throw new HttpError(revokedStatus, 'The access token was revoked.');
      return { id: claims.client, accountId: claims.account };
    },
    revokeAll(status) {
      revokedStatus = status;
      generation++;
      writeMeta(db, 'token_generation', String(generation));
    },
  };
}
