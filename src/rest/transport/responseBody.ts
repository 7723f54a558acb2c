/** Gathers the body of an answer, within a bound on its size, and reads it as text. */
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { GatewayError } from '../../errors.js';

export interface ResponseBody {
  /** Takes in what has arrived. Throws PLATFORM_BAD_RESPONSE where that is more than is read. */
  push(chunk: Buffer): void;
  /** All of it, a byte order mark left out. Rejects where it can't be unpacked within the bound. */
  toText(): string | Promise<string>;
}

export interface BodyHeaders {
  'content-length'?: string | string[] | undefined;
  'content-encoding'?: string | string[] | undefined;
}

/** What can be unpacked here, for `Accept-Encoding`. */
export const SUPPORTED_ENCODINGS = 'gzip, deflate, br';

/** Throws PLATFORM_BAD_RESPONSE where a body announces to be longer than `maxBytes`. */
export function createResponseBody(headers: BodyHeaders, maxBytes: number): ResponseBody {
  if (Number(headers['content-length']) > maxBytes) throw createTooLargeError();
  const unpack = decompressorFor(headers['content-encoding']);
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
      if (unpack === undefined || bytes === 0) return decode(body);
      return unpack(body, { maxOutputLength: maxBytes }).then(decode);
    },
  };
}

type Decompress = (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const EMPTY_BUFFER = Buffer.alloc(0);
/** Of gzip's and of deflate's format: it looks at the first bytes. */
const decompressZlib: Decompress = promisify(unzip);
const decompressBrotli: Decompress = promisify(brotliDecompress);

/** Undefined where the body is not packed, or in a way that nobody asked for. */
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
  return new GatewayError('PLATFORM_BAD_RESPONSE', 'The platform answered with more than the gateway reads.');
}
