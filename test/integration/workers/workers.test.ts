/** Several workers behind one port behave as one gateway: one token, one start, one shutdown, and quick replacement. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { TOKEN_PATH } from '../../../src/rest/path.js';
import { sandboxIn, start, urlIn } from '../../cli/startedProcess.js';
import { createKeysFile } from '../../support/http/callers.js';
import { ask, startPlainServer, until } from '../../support/http/edgeGateway.js';
import { basic, startSandbox } from '../../support/sandbox/sandbox.js';
import { createGate, WAIT_MS } from '../../support/waiting.js';
import {
  childrenOf,
  isRunning,
  startWorkerGateway,
  type WorkerGateway,
} from '../../support/workers/workers.js';

const SITES = '{ sites { totalCount } }';
const WAIT = { timeout: WAIT_MS, interval: 50 };

/** Over as many connections as needed for every worker to have some. */
const askAll = ({ connect }: WorkerGateway, query: string, headers = {}) =>
  Promise.all(Array.from({ length: 6 }, () => connect().ask(query, headers)));

describe('workers', () => {
  it('share the port: each has connections, and its own cache', async () => {
    const gateway = await startWorkerGateway();
    const [one, other] = [gateway.connect(), gateway.connect()];
    for (const connection of [one, other, one, other]) {
      expect(await connection.ask(SITES)).toEqual({ data: { sites: { totalCount: 3 } } });
    }
    expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(2);
  });

  it.each([
    ['', {}],
    [', also while Redis is down', { REDIS_URL: 'redis://127.0.0.1:1' }],
  ])('start cold with one token request%s', async (_, redis) => {
    const gateway = await startWorkerGateway({ environment: { WORKERS: '3', ...redis } });
    expect(gateway.workerPids()).toHaveLength(3);
    for (const { errors } of await askAll(gateway, SITES)) expect(errors).toBeUndefined();
    expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(3);
    expect(gateway.sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
  });

  it('renew a token once that is revoked under load', async () => {
    const gateway = await startWorkerGateway();
    const past = { 'Cache-Control': 'no-cache' };
    await askAll(gateway, SITES, past);
    const load = Array.from({ length: 10 }, async (_, round) => {
      if (round === 3) gateway.sandbox.revokeTokens();
      return askAll(gateway, SITES, past);
    });
    for (const { errors } of (await Promise.all(load)).flat()) expect(errors).toBeUndefined();
    expect(gateway.sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
  });

  it('share the token of a caller with its own Key and Secret', async () => {
    const environment = { CALLER_AUTH: 'platform', PLATFORM_KEY: '', PLATFORM_SECRET: '' };
    const gateway = await startWorkerGateway({ environment });
    const [{ key, secret }] = gateway.sandbox.credentials;
    const own = { Authorization: basic(key, secret) };
    for (const { errors } of await askAll(gateway, SITES, own)) expect(errors).toBeUndefined();
    expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(2);
    expect(gateway.sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
  });

  it('are distinguishable in the log, and log no secret', async () => {
    const sandbox = { key: 'key-that-nobody-sees', secret: 'secret-that-nobody-sees' };
    const { connect, process, workerPids } = await startWorkerGateway({
      sandbox,
      environment: { LOG_LEVEL: 'debug' },
    });
    await connect().ask(SITES);
    await vi.waitFor(() => expect(process.stderr).toContain('\n'), WAIT);
    const [line] = process.stderr.trim().split('\n');
    expect(workerPids()).toContain((JSON.parse(line ?? '') as { worker: number }).worker);
    expect(process.stdout + process.stderr).not.toMatch(/that-nobody-sees|eyJ[\w-]{8,}/);
  });
});

describe('a worker that exits unexpectedly', () => {
  it('is replaced, while the others serve', async () => {
    const gateway = await startWorkerGateway();
    const [victim = 0, other] = gateway.workerPids();
    process.kill(victim, 'SIGKILL');
    await vi.waitFor(() => expect(gateway.process.stderr).toContain('A worker exited'), WAIT);
    await until(() => gateway.workerPids().length === 2);
    expect(gateway.workerPids()).toContain(other);
    expect(gateway.workerPids()).not.toContain(victim);
    const logged = JSON.parse(gateway.process.stderr.trim()) as object;
    expect(logged).toMatchObject({ pid: victim, signal: 'SIGKILL', restartMs: 100 });
    expect(await gateway.connect().ask(SITES)).toEqual({ data: { sites: { totalCount: 3 } } });
  });
});

describe('a worker that cannot start as a replacement', () => {
  it('is logged, and started again until it succeeds', async () => {
    const keys = await createKeysFile();
    const environment = { CALLER_AUTH: 'api-key', API_KEYS_FILE: keys.file };
    const gateway = await startWorkerGateway({ environment });
    const key = await keys.add({});
    await keys.write('no keys');
    const [victim = 0, other] = gateway.workerPids();
    process.kill(victim, 'SIGKILL');
    await vi.waitFor(() => expect(gateway.process.stderr).toContain('A worker could not start'), WAIT);
    expect(gateway.process.stderr).toContain('API_KEYS_FILE: The file is not JSON.');
    expect(gateway.workerPids()).toContain(other);
    await keys.add({ name: 'another' });
    const results = () => Promise.all([1, 2].map(() => gateway.connect().ask(SITES, { 'X-API-Key': key })));
    await until(async () => gateway.workerPids().length === 2 && (await results()).every(({ data }) => data));
  });
});

describe('the start', () => {
  it('prints one line, with one sandbox', async () => {
    const gateway = start([], { WORKERS: '2' });
    const startupOutput = await gateway.startupOutput();
    expect(startupOutput.match(/"Listening"/g)).toHaveLength(1);
    for (let turn = 0; turn < 3; turn++) {
      expect(await ask(urlIn(startupOutput), SITES)).toEqual({ data: { sites: { totalCount: 3 } } });
    }
    expect((await fetch(`${sandboxIn(startupOutput)}/openapi.json`)).status).toBe(200);
  });

  it('fails with one clear line where the port is in use, and leaves no process behind', async () => {
    const { port } = new URL((await startPlainServer(() => {})).url);
    const gateway = start([], { WORKERS: '3', PORT: port });
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr).toBe(
      `Port ${port} is taken. Choose another one with PORT; PORT=0 takes a free port.\n`,
    );
    expect(childrenOf(gateway.pid)).toEqual([]);
  });

  it('fails with one clear message where a key file is invalid', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'fieldgraph-')), 'keys.json');
    await writeFile(file, 'no keys');
    const gateway = start([], { WORKERS: '2', CALLER_AUTH: 'api-key', API_KEYS_FILE: file });
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr).toBe(
      'The configuration is not usable:\n  API_KEYS_FILE: The file is not JSON. The error is in line 1, column 1.\n',
    );
  });
});

describe('the shutdown', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'on %s finishes running requests in every worker, refuses new ones, and leaves nothing behind',
    async (signal) => {
      const gateway = await startWorkerGateway();
      const { open, opened } = createGate();
      gateway.sandbox.faults.add({ match: '/v2.0/site', until: opened });
      const [one, other] = [gateway.connect(), gateway.connect()];
      const results = [one, other].map((connection) => connection.ask(SITES));
      await until(() => gateway.sandbox.calls.countOf('/v2.0/site') === 2);
      const pids = gateway.workerPids();
      // As a terminal does: to all processes at once.
      for (const pid of [gateway.process.pid, ...pids]) process.kill(pid, signal);
      await until(() => isRefusing(gateway));
      open();
      expect(await Promise.all(results)).toEqual([
        { data: { sites: { totalCount: 3 } } },
        { data: { sites: { totalCount: 3 } } },
      ]);
      expect(await gateway.process.ended).toBe(0);
      expect(gateway.process.stderr).toBe('');
      await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
      expect(pids.filter(isRunning)).toEqual([]);
    },
  );

  it('kills workers that Node is starting, which print nothing', async () => {
    const { url, credentials } = await startSandbox({ siteCount: 1 });
    const [{ key, secret }] = credentials;
    const platform = { PLATFORM_URL: url, PLATFORM_KEY: key, PLATFORM_SECRET: secret };
    for (let round = 0; round < 4; round++) {
      const gateway = start([], { WORKERS: '4', ...platform });
      await until(() => childrenOf(gateway.pid).length > 0);
      gateway.kill('SIGTERM');
      expect(await gateway.ended).toBe(0);
      expect(gateway.stderr).toBe('');
    }
  });

  it('is immediate on the second signal', async () => {
    const { gateway, result, pids } = await startBusy();
    gateway.process.kill('SIGINT');
    await until(() => isRefusing(gateway));
    gateway.process.kill('SIGINT');
    expect(await gateway.process.ended).toBe(1);
    expect(await result).toBe('cut off');
    await until(() => !pids.some(isRunning));
  });

  it('also reaches the workers when the primary exits', async () => {
    const { gateway, result, pids } = await startBusy();
    gateway.process.kill('SIGKILL');
    expect(await gateway.process.ended).toBe('SIGKILL');
    expect(await result).toBe('cut off');
    await until(() => !pids.some(isRunning));
  });
});

/**
 * A worker that ends may reset a connection that was handed to it, or never respond on it: then the request is
 * repeated.
 */
async function isRefusing(gateway: WorkerGateway): Promise<boolean> {
  const response = gateway
    .connect()
    .get('/healthz')
    .catch(() => undefined);
  return (await Promise.race([response, sleep(1000, undefined, { ref: false })]))?.status === 503;
}

/** A gateway with a running request that takes longer than any of these tests. */
async function startBusy() {
  const gateway = await startWorkerGateway();
  gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 60_000 });
  const connection = gateway.connect();
  const result = connection.ask(SITES).catch(() => 'cut off');
  await until(() => gateway.sandbox.calls.countOf('/v2.0/site') === 1);
  return { gateway, result, pids: gateway.workerPids() };
}
