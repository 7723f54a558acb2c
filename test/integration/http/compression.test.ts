/** Compressed responses: negotiation, caching and conditional requests. */
import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { required, startStillGateway } from '../../support/gateway.js';

const LONG = '{ streams(first: 200) { nodes { id name units site { name } } } }';
const SHORT = '{ __typename }';

const gateway = await startStillGateway();

interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Without the decoding of `fetch`. */
function post(query: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
    });
    request.end(JSON.stringify({ query }));
  });
}

const decoders = { gzip: gunzipSync, br: brotliDecompressSync, identity: (body: Buffer) => body } as const;
const encodingOf = ({ headers }: RawResponse) =>
  (headers['content-encoding'] ?? 'identity') as keyof typeof decoders;

describe('a long response', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['*', 'br'],
    ['identity', 'identity'],
    ['deflate', 'identity'],
  ] as const)('is sent for %j as %s, executed or cached', async (accepted, expected) => {
    const query = `${LONG} # ${accepted}`;
    const plain = await post(query);
    // The first response is executed, the second is stored, the third is the stored one compressed, the fourth is that
    // one cached.
    for (const _ of [1, 2, 3, 4]) {
      const result = await post(query, { 'Accept-Encoding': accepted });
      expect(result.status).toBe(200);
      expect(encodingOf(result)).toBe(expected);
      expect(result.headers['content-length']).toBe(String(result.body.length));
      expect(result.headers.vary).toContain('Accept-Encoding');
      expect(decoders[expected](result.body).equals(plain.body)).toBe(true);
      if (expected !== 'identity') expect(result.body.length).toBeLessThan(plain.body.length / 4);
    }
  });

  it('has its own tag in each encoding, and each of them revalidates', async () => {
    const tags = new Set<unknown>();
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { headers } = await post(LONG, { 'Accept-Encoding': accepted });
      tags.add(headers.etag);
      for (const other of ['identity', 'gzip', 'br']) {
        const again = await post(LONG, {
          'Accept-Encoding': other,
          'If-None-Match': String(headers.etag),
        });
        expect([again.status, again.body.length, again.headers['content-encoding']]).toEqual([
          304,
          0,
          undefined,
        ]);
      }
    }
    expect(tags.size).toBe(3);
  });

  it('is compressed without a cache too', async () => {
    const result = await post(LONG, { 'Accept-Encoding': 'gzip', 'X-Explain': '1' });
    expect(result.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(gunzipSync(result.body).toString())).toHaveProperty('extensions.explain');
  });
});

describe('a short response', () => {
  it('is not compressed, unless the client refuses identity', async () => {
    const plain = await post(SHORT, { 'Accept-Encoding': 'gzip, br' });
    expect(encodingOf(plain)).toBe('identity');
    expect(plain.headers.vary).toContain('Accept-Encoding');
    const refusing = await post(SHORT, { 'Accept-Encoding': 'gzip, identity;q=0' });
    expect(gunzipSync(refusing.body).equals(plain.body)).toBe(true);
  });
});

describe('Cache-Control and ETag', () => {
  it('are set on the first response', async () => {
    const first = await post('{ sites { nodes { id name } } }');
    expect(first.headers['cache-control']).toMatch(/^private, max-age=\d+$/);
    expect(required(first.headers.etag)).toMatch(/^"[\w-]{22}"$/);
  });

  it('are set on a stale response, which must be revalidated', async () => {
    const query = '{ sampleBatch(kind: SCALAR) { samples { platformId } } }';
    const first = await post(query);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const again = await post(query, { 'If-None-Match': String(first.headers.etag) });
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'private, no-cache']);
  });
});
