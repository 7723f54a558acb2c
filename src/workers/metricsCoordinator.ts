/**
 * Adds up, in the primary, the metrics of all workers and its own. What those that have ended had counted goes on
 * counting: a counter that fell would look like a restart of everything.
 */

import { createProcessMetrics, toWorkerExitsFamily } from '../gateway/metrics.js';
import { combineFamilies, type MetricFamily } from '../lib/metricFamily.js';
import type { ConnectedWorker, Coordinator } from './protocol.js';

/** A worker that hangs is told of as it was last seen. */
const READ_TIMEOUT_MS = 1000;

export function createMetricsCoordinator(): Coordinator {
  const own = createProcessMetrics();
  /** As it was last read, of each that has not ended. */
  const reports = new Map<ConnectedWorker, readonly MetricFamily[]>();
  let inherited: readonly MetricFamily[] = [];
  let ended = 0;

  async function refresh(member: ConnectedWorker): Promise<void> {
    const report = await member.channel.request('readMetrics', undefined, READ_TIMEOUT_MS);
    if (reports.has(member)) reports.set(member, report);
  }

  async function collect(): Promise<MetricFamily[]> {
    await Promise.allSettled([...reports.keys()].map(refresh));
    return combineFamilies([...reports.values(), inherited, [toWorkerExitsFamily(ended)], own.collect()]);
  }

  return {
    addWorker(member) {
      reports.set(member, []);
      member.channel.handle('collectMetrics', collect);
    },
    removeWorker(member) {
      const counted = (reports.get(member) ?? []).filter(({ type }) => type !== 'gauge');
      inherited = combineFamilies([inherited, counted]);
      reports.delete(member);
      ended += 1;
    },
  };
}
