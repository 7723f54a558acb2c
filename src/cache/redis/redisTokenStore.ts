/**
 * Keeps the token of one credential in Redis, for all processes that have the credential and for none that has
 * Redis alone: what is kept is encrypted with a key that comes from the secret.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { CredentialScope } from '../cacheKey.js';
import type { RedisConnection } from './redisConnection.js';

export interface RedisTokenStoreOptions {
  redis: Pick<RedisConnection, 'script' | 'isConnected' | 'isUnavailable'>;
  scope: CredentialScope;
  /** The credential's secret. */
  secret: string;
}

interface RedisTokenText {
  /** Undefined where there is none, or none that this secret opens. */
  text: string | undefined;
  version: string;
  /** Redis's own clock. */
  nowMs: number;
}

/** The content, and the time of the one clock that all processes share. */
const READ_SCRIPT = `local time = redis.call('TIME')
return { redis.call('GET', KEYS[1]) or '', time[1], time[2] }`;

/** Compare and set: written only over the content that was read. */
const REPLACE_SCRIPT = `local held = redis.call('GET', KEYS[1]) or ''
local isReplaced = '0'
if held == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  held = ARGV[2]
  isReplaced = '1'
end
local time = redis.call('TIME')
return { held, time[1], time[2], isReplaced }`;

/**
 * A connection is not up the moment that it is made, and many processes started at once keep each other waiting.
 * A token asked for meanwhile would be asked for by each of them: so the first reply is waited for through so
 * many looks. After it, Redis being away is an outage, in which every process goes on alone at once.
 */
const MAX_CONNECTION_CHECKS = 30;
const CONNECTION_CHECK_INTERVAL_MS = 50;
/** A late reply or two must not cost a token. */
const MAX_ATTEMPTS = 3;

/** Nothing here rejects: undefined says that Redis can't be used now. */
export function createRedisTokenStore({ redis, scope, secret }: RedisTokenStoreOptions) {
  // Another secret has another key: it could not read what is there, and would write over it.
  const key = `fieldgraph:token:1:${scope}:${deriveKey(secret, scope, 'name', 8).toString('hex')}`;
  const { seal, open } = createCipher(deriveKey(secret, scope, 'token at rest', 32), key);
  let looksLeft = MAX_CONNECTION_CHECKS;

  async function run(source: string, args: readonly string[]): Promise<string[] | undefined> {
    for (let tries = 0; tries < MAX_ATTEMPTS && redis.isConnected(); tries++) {
      const reply = await redis.script(source, [key], args);
      if (Array.isArray(reply) && reply.every((part) => typeof part === 'string')) return reply;
    }
    return undefined;
  }

  function toStored([version = '', seconds, microseconds]: readonly string[]): RedisTokenText {
    const nowMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    return { text: open(version), version, nowMs };
  }

  return {
    async read(): Promise<RedisTokenText | undefined> {
      for (;;) {
        const reply = await run(READ_SCRIPT, []);
        if (reply) looksLeft = 0;
        if (reply || looksLeft === 0 || redis.isUnavailable()) return reply && toStored(reply);
        looksLeft -= 1;
        await sleepFor(CONNECTION_CHECK_INTERVAL_MS);
      }
    },
    async replace(version: string, text: string, lifeMs: number) {
      const reply = await run(REPLACE_SCRIPT, [version, seal(text), String(Math.ceil(lifeMs))]);
      return reply && { ...toStored(reply), isReplaced: reply[3] === '1' };
    },
  };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** One way: nothing of the secret can be read from it. */
function deriveKey(secret: string, scope: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, scope, `fieldgraph ${purpose}`, bytes));
}

/** AES-256-GCM, bound to the Redis key it stands under. */
function createCipher(key: Buffer, boundTo: string) {
  function seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Undefined for what is not ours: nothing, damage, another secret's. */
  function open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(boundTo)).setAuthTag(tag);
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  return { seal, open };
}
