/** Reads a request's body, bounded and as text, or says in one sentence what is wrong with it. */
import type { IncomingMessage } from 'node:http';
import { createClientDisconnectedError, GatewayError } from '../../errors.js';

/** The largest body read where nothing else is configured, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Rejects with BODY_TOO_LARGE, BODY_COMPRESSED or BAD_REQUEST, and as the request does where its sender breaks off.
 * Not by iterating over the request: that takes longer than all else that is done for an answer that is at hand.
 */
export function readBodyText(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<string> {
  return new Promise((resolve, reject) => {
    checkHeaders(request, maxBytes);
    // Whoever left before this tells so no more: neither an end nor an error would ever come.
    if (request.destroyed) return reject(request.errored ?? createClientDisconnectedError());
    // After the end it would tell nothing new, and an error takes longer to make than all else here.
    request.once('close', () => request.readableEnded || reject(createClientDisconnectedError()));
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // What is left is let go by, so that the connection hears the answer and serves the next request.
      if (size > maxBytes) reject(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      try {
        resolve(decode(chunks));
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
  });
}

/** Throws BATCHING_REFUSED or BAD_REQUEST. */
export function parseJsonBody(text: string): unknown {
  const body = parseJson(text);
  if (!Array.isArray(body)) return body;
  throw new GatewayError('BATCHING_REFUSED', 'Send operations one by one, not as a list.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GatewayError('BAD_REQUEST', `The body is no JSON: ${reason}`);
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
    throw new GatewayError('BAD_REQUEST', 'The body is no UTF-8.');
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}
