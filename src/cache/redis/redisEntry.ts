/** Encodes entries for Redis, and decodes and authenticates the entries read from it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isRecord } from '../../lib/records.js';
import type { EntryKey } from '../cacheKey.js';
import type { StoredEntry } from '../cacheRequest.js';

/** Raise it when the format changes: entries of other formats count as absent. */
const FORMAT_VERSION = 3;
/** Below this length compression saves less than it costs. */
const MIN_COMPRESSED_LENGTH = 8 * 1024;
/** The gateway writes no entry that decompresses to more. */
const MAX_DECOMPRESSED_BYTES = 64 * 1024 * 1024;
const PLAIN = 'p';
const COMPRESSED = 'z';

/** Base64 characters of the HMAC-SHA256 that precedes the entry. */
const MAC_LENGTH = 44;

/** Binds an entry to its Redis key and to the credential. */
interface EntrySeal {
  entryKey: EntryKey;
  redisKey: string;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Compresses lists of rows to a sixth or less, 9 ms for 4 MB off the main thread, so that they can be sent within the
 * deadline of a command. Base64 adds a third to that, so that every reply is text. Rejects values that are not JSON.
 */
export async function encodeEntry(
  entry: StoredEntry,
  versions: readonly string[],
  seal: EntrySeal,
): Promise<string> {
  const { value, storedAtMs, bytes } = entry;
  const text = JSON.stringify({ version: FORMAT_VERSION, storedAtMs, bytes, versions, value });
  const body =
    text.length < MIN_COMPRESSED_LENGTH
      ? PLAIN + text
      : COMPRESSED + (await compress(text, { level: 1 })).toString('base64');
  return authenticate(body, seal) + body;
}

/**
 * Undefined if the entry is corrupt, was written with another key, has another format, or was invalidated, so that
 * its versions differ.
 */
export async function decodeEntry(
  sealed: string,
  versions: readonly string[],
  seal: EntrySeal,
): Promise<StoredEntry | undefined> {
  const body = sealed.slice(MAC_LENGTH);
  if (!isEqual(sealed.slice(0, MAC_LENGTH), authenticate(body, seal))) return undefined;
  try {
    return toEntry(JSON.parse(await toJson(body)), versions);
  } catch {
    return undefined;
  }
}

/** Checked before an entry is decompressed or parsed. */
function authenticate(body: string, { entryKey, redisKey }: EntrySeal): string {
  return createHmac('sha256', entryKey).update(`${redisKey}\n`).update(body).digest('base64');
}

function isEqual(received: string, expected: string): boolean {
  const [left, right] = [Buffer.from(received), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function toJson(text: string): Promise<string> {
  const body = text.slice(1);
  if (text.startsWith(PLAIN)) return body;
  const compressed = Buffer.from(text.startsWith(COMPRESSED) ? body : '', 'base64');
  return (await decompress(compressed, { maxOutputLength: MAX_DECOMPRESSED_BYTES })).toString();
}

function toEntry(parsed: unknown, versions: readonly string[]): StoredEntry | undefined {
  if (!isRecord(parsed) || !('value' in parsed)) return undefined;
  const { version, storedAtMs, bytes, value, versions: storedVersions } = parsed;
  if (version !== FORMAT_VERSION) return undefined;
  if (typeof storedAtMs !== 'number' || typeof bytes !== 'number' || bytes < 0) return undefined;
  return isDeepStrictEqual(storedVersions, versions) ? { value, storedAtMs, bytes } : undefined;
}
