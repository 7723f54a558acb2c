/**
 * Measures live samples for many listeners: CPU time per delivery, memory per listener, delay, and samples that were lost
 * or delivered twice. Measures each transport of the gateway, and a graphql-ws server with one execution per
 * subscriber for comparison.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LivePlatform, startLivePlatform } from './listeners/livePlatform.js';
import type { Transport } from './listeners/load.js';
import { Loads, quantile, type Share } from './listeners/loads.js';
import { measureUnread, unreadColumns } from './listeners/unread.js';
import { type RunningServer, startGateway, startServer } from './shared/processes.js';
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
    /** Measures this many clients that read nothing, beside the listeners. */
    unread: { type: 'string' },
  },
});
const RATE = Number(options.rate);
const MEASURE_MS = Number(options.seconds) * 1000;
/** For the first poll, and for the garbage collector after the connections. */
const SETTLE_MS = 4000;
/** Longer than the interval of the poll. */
const DRAIN_MS = 2500;

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

function toPart(text: string): [Transport, number] {
  const [, transport, part] = /^(websocket|sse|multipart):(\d+)$/.exec(text) ?? [];
  if (transport === undefined) throw new Error(`--mix: "${text}" has not the form websocket:100.`);
  return [transport as Transport, Number(part)];
}

function toSubjects(count: number): Subject[] {
  if (options.mix !== undefined) {
    const parts = options.mix.split(',').map(toPart);
    const total = parts.reduce((sum, [, part]) => sum + part, 0);
    const shares = parts.map(([transport, part]): Share => [transport, Math.round((count * part) / total)]);
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

async function measure({ name, shares, start }: Subject): Promise<string> {
  const platform = await startLivePlatform(RATE);
  const server = await start(platform);
  const loads = await Loads.start();
  try {
    const port = Number(new URL(server.url).port);
    // The first listener loads what all need: the memory of the others is measured.
    await loads.openFirst(port, shares[0]?.[0] ?? 'websocket');
    platform.isRunning = true;
    await sleep(SETTLE_MS);
    const before = residentOf(server.pid);
    await loads.open(port, shares);
    await sleep(SETTLE_MS);
    return await read(name, server, loads, platform, before);
  } finally {
    loads.stop();
    server.stop();
    platform.close();
    await sleep(500);
  }
}

async function read(
  name: string,
  { pid }: RunningServer,
  loads: Loads,
  platform: LivePlatform,
  idleMegabytes: number,
): Promise<string> {
  await loads.begin();
  const loadSeconds = () => loads.pids.reduce((sum, load) => sum + cpuSeconds(load), 0);
  const cpuBefore = treeCpuSeconds(pid);
  const loadBefore = loadSeconds();
  await sleep(MEASURE_MS);
  const cpu = treeCpuSeconds(pid) - cpuBefore;
  const loadCpu = loadSeconds() - loadBefore;
  const megabytes = residentOf(pid);
  platform.isRunning = false;
  await sleep(DRAIN_MS);
  const report = await loads.report(platform.newestSentId());
  const { listeners, deliveries, lost, doubled } = report;
  return tableRow([
    name,
    listeners,
    deliveries,
    lost,
    doubled,
    toText((cpu * 1e6) / deliveries),
    toText((1024 * (megabytes - idleMegabytes)) / listeners),
    quantile(report, 0.5),
    quantile(report, 0.99),
    toText((100 * cpu * 1000) / MEASURE_MS),
    toText((100 * loadCpu * 1000) / MEASURE_MS),
  ]);
}

/** With workers, the sum of their peaks, since only the primary is a child of this process. */
function residentOf(pid: number): number {
  return options.workers === '1' ? residentMegabytes(pid) : peakMegabytes(pid);
}

async function measureUnreadOf(transport: Transport, listeners: number, unread: number): Promise<string> {
  const platform = await startLivePlatform(RATE);
  const server = await startOurs(platform);
  const loads = await Loads.start();
  try {
    return await measureUnread(
      { transport, listeners, unread, measureMs: MEASURE_MS },
      server,
      platform,
      loads,
    );
  } finally {
    loads.stop();
    server.stop();
    platform.close();
    await sleep(500);
  }
}

const columns = [
  'server',
  'listeners',
  'deliveries',
  'lost',
  'duplicated',
  'CPU µs per delivery',
  'KB per listener',
  'delay p50 ms',
  'delay p99 ms',
  'CPU %',
  'load CPU %',
];
const counts = options.listeners.split(',').map(Number);
if (options.unread !== undefined) {
  print(tableHead(unreadColumns));
  for (const transport of options.transports.split(',') as Transport[])
    print(await measureUnreadOf(transport, counts[0] ?? 0, Number(options.unread)));
} else {
  print(tableHead(columns));
  for (const count of counts) for (const subject of toSubjects(count)) print(await measure(subject));
}
