/** Measures the gateway against other servers over the same stub of the platform, and prints tables. */
import { cpus } from 'node:os';
import { print, toText } from './shared/tables.js';
import type { Cell } from './speed/cells.js';
import {
  type Contestant,
  installRivals,
  restCall,
  startCeiling,
  startMeasuredGateway,
  startRival,
} from './speed/contestants.js';
import { judge } from './speed/judged.js';
import { type Bench, createNumbers, measureCell, type Result, startLoad } from './speed/measure.js';
import { memoryOf, memoryTable } from './speed/memory.js';
import { HELP, type Options, readOptions } from './speed/options.js';
import { checkResponses, gatewayBodies } from './speed/sameResponses.js';
import { measureStarts } from './speed/startUp.js';
import { SAMPLE_STEP_SECONDS } from './speed/stub/stubData.js';
import { type Stub, startStub } from './speed/stub/stubProcess.js';
import { judgementTable, resultTables } from './speed/tables.js';
import { measureTracing, tracingTable } from './speed/tracing.js';
import { measureWorkers } from './speed/workers.js';
import { createWorkloads, type Workload } from './speed/workloads.js';

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return print(HELP);
  const options = readOptions(args);
  const hasRivals = installRivals();
  if (!hasRivals) note('Measuring without the rivals, because npm could not install them.');
  const newest = Math.floor(Date.now() / 1000 / SAMPLE_STEP_SECONDS) * SAMPLE_STEP_SECONDS;
  const workloads = createWorkloads(newest);
  const stub = await startStub(newest);
  const load = await startLoad();
  const contestants: Contestant[] = [];
  try {
    contestants.push(...(await startContestants(stub, workloads, hasRivals)));
    const bench = { stub, load, contestants, workloads, nextNumber: createNumbers() };
    await runAll(bench, options, hasRivals);
  } finally {
    for (const { stop } of [...contestants, load, stub]) stop();
  }
}

/** Starts all servers and checks that their responses are equal. Idle servers do not disturb a measurement. */
async function startContestants(
  stub: Stub,
  workloads: readonly Workload[],
  hasRivals: boolean,
): Promise<Contestant[]> {
  const gateway = await startMeasuredGateway(stub);
  const bodies = await gatewayBodies(gateway, workloads);
  const rivals = hasRivals
    ? [await startRival('conventional', stub), await startRival('compiled', stub)]
    : [];
  const others = [...rivals, await startCeiling(bodies)];
  for (const contestant of [gateway, ...others]) await checkResponses(contestant, workloads, bodies);
  for (const { name, description } of workloads) {
    note(`${name}: ${description}, ${toText(bodies.get(name)?.length ?? 0)} bytes`);
  }
  return [gateway, ...others, restCall(stub)];
}

async function runAll(bench: Bench, options: Options, hasRivals: boolean): Promise<void> {
  print(`${machine()}\n`);
  const results: Result[] = [];
  for (const cell of options.cells) {
    note(describe(cell));
    results.push(...(await measureCell(bench, cell, options.paceOf(cell))));
  }
  const memory = memoryOf(bench.contestants);
  print(`${resultTables(results)}\n`);
  if (options.measuresStart) print(`${await measureStarts(bench.stub, bench.workloads, hasRivals)}\n`);
  if (options.measuresWorkers) results.push(...(await reportWorkers(bench, options)));
  if (options.measuresTracing) results.push(...(await reportTracing(bench, options)));
  print(`### Peak memory\n\n${memoryTable(memory)}\n`);
  reportJudgement(results, memory[0]?.megabytes ?? 0, options.isGate);
}

async function reportWorkers(bench: Bench, { paceOf }: Options): Promise<Result[]> {
  const measured = await measureWorkers(bench, paceOf);
  print(`### Workers\n\n${resultTables(measured.results)}\n\n${memoryTable(measured.memory)}\n`);
  return measured.results;
}

async function reportTracing(bench: Bench, { paceOf }: Options): Promise<Result[]> {
  const results = await measureTracing(bench, paceOf);
  print(`### Tracing\n\n${tracingTable(results)}\n`);
  return results;
}

function reportJudgement(results: readonly Result[], gatewayMegabytes: number, isGate: boolean): void {
  const judgements = judge({ results, gatewayMegabytes });
  print(`### Targets\n\n${judgementTable(judgements)}`);
  const below = judgements.filter(({ isWithinFloor }) => !isWithinFloor);
  if (!isGate || below.length === 0) return;
  for (const { name } of below) note(`Beyond the bound in CI: ${name}.`);
  process.exitCode = 1;
}

function describe({ workload, mode, latencyMs, connections, servers }: Cell): string {
  return `${workload} ${mode}, stub at ${latencyMs} ms, ${connections} connections: ${servers.join(', ')}`;
}

function machine(): string {
  const all = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `${all.length} cores of ${all[0]?.model.trim()}, Node ${process.versions.node}, ${day}`;
}

/** Prints progress to stderr, apart from the tables. */
function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

await main(process.argv.slice(2));
