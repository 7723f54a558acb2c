/** Reads the public keys of an issuer of tokens (JWKS), from an address or from a file. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { messageOf } from '../../lib/errorMessage.js';
import type { Logger } from '../../lib/logger.js';
import { isRecord, parseJsonFile, toRecord } from '../../lib/records.js';
import { SettingFileError } from '../../lib/startupErrors.js';
import { watchFiles } from '../../lib/watchedFiles.js';

interface IssuerKeys {
  getKey: JWTVerifyGetKey;
  /** Rejects with the reason until keys have been read once. Absent if they have been from the start. */
  checkReady?(): Promise<void>;
  close(): void;
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
export const ALGORITHMS = [...RSA_ALGORITHMS, ...[...CURVE_ALGORITHMS.values()].flat()];
/** Verification with shorter RSA keys fails. */
const MIN_RSA_BITS = 2048;
const KEYS_TIMEOUT_MS = 5000;
const KEYS_COOLDOWN_MS = 30_000;
/** How long the cached keys are used while the issuer's server is unavailable. */
const STALE_KEYS_MS = 3_600_000;

/** Rejects with a `SettingFileError` if the file is not usable. */
export async function readKeysFile(file: string, logger: Logger): Promise<IssuerKeys> {
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

interface RemoteKeysOptions {
  url: string;
  /** Minimum milliseconds between two requests for unknown keys; default 30,000. */
  keysCooldownMs: number | undefined;
  monotonicClock: Clock;
  logger: Logger;
}

/**
 * Reads the keys in the background at once. Then requests unknown keys at most once per cooldown, for any number of
 * tokens. If a request fails, the cooldown applies too, and the cached keys are used for up to an hour. So neither a flood
 * of tokens nor an outage of the issuer's server locks out callers with valid tokens.
 */
export function startReadingKeys(options: RemoteKeysOptions): IssuerKeys {
  const { url, keysCooldownMs = KEYS_COOLDOWN_MS, monotonicClock, logger } = options;
  const keys = createRemoteJWKSet(new URL(url), {
    cooldownDuration: keysCooldownMs,
    timeoutDuration: KEYS_TIMEOUT_MS,
  });
  let failure: { sinceMs: number; lastAttemptAtMs: number } | undefined;
  /** Whether keys have been read once. It stays true. */
  let isRead = false;
  let firstReading: Promise<void> | undefined;

  /** Milliseconds until the keys may be requested again. */
  function remainingCooldownMs(): number {
    const elapsedMs = failure ? monotonicClock.now() - failure.lastAttemptAtMs : keysCooldownMs;
    return Math.max(0, keysCooldownMs - elapsedMs);
  }

  function recordFailure(cause: unknown): void {
    failure = { sinceMs: failure?.sinceMs ?? monotonicClock.now(), lastAttemptAtMs: monotonicClock.now() };
    logger.error({ cause }, 'The keys at JWKS_URL could not be read');
  }

  async function readFirst(): Promise<void> {
    try {
      await keys.reload();
      const problem = findKeySetProblem(keys.jwks());
      if (problem !== undefined) throw new Error(`JWKS_URL has ${problem}.`);
      failure = undefined;
      isRead = true;
    } catch (error) {
      recordFailure(error);
    }
  }

  /** Resolves whether or not there are keys. Callers and readiness checks share one request, and its cooldown. */
  async function ensureRead(): Promise<void> {
    if (isRead || (firstReading === undefined && remainingCooldownMs() > 0)) return;
    firstReading ??= readFirst().finally(() => {
      firstReading = undefined;
    });
    await firstReading;
  }

  const fromCachedKeys: JWTVerifyGetKey = async (header, token) => {
    const isUsable = failure && monotonicClock.now() - failure.sinceMs < STALE_KEYS_MS;
    const cached = isUsable ? keys.jwks() : undefined;
    // The issuer may have published a key that is not cached, so an unknown key means "unavailable", not "invalid".
    return cached
      ? createLocalJWKSet(cached)(header, token).catch(() => throwKeysUnavailable(remainingCooldownMs()))
      : throwKeysUnavailable(remainingCooldownMs());
  };

  void ensureRead();
  return {
    async getKey(header, token) {
      if (!isRead) await ensureRead();
      if (remainingCooldownMs() > 0) return fromCachedKeys(header, token);
      try {
        const key = await keys(header, token);
        failure = undefined;
        return key;
      } catch (error) {
        if (isTokenError(error)) throw error;
        recordFailure(error);
        return fromCachedKeys(header, token);
      }
    },
    async checkReady() {
      await ensureRead();
      if (isRead) return;
      throw new GatewayError(
        'AUTHENTICATION_UNAVAILABLE',
        'The keys at JWKS_URL could not be read. See the log.',
      );
    },
    close() {},
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
