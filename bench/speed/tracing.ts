/** Compares the CPU time of requests that are traced, that are not sampled, and of gateways without tracing. */
import { type Helper, startHelper } from '../shared/processes.js';
import { median } from '../shared/statistics.js';
import { toTable, toText } from '../shared/tables.js';
import type { Cell, ServerName } from './cells.js';
import type { CollectorReport } from './collector.js';
import { type Contestant, startMeasuredGateway } from './contestants.js';
import { type Bench, measureCell, type Pace, type Result } from './measure.js';

/**
 * The second gateway without tracing shows how far two equal processes differ: by more than tracing may cost. Therefore one
 * process serves both the requests that are traced and those that are not sampled.
 */
const SERVERS = ['untraced', 'untraced again', 'traced', 'unsampled'] as const;
const UNTRACED = ['untraced', 'untraced again'] as const;
type TracingServer = (typeof SERVERS)[number];

const TRACING_CELL: Cell = {
  workload: 'Q2',
  mode: 'warm',
  latencyMs: 0,
  connections: 32,
  servers: SERVERS,
};

/**
 * Tracing costs little, so it takes many short rounds, in which all servers run under the same machine load, to
 * measure it.
 */
const ROUNDS_TIMES = 50;
const ROUND_PARTS = 12;
const WARM_UP_TIMES = 4;
/**
 * Each set of processes runs a part of the rounds, because the cost of tracing differs by a few percent from process to
 * process.
 */
const PROCESS_SETS = 5;

export async function measureTracing(bench: Bench, paceOf: (cell: Cell) => Pace): Promise<Result[]> {
  const { rounds, warmUpMs, roundMs } = paceOf(TRACING_CELL);
  const pace = {
    rounds: Math.ceil((rounds * ROUNDS_TIMES) / PROCESS_SETS),
    roundMs: roundMs / ROUND_PARTS,
    warmUpMs: warmUpMs * WARM_UP_TIMES,
  };
  const sets: Result[][] = [];
  while (sets.length < PROCESS_SETS) sets.push(await measureProcesses(bench, pace));
  return SERVERS.map((server) => ({
    cell: TRACING_CELL,
    server,
    rounds: sets.flat().flatMap((result) => (result.server === server ? result.rounds : [])),
  }));
}

async function measureProcesses(bench: Bench, pace: Pace): Promise<Result[]> {
  const file = new URL('./collector.js', import.meta.url);
  const { helper: collector, first } = await startHelper<'report', CollectorReport>(file);
  const contestants: Contestant[] = [];
  try {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${first.port}` };
    const gateways = [await startMeasuredGateway(bench.stub), await startMeasuredGateway(bench.stub)];
    const tracing = await startMeasuredGateway(bench.stub, settings);
    const processes = [...gateways, tracing, { ...tracing, stop() {} }];
    contestants.push(
      ...SERVERS.flatMap((name, index) =>
        processes.slice(index, index + 1).map((gateway) => withContext(gateway, name)),
      ),
    );
    const results = await measureCell({ ...bench, contestants }, TRACING_CELL, pace);
    await checkCollector(collector);
    return results;
  } finally {
    for (const { stop } of [...contestants, collector]) stop();
  }
}

/** Sends the context of a caller's trace, which decides whether the request is sampled. */
function withContext(gateway: Contestant, name: TracingServer): Contestant {
  const flags = name === 'traced' ? '01' : '00';
  const traceparent = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`;
  return {
    ...gateway,
    name,
    requestFor(workload, mode) {
      const facts = gateway.requestFor(workload, mode);
      return { ...facts, headers: { ...facts.headers, traceparent } };
    },
  };
}

/** A run whose spans did not arrive measures nothing. */
async function checkCollector(collector: Helper<'report', CollectorReport>): Promise<void> {
  const { bytes } = await collector.request('report');
  if (bytes === 0) throw new Error('The collector received no spans.');
}

/**
 * CPU time per request: that of traced requests as a multiple of unsampled ones, which the same process serves,
 * and that of all others as a multiple of the mean of both gateways without tracing. Returns the median of the
 * rounds' ratios, because the servers run under the same machine load within a round. Undefined if it was not
 * measured.
 */
export function tracingRatio(results: readonly Result[], server: ServerName): number | undefined {
  const cpuOf = (name: ServerName) =>
    results.find((result) => result.server === name)?.rounds.map(({ cpuMicroseconds }) => cpuMicroseconds);
  const bases = (server === 'traced' ? ['unsampled' as const] : UNTRACED).flatMap((name) => {
    const cpu = cpuOf(name);
    return cpu === undefined ? [] : [cpu];
  });
  const own = cpuOf(server);
  if (own === undefined || bases.length === 0) return undefined;
  const baseOf = (round: number) => bases.reduce((total, cpu) => total + (cpu[round] ?? 0), 0) / bases.length;
  return median(own.map((cpu, round) => cpu / baseOf(round)));
}

export function tracingTable(results: readonly Result[]): string {
  const rows = results.map(({ server, rounds }) => {
    const ratio = `${(tracingRatio(results, server) ?? 0).toFixed(3)} × ${server === 'traced' ? 'unsampled' : 'both untraced'}`;
    return [server, toText(median(rounds.map((round) => round.cpuMicroseconds))), ratio];
  });
  return toTable(['executed Q2', 'CPU µs each', 'median of the rounds'], rows);
}
