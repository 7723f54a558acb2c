/** Reads a request's body, bounded and as JSON, or says in one sentence what is wrong with it. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../errors.js';

/** The largest body read, in bytes. */
export const LARGEST_BODY = 256 * 1024;

/** Rejects with BODY_TOO_LARGE or BAD_REQUEST. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  checkHeaders(request);
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GatewayError('BAD_REQUEST', `The body is no JSON: ${reason}`);
  }
}

function checkHeaders({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new GatewayError('BAD_REQUEST', 'Send the body without a Content-Encoding.');
  }
  const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new GatewayError('BAD_REQUEST', 'Send the body in UTF-8.');
  }
  if (Number(headers['content-length']) > LARGEST_BODY) throw tooLarge();
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new GatewayError('BAD_REQUEST', 'The body is no UTF-8.');
  }
}

function tooLarge(): GatewayError {
  return new GatewayError('BODY_TOO_LARGE', `The body is larger than ${LARGEST_BODY} bytes.`);
}
