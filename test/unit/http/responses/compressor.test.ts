/** Compression off the event loop: once for each body, and bounded. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createCompressor } from '../../../../src/http/responses/compressor.js';

const text = 'sensor täglich '.repeat(2000);
const size = Buffer.byteLength(text);

describe('a compressor', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('compresses text, stored bytes and buffers with %s', async (encoding, decompress) => {
    const { compress } = createCompressor();
    const bytes = Buffer.from(text);
    for (const body of [text, bytes.toString('latin1'), bytes]) {
      const compressed = await compress({}, body, size, encoding);
      expect(compressed && decompress(compressed).equals(bytes)).toBe(true);
      expect(compressed?.length).toBeLessThan(size / 10);
    }
  });

  it('compresses a body once for concurrent callers', async () => {
    const { compress } = createCompressor();
    const owner = {};
    const all = await Promise.all([1, 2, 3].map(() => compress(owner, text, size, 'gzip')));
    expect(new Set(all).size).toBe(1);
    expect(await compress(owner, text, size, 'br')).not.toEqual(all[0]);
  });

  it('accepts no more bytes than its bound, and frees them afterwards', async () => {
    const compressor = createCompressor({ maxConcurrent: 1, maxPendingBytes: 2.5 * size });
    const all = Array.from({ length: 4 }, () => compressor.compress({}, text, size, 'gzip'));
    expect(compressor.pendingBytes()).toBe(2 * size);
    const compressed = await Promise.all(all);
    expect(compressed.map((bytes) => bytes !== undefined)).toEqual([true, true, false, false]);
    expect(compressor.pendingBytes()).toBe(0);
    expect(await compressor.compress({}, text, size, 'gzip')).toBeDefined();
  });
});
