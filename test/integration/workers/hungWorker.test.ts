/** A worker that runs but no longer responds is killed and replaced. */
import { describe, expect, it } from 'vitest';
import { until } from '../../support/http/edgeGateway.js';
import { metricIn } from '../../support/http/metrics.js';
import { startWorkerGateway } from '../../support/workers/workers.js';

describe('a worker that hangs', () => {
  it('is logged, killed and replaced, while the others serve', async () => {
    const gateway = await startWorkerGateway();
    const [victim = 0, other] = gateway.workerPids();
    const connections = [gateway.connect(), gateway.connect()];
    for (const { get } of connections) await get('/metrics');
    process.kill(victim, 'SIGSTOP');
    // The primary passes one of these connections to the hung worker, which never takes it.
    const requests = [gateway.connect(), gateway.connect(), gateway.connect()].map(({ get }) =>
      get('/healthz').then(
        ({ status }) => status,
        ({ code }) => code,
      ),
    );
    await until(() => gateway.process.stderr.includes('A worker exited'));
    expect((await Promise.all(requests)).sort()).toEqual([200, 200, 'ECONNRESET']);
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
