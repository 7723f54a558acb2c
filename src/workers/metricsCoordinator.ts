/**
 * Aggregates, in the primary, the metrics of all workers and of the primary. Counters of workers that have exited stay
 * in the sum: Prometheus takes a counter that falls for a restart of the whole gateway.
 */
import { combineFamilies, createProcessMetrics, toWorkerExitsFamily } from '../gateway/metrics.js';
import type { MetricFamily } from '../gateway/metricTable.js';
import type { ConnectedWorker, PrimaryService } from './protocol.js';

/** The last known metrics stand in for those of a worker that hangs. */
const READ_TIMEOUT_MS = 1000;

export function createMetricsCoordinator(): PrimaryService {
  const primary = createProcessMetrics();
  /** The last metrics of each running worker. */
  const reports = new Map<ConnectedWorker, readonly MetricFamily[]>();
  /** Counters and histograms of workers that have exited. */
  let exited: Promise<readonly MetricFamily[]> = Promise.resolve([]);
  let exitCount = 0;

  async function refresh(worker: ConnectedWorker): Promise<void> {
    const report = await worker.channel.request('readMetrics', undefined, READ_TIMEOUT_MS);
    if (reports.has(worker)) reports.set(worker, report);
  }

  async function collect(): Promise<MetricFamily[]> {
    await Promise.allSettled([...reports.keys()].map(refresh));
    return combineFamilies([
      ...reports.values(),
      await exited,
      [toWorkerExitsFamily(exitCount)],
      primary.collect(),
    ]);
  }

  return {
    addWorker(worker) {
      reports.set(worker, []);
      worker.channel.handle('collectMetrics', collect);
    },
    removeWorker(worker) {
      const counters = (reports.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
      exited = exited.then((before) => combineFamilies([before, counters]));
      reports.delete(worker);
      exitCount += 1;
    },
  };
}
