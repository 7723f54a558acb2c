/** Compresses response bodies in the thread pool, so that the event loop is not blocked. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { CallGate } from '../../lib/callGate.js';
import { type ContentEncoding, encodingOf } from '../responseCache/cachedResponse.js';

export type Compressor = ReturnType<typeof createCompressor>;

const defaultLimits = {
  /** Bodies compressed at once. The thread pool has four threads, which DNS and the file system use too. */
  maxConcurrent: 2,
  /** Maximum bytes of bodies that wait or are being compressed. */
  maxPendingBytes: 32 * 1024 * 1024,
};
/**
 * Both levels take about 5 ms for Fleet over 200 sites (224 KB) and leave 8 to 12 percent. Brotli from 5 on takes twice
 * as long.
 */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 4;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

const algorithms: Readonly<Record<ContentEncoding, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => gzipAsync(bytes, { level: GZIP_LEVEL }),
  br: (bytes) =>
    brotliAsync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

export function createCompressor(limits: Partial<typeof defaultLimits> = {}) {
  const { maxConcurrent, maxPendingBytes } = { ...defaultLimits, ...limits };
  const inFlight = { br: new Map<object, Promise<Buffer>>(), gzip: new Map<object, Promise<Buffer>>() };
  const gate = new CallGate(() => maxConcurrent);
  let pendingBytes = 0;

  async function begin(owner: object, bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
    pendingBytes += bytes.length;
    try {
      return await gate.run(() => algorithms[encoding](bytes));
    } finally {
      pendingBytes -= bytes.length;
      inFlight[encoding].delete(owner);
    }
  }

  return {
    /**
     * `owner` identifies the body: calls with the same owner share one compression. Resolves with undefined if too many
     * bytes are pending; send the body without an encoding then.
     */
    async compress(
      owner: object,
      body: string | Buffer,
      size: number,
      encoding: ContentEncoding,
    ): Promise<Buffer | undefined> {
      const active = inFlight[encoding].get(owner);
      if (active) return active;
      if (pendingBytes + size > maxPendingBytes) return undefined;
      const buffer = typeof body === 'string' ? Buffer.from(body, encodingOf(body, size)) : body;
      const compressing = begin(owner, buffer, encoding);
      inFlight[encoding].set(owner, compressing);
      return compressing;
    },
    pendingBytes: () => pendingBytes,
  };
}
