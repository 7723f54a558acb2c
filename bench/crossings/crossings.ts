/**
 * Measures changes of threshold levels of many streams while the gateway is killed or replaced: lost and
 * duplicated changes, and the delay from the arrival at the platform to the client beyond the poll interval.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RunningServer, startGateway } from '../shared/processes.js';
import { cpuSeconds } from '../shared/processFigures.js';
import { createRandom } from '../shared/random.js';
import { print, toTable, toText } from '../shared/tables.js';
import { CrossingListener } from './crossingListener.js';
import { type CrossingPlatform, startCrossingPlatform } from './crossingPlatform.js';

const { values: options } = parseArgs({
  options: {
    streams: { type: 'string', default: '10000' },
    /** Samples per second of all streams. */
    rate: { type: 'string', default: '200' },
    /** The part of the samples that cross a level. */
    share: { type: 'string', default: '0.5' },
    /** Seconds between two kills, and after the last one. */
    seconds: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '3' },
    /** Absent: caches do not survive the restarts. */
    redis: { type: 'string' },
    /** Starts the next gateway before the last one is stopped (SIGTERM), as a rolling update does. Needs `--redis`. */
    rolling: { type: 'boolean', default: false },
  },
});
if (options.rolling && options.redis === undefined) throw new Error('--rolling needs --redis.');
const POLL_MS = 1000;
const DRAIN_MS = 15_000;

interface Outage {
  killedAtMs: number;
  /** When the client has subscribed again. */
  resumedAtMs: number;
}

async function main(): Promise<void> {
  const platform = await startCrossingPlatform({
    streams: Number(options.streams),
    samplesPerSecond: Number(options.rate),
    crossingShare: Number(options.share),
    random: createRandom(1),
  });
  const start = () =>
    startGateway(platform.url, {
      LIVE_POLL_SECONDS: `${POLL_MS / 1000}`,
      LIVE_POLL_MAX_SECONDS: `${POLL_MS / 1000}`,
      ...(options.redis && { REDIS_URL: options.redis }),
    });
  let server: RunningServer | undefined = await start();
  const outages: Outage[] = [];
  let outage: Outage | undefined;
  const listener = new CrossingListener(
    () => server?.url,
    platform.newestId(),
    () => {
      if (outage) outages.push({ ...outage, resumedAtMs: Date.now() });
      outage = undefined;
    },
  );
  await sleep(2 * POLL_MS);
  platform.isRunning = true;
  let cpu = 0;
  for (let restart = 0; ; restart++) {
    await sleep(Number(options.seconds) * 1000);
    cpu += cpuSeconds(server.pid);
    if (restart === Number(options.restarts)) break;
    const last: RunningServer = server;
    server = options.rolling ? await start() : undefined;
    outage = { killedAtMs: Date.now(), resumedAtMs: 0 };
    process.kill(last.pid, options.rolling ? 'SIGTERM' : 'SIGKILL');
    server ??= await start();
  }
  platform.isRunning = false;
  await sleep(DRAIN_MS);
  report(platform, listener, outages, cpu);
  listener.close();
  server.stop();
  platform.close();
}

function report(
  { crossings, calls }: CrossingPlatform,
  listener: CrossingListener,
  outages: readonly Outage[],
  cpu: number,
): void {
  const received = [...crossings].flatMap(([id, arrivedAtMs]) => {
    const atMs = listener.receivedAtMs.get(id);
    return atMs === undefined ? [] : [{ arrivedAtMs, atMs }];
  });
  const lost = crossings.size - received.length;
  const wrong = listener.receivedAtMs.size - received.length;
  // The sample may have been polled by the process that was killed.
  const outageOf = (ms: number) =>
    outages.find(({ killedAtMs, resumedAtMs }) => ms > killedAtMs - POLL_MS && ms < resumedAtMs);
  const [whileDown, whileUp] = [true, false].map((isDown) =>
    received.filter(({ arrivedAtMs }) => (outageOf(arrivedAtMs) !== undefined) === isDown),
  );
  const toDelays = (counted: typeof received = [], fromOf = (arrivedAtMs: number) => arrivedAtMs) =>
    counted
      .map(({ arrivedAtMs, atMs }) => atMs - fromOf(arrivedAtMs) - POLL_MS)
      .sort((one, other) => one - other);
  const row = (name: string, delays: readonly number[]) => [
    name,
    String(delays.length),
    ...[0.5, 0.99, 1].map((share) => toText(delays[Math.ceil(share * delays.length) - 1] ?? Number.NaN)),
    toText((100 * delays.filter((delay) => delay <= 100).length) / delays.length),
  ];
  const head = ['crossings', 'count', 'p50 beyond the interval ms', 'p99 ms', 'max ms', '% within 100 ms'];
  print(
    toTable(head, [
      row('while the gateway runs', toDelays(whileUp)),
      row('while it restarts, from its arrival', toDelays(whileDown)),
      row(
        'while it restarts, from the new subscription',
        toDelays(whileDown, (arrivedAtMs) => outageOf(arrivedAtMs)?.resumedAtMs ?? arrivedAtMs),
      ),
    ]),
  );
  const outageSeconds = outages.map(({ killedAtMs, resumedAtMs }) =>
    toText((resumedAtMs - killedAtMs) / 1000),
  );
  print(`lost ${lost}, duplicated ${listener.doubled}, wrong ${wrong}, CPU ${toText(cpu)} s`);
  print(`seconds from the kill to the subscription: ${outageSeconds.join(', ')}`);
  print(`REST calls: ${JSON.stringify(Object.fromEntries(calls))}`);
  process.exitCode = lost + listener.doubled + wrong > 0 ? 1 : 0;
}

await main();
