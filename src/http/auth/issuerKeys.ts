/** Reads the public keys of an issuer of tokens (JWKS), from an address or from a file. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { fileMessageOf } from '../../lib/errorMessage.js';
import type { Logger } from '../../lib/logger.js';
import { isRecord, parseJsonFile, toRecord } from '../../lib/records.js';
import { readTextFile, watchFiles } from '../../lib/settingFiles.js';
import { SettingFileError } from '../../lib/startupErrors.js';

interface IssuerKeys {
  getKey: JWTVerifyGetKey;
  /** Rejects with the reason until keys have been read once. */
  checkReady(): Promise<void>;
  close(): void;
}

/** Only asymmetric algorithms: with HS256 the public key could be used as a shared secret, and `none` verifies nothing. */
const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
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
/** A key has about 2 KB, with its certificates. */
export const MAX_KEYS_BYTES = 1024 * 1024;
/** How long the cached keys are used while the issuer's server is unavailable. */
const STALE_KEYS_MS = 3_600_000;

/** Rejects with a `SettingFileError` if the file is not usable. */
export async function readKeysFile(file: string, logger: Logger): Promise<IssuerKeys> {
  let getKey: JWTVerifyGetKey = () => throwKeysUnavailable(0);
  const watched = await watchFiles({
    read: () => readTextFile(file),
    apply(text) {
      getKey = createLocalJWKSet(parseKeys(text));
    },
    onReload: () => logger.info({}, 'Issuer keys read'),
    onFailure: (cause) => logger.error({ cause }, 'JWKS_FILE is not usable; keeping the previous keys'),
  }).catch((error: unknown) => {
    throw new SettingFileError('JWKS_FILE', fileMessageOf(error));
  });
  return { getKey: (header, token) => getKey(header, token), async checkReady() {}, close: watched.close };
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
  // `jose` refuses the tokens of a key whose private part is published.
  if (!isRecord(key) || 'd' in key) return false;
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
  /** Minimum time between two requests for unknown keys; default 30,000. */
  keysCooldownMs: number | undefined;
  monotonicClock: Clock;
  logger: Logger;
}

/**
 * Reads the keys in the background at once. Then requests unknown keys at most once per cooldown, for any number of
 * tokens. If a request fails, the cooldown applies too, and the cached keys are used for up to an hour, while the keys are
 * read again in the background. So neither a flood of tokens nor an outage of the issuer's server locks out callers with
 * valid tokens, or makes them wait.
 */
export class RemoteKeys implements IssuerKeys {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #cooldownMs: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #failure: { sinceMs: number; lastAttemptAtMs: number } | undefined;
  /** Whether keys have been read once. It stays true. */
  #isRead = false;
  #reading: Promise<void> | undefined;

  constructor({ url, keysCooldownMs = KEYS_COOLDOWN_MS, monotonicClock, logger }: RemoteKeysOptions) {
    this.#keys = createRemoteJWKSet(new URL(url), {
      cooldownDuration: keysCooldownMs,
      timeoutDuration: KEYS_TIMEOUT_MS,
      [customFetch]: fetchBounded,
    });
    this.#cooldownMs = keysCooldownMs;
    this.#clock = monotonicClock;
    this.#logger = logger;
    void this.#read();
  }

  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    const reading = this.#isRead && this.#failure === undefined ? undefined : this.#read();
    if (!this.#hasKeys()) await reading;
    if (this.#failure !== undefined) return this.#getCachedKey(header, token);
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (isTokenError(error)) throw error;
      this.#recordFailure(error);
      return this.#getCachedKey(header, token);
    }
  };

  async checkReady(): Promise<void> {
    if (!this.#isRead) await this.#read();
    if (this.#isRead) return;
    throw new GatewayError(
      'AUTHENTICATION_UNAVAILABLE',
      'The keys at JWKS_URL could not be read. See the log.',
    );
  }

  close(): void {}

  #remainingCooldownMs(): number {
    if (!this.#failure) return 0;
    return Math.max(0, this.#cooldownMs - (this.#clock.now() - this.#failure.lastAttemptAtMs));
  }

  /** Whether there are keys that may be used, although they could not be read again. */
  #hasKeys(): boolean {
    if (this.#failure === undefined) return this.#isRead;
    return this.#isRead && this.#clock.now() - this.#failure.sinceMs < STALE_KEYS_MS;
  }

  /** Resolves whether or not there are keys. Callers and readiness checks share one request, and its cooldown. */
  async #read(): Promise<void> {
    if (this.#reading === undefined && this.#remainingCooldownMs() > 0) return;
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #readNow(): Promise<void> {
    try {
      await this.#keys.reload();
      const problem = findKeySetProblem(this.#keys.jwks());
      if (problem !== undefined) throw new Error(`JWKS_URL has ${problem}.`);
      this.#failure = undefined;
      this.#isRead = true;
    } catch (error) {
      this.#recordFailure(error);
    }
  }

  #recordFailure(cause: unknown): void {
    const nowMs = this.#clock.now();
    this.#failure = { sinceMs: this.#failure?.sinceMs ?? nowMs, lastAttemptAtMs: nowMs };
    this.#logger.error({ cause }, 'The keys at JWKS_URL could not be read');
  }

  readonly #getCachedKey: JWTVerifyGetKey = async (header, token) => {
    const cached = this.#hasKeys() ? this.#keys.jwks() : undefined;
    if (cached === undefined) throwKeysUnavailable(this.#remainingCooldownMs());
    return createLocalJWKSet(cached)(header, token).catch(async () => {
      await this.#reading;
      if (this.#failure === undefined) return this.#keys(header, token);
      // The issuer may have published a key that is not cached, so an unknown key means "unavailable", not "invalid".
      return throwKeysUnavailable(this.#remainingCooldownMs());
    });
  };
}

/** `jose` reads a body of any size. */
async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MAX_KEYS_BYTES) throw new Error('The response has more than 1 MB.');
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bound) ?? null, response);
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
