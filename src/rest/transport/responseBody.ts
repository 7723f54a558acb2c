/** Collects the body of a response within a bound, and decodes it as text. */
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { GatewayError } from '../../errors.js';

export interface ResponseBody {
  /** Adds a chunk. Throws PLATFORM_BAD_RESPONSE if the body exceeds the bound. */
  push(chunk: Buffer): void;
  /** The body without a byte order mark. Rejects if it can't be decompressed within the bound. */
  toText(): string | Promise<string>;
}

export interface BodyHeaders {
  'content-length'?: string | string[] | undefined;
  'content-encoding'?: string | string[] | undefined;
}

/** For `Accept-Encoding`. */
export const SUPPORTED_ENCODINGS = 'gzip, deflate, br';

/** Throws PLATFORM_BAD_RESPONSE if `Content-Length` exceeds `maxBytes`. */
export function createResponseBody(headers: BodyHeaders, maxBytes: number): ResponseBody {
  if (Number(headers['content-length']) > maxBytes) throw createTooLargeError();
  const decompress = decompressorFor(headers['content-encoding']);
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw createTooLargeError();
      chunks.push(chunk);
    },
    toText() {
      const [first = EMPTY_BUFFER] = chunks;
      const body = chunks.length > 1 ? Buffer.concat(chunks, bytes) : first;
      if (decompress === undefined || bytes === 0) return decode(body);
      return decompress(body, { maxOutputLength: maxBytes }).then(decode);
    },
  };
}

type Decompress = (compressed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const EMPTY_BUFFER = Buffer.alloc(0);
/** Handles gzip and deflate, by the first bytes. */
const decompressZlib: Decompress = promisify(unzip);
const decompressBrotli: Decompress = promisify(brotliDecompress);

/** Undefined for a body without compression, or with one that was not offered. */
function decompressorFor(encoding: BodyHeaders['content-encoding']): Decompress | undefined {
  if (encoding === undefined) return undefined;
  const name = String(encoding).trim().toLowerCase();
  if (name === 'br') return decompressBrotli;
  return /^((x-)?gzip|deflate)$/.test(name) ? decompressZlib : undefined;
}

function decode(bytes: Buffer): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}

function createTooLargeError(): GatewayError {
  return new GatewayError(
    'PLATFORM_BAD_RESPONSE',
    'The platform sent a longer response than the gateway reads.',
  );
}
