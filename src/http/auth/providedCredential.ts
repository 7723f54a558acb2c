/** Finds the credential that a caller shows: in HTTP headers, or in what a websocket client sends first. */
import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '../../errors.js';
import { createUnauthenticatedError } from './authErrors.js';

/** As it was sent, and not judged yet. */
export interface ProvidedCredential {
  /** `Authorization: Bearer …` */
  bearer?: string;
  /** `Authorization: Basic …`, decoded. */
  basic?: { user: string; password: string };
  /** `X-API-Key: …` */
  apiKey?: string;
  /** Why what was sent can't be read; for whoever needs a credential. */
  error?: GatewayError;
}

/** The longest header read: a token with many claims has a few thousand characters. */
const MAX_HEADER_LENGTH = 16_384;

export function readCredentialFromHeaders(headers: IncomingHttpHeaders): ProvidedCredential {
  return readOrError(() => readCredential(headers.authorization, headers['x-api-key']));
}

/** Of `connectionParams`: the same names, upper and lower case alike. */
export function readCredentialFromConnectionParams(
  params: Readonly<Record<string, unknown>> | null | undefined,
): ProvidedCredential {
  return readOrError(() =>
    readCredential(findByName(params ?? {}, 'authorization'), findByName(params ?? {}, 'x-api-key')),
  );
}

function readOrError(read: () => ProvidedCredential): ProvidedCredential {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return { error: error };
    throw error;
  }
}

export function hasCredential(credential: ProvidedCredential): boolean {
  return Object.keys(credential).length > 0;
}

function findByName(params: Readonly<Record<string, unknown>>, wanted: string): unknown {
  const found = Object.entries(params).filter(([name]) => name.toLowerCase() === wanted);
  if (found.length > 1) throw createUnauthenticatedError('Show one credential, not several.');
  return found[0]?.[1];
}

function readCredential(authorization: unknown, apiKey: unknown): ProvidedCredential {
  if (authorization !== undefined && apiKey !== undefined) {
    throw createUnauthenticatedError('Show one credential, not both Authorization and X-API-Key.');
  }
  if (apiKey !== undefined) return { apiKey: readText(apiKey, 'X-API-Key') };
  if (authorization === undefined) return {};
  return readAuthorization(readText(authorization, 'Authorization'));
}

function readText(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length <= MAX_HEADER_LENGTH) return value.trim();
  throw createUnauthenticatedError(`${name} can't be read.`);
}

function readAuthorization(text: string): ProvidedCredential {
  const [, scheme = '', rest = ''] = /^(\S+) +(\S+)$/.exec(text) ?? [];
  if (/^bearer$/i.test(scheme)) return { bearer: rest };
  if (/^basic$/i.test(scheme)) return { basic: decodeBasic(rest) };
  throw createUnauthenticatedError('Authorization has to be "Bearer …" or "Basic …".');
}

function decodeBasic(encoded: string): { user: string; password: string } {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1)
    throw createUnauthenticatedError('A Basic credential is a user and a password with a colon between.');
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
