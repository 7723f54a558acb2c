/** Takes the measurements: of each cell so many rounds, in which every server has its turn. */
import type { Cell, ServerName } from './cells.js';
import { type Helper, startHelper } from './childProcess.js';
import type { Contestant } from './contestants.js';
import type { LoadOrder, LoadReport } from './load.js';
import { cpuSeconds } from './processFigures.js';
import { placesOf, toRequestText, withNumber } from './requestTemplate.js';
import { askOnce } from './sameAnswers.js';
import type { Stub } from './stubProcess.js';
import type { Workload } from './workloads.js';

export interface Round {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of REST, for each request. */
  restCalls: number;
  /** Processor time that the server took for each request. */
  cpuMicroseconds: number;
  /** How much of one processor the server had: near 1, it was the server that could do no more. */
  cpuShare: number;
  /** The same of the process that asks: near 1, it was not the server that was measured. */
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
  /** Before the first round, for the compiler and the caches; not counted. */
  warmUpMs: number;
}

export interface Bench {
  stub: Stub;
  load: Helper<LoadOrder, LoadReport>;
  contestants: readonly Contestant[];
  workloads: readonly Workload[];
  /** A number for the first of many requests, higher than that of any request before. */
  takeNumber(): number;
}

/** More than are sent in any round. */
const NUMBERS_OF_A_ROUND = 10_000_000;

export function createNumbers(): () => number {
  let next = 0;
  return () => {
    next += NUMBERS_OF_A_ROUND;
    return next;
  };
}

export async function startLoad(): Promise<Helper<LoadOrder, LoadReport>> {
  const file = new URL('./load.js', import.meta.url);
  return (await startHelper<LoadOrder, LoadReport>(file, [])).helper;
}

/** Servers that do not take part in this run are passed over. */
export async function measureCell(bench: Bench, cell: Cell, pace: Pace): Promise<Result[]> {
  const workload = bench.workloads.find(({ name }) => name === cell.workload);
  if (!workload) throw new Error(`There is no workload ${cell.workload}.`);
  bench.stub.setLatency(cell.latencyMs);
  const taking = cell.servers.flatMap((name) => bench.contestants.filter((one) => one.name === name));
  const turns = await Promise.all(
    taking.map(async (contestant) => ({ contestant, order: await toOrder(contestant, workload, cell) })),
  );
  const runAll = (milliseconds: number) =>
    inTurn(turns, ({ contestant, order }) => runOnce(bench, contestant, cell, { ...order, milliseconds }));
  await runAll(pace.warmUpMs);
  const rounds: Round[][] = [];
  for (let round = 0; round < pace.rounds; round++) rounds.push(await runAll(pace.roundMs));
  bench.stub.setLatency(0);
  return taking.map(({ name: server }, place) => ({
    cell,
    server,
    rounds: rounds.flatMap((round) => round.slice(place, place + 1)),
  }));
}

async function inTurn<Item, Answer>(
  items: readonly Item[],
  run: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const item of items) answers.push(await run(item));
  return answers;
}

async function toOrder(contestant: Contestant, workload: Workload, cell: Cell): Promise<LoadOrder> {
  const { mode, connections } = cell;
  const { port } = contestant.targetFor(mode);
  const text = toRequestText({ ...contestant.requestFor(workload, mode), port });
  const answer = await askOnce(contestant, workload, mode);
  return {
    port,
    request: mode === 'hot' ? withNumber(text, 0) : text,
    firstNumber: 0,
    connections,
    milliseconds: 0,
    expected: { bytes: Buffer.byteLength(answer), start: contestant.start },
  };
}

async function runOnce(
  { stub, load, takeNumber }: Bench,
  contestant: Contestant,
  { workload, mode }: Cell,
  order: LoadOrder,
): Promise<Round> {
  const { pid } = contestant.targetFor(mode);
  const firstNumber = placesOf(order.request).length > 0 ? takeNumber() : 0;
  await stub.takeCalls();
  const cpuBefore = cpuSeconds(pid);
  const report = await load.ask({ ...order, firstNumber });
  if ('failure' in report) throw new Error(`${contestant.name}, ${workload} ${mode}: ${report.failure}`);
  const cpu = cpuSeconds(pid) - cpuBefore;
  const { requests, seconds, p50Ms, p99Ms } = report;
  return {
    requestsPerSecond: requests / seconds,
    p50Ms,
    p99Ms,
    restCalls: (await stub.takeCalls()) / requests,
    cpuMicroseconds: (cpu * 1e6) / requests,
    cpuShare: cpu / seconds,
    loadShare: report.cpuSeconds / seconds,
  };
}
