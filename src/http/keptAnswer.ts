/** An answer that may be given again as it is, for as long as everything in it is fresh. */
import { hash } from 'node:crypto';

export interface KeptAnswer {
  /** Bytes for one that is given again and again. */
  body: string | Buffer;
  /** Of the body, in UTF-8. */
  bytes: number;
  contentType: string;
  /** Of the body, so that it is the same in every process and after every execution. */
  entityTag: string;
  /** Milliseconds since the Unix epoch. */
  freshUntilMs: number;
}

export function toKeptAnswer(body: string, contentType: string, freshUntilMs: number): KeptAnswer {
  const entityTag = `"${hash('sha1', body, 'base64url')}"`;
  return { body, bytes: Buffer.byteLength(body), contentType, entityTag, freshUntilMs };
}

/** The seconds for which whoever gets the answer now may keep it. */
export function toMaxAge({ freshUntilMs }: KeptAnswer, nowMs: number): number {
  return Math.max(0, Math.floor((freshUntilMs - nowMs) / 1000));
}

/** Whether the caller has this answer already (RFC 9110, 13.1.2). */
export function isKnownTo(ifNoneMatch: string | undefined, { entityTag }: KeptAnswer): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
}
