/** One metrics page for all workers, through any of them, with counters that do not fall when one exits. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metricTable } from '../../../src/gateway/metricTable.js';
import { until } from '../../support/http/edgeGateway.js';
import { metricIn } from '../../support/http/metrics.js';
import { startWorkerGateway } from '../../support/workers/workers.js';

const SITES = '{ sites { totalCount } }';
const EXECUTED = 'fieldgraph_operation_duration_seconds_count{response="executed"}';
const CALLS = 'fieldgraph_rest_calls_total{endpoint="GET /v2.0/site",outcome="2xx"}';

type Connection = ReturnType<Awaited<ReturnType<typeof startWorkerGateway>>['connect']>;

/** The limit of one process, and the open descriptors of all. */
function descriptorsOf(pids: readonly number[]) {
  const limits = pids.map((pid) => readFileSync(`/proc/${pid}/limits`, 'utf8'));
  const [maxFds = 0] = limits.map((text) => Number(/^Max open files\s+(\d+)/m.exec(text)?.[1]));
  const openFds = pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0);
  return { maxFds, openFds };
}

/** Reads the page until it has this many operations: for a worker that does not respond in time, it has earlier values. */
async function readCounted(get: Connection['get'], operations: number) {
  let page = await get('/metrics');
  await until(async () => {
    if (metricIn(page, EXECUTED) === operations) return true;
    page = await get('/metrics');
    return false;
  });
  return page;
}

describe('/metrics of several workers', () => {
  it('is the same page through each, and counts the work of all', async () => {
    const gateway = await startWorkerGateway();
    const connections = [gateway.connect(), gateway.connect()];
    for (const { ask } of [...connections, ...connections]) await ask(SITES);
    for (const { get } of connections) {
      const page = await readCounted(get, 4);
      expect(page.status).toBe(200);
      expect(metricIn(page, CALLS)).toBe(2);
      expect(metricIn(page, 'fieldgraph_token_requests_total')).toBe(1);
      expect(metricIn(page, 'fieldgraph_workers')).toBe(2);
      expect(metricIn(page, 'fieldgraph_workers_configured')).toBe(2);
      expect(page.text.match(/^fieldgraph_build_info\{.*$/gm)).toEqual([
        expect.stringMatching(/^fieldgraph_build_info\{version="\d[^"]*",node="\d[^"]*"\} 1$/),
      ]);
      // These two metrics cover one process, not all workers.
      if (process.platform === 'linux') {
        const { maxFds, openFds } = descriptorsOf(gateway.workerPids());
        expect(metricIn(page, 'process_max_fds')).toBe(maxFds);
        expect(metricIn(page, 'process_open_fds')).toBeGreaterThan(10);
        expect(metricIn(page, 'process_open_fds')).toBeLessThan(openFds);
      }
      const names = [...page.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(names.sort()).toEqual(
        Object.values(metricTable)
          .map(({ name }) => name)
          .sort(),
      );
    }
  });

  it('keeps counting after a worker has died', async () => {
    const gateway = await startWorkerGateway();
    const connections = [gateway.connect(), gateway.connect()];
    for (const { ask } of connections) await ask(SITES);
    await readCounted(gateway.connect().get, 2);
    const [victim = 0] = gateway.workerPids();
    process.kill(victim, 'SIGKILL');
    // It still gets connections until its exit is noticed.
    await until(() => gateway.process.stderr.includes('A worker exited'));
    await until(async () => {
      const page = await gateway.connect().get('/metrics');
      expect(metricIn(page, EXECUTED)).toBe(2);
      expect(metricIn(page, CALLS)).toBe(2);
      const ended = metricIn(page, 'fieldgraph_workers_ended_total');
      return ended === 1 && metricIn(page, 'fieldgraph_workers') === 2;
    });
    await gateway.connect().ask(SITES);
    await readCounted(gateway.connect().get, 3);
  });

  it('contains the last known values of a hanging worker', async () => {
    const gateway = await startWorkerGateway();
    const connections = [gateway.connect(), gateway.connect()];
    for (const { ask } of connections) await ask(SITES);
    await readCounted(gateway.connect().get, 2);
    const [hanging = 0] = gateway.workerPids();
    process.kill(hanging, 'SIGSTOP');
    const page = await Promise.race(connections.map(({ get }) => get('/metrics')));
    expect(metricIn(page, EXECUTED)).toBe(2);
    process.kill(hanging, 'SIGCONT');
  });
});
