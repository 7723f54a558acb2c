/**
 * The gateway behind nginx and Caddy with the setups of `docs/proxies.md`, and with its own TLS: queries, websockets,
 * server-sent events, and the addresses of clients.
 */
import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findFreePort } from '../../support/freePort.js';
import { fullestStream, required, startTestGateway } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { LISTEN_BARE, type LiveGateway, listen, startLiveGateway } from '../../support/http/live.js';
import { metricIn } from '../../support/http/metrics.js';
import { createGate, WAIT_MS } from '../../support/waiting.js';

const WAIT = { timeout: WAIT_MS, interval: 50 };

const page = readFileSync(new URL('../../../docs/proxies.md', import.meta.url), 'utf8');
const directory = mkdtempSync(path.join(tmpdir(), 'proxies-'));
const stops: (() => unknown)[] = [];

afterAll(() => {
  for (const stop of stops) stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The first code block of a language. */
function codeBlock(language: string): string {
  return required(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1]);
}

const isInstalled = (program: string) =>
  spawnSync(program, ['version'], { stdio: 'ignore' }).error === undefined;

async function run(program: string, args: readonly string[], port: number): Promise<string> {
  const child = spawn(program, args, {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
  });
  stops.push(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), WAIT);
  return url;
}

async function startNginx(...gatewayPorts: readonly string[]): Promise<string> {
  const port = await findFreePort();
  const folder = mkdtempSync(path.join(directory, 'nginx-'));
  const file = path.join(folder, 'nginx.conf');
  // The workers of nginx do not run as root, and write long requests into a folder below this one.
  for (const one of [directory, folder]) chmodSync(one, 0o755);
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(path.join(folder, name));
  const site = codeBlock('nginx')
    .replace('server 127.0.0.1:4000;', gatewayPorts.map((one) => `server 127.0.0.1:${one};`).join(' '))
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${path.join(folder, name.replace('client_', ''))};`)
    .join(' ');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log /dev/null; events {}
     http { access_log off; ${temporary} ${site} }`,
  );
  return run('nginx', ['-c', file, '-p', folder], port);
}

async function startCaddy(gatewayPort: string): Promise<string> {
  const port = await findFreePort();
  const file = path.join(directory, 'Caddyfile');
  const site = codeBlock('caddy')
    .replace('127.0.0.1:4000', `127.0.0.1:${gatewayPort}`)
    .replace(':80', `http://:${port}`);
  writeFileSync(file, `{\n  admin off\n}\n${site}`);
  return run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port);
}

/** The status of a query that comes from a given loopback address. */
function statusFrom(
  localAddress: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const post = request(
      `${url}/graphql`,
      { method: 'POST', localAddress, headers: { 'Content-Type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    post.on('error', reject).end('{"query":"{ __typename }"}');
  });
}

it.skipIf(!isInstalled('nginx'))('behind nginx, no client notices that a replica stops', async () => {
  const [stopping, other] = [await startTestGateway(), await startTestGateway()];
  const portOf = ({ url }: { url: string }) => new URL(url).port;
  const url = await startNginx(portOf(stopping), portOf(other));
  const statuses = async (count: number) =>
    new Set(await Promise.all(Array.from({ length: count }, () => statusFrom('127.0.0.1', url))));
  // A request in flight keeps the port of the replica open.
  const { open, opened } = createGate();
  stopping.sandbox.faults.add({ match: '/v2.0/site', until: opened });
  const slow = stopping.query('{ sites { totalCount } }');
  await vi.waitFor(() => expect(stopping.sandbox.calls.countOf('/v2.0/site')).toBe(1), WAIT);
  const stopped = stopping.stop();
  expect(await statusFrom('127.0.0.1', stopping.url)).toBe(503);
  expect(await statuses(50)).toEqual(new Set([200]));
  open();
  await Promise.all([slow, stopped]);
  expect(await statuses(50)).toEqual(new Set([200]));
});

/** The largest that the setting allows. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const proxies = [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const;

describe.each(proxies)('behind %s', (program, start) => {
  describe.skipIf(!isInstalled(program))(`(needs ${program})`, () => {
    let gateway: LiveGateway;
    let url: string;

    beforeAll(async () => {
      gateway = await startLiveGateway({
        sandbox: { siteCount: 1 },
        gateway: {
          publicHosts: ['gateway.example'],
          trustedProxies: ['127.0.0.1'],
          callerLimits: { rate: { perSecond: 0.001, burst: 8 }, maxBodyBytes: MAX_BODY_BYTES },
        },
      });
      url = await start(new URL(gateway.url).port);
    });

    it('callers are distinguished by their address, whatever they send in the header', async () => {
      const ask = (address: string) => statusFrom(address, url, { 'X-Forwarded-For': '192.0.2.1' });
      const statuses = await Promise.all(Array.from({ length: 10 }, () => ask('127.0.0.9')));
      expect(statuses.filter((status) => status === 200)).toHaveLength(8);
      expect(statuses.filter((status) => status === 429)).toHaveLength(2);
      expect(await ask('127.0.0.10')).toBe(200);
    });

    it('long requests arrive', async () => {
      const padding = ' '.repeat(MAX_BODY_BYTES / 2);
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"query":"{ __typename }"${padding}}`,
      });
      expect([response.status, await response.text()]).toEqual([200, '{"data":{"__typename":"Query"}}\n']);
    });

    it('websockets and server-sent events arrive at once', async () => {
      const streamId = fullestStream(gateway, 'scalar');
      const listener = listen(url, { kinds: ['SCALAR'] }, LISTEN_BARE);
      const stream = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { sampleReceived(kinds: [SCALAR]) { id } }' }),
      });
      expect(stream.headers.get('content-type')).toContain('text/event-stream');
      const reader = required(stream.body).pipeThrough(new TextDecoderStream()).getReader();
      let received = '';
      const reading = (async () => {
        while (!received.includes('ScalarSample:')) received += (await reader.read()).value ?? '';
      })();
      await vi.waitFor(() => {
        gateway.append(streamId, [1]);
        expect(listener.samples.length).toBeGreaterThan(0);
      }, WAIT);
      await reading;
      await reader.cancel();
      await listener.leave();
    });
  });
});

describe('with TLS', () => {
  const pem = readFileSync(new URL('../../support/http/testCertificate.pem', import.meta.url), 'utf8');
  const certFile = path.join(directory, 'tls.crt');
  const keyFile = path.join(directory, 'tls.key');

  const ask = (url: string) =>
    new Promise<string>((resolve, reject) => {
      const options = {
        method: 'POST',
        rejectUnauthorized: false,
        headers: { 'Content-Type': 'application/json' },
      };
      secureRequest(`${url}/graphql`, options, (response) => resolve(text(response)))
        .on('error', reject)
        .end('{"query":"{ __typename }"}');
    });

  const certificateExpiry = (url: string) =>
    new Promise<string>((resolve, reject) => {
      secureRequest(`${url}/metrics`, { rejectUnauthorized: false }, (response) => resolve(text(response)))
        .on('error', reject)
        .end();
    }).then((page) => metricIn({ text: page }, 'fieldgraph_tls_certificate_expiry_timestamp_seconds'));
  const expiryOf = (certificate: string) => Date.parse(new X509Certificate(certificate).validTo) / 1000;

  const serialNumber = (url: string) =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(url);
      const socket: TLSSocket = connect({ port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      }).on('error', reject);
    });

  it('responds over https, and uses a changed certificate without a restart', async () => {
    writeFileSync(certFile, pem);
    writeFileSync(keyFile, pem);
    const gateway = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { tls: { certFile, keyFile } },
    });
    expect(gateway.url).toMatch(/^https:/);
    expect(await ask(gateway.url)).toBe('{"data":{"__typename":"Query"}}\n');
    const before = await serialNumber(gateway.url);
    expect(await certificateExpiry(gateway.url)).toBe(expiryOf(pem));
    const renewed = readFileSync(
      new URL('../../support/http/renewedCertificate.pem', import.meta.url),
      'utf8',
    );
    // For a moment the certificate does not belong to the key, which is refused.
    writeFileSync(certFile, renewed);
    writeFileSync(keyFile, renewed);
    await vi.waitFor(async () => expect(await serialNumber(gateway.url)).not.toBe(before), WAIT);
    expect(expiryOf(renewed)).not.toBe(expiryOf(pem));
    expect(await certificateExpiry(gateway.url)).toBe(expiryOf(renewed));
    expect(await ask(gateway.url)).toBe('{"data":{"__typename":"Query"}}\n');
  });

  it.each(['certFile', 'keyFile'] as const)('keeps the certificate while its %s is empty', async (name) => {
    const files = { certFile: path.join(directory, 'own.crt'), keyFile: path.join(directory, 'own.key') };
    for (const file of Object.values(files)) writeFileSync(file, pem);
    const logger = createRecordingLogger();
    const { lines } = logger;
    const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { tls: files, logger } });
    writeFileSync(files[name], '');
    const expected = expect.objectContaining({ message: expect.stringMatching(/keeping the previous/) });
    await vi.waitFor(() => expect(lines).toContainEqual(expected), WAIT);
    expect(await ask(gateway.url)).toBe('{"data":{"__typename":"Query"}}\n');
    writeFileSync(files[name], pem);
    const fields = { expiresAt: new Date(expiryOf(pem) * 1000).toISOString() };
    const read = { level: 'info', message: 'TLS certificate read', fields };
    await vi.waitFor(() => expect(lines).toContainEqual(read), WAIT);
  });

  it.each([
    ['warns', 0, 1],
    ['does not warn', -1000, 0],
  ])('%s of a certificate that expired %i ms ago', async (_, sinceMs, warnings) => {
    for (const file of [certFile, keyFile]) writeFileSync(file, pem);
    const expiresAtMs = expiryOf(pem) * 1000;
    const logger = createRecordingLogger();
    await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { tls: { certFile, keyFile }, clock: { now: () => expiresAtMs + sinceMs }, logger },
    });
    const fields = { expiresAt: new Date(expiresAtMs).toISOString() };
    const line = { level: 'warn', fields, message: 'The TLS certificate has expired' };
    const isAboutExpiry = ({ message }: { message: string }) => message.includes('expired');
    expect(logger.lines.filter(isAboutExpiry)).toEqual(Array.from({ length: warnings }, () => line));
  });

  it('does not start with files that are not a certificate and its key', async () => {
    writeFileSync(certFile, 'no certificate');
    await expect(
      startTestGateway({ sandbox: { siteCount: 1 }, gateway: { tls: { certFile, keyFile } } }),
    ).rejects.toThrow(/PEM/i);
    await expect(
      startTestGateway({ sandbox: { siteCount: 1 }, gateway: { tls: { certFile: '/none', keyFile } } }),
    ).rejects.toThrow('ENOENT');
  });
});
