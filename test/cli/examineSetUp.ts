/** Runs `fieldgraph doctor` on a setup, and starts broken servers for it. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { doctorCommand } from '../../src/cli/doctor/doctorCommand.js';
import type { Finding } from '../../src/cli/doctor/report.js';

export const KEY = 'key-of-the-account';
export const SECRET = 'secret-that-nobody-sees';

interface JsonReport {
  version: number;
  ok: boolean;
  requests: { token: number; rest: number };
  findings: Finding[];
}

const stops: (() => unknown)[] = [];
export const directory = mkdtempSync(path.join(tmpdir(), 'doctor-'));
export const pem = readFileSync(new URL('../support/http/testCertificate.pem', import.meta.url));

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
});

export async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

export const fileWith = (name: string, text: string): string => {
  const file = path.join(directory, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

/** The time that servers send in `Date`, also where the tests shift the clock. */
export const machineNow = () => performance.timeOrigin + performance.now();

export async function examine(environment: Record<string, string>, options: { aheadMs?: number } = {}) {
  const clock = { now: () => machineNow() + (options.aheadMs ?? 0) };
  const outcome = await doctorCommand(['--json'], { environment: { PORT: '0', ...environment }, clock });
  const plain = outcome.text;
  expect(plain).not.toContain(SECRET);
  const report = JSON.parse(plain) as JsonReport;
  expect(report.requests.token).toBeLessThanOrEqual(1);
  expect(report.requests.rest).toBeLessThanOrEqual(12);
  expect(report.version).toBe(1);
  expect(outcome.exitCode).toBe(report.ok ? 0 : 1);
  return report;
}

export const withPlatform = (url: string, others: Record<string, string> = {}) =>
  examine({ PLATFORM_URL: url, PLATFORM_KEY: KEY, PLATFORM_SECRET: SECRET, ...others });

/** The findings of a check other than `ok`, and their remedies, as text. */
export const describeFindings = ({ findings }: JsonReport, check: string) =>
  findings
    .filter((finding) => finding.check === check && finding.status !== 'ok')
    .map(({ status, message, remedy }) => `${status}: ${message} ${remedy}`)
    .join('\n');

/** The responses of a platform that issues tokens and has no data. */
function toUsualResponse(pathname: string): [status: number, body: unknown] {
  if (pathname === '/auth/token') return [200, { access_token: 'token', expires_in: 3600 }];
  if (/\/(last|status)$/.test(pathname)) return [404, {}];
  if (pathname.endsWith('/threshold')) return [200, {}];
  return [200, pathname.endsWith('/batch') ? { hasMore: false, samples: [] } : []];
}

/** A platform that issues tokens and has empty lists. `respond` overrides the response of a path. */
export async function startPlatform(
  respond: (
    path: string,
    ...exchange: Parameters<RequestListener>
  ) => [status: number, body: unknown] | 'responded' | undefined,
) {
  const handle: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://platform');
    const chosen = respond(pathname, request, response) ?? toUsualResponse(pathname);
    if (chosen === 'responded') return;
    const [status, body] = chosen;
    const isText = typeof body === 'string';
    response.writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json' });
    response.end(isText ? body : JSON.stringify(body));
  };
  return `http://127.0.0.1:${await listen(createHttpServer(handle))}`;
}

/** A platform whose token endpoint sends this response. */
export const refusing = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  listen(
    createHttpServer((_, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }),
  ).then((port) => `http://127.0.0.1:${port}`);
