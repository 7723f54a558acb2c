/** Reads the body of a request as text, up to a maximum size. */
import type { IncomingMessage } from 'node:http';
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { PLAIN_JSON } from './operationRequest.js';
import { explainJsonError, parseJson } from './parseJson.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reading a chunk takes as long as reading a kilobyte. Programs that write a body in small pieces stay below this. */
const MAX_SMALL_CHUNKS = 4096;
/** Larger chunks do not count, so that a body of any size may have any number of them. */
const SMALL_CHUNK_BYTES = 32;
const EMPTY = Buffer.alloc(0);

/**
 * Rejects with BODY_TOO_LARGE, BODY_COMPRESSED or BAD_REQUEST, or with CANCELLED if the client disconnects. Closes the
 * connection if a body has many small chunks. Listens to events, because async iteration over the request takes longer
 * than all other work for a cached response.
 */
export function readBodyText(
  request: IncomingMessage,
  maxBytes: number,
  /** Called with the length so far. Throws if the body exceeds the budget of its caller. */
  charge: (length: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    checkHeaders(request, maxBytes);
    // If the client has disconnected already, no further event is emitted.
    if (request.destroyed) return reject(request.errored ?? createClientDisconnectedError());
    // Creating an error takes long, so it is created only before the end of the body.
    request.on('close', () => request.readableEnded || reject(createClientDisconnectedError()));
    let body: Buffer = EMPTY;
    let size = 0;
    let smallChunks = 0;
    let isRefused = false;
    request.on('data', (chunk: Buffer) => {
      if (chunk.length < SMALL_CHUNK_BYTES) smallChunks += 1;
      if (smallChunks > MAX_SMALL_CHUNKS) {
        reject(new GatewayError('BAD_REQUEST', 'The body has too many small chunks.'));
        request.destroy();
        return;
      }
      size += chunk.length;
      // After a refusal the rest is read and discarded, so that the client gets the response and can reuse the connection.
      if (isRefused) return;
      try {
        if (size > maxBytes) throw createBodyTooLargeError(maxBytes);
        charge(size);
        body = append(body, size - chunk.length, chunk);
      } catch (error) {
        isRefused = true;
        body = EMPTY;
        reject(error);
      }
    });
    request.on('end', () => {
      try {
        if (!isRefused) resolve(decode(body.length === size ? body : body.subarray(0, size)));
      } catch (error) {
        reject(error);
      }
      // Releases the body: the request of a stream, with its listeners, lives as long as the stream.
      body = EMPTY;
    });
    request.on('error', reject);
  });
}

/** Throws BATCHING_REFUSED or BAD_REQUEST. */
export function parseJsonBody(text: string): unknown {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    throw new GatewayError('BAD_REQUEST', `The body ${explainJsonError(error)}`);
  }
  if (!Array.isArray(body)) return body;
  throw new GatewayError('BATCHING_REFUSED', 'Send operations one by one, not as a list.');
}

function checkHeaders({ headers }: IncomingMessage, maxBytes: number): void {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new GatewayError('BODY_COMPRESSED', 'Send the body without a Content-Encoding.');
  }
  const type = headers['content-type'];
  // Most clients send this type, and comparing it takes less time than the search.
  const charset =
    type === undefined || type === PLAIN_JSON ? undefined : /charset="?([\w-]+)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new GatewayError('BAD_REQUEST', 'Send the body in UTF-8.');
  }
  if (Number(headers['content-length']) > maxBytes) throw createBodyTooLargeError(maxBytes);
}

/** Returns `body`, or a larger copy of it, with the chunk at `size`. Objects of small chunks would take far more memory. */
function append(body: Buffer, size: number, chunk: Buffer): Buffer {
  // Most bodies have one chunk.
  if (size === 0) return chunk;
  const end = size + chunk.length;
  const room = body.length >= end ? body : Buffer.allocUnsafe(2 * end);
  if (room !== body) body.copy(room, 0, 0, size);
  chunk.copy(room, size);
  return room;
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new GatewayError('BAD_REQUEST', 'The body is not UTF-8.');
  }
}

function createBodyTooLargeError(maxBytes: number): GatewayError {
  return new GatewayError('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}
