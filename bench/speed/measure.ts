/**
 * Measures each cell in several rounds. In each round the servers take turns, in orders that follow each other equally
 * often.
 */
import { type Helper, startHelper } from '../shared/processes.js';
import { treeCpuSeconds } from '../shared/processFigures.js';
import type { Cell, ServerName } from './cells.js';
import type { Contestant } from './contestants.js';
import type { LoadOrder, LoadReport } from './load/load.js';
import { digitPositions, toRequestText, withNumber } from './load/requestTemplate.js';
import { fetchBody } from './sameResponses.js';
import type { Stub } from './stub/stubProcess.js';
import type { Workload } from './workloads.js';

export interface Round {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** REST calls per request. */
  restCalls: number;
  /** The server's CPU time per request. */
  cpuMicroseconds: number;
  /** The server's share of one CPU. Near 1 the server was the bottleneck. */
  cpuShare: number;
  /** The load generator's share of one CPU. Near 1 the load generator was the bottleneck. */
  loadShare: number;
}

export interface Result {
  cell: Cell;
  server: ServerName;
  rounds: readonly Round[];
}

export interface Pace {
  rounds: number;
  roundMs: number;
  /** Time before the first round, for the compiler and the caches. Not measured. */
  warmUpMs: number;
}

export interface Bench {
  stub: Stub;
  load: Helper<LoadOrder, LoadReport>;
  contestants: readonly Contestant[];
  workloads: readonly Workload[];
  /** The first number of a new round, above all numbers before. */
  nextNumber(): number;
}

/** More than the requests of any round. */
const NUMBERS_PER_ROUND = 10_000_000;

export function createNumbers(): () => number {
  let next = 0;
  return () => {
    next += NUMBERS_PER_ROUND;
    return next;
  };
}

export async function startLoad(): Promise<Helper<LoadOrder, LoadReport>> {
  const file = new URL('./load/load.js', import.meta.url);
  return (await startHelper<LoadOrder, LoadReport>(file)).helper;
}

/** Skips servers that this run did not start. */
export async function measureCell(bench: Bench, cell: Cell, pace: Pace): Promise<Result[]> {
  const workload = bench.workloads.find(({ name }) => name === cell.workload);
  if (!workload) throw new Error(`There is no workload ${cell.workload}.`);
  bench.stub.setLatency(cell.latencyMs);
  const contestants = cell.servers.flatMap((name) => bench.contestants.filter((one) => one.name === name));
  const turns = await Promise.all(
    contestants.map(async (contestant) => ({ contestant, order: await toOrder(contestant, workload, cell) })),
  );
  const runAll = (milliseconds: number, round: number) =>
    inTurn(turns, round, ({ contestant, order }) =>
      runOnce(bench, contestant, cell, { ...order, milliseconds }),
    );
  await runAll(pace.warmUpMs, 0);
  const rounds: Round[][] = [];
  for (let round = 0; round < pace.rounds; round++) rounds.push(await runAll(pace.roundMs, round));
  bench.stub.setLatency(0);
  return contestants.map(({ name: server }, index) => ({
    cell,
    server,
    rounds: rounds.flatMap((round) => round.slice(index, index + 1)),
  }));
}

/**
 * One after another. Each round begins with another item and every second one is reversed. Values in the order of the
 * items.
 */
async function inTurn<Item, Value>(
  items: readonly Item[],
  round: number,
  run: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const start = Math.floor(round / 2) % Math.max(items.length, 1);
  const indexed = [...items.entries()];
  const rotated = [...indexed.slice(start), ...indexed.slice(0, start)];
  const values: Value[] = [];
  for (const [index, item] of round % 2 === 0 ? rotated : rotated.reverse()) values[index] = await run(item);
  return values;
}

async function toOrder(contestant: Contestant, workload: Workload, cell: Cell): Promise<LoadOrder> {
  const { mode, connections } = cell;
  const { port } = contestant.targetFor(mode);
  const text = toRequestText({ ...contestant.requestFor(workload, mode), port });
  const body = await fetchBody(contestant, workload, mode);
  return {
    port,
    request: mode === 'hot' ? withNumber(text, 0) : text,
    firstNumber: 0,
    connections,
    milliseconds: 0,
    expected: { bytes: Buffer.byteLength(body), start: contestant.start },
  };
}

async function runOnce(
  { stub, load, nextNumber }: Bench,
  contestant: Contestant,
  { workload, mode }: Cell,
  order: LoadOrder,
): Promise<Round> {
  const { pid } = contestant.targetFor(mode);
  const firstNumber = digitPositions(order.request).length > 0 ? nextNumber() : 0;
  await stub.drainCalls();
  const cpuBefore = treeCpuSeconds(pid);
  const report = await load.request({ ...order, firstNumber });
  if ('failure' in report) throw new Error(`${contestant.name}, ${workload} ${mode}: ${report.failure}`);
  const cpu = treeCpuSeconds(pid) - cpuBefore;
  const { requests, seconds, p50Ms, p99Ms } = report;
  return {
    requestsPerSecond: requests / seconds,
    p50Ms,
    p99Ms,
    restCalls: (await stub.drainCalls()) / requests,
    cpuMicroseconds: (cpu * 1e6) / requests,
    cpuShare: cpu / seconds,
    loadShare: report.cpuSeconds / seconds,
  };
}
