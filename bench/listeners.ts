/**
 * Measures live samples for many listeners: CPU time per delivery, memory per listener, delay, and samples that were lost
 * or delivered twice. Each transport of the gateway, beside a graphql-ws server with one execution per subscriber.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LivePlatform, startLivePlatform } from './listeners/livePlatform.js';
import type { LoadOrder, LoadReport, Transport } from './listeners/load.js';
import {
  forkHelper,
  type Helper,
  type RunningServer,
  startGateway,
  startServer,
} from './shared/processes.js';
import { cpuSeconds, peakMegabytes, residentMegabytes, treeCpuSeconds } from './shared/processFigures.js';
import { print, tableHead, tableRow, toText } from './shared/tables.js';

const { values: options } = parseArgs({
  options: {
    /** Numbers of listeners, with commas. */
    listeners: { type: 'string', default: '1000,10000' },
    /** Parts of the listeners by transport, for example `websocket:100,sse:1`. Absent: each transport alone. */
    mix: { type: 'string' },
    /** Transports that are measured alone. */
    transports: { type: 'string', default: 'websocket,sse,multipart' },
    /** Samples per second. */
    rate: { type: 'string', default: '4' },
    /** Length of a measurement. */
    seconds: { type: 'string', default: '15' },
    /** Processes of the gateway. */
    workers: { type: 'string', default: '1' },
    /** Leaves the plain server out. */
    alone: { type: 'boolean', default: false },
  },
});
const RATE = Number(options.rate);
const MEASURE_MS = Number(options.seconds) * 1000;
/** For the first poll, and for the garbage collector after the connections. */
const SETTLE_MS = 4000;
/** Longer than the interval of the poll. */
const DRAIN_MS = 2500;
const LOAD_PROCESSES = 2;

type Share = [transport: Transport, count: number];

interface Subject {
  name: string;
  shares: readonly Share[];
  start(platform: LivePlatform): Promise<RunningServer>;
}

/** All listeners have one address, so its limits are raised. */
const limits = {
  LIVE_POLL_SECONDS: '1',
  LIVE_POLL_MAX_SECONDS: '1',
  MAX_CALLER_BYTES: '1073741824',
  RATE_PER_SECOND: '0',
  MESSAGES_PER_SECOND: '0',
  WORKERS: options.workers,
};

const startOurs = ({ url }: LivePlatform) => startGateway(url, limits);
const plainFile = fileURLToPath(new URL('./listeners/plainServer.js', import.meta.url));
const startPlain = ({ url }: LivePlatform) =>
  startServer([plainFile], { PLATFORM_URL: url, LIVE_POLL_SECONDS: '1' });

function toSubjects(count: number): Subject[] {
  if (options.mix !== undefined) {
    const parts = options.mix.split(',').map((part) => part.split(':') as [Transport, string]);
    const total = parts.reduce((sum, [, part]) => sum + Number(part), 0);
    const shares = parts.map(
      ([transport, part]): Share => [transport, Math.round((count * Number(part)) / total)],
    );
    return [{ name: `gateway, ${options.mix}`, shares, start: startOurs }];
  }
  const ours = options.transports.split(',').map((transport) => ({
    name: `gateway, ${transport}`,
    shares: [[transport, count]] as Share[],
    start: startOurs,
  }));
  const plain = { name: 'plain graphql-ws', shares: [['websocket', count]] as Share[], start: startPlain };
  return options.alone ? ours : [...ours, plain];
}

type Loader = Helper<LoadOrder, LoadReport>;

async function startLoad(): Promise<Loader> {
  const helper = forkHelper<LoadOrder, LoadReport>(new URL('./listeners/load.js', import.meta.url));
  await helper.nextReport();
  return helper;
}

async function measure({ name, shares, start }: Subject): Promise<string> {
  const platform = await startLivePlatform(RATE);
  const server = await start(platform);
  const loads = await Promise.all(Array.from({ length: LOAD_PROCESSES }, startLoad));
  try {
    const port = Number(new URL(server.url).port);
    // The first listener loads what all need: the memory of the others is measured.
    await loads[0]?.request({ kind: 'open', port, transport: shares[0]?.[0] ?? 'websocket', count: 1 });
    platform.isRunning = true;
    await sleep(SETTLE_MS);
    const before = residentOf(server.pid);
    await openAll(loads, port, shares);
    await sleep(SETTLE_MS);
    return await read(name, server, loads, platform, before);
  } finally {
    for (const load of loads) load.stop();
    server.stop();
    platform.close();
    await sleep(500);
  }
}

async function openAll(loads: readonly Loader[], port: number, shares: readonly Share[]): Promise<void> {
  for (const [transport, total] of shares) {
    await Promise.all(
      loads.map((load, index) => {
        const count = Math.floor((total + index) / loads.length);
        return load.request({ kind: 'open', port, transport, count });
      }),
    );
  }
}

async function read(
  name: string,
  { pid }: RunningServer,
  loads: readonly Loader[],
  platform: LivePlatform,
  idleMegabytes: number,
): Promise<string> {
  await Promise.all(loads.map((load) => load.request({ kind: 'begin' })));
  const cpuBefore = treeCpuSeconds(pid);
  const loadBefore = loads.reduce((sum, load) => sum + cpuSeconds(load.pid), 0);
  await sleep(MEASURE_MS);
  const cpu = treeCpuSeconds(pid) - cpuBefore;
  const loadCpu = loads.reduce((sum, load) => sum + cpuSeconds(load.pid), 0) - loadBefore;
  const megabytes = residentOf(pid);
  platform.isRunning = false;
  await sleep(DRAIN_MS);
  const newestId = platform.newestAnsweredId();
  const reports = await Promise.all(loads.map((load) => load.request({ kind: 'report', newestId })));
  const sum = (figure: (report: LoadReport) => number) =>
    reports.reduce((total, each) => total + figure(each), 0);
  const listeners = sum((report) => report.listeners);
  const deliveries = sum((report) => report.deliveries);
  const delays = reports.flatMap((report) => report.delays).sort(([one], [other]) => one - other);
  return tableRow([
    name,
    listeners,
    deliveries,
    sum((report) => report.lost),
    sum((report) => report.doubled),
    toText((cpu * 1e6) / deliveries),
    toText((1024 * (megabytes - idleMegabytes)) / listeners),
    quantile(delays, deliveries, 0.5),
    quantile(delays, deliveries, 0.99),
    toText((100 * cpu * 1000) / MEASURE_MS),
    toText((100 * loadCpu * 1000) / MEASURE_MS),
  ]);
}

/** With workers, the sum of their peaks, since only the primary is a child of this process. */
function residentOf(pid: number): number {
  return options.workers === '1' ? residentMegabytes(pid) : peakMegabytes(pid);
}

function quantile(delays: readonly [number, number][], total: number, share: number): number {
  let counted = 0;
  for (const [delayMs, count] of delays) {
    counted += count;
    if (counted >= share * total) return delayMs;
  }
  return Number.NaN;
}

print(
  tableHead([
    'server',
    'listeners',
    'deliveries',
    'lost',
    'doubled',
    'CPU µs per delivery',
    'KB per listener',
    'delay p50 ms',
    'delay p99 ms',
    'CPU %',
    'load CPU %',
  ]),
);
for (const count of options.listeners.split(',').map(Number)) {
  for (const subject of toSubjects(count)) print(await measure(subject));
}
