/** Measures the time from the start of each server's process to its first responses. */
import { type RunningServer, startGateway } from '../shared/processes.js';
import { median } from '../shared/statistics.js';
import { toTable, toText } from '../shared/tables.js';
import { GATEWAY_ENVIRONMENT, startOneRival } from './contestants.js';
import { withNumber } from './load/requestTemplate.js';
import type { Stub } from './stub/stubProcess.js';
import { bodyOf, type Workload } from './workloads.js';

const STARTS = 3;
const LATENCY_MS = 5;

interface Start {
  name: string;
  start(): Promise<RunningServer>;
}

/** Milliseconds. */
interface Times {
  firstResponse: number;
  firstQ2: number;
}

/** Returns a table of the times to the first Q1, and of the first Q2 after it, with cold compiler and caches. */
export async function measureStarts(
  stub: Stub,
  workloads: readonly Workload[],
  withRivals: boolean,
): Promise<string> {
  const rival = (name: 'conventional' | 'compiled') => ({
    name,
    start: () => startOneRival(name, stub, 'on'),
  });
  const gateway = { name: 'gateway', start: () => startGateway(stub.url, GATEWAY_ENVIRONMENT) };
  const starts: Start[] = [gateway, ...(withRivals ? [rival('conventional'), rival('compiled')] : [])];
  const times = starts.map((): Times[] => []);
  stub.setLatency(LATENCY_MS);
  for (let round = 0; round < STARTS; round++) {
    for (const [index, one] of starts.entries()) times[index]?.push(await timeStart(one, workloads));
  }
  stub.setLatency(0);
  const rows = starts.map(({ name }, index) => [
    name,
    ...(['firstResponse', 'firstQ2'] as const).map((field) =>
      toText(median((times[index] ?? []).map((one) => one[field]))),
    ),
  ]);
  return `### Start, stub at ${LATENCY_MS} ms\n\n${toTable(['', 'process to first response (Q1), ms', 'first Q2 after it, ms'], rows)}`;
}

async function timeStart({ start }: Start, workloads: readonly Workload[]): Promise<Times> {
  const startedAtMs = performance.now();
  const server = await start();
  try {
    await sendFirst(server, workloads, 'Q1');
    const respondedAtMs = performance.now();
    await sendFirst(server, workloads, 'Q2');
    return { firstResponse: respondedAtMs - startedAtMs, firstQ2: performance.now() - respondedAtMs };
  } finally {
    server.stop();
  }
}

async function sendFirst(
  { url }: RunningServer,
  workloads: readonly Workload[],
  name: string,
): Promise<void> {
  const workload = workloads.find((one) => one.name === name);
  if (!workload) throw new Error(`There is no workload ${name}.`);
  const response = await fetch(new URL('/graphql', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: withNumber(bodyOf(workload), 0),
  });
  const text = await response.text();
  if (!text.startsWith('{"data":{')) throw new Error(`The first response is ${text.slice(0, 300)}`);
}
