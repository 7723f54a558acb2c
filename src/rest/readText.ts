/** Reads the body of an answer as text, within a bound on its size. */
import type { Readable } from 'node:stream';
import { GatewayError } from '../errors.js';

/**
 * A byte order mark is left out. Rejects with PLATFORM_BAD_RESPONSE, closing the socket, where the body is
 * longer than `mostBytes` or announces to be; with the stream's error where it breaks off.
 */
export async function readText(body: Readable, announcedBytes: unknown, mostBytes: number): Promise<string> {
  if (Number(announcedBytes) > mostBytes) {
    body.destroy();
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLarge(): GatewayError {
  return new GatewayError('PLATFORM_BAD_RESPONSE', 'The platform answered with more than the gateway reads.');
}
