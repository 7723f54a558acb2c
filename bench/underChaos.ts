/**
 * Counts lost and duplicated samples of many listeners while processes of several gateways are killed and stopped
 * at random. Needs a Redis at `--redis`.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type ChaosGateway, runChaos } from './chaos/chaos.js';
import { MAIN_FILE } from './shared/processes.js';
import { createRandom } from './shared/random.js';
import { print, toTable } from './shared/tables.js';

const { values: options } = parseArgs({
  options: {
    listeners: { type: 'string', default: '1000' },
    /** How many times a process is killed (-9) or stopped. */
    strikes: { type: 'string', default: '200' },
    /** Milliseconds between two strikes. */
    every: { type: 'string', default: '500' },
    replicas: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    redis: { type: 'string', default: 'redis://127.0.0.1:6379' },
    seed: { type: 'string', default: '1' },
  },
});

/** One caller opens all connections. */
const UNLIMITED = {
  RATE_PER_SECOND: '1000000',
  RATE_BURST: '1000000',
  MESSAGES_PER_SECOND: '1000000',
  MESSAGES_BURST: '1000000',
  MAX_CALLER_BYTES: String(1024 ** 3),
};
const SETTLE_MS = 60_000;
const START_ID = 1000;
const STREAM_ID = 1;
const PAGE_LENGTH = 10_000;

const isStopping = { value: false };

async function main(): Promise<void> {
  const platform = await startPlatform();
  const gateways = Array.from({ length: Number(options.replicas) }, () => keepRunning(platform.url));
  while (gateways.some((gateway) => gateway.url() === undefined)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const result = await runChaos({
    gateways,
    listenerCount: Number(options.listeners),
    strikes: Number(options.strikes),
    strikeMs: Number(options.every),
    append: platform.append,
    startId: START_ID,
    random: createRandom(Number(options.seed)),
    settleMs: SETTLE_MS,
  });
  isStopping.value = true;
  for (const gateway of gateways) process.kill(gateway.pid() ?? 0, 'SIGTERM');
  platform.close();
  print(toTable(Object.keys(result), [Object.values(result).map(String)]));
  process.exitCode = result.lost + result.doubled + result.late > 0 ? 1 : 0;
}

/** A platform with tokens and with a queue of the samples of one stream. */
async function startPlatform() {
  let lastId = START_ID;
  const toRow = (id: number) => {
    const sample_date = `${new Date().toISOString().slice(0, 19)}Z`;
    return { id, stream_id: STREAM_ID, sample_date, value: '1.0' };
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://platform');
    const afterId = Number(searchParams.get('sampleID') ?? START_ID - 1);
    const count = Math.min(PAGE_LENGTH, lastId - afterId);
    const samples = Array.from({ length: count }, (_, index) => toRow(afterId + 1 + index));
    const body =
      pathname === '/auth/token'
        ? { access_token: 'token', token_type: 'JWT', expires_in: 3600 }
        : { hasMore: afterId + count < lastId, samples };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    append: () => {
      lastId += 1;
      return lastId;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a gateway again whenever it ends, as a process manager does. */
function keepRunning(platformUrl: string): ChaosGateway {
  let url: string | undefined;
  let pid: number | undefined;
  function begin(): void {
    const child = spawn(process.execPath, [MAIN_FILE], {
      env: {
        PATH: process.env['PATH'],
        ...{ PORT: '0', PLATFORM_URL: platformUrl, PLATFORM_KEY: 'chaos', PLATFORM_SECRET: 'chaos' },
        ...{
          WORKERS: options.workers,
          REDIS_URL: options.redis,
          LIVE_POLL_SECONDS: '1',
          LOG_LEVEL: 'silent',
        },
        ...UNLIMITED,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    pid = child.pid;
    child.stdout.on('data', (chunk: Buffer) => {
      url ??= /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString())?.[0];
    });
    child.once('exit', () => {
      url = undefined;
      pid = undefined;
      if (!isStopping.value) begin();
    });
  }
  begin();
  return { url: () => url, pid: () => pid };
}

await main();
