/** A response as it is stored: its body, how long it may be reused, and its validators for conditional requests. */
import { hash } from 'node:crypto';
import type { OperationSummary } from '../../graphql/limits/admitOperation.js';

/** Encodings in which a response can be stored beside its plain body. */
export type ContentEncoding = 'br' | 'gzip';

export interface CachedResponse {
  /** The operation that was executed, for the log. */
  operation?: OperationSummary | undefined;
  /**
   * If a string has the length `bytes`, each of its characters is one byte of the UTF-8 text; otherwise it is the
   * text itself.
   */
  body: string | Buffer;
  /** Length of the body in UTF-8. */
  bytes: number;
  contentType: string;
  /** Hash of the body, with quotes. Equal in all processes. */
  entityTag: string;
  /** Milliseconds since the Unix epoch. A time in the past means that clients must revalidate each time. */
  freshUntilMs: number;
  /**
   * Milliseconds since the Unix epoch until which clients may reuse the response without revalidation, even if the gateway
   * loads it again. A time in the past means that they may not.
   */
  immutableUntilMs: number;
  /** Whether a poll that returns numeric samples makes the response stale. */
  readsNumbers: boolean;
  /** The compressed forms that exist so far. */
  encoded?: Readonly<Partial<Record<ContentEncoding, Buffer>>>;
}

/**
 * Up to this size a body is a string, because Node writes a string and the head in one buffer. A longer body is
 * encoded once, for its entity tag and for all responses.
 */
const MAX_STRING_BYTES = 4096;
/** 128 bits of SHA-256, which takes 0.2 ms for 290 KB on a processor with SHA extensions: less than SHA-1 or MD5. */
const TAG_CHARACTERS = 22;

type CachedResponseOptions = Pick<CachedResponse, 'contentType' | 'freshUntilMs'> &
  Partial<Pick<CachedResponse, 'immutableUntilMs' | 'readsNumbers' | 'operation'>>;

/** Computes the validators of a response that may be cached. */
export function toCachedResponse(
  text: string,
  { contentType, freshUntilMs, immutableUntilMs = 0, readsNumbers = true, operation }: CachedResponseOptions,
): CachedResponse {
  const bytes = Buffer.byteLength(text);
  const body = bytes <= MAX_STRING_BYTES ? text : Buffer.from(text, encodingOf(text, bytes));
  const entityTag = `"${hash('sha256', body, 'base64url').slice(0, TAG_CHARACTERS)}"`;
  return { operation, body, bytes, contentType, entityTag, freshUntilMs, immutableUntilMs, readsNumbers };
}

/** The encoding in which a body is written. Latin-1 is faster, for a string in which each character is one byte. */
export function encodingOf({ length }: string | Buffer, bytes: number): 'latin1' | 'utf8' {
  return length === bytes ? 'latin1' : 'utf8';
}

/** Clients may store stale responses too, but must revalidate them by their tag. */
export function toCacheControl({ freshUntilMs, immutableUntilMs }: CachedResponse, nowMs: number): string {
  const immutableAge = Math.floor((immutableUntilMs - nowMs) / 1000);
  if (immutableAge > 0) return `private, max-age=${immutableAge}, immutable`;
  const maxAge = Math.floor((freshUntilMs - nowMs) / 1000);
  return maxAge > 0 ? `private, max-age=${maxAge}` : 'private, no-cache';
}

/** A strong tag is unique for each encoding (RFC 9110, 8.8.3.3). */
export function toEntityTag({ entityTag }: CachedResponse, encoding: ContentEncoding | 'identity'): string {
  return encoding === 'identity' ? entityTag : `${entityTag.slice(0, -1)}.${encoding}"`;
}

/** Whether the client already has this response, in any encoding (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, { entityTag }: CachedResponse): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => toPlainTag(tag) === entityTag);
}

/** Removes the prefix of a weak tag and the suffix of an encoding. */
function toPlainTag(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/\.(?:br|gzip)"$/, '"');
}
