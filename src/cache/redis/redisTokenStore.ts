/**
 * Stores the token state of one credential in Redis, shared by all processes that have the credential. It is encrypted
 * with a key derived from the secret, so that access to Redis alone does not reveal the token.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { type CredentialScope, deriveKey } from '../cacheKey.js';
import type { RedisConnection } from './redisConnection.js';

interface RedisTokenStoreOptions {
  redis: Pick<RedisConnection, 'script' | 'isConnected' | 'isUnavailable'>;
  scope: CredentialScope;
  secret: string;
}

/** Returns the content and the time of Redis, the clock that all processes share. */
const READ_SCRIPT = `local time = redis.call('TIME')
return { redis.call('GET', KEYS[1]) or '', time[1], time[2] }`;

/** Compare and set: replaces only the content that was read. */
const REPLACE_SCRIPT = `local content = redis.call('GET', KEYS[1]) or ''
local isReplaced = '0'
if content == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  content = ARGV[2]
  isReplaced = '1'
end
local time = redis.call('TIME')
return { content, time[1], time[2], isReplaced }`;

/**
 * Connecting takes a moment, longer when many processes start at once, and without Redis each of them would request
 * a token. So the first read waits for the connection up to this number of checks. After that, a lost connection
 * is an outage, and each process continues alone without waiting.
 */
const MAX_CONNECTION_CHECKS = 30;
const CONNECTION_CHECK_INTERVAL_MS = 50;
/** One or two late replies must not cost a token request. */
const MAX_ATTEMPTS = 3;

/** The methods never reject: they resolve to undefined while Redis is unavailable. */
export function createRedisTokenStore({ redis, scope, secret }: RedisTokenStoreOptions) {
  // The key depends on the secret: a process with another secret could not decrypt the state and would replace it.
  const key = `fieldgraph:token:2:${scope}:${deriveKey(secret, scope, 'name', 8).toString('hex')}`;
  const { seal, open } = createCipher(deriveKey(secret, scope, 'token at rest', 32), key);
  let checksLeft = MAX_CONNECTION_CHECKS;

  async function run(source: string, args: readonly string[]): Promise<string[] | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS && redis.isConnected(); attempt++) {
      const reply = await redis.script(source, [key], args);
      if (Array.isArray(reply) && reply.every((part) => typeof part === 'string')) return reply;
    }
    return undefined;
  }

  /**
   * The text is undefined if there is none, or if this secret does not decrypt it. The time is that of the Redis
   * server.
   */
  function toStoredText([version = '', seconds, microseconds]: readonly string[]) {
    const nowMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    return { text: open(version), version, nowMs };
  }

  return {
    async read() {
      for (;;) {
        const reply = await run(READ_SCRIPT, []);
        if (reply) checksLeft = 0;
        if (reply || checksLeft === 0 || redis.isUnavailable()) return reply && toStoredText(reply);
        checksLeft -= 1;
        await sleepFor(CONNECTION_CHECK_INTERVAL_MS);
      }
    },
    async replace(version: string, text: string, lifeMs: number) {
      const reply = await run(REPLACE_SCRIPT, [version, seal(text), String(Math.ceil(lifeMs))]);
      return reply && { ...toStoredText(reply), isReplaced: reply[3] === '1' };
    },
  };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with the Redis key as associated data. */
function createCipher(key: Buffer, redisKey: string) {
  function seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(redisKey));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Undefined if it is empty, corrupt, or encrypted with another secret. */
  function open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(redisKey)).setAuthTag(tag);
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  return { seal, open };
}
