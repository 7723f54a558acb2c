import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createExplorerFiles } from '../../../src/http/server/explorerFiles.js';

const PAGE = '<!doctype html><title>Fieldgraph explorer</title>';
const SCRIPT = 'export const answer = 42;\n'.repeat(50);

/** Links to the open files of this process, on Linux. */
const OPEN_FILES = '/proc/self/fd';

async function isOpen(file: string): Promise<boolean> {
  const targets = (await readdir(OPEN_FILES)).map((fd) =>
    readlink(path.join(OPEN_FILES, fd)).catch(() => ''),
  );
  return (await Promise.all(targets)).includes(file);
}

interface RawResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends the path unchanged; `fetch` would resolve `..` before sending. */
function ask(port: number, target: string, method = 'GET', headers: Record<string, string> = {}) {
  return new Promise<RawResponse>((resolve, reject) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, path: target, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

/** The explorer's files on a real server, which responds to every other request with 418. */
async function serve(directory: string) {
  const files = createExplorerFiles(directory, 'https://platform.example');
  const server = createServer((request, response) => {
    if (!files.handle(request, response, 'request-1')) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve).closeAllConnections();
    });
  return { port, close };
}

async function writeBuild(directory: string) {
  const assets = path.join(directory, 'assets');
  await mkdir(assets, { recursive: true });
  await writeFile(path.join(directory, '.built'), '');
  await writeFile(path.join(assets, 'index-abc.js'), SCRIPT);
  await writeFile(path.join(assets, 'index-abc.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(path.join(assets, 'index-abc.js.gz'), gzipSync(SCRIPT));
  await writeFile(path.join(assets, 'icons.ttf'), 'font');
  await writeFile(path.join(directory, 'index.html'), PAGE);
}

describe('createExplorerFiles', () => {
  let root: string;
  let directory: string;
  let gateway: Awaited<ReturnType<typeof serve>>;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'explorer-'));
    directory = path.join(root, 'explorer');
    await writeFile(path.join(root, 'secret.txt'), 'secret');
    gateway = await serve(directory);
  });

  afterEach(async () => {
    await gateway.close();
    await rm(root, { recursive: true });
  });

  describe('without a build', () => {
    it('explains at / how to build it, and serves the build as soon as it exists', async () => {
      const before = await ask(gateway.port, '/');
      expect(before.status).toBe(503);
      expect(before.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(before.body.toString()).toContain('npm run build');
      await writeBuild(directory);
      expect((await ask(gateway.port, '/')).body.toString()).toBe(PAGE);
    });
  });

  describe('with a build', () => {
    beforeEach(() => writeBuild(directory));

    it('serves the page at /, for any query string, with revalidation each time', async () => {
      const result = await ask(gateway.port, '/?tab=1');
      expect(result.status).toBe(200);
      expect(result.body.toString()).toBe(PAGE);
      expect(result.headers).toMatchObject({
        'content-type': 'text/html;charset=utf-8',
        'cache-control': 'no-cache',
        'content-length': String(PAGE.length),
      });
    });

    it('serves the page of a later build without a restart', async () => {
      await ask(gateway.port, '/');
      await rm(path.join(directory, '.built'));
      await writeFile(path.join(directory, 'index.html'), 'shorter');
      expect((await ask(gateway.port, '/')).status).toBe(503);
      await writeFile(path.join(directory, '.built'), '');
      await utimes(path.join(directory, '.built'), 1, 1);
      expect((await ask(gateway.port, '/')).body.toString()).toBe('shorter');
    });

    it('responds with 304 for a page that the browser has', async () => {
      const etag = String((await ask(gateway.port, '/')).headers.etag);
      const result = await ask(gateway.port, '/', 'GET', { 'if-none-match': etag });
      expect([result.status, result.body.length]).toEqual([304, 0]);
      expect(result.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      expect((await ask(gateway.port, '/', 'GET', { 'if-none-match': '"other"' })).status).toBe(200);
    });

    it('protects the page from foreign scripts, frames and hosts', async () => {
      const { headers } = await ask(gateway.port, '/');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain(
        `connect-src 'self' ws://127.0.0.1:${gateway.port} wss://127.0.0.1:${gateway.port};`,
      );
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    });

    it('ignores an invalid Host header in the policy', async () => {
      const { headers } = await ask(gateway.port, '/', 'GET', {
        host: "evil.example; script-src 'unsafe-eval'",
      });
      expect(headers['content-security-policy']).toContain("connect-src 'self';");
      expect(headers['content-security-policy']).not.toContain('unsafe-eval');
    });

    it('serves assets as immutable, with their type', async () => {
      const script = await ask(gateway.port, '/explorer/assets/index-abc.js');
      expect(script.body.toString()).toBe(SCRIPT);
      expect(script.headers).toMatchObject({
        'content-type': 'text/javascript',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const font = await ask(gateway.port, '/explorer/assets/icons.ttf');
      expect(font.headers['content-type']).toBe('font/ttf');
    });

    it.each([
      ['br, gzip', 'br'],
      ['gzip, deflate, br;q=0.1', 'gzip'],
      ['gzip, br;q=0', 'gzip'],
      ['GZIP;q=0.5', 'gzip'],
      ['gzip;q=0.0, br; q=0', undefined],
      ['deflate', undefined],
      ['', undefined],
    ])('serves Accept-Encoding "%s" as %s', async (accepted, expected) => {
      const result = await ask(gateway.port, '/explorer/assets/index-abc.js', 'GET', {
        'accept-encoding': accepted,
      });
      expect(result.headers['content-encoding']).toBe(expected);
      expect(result.headers.vary).toBe('Accept-Encoding');
      const decode = { br: brotliDecompressSync, gzip: gunzipSync }[expected ?? ''] ?? ((raw: Buffer) => raw);
      expect(decode(result.body).toString()).toBe(SCRIPT);
    });

    it('sends identity where the build has no compressed copy', async () => {
      const result = await ask(gateway.port, '/', 'GET', { 'accept-encoding': 'br' });
      expect(result.headers['content-encoding']).toBeUndefined();
      expect(result.body.toString()).toBe(PAGE);
    });

    it('serves HEAD with the headers of GET and no body', async () => {
      const result = await ask(gateway.port, '/explorer/assets/index-abc.js', 'HEAD');
      expect([result.status, result.body.length]).toEqual([200, 0]);
      expect(result.headers['content-length']).toBe(String(SCRIPT.length));
    });

    it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s, and says where GraphQL is', async (method) => {
      const result = await ask(gateway.port, '/', method);
      expect([result.status, result.headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(JSON.parse(result.body.toString())).toMatchObject({
        errors: [{ message: expect.stringContaining('/graphql'), extensions: { code: 'BAD_REQUEST' } }],
      });
    });

    it.each([
      '/explorer/none.js',
      '/explorer/.built',
      '/explorer/../secret.txt',
      '/explorer/..%2fsecret.txt',
      '/explorer/assets/../../../secret.txt',
      '/explorer/%2e%2e/secret.txt',
      '/explorer/..\\secret.txt',
      '/explorer//etc/passwd',
      '/explorer/%00',
      '/explorer/__proto__',
    ])('finds nothing at %s', async (target) => {
      const result = await ask(gateway.port, target);
      expect([result.status, result.body.toString()]).toEqual([404, 'Not found\n']);
    });

    it('serves the page below /explorer/ too, to be revalidated each time', async () => {
      for (const target of ['/explorer/', '/explorer/index.html']) {
        const result = await ask(gateway.port, target);
        expect([result.body.toString(), result.headers['cache-control']]).toEqual([PAGE, 'no-cache']);
      }
    });

    it('responds to a range with the whole file', async () => {
      for (const range of ['bytes=0-1', 'bytes=9-2', 'bytes=-1']) {
        const result = await ask(gateway.port, '/', 'GET', { range });
        expect([result.status, result.body.toString()]).toEqual([200, PAGE]);
      }
    });

    it.runIf(existsSync(OPEN_FILES))('closes a file whose client disconnects', async () => {
      const file = path.join(directory, 'assets', 'large.js');
      await writeFile(file, Buffer.alloc(32 * 1024 * 1024));
      const outgoing = httpRequest({
        host: '127.0.0.1',
        port: gateway.port,
        path: '/explorer/assets/large.js',
      });
      const [response] = await once(outgoing.end(), 'response');
      expect(await isOpen(file)).toBe(true);
      response.destroy();
      await expect.poll(() => isOpen(file)).toBe(false);
    });

    it('cuts the response of a file that was removed, and continues to serve', async () => {
      expect((await ask(gateway.port, '/')).status).toBe(200);
      await rm(path.join(directory, 'assets', 'icons.ttf'));
      await expect(ask(gateway.port, '/explorer/assets/icons.ttf')).rejects.toThrow();
      expect((await ask(gateway.port, '/')).status).toBe(200);
    });

    it.each(['/graphql', '/healthz', '/explorer', '/explorers/x', '//', '/index.html', '*'])(
      'passes on %s',
      async (target) => {
        expect((await ask(gateway.port, target)).status).toBe(418);
      },
    );
  });
});
