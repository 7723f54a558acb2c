/** Reads the credential of a caller from HTTP headers or from the `connectionParams` of a websocket. */
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { GatewayError } from '../../errors.js';
import { createUnauthenticatedError } from '../responses/sendError.js';

/** A credential as it was sent, not verified yet. */
export interface ProvidedCredential {
  /** `Authorization: Bearer …` */
  bearer?: string;
  /** `Authorization: Basic …`, decoded. */
  basic?: { user: string; password: string };
  /** `X-API-Key: …` */
  apiKey?: string;
  /** Why the credential is malformed; thrown only if the gateway needs a credential. */
  error?: GatewayError;
}

/** A token with many claims has a few thousand characters. */
const MAX_HEADER_LENGTH = 16_384;

export function readCredentialFromHeaders(headers: IncomingHttpHeaders): ProvidedCredential {
  return readOrError(() => readCredential(headers.authorization, headers['x-api-key']));
}

/**
 * The credential of a websocket: in its `connectionParams`, under the same names as the headers, case-insensitively, or in
 * the headers of the upgrade request. Two different ones are an error, because the caller may mean either of them.
 */
export function readSocketCredential(
  params: Readonly<Record<string, unknown>> | null | undefined,
  headers: IncomingHttpHeaders,
): ProvidedCredential {
  const fromHeaders = readCredentialFromHeaders(headers);
  const fromParams = readOrError(() =>
    readCredential(findByName(params ?? {}, 'authorization'), findByName(params ?? {}, 'x-api-key')),
  );
  if (!hasCredential(fromParams)) return fromHeaders;
  if (!hasCredential(fromHeaders) || isDeepStrictEqual(fromParams, fromHeaders)) return fromParams;
  const message = 'Send one credential: those in connectionParams and in the HTTP headers differ.';
  return { error: createUnauthenticatedError(message) };
}

function readOrError(read: () => ProvidedCredential): ProvidedCredential {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return { error };
    throw error;
  }
}

export function hasCredential(credential: ProvidedCredential): boolean {
  return Object.keys(credential).length > 0;
}

function findByName(params: Readonly<Record<string, unknown>>, wanted: string): unknown {
  const matches = Object.entries(params).filter(([name]) => name.toLowerCase() === wanted);
  if (matches.length > 1) throw createUnauthenticatedError('Send one credential, not several.');
  return matches[0]?.[1];
}

function readCredential(authorization: unknown, apiKey: unknown): ProvidedCredential {
  if (authorization !== undefined && apiKey !== undefined) {
    throw createUnauthenticatedError('Send one credential, not both Authorization and X-API-Key.');
  }
  if (apiKey !== undefined) return { apiKey: readString(apiKey, 'X-API-Key') };
  if (authorization === undefined) return {};
  return readAuthorization(readString(authorization, 'Authorization'));
}

function readString(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length <= MAX_HEADER_LENGTH) return value.trim();
  throw createUnauthenticatedError(`${name} must be a text of at most ${MAX_HEADER_LENGTH} characters.`);
}

function readAuthorization(text: string): ProvidedCredential {
  const [, scheme = '', rest = ''] = /^(\S+) +(\S+)$/.exec(text) ?? [];
  if (/^bearer$/i.test(scheme)) return { bearer: rest };
  if (/^basic$/i.test(scheme)) return { basic: decodeBasic(rest) };
  throw createUnauthenticatedError('Authorization must be "Bearer …" or "Basic …".');
}

function decodeBasic(encoded: string): { user: string; password: string } {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1)
    throw createUnauthenticatedError(
      'A Basic credential must be a user and a password, separated by a colon.',
    );
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
