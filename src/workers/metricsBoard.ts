/**
 * Adds up, in the primary, the metrics of all workers and its own. What those that have ended had counted goes on
 * counting: a counter that fell would look like a restart of everything.
 */
import { combineFamilies, type MetricFamily } from '../lib/metricFamily.js';
import { createProcessMetrics, toWorkersEnded } from '../metrics.js';
import type { Board, Member } from './protocol.js';

/** A worker that hangs is told of as it was last seen. */
const READ_DEADLINE_MS = 1000;

export function createMetricsBoard(): Board {
  const own = createProcessMetrics();
  /** As it was last read, of each that has not ended. */
  const reports = new Map<Member, readonly MetricFamily[]>();
  let inherited: readonly MetricFamily[] = [];
  let ended = 0;

  async function refresh(member: Member): Promise<void> {
    const report = await member.channel.ask('readMetrics', undefined, READ_DEADLINE_MS);
    if (reports.has(member)) reports.set(member, report);
  }

  async function collect(): Promise<MetricFamily[]> {
    await Promise.allSettled([...reports.keys()].map(refresh));
    return combineFamilies([...reports.values(), inherited, [toWorkersEnded(ended)], own.read()]);
  }

  return {
    join(member) {
      reports.set(member, []);
      member.channel.answer('collectMetrics', collect);
    },
    leave(member) {
      const counted = (reports.get(member) ?? []).filter(({ type }) => type !== 'gauge');
      inherited = combineFamilies([inherited, counted]);
      reports.delete(member);
      ended += 1;
    },
  };
}
