/** A worker that runs but no longer responds is killed and replaced. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/http/edgeGateway.js';
import { metricIn } from '../../support/http/metrics.js';
import { startWorkerGateway } from '../../support/workers/workers.js';

/** A primary of the built gateway that reports a worker after six seconds, not after half a minute. */
const program = `
  import { readConfig } from './dist/config/config.js';
  import { createLogger } from './dist/gateway/logging.js';
  import { startWorkers } from './dist/workers/startWorkers.js';
  const { workers: workerCount, logLevel, ...gateway } = readConfig();
  const assignment = { gateway: { ...gateway, checksPlatform: true }, workerCount, logLevel };
  const watch = { intervalMs: 300, maxUnansweredPings: 20 };
  const { url } = await startWorkers(assignment, createLogger(logLevel), watch);
  console.log(JSON.stringify({ url, msg: 'Listening' }));
`.replaceAll('./dist/', new URL('../../../dist/', import.meta.url).href);

describe('a worker that hangs', () => {
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fieldgraph-'));
    file = path.join(folder, 'primary.mjs');
    await writeFile(file, program);
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('is logged, killed and replaced, while the others serve', async () => {
    const gateway = await startWorkerGateway({ program: [file] });
    const [victim = 0, other] = gateway.workerPids();
    const connections = [gateway.connect(), gateway.connect()];
    for (const { get } of connections) await get('/metrics');
    process.kill(victim, 'SIGSTOP');
    // The primary passes one of these connections to the hung worker, which never takes it.
    for (const { get } of [gateway.connect(), gateway.connect(), gateway.connect()])
      get('/healthz').catch(() => undefined);
    await until(() => gateway.process.stderr.includes('A worker exited'));
    await until(() => gateway.workerPids().length === 2);
    expect(gateway.workerPids()).toContain(other);
    expect(gateway.workerPids()).not.toContain(victim);
    const lines = gateway.process.stderr.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'error', pid: victim, msg: 'A worker does not respond; killing it' }),
      expect.objectContaining({ level: 'error', pid: victim, signal: 'SIGKILL', restartMs: 100 }),
    ]);
    await until(async () => {
      const page = await gateway.connect().get('/metrics');
      const values = ['fieldgraph_workers', 'fieldgraph_workers_ended_total'];
      return values.map((name) => metricIn(page, name)).join() === '2,1';
    });
    const sites = await gateway.connect().ask('{ sites { totalCount } }');
    expect(sites).toEqual({ data: { sites: { totalCount: 3 } } });
  });
});
