/** Reads a request's body, up to a size. */
import type { IncomingMessage } from 'node:http';
import { createBadRequestError, HttpError } from '../httpError.js';

const MAX_BODY_BYTES = 1_048_576;

/**
 * The body as UTF-8 text.
 * @throws Refusal 413 beyond 1 MiB, as soon as it is known; the connection is then closed.
 */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // Not iterated and not destroyed: the caller is to read the refusal before the connection goes.
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

/** @throws Refusal 400 when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw createBadRequestError('The body must be valid JSON.');
  }
}
