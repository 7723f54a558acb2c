/** Reads a request's body, bounded and as JSON, or says in one sentence what is wrong with it. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../errors.js';

/** The largest body read where nothing else is configured, in bytes. */
export const LARGEST_BODY = 256 * 1024;

/** Rejects with BODY_TOO_LARGE, BODY_COMPRESSED, BATCHING_REFUSED or BAD_REQUEST. */
export async function readJsonBody(request: IncomingMessage, mostBytes = LARGEST_BODY): Promise<unknown> {
  checkHeaders(request, mostBytes);
  const body = parseJson(await readText(request, mostBytes));
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

function checkHeaders({ headers }: IncomingMessage, mostBytes: number): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new GatewayError('BODY_COMPRESSED', 'Send the body without a Content-Encoding.');
  }
  const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new GatewayError('BAD_REQUEST', 'Send the body in UTF-8.');
  }
  if (Number(headers['content-length']) > mostBytes) throw tooLarge(mostBytes);
}

async function readText(request: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) break;
    chunks.push(chunk);
  }
  if (size > mostBytes) {
    // What is left is let go by, so that the connection hears the answer and serves the next request.
    request.resume();
    throw tooLarge(mostBytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new GatewayError('BAD_REQUEST', 'The body is no UTF-8.');
  }
}

function tooLarge(mostBytes: number): GatewayError {
  return new GatewayError('BODY_TOO_LARGE', `The body is larger than ${mostBytes} bytes.`);
}
