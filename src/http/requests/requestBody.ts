/** Reads the body of a request as text, up to a maximum size. */
import type { IncomingMessage } from 'node:http';
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { messageOf } from '../../lib/errorMessage.js';
import { parseJson } from './parseJson.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Rejects with BODY_TOO_LARGE, BODY_COMPRESSED or BAD_REQUEST, or with CANCELLED if the client disconnects. It listens to
 * events, because async iteration over the request takes longer than all other work for a cached response.
 */
export function readBodyText(request: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    checkHeaders(request, maxBytes);
    // If the client has disconnected already, no further event is emitted.
    if (request.destroyed) return reject(request.errored ?? createClientDisconnectedError());
    // Creating an error takes long, so it is created only before the end of the body.
    request.on('close', () => request.readableEnded || reject(createClientDisconnectedError()));
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and discarded, so that the client gets the response and can reuse the connection.
      if (size > maxBytes) reject(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      try {
        resolve(decode(chunks));
      } catch (error) {
        reject(error);
      }
      // The request of a stream lasts as long as the stream, and its listeners with it.
      chunks.length = 0;
    });
    request.on('error', reject);
  });
}

/** Throws BATCHING_REFUSED or BAD_REQUEST. */
export function parseJsonBody(text: string): unknown {
  const body = parseBody(text);
  if (!Array.isArray(body)) return body;
  throw new GatewayError('BATCHING_REFUSED', 'Send operations one by one, not as a list.');
}

function parseBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new GatewayError('BAD_REQUEST', `The body is not JSON: ${reason}`);
  }
}

function checkHeaders({ headers }: IncomingMessage, maxBytes: number): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new GatewayError('BODY_COMPRESSED', 'Send the body without a Content-Encoding.');
  }
  const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new GatewayError('BAD_REQUEST', 'Send the body in UTF-8.');
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
}

function decode(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  try {
    return utf8.decode(chunks.length === 1 ? only : Buffer.concat(chunks));
  } catch {
    throw new GatewayError('BAD_REQUEST', 'The body is not UTF-8.');
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}
