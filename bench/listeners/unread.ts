/**
 * Measures the effect of clients that read nothing on the other listeners: their delay without and with those
 * clients, the memory of the gateway, and how those clients' subscriptions end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '../shared/processes.js';
import { residentMegabytes } from '../shared/processFigures.js';
import { tableRow, toText } from '../shared/tables.js';
import type { LivePlatform } from './livePlatform.js';
import type { Transport } from './load.js';
import { type Loads, quantile } from './loads.js';

interface UnreadOptions {
  transport: Transport;
  /** Listeners that read. */
  listeners: number;
  /** Clients that read nothing. */
  unread: number;
  measureMs: number;
}

/** For the first poll, and for the garbage collector after the connections. */
const SETTLE_MS = 4000;
/** Longer than it takes to fill the buffers of the kernel, and then `MAX_UNSENT_SECONDS`. */
const MAX_END_MS = 120_000;
const SAMPLE_MS = 250;
/** For the ends to reach the clients, and for the last samples. */
const CLOSE_MS = 3000;

export const unreadColumns = [
  'transport',
  'listeners',
  'unread',
  'p50 without them ms',
  'p99 without them ms',
  'p50 with them ms',
  'p99 with them ms',
  'ratio of p99',
  'lost',
  'duplicated',
  'ended with SLOW_CONSUMER',
  'connections ended',
  'seconds to the end',
  'MB before',
  'MB peak',
  'MB after',
];

export async function measureUnread(
  { transport, listeners, unread, measureMs }: UnreadOptions,
  server: RunningServer,
  platform: LivePlatform,
  loads: Loads,
): Promise<string> {
  const port = Number(new URL(server.url).port);
  await loads.openFirst(port, transport);
  platform.isRunning = true;
  await sleep(SETTLE_MS);
  await loads.open(port, [[transport, listeners]]);
  await sleep(SETTLE_MS);
  await loads.begin();
  await sleep(measureMs);
  const alone = await loads.report(0);
  const megabytesBefore = residentMegabytes(server.pid);
  await loads.open(port, [[transport, unread]], true);
  await loads.begin();
  const beganMs = performance.now();
  let peak = 0;
  while ((await slowConsumers(server)) < unread && performance.now() - beganMs < MAX_END_MS) {
    peak = Math.max(peak, residentMegabytes(server.pid));
    await sleep(SAMPLE_MS);
  }
  const endMs = performance.now() - beganMs;
  await sleep(Math.max(0, measureMs - endMs));
  platform.isRunning = false;
  await loads.readUnread();
  await sleep(CLOSE_MS);
  const beside = await loads.report(platform.newestSentId());
  return tableRow([
    transport,
    alone.listeners,
    unread,
    quantile(alone, 0.5),
    quantile(alone, 0.99),
    quantile(beside, 0.5),
    quantile(beside, 0.99),
    toText(quantile(beside, 0.99) / quantile(alone, 0.99)),
    alone.lost + beside.lost,
    alone.doubled + beside.doubled,
    await slowConsumers(server),
    beside.unreadEnded,
    toText(endMs / 1000),
    toText(megabytesBefore),
    toText(peak),
    toText(residentMegabytes(server.pid)),
  ]);
}

/** Subscriptions that the gateway has ended because their client does not read. */
async function slowConsumers({ url }: RunningServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^fieldgraph_subscriptions_ended_total\{code="SLOW_CONSUMER"\} (\d+)/m.exec(text)?.[1] ?? 0);
}
