/** Compares the CPU time of gateways with and without tracing. */
import { type Helper, startHelper } from '../shared/processes.js';
import { median } from '../shared/statistics.js';
import { toTable, toText } from '../shared/tables.js';
import type { Cell, ServerName } from './cells.js';
import type { CollectorReport } from './collector.js';
import { type Contestant, startMeasuredGateway } from './contestants.js';
import { type Bench, measureCell, type Pace, type Result } from './measure.js';

/** The second gateway without tracing shows how far two equal processes differ. */
const SERVERS = ['untraced', 'untraced again', 'traced', 'unsampled'] as const;

export const TRACING_CELL: Cell = {
  workload: 'Q2',
  mode: 'warm',
  latencyMs: 0,
  connections: 32,
  servers: SERVERS,
};

/** Tracing costs little: many short rounds, in which the servers meet the same load of the machine, show it. */
const ROUNDS_TIMES = 9;
const ROUND_PARTS = 3;
const WARM_UP_TIMES = 4;

export async function measureTracing(bench: Bench, paceOf: (cell: Cell) => Pace): Promise<Result[]> {
  const file = new URL('./collector.js', import.meta.url);
  const { helper: collector, first } = await startHelper<'report', CollectorReport>(file);
  const contestants: Contestant[] = [];
  try {
    for (const name of SERVERS) {
      const gateway = await startMeasuredGateway(bench.stub, toEnvironment(name, first.port));
      contestants.push({ ...gateway, name });
    }
    const { rounds, warmUpMs, roundMs } = paceOf(TRACING_CELL);
    const pace = {
      rounds: rounds * ROUNDS_TIMES,
      roundMs: roundMs / ROUND_PARTS,
      warmUpMs: warmUpMs * WARM_UP_TIMES,
    };
    const results = await measureCell({ ...bench, contestants }, TRACING_CELL, pace);
    await checkCollector(collector);
    return results;
  } finally {
    for (const { stop } of [...contestants, collector]) stop();
  }
}

function toEnvironment(name: (typeof SERVERS)[number], port: number): Record<string, string> {
  if (name.startsWith('untraced')) return {};
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  const OTEL_TRACES_SAMPLER = name === 'traced' ? 'always_on' : 'always_off';
  return { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER };
}

/** A run whose spans did not arrive measures nothing. */
async function checkCollector(collector: Helper<'report', CollectorReport>): Promise<void> {
  const { bytes } = await collector.request('report');
  if (bytes === 0) throw new Error('The collector received no spans.');
}

/** CPU time per request in times of both gateways without tracing, by medians. Undefined if it was not measured. */
export function tracingRatio(results: readonly Result[], server: ServerName): number | undefined {
  const cpuOf = (names: readonly ServerName[]) =>
    results
      .filter((result) => names.includes(result.server))
      .flatMap(({ rounds }) => rounds.map(({ cpuMicroseconds }) => cpuMicroseconds));
  const [base, own] = [cpuOf(['untraced', 'untraced again']), cpuOf([server])];
  return base.length === 0 || own.length === 0 ? undefined : median(own) / median(base);
}

export function tracingTable(results: readonly Result[]): string {
  const rows = results.map(({ server, rounds }) => {
    const ratio = tracingRatio(results, server) ?? 0;
    return [server, toText(median(rounds.map((round) => round.cpuMicroseconds))), `${ratio.toFixed(3)} ×`];
  });
  return toTable(['executed Q2', 'CPU µs each', 'of both untraced'], rows);
}
