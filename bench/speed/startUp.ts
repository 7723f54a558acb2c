/** Times how long each server takes from the start of its process to its first answers. */
import type { RunningProduct } from '../product.js';
import { startProduct } from '../product.js';
import { gatewayEnvironment, startOneRival } from './contestants.js';
import { withNumber } from './requestTemplate.js';
import { median } from './statistics.js';
import type { Stub } from './stubProcess.js';
import { toTable, toText } from './tables.js';
import { bodyOf, type Workload } from './workloads.js';

const STARTS = 3;
const LATENCY_MS = 5;

interface Start {
  name: string;
  start(): Promise<RunningProduct>;
}

/** Milliseconds. */
interface Times {
  firstAnswer: number;
  firstQ2: number;
}

/** A table: to the first Q1, and how long the first Q2 takes after it, where next to nothing is compiled or cached. */
export async function measureStarts(
  stub: Stub,
  workloads: readonly Workload[],
  withRivals: boolean,
): Promise<string> {
  const rival = (name: 'conventional' | 'compiled') => ({
    name,
    start: () => startOneRival(name, stub, 'on'),
  });
  const gateway = { name: 'gateway', start: () => startProduct([], gatewayEnvironment(stub)) };
  const starts: Start[] = [gateway, ...(withRivals ? [rival('conventional'), rival('compiled')] : [])];
  const times = starts.map((): Times[] => []);
  stub.setLatency(LATENCY_MS);
  for (let round = 0; round < STARTS; round++) {
    for (const [index, one] of starts.entries()) times[index]?.push(await timeStart(one, workloads));
  }
  stub.setLatency(0);
  const rows = starts.map(({ name }, index) => [
    name,
    ...(['firstAnswer', 'firstQ2'] as const).map((what) =>
      toText(median((times[index] ?? []).map((one) => one[what]))),
    ),
  ]);
  return `### Start, stub at ${LATENCY_MS} ms\n\n${toTable(['', 'process to first answer (Q1), ms', 'first Q2 after it, ms'], rows)}`;
}

async function timeStart({ start }: Start, workloads: readonly Workload[]): Promise<Times> {
  const startedAtMs = performance.now();
  const server = await start();
  try {
    await ask(server, workloads, 'Q1');
    const answeredAtMs = performance.now();
    await ask(server, workloads, 'Q2');
    return { firstAnswer: answeredAtMs - startedAtMs, firstQ2: performance.now() - answeredAtMs };
  } finally {
    server.stop();
  }
}

async function ask({ url }: RunningProduct, workloads: readonly Workload[], name: string): Promise<void> {
  const workload = workloads.find((one) => one.name === name);
  if (!workload) throw new Error(`There is no workload ${name}.`);
  const response = await fetch(new URL('/graphql', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: withNumber(bodyOf(workload), 0),
  });
  const text = await response.text();
  if (!text.startsWith('{"data":{')) throw new Error(`The first answer is ${text.slice(0, 300)}`);
}
