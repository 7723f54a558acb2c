/** Reads a request's body up to a maximum size. */
import type { IncomingMessage } from 'node:http';
import { createBadRequestError, HttpError } from '../httpError.js';

const MAX_BODY_BYTES = 1_048_576;

/**
 * Returns the body as UTF-8 text.
 * @throws HttpError 413 as soon as the body exceeds 1 MiB. The response closes the connection.
 */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // Does not destroy the request, so that the client can read the response before the connection closes.
      if (bytes > MAX_BODY_BYTES) reject(createTooLargeError());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('close', () => reject(createBadRequestError('The request ended before its body did.')));
    request.on('error', () => reject(createBadRequestError('The request broke off.')));
  });
}

function createTooLargeError(): HttpError {
  return new HttpError(413, `The body must not be larger than ${MAX_BODY_BYTES} bytes.`, {
    Connection: 'close',
  });
}

/** @throws HttpError 400 when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw createBadRequestError('The body must be valid JSON.');
  }
}
