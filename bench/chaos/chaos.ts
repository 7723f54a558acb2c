/**
 * Kills and stops processes of several gateways at random while listeners receive samples, and counts the samples that a
 * listener lost or received twice. Listeners reconnect to any gateway with their cursor.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChaosListener, type ListenerCounts } from './chaosListener.js';

/** One gateway: a process, or a primary with its workers. It is started again whenever it ends. */
export interface ChaosGateway {
  /** Undefined while it starts. */
  url(): string | undefined;
  /** Process id of the first process. */
  pid(): number | undefined;
}

interface ChaosOptions {
  gateways: readonly ChaosGateway[];
  listenerCount: number;
  /** How many times a process is killed or stopped. */
  strikes: number;
  /** Average number of milliseconds between two strikes. */
  strikeMs: number;
  /** Appends one sample to the platform; returns its id. Ids rise by 1. */
  append(): number;
  /** The id before the first sample. */
  startId: number;
  /** Chooses the processes: from 0 up to 1. Listeners reconnect at other random times. */
  random(): number;
  /** Milliseconds that the listeners may take to receive the last samples. */
  settleMs: number;
}

interface ChaosResult extends ListenerCounts {
  samples: number;
  kills: number;
  stops: number;
  /** Listeners that did not receive the last sample in time. */
  late: number;
}

const SAMPLE_MS = 100;
const MIN_STOP_MS = 500;
const MAX_STOP_MS = 4000;

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { gateways, listenerCount, startId, append } = options;
  const pickUrl = () => {
    const urls = gateways.map((gateway) => gateway.url()).filter((url) => url !== undefined);
    return urls[Math.floor(Math.random() * urls.length)];
  };
  const listeners = Array.from({ length: listenerCount }, () => new ChaosListener(pickUrl, startId));
  let lastId = startId;
  const arrivals = setInterval(() => {
    lastId = append();
  }, SAMPLE_MS);
  const strikes = await strikeAll(options);
  clearInterval(arrivals);
  const isLate = (listener: ChaosListener) => listener.lastId < lastId;
  const endMs = performance.now() + options.settleMs;
  while (listeners.some(isLate) && performance.now() < endMs) await sleep(SAMPLE_MS);
  const result = {
    samples: lastId - startId,
    ...strikes,
    late: listeners.filter(isLate).length,
    ...sumCounts(listeners.map(({ counts }) => counts)),
  };
  for (const listener of listeners) listener.close();
  return result;
}

async function strikeAll({ gateways, strikes, strikeMs, random }: ChaosOptions) {
  let kills = 0;
  let stops = 0;
  const stopped = new Set<Promise<void>>();
  for (let strike = 0; strike < strikes; strike++) {
    await sleep(strikeMs * (0.5 + random()));
    const first = gateways[Math.floor(random() * gateways.length)]?.pid();
    const pids = first === undefined ? [] : [first, ...childrenOf(first)];
    const pid = pids[Math.floor(random() * pids.length)];
    if (pid === undefined) continue;
    if (random() < 0.5) {
      kills += 1;
      signal(pid, 'SIGKILL');
    } else {
      stops += 1;
      signal(pid, 'SIGSTOP');
      const stopMs = MIN_STOP_MS + random() * (MAX_STOP_MS - MIN_STOP_MS);
      stopped.add(sleep(stopMs).then(() => signal(pid, 'SIGCONT')));
    }
  }
  await Promise.all(stopped);
  return { kills, stops };
}

/** Empty if the process has ended. */
function childrenOf(pid: number): number[] {
  try {
    const lines = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return lines.trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}

/** A process may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function sumCounts(counts: readonly ListenerCounts[]): ListenerCounts {
  return counts.reduce((sum, { lost, doubled, connections }) => ({
    lost: sum.lost + lost,
    doubled: sum.doubled + doubled,
    connections: sum.connections + connections,
  }));
}
