/** Keeps as many workers running as are wanted, on one port: starts them, fills the places of those that end, drains them. */
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../config/startupError.js';
import type { Logger } from '../lib/logger.js';
import type { Coordinator, WorkerAssignment } from './protocol.js';
import { countConsecutiveExits, restartDelayMs } from './restartDelay.js';
import { startWorkerProcess, type WorkerProcess } from './workerProcess.js';

export interface WorkerPool {
  /** Where they all listen. */
  url: string;
  /** Lets what is under way end, then all workers. */
  stop(): Promise<void>;
}

export interface WorkerPoolOptions {
  assignment: WorkerAssignment;
  coordinators: readonly Coordinator[];
  logger: Logger;
}

/** A little more than a worker takes to drain, and a little less than the 10 s that all of it may take. */
const DRAIN_TIMEOUT_MS = 9_800;

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

/** Resolves when all serve. Rejects with the first `StartupError`, and leaves none behind. */
export async function startWorkerPool(options: WorkerPoolOptions): Promise<WorkerPool> {
  cluster.setupPrimary({ exec: workerFile, args: [], serialization: 'advanced' });
  const pool = createPool(options);
  const first = Array.from({ length: options.assignment.workerCount }, (_, index) => pool.hire(index === 0));
  try {
    const [url = ''] = await Promise.all(first.map(({ ready }) => ready));
    pool.keepFull();
    return { url, stop: pool.stop };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

function createPool({ assignment, coordinators, logger }: WorkerPoolOptions) {
  const running = new Set<WorkerProcess>();
  const restarts = new Set<NodeJS.Timeout>();
  let isEnding = false;
  let keepFull = () => {};
  const isStarted = new Promise<void>((resolve) => {
    keepFull = resolve;
  });
  let ends = 0;

  /** `checksPlatform`: one worker checks the platform at its start, and so does its replacement. */
  function hire(checksPlatform: boolean): WorkerProcess {
    const startedAtMs = performance.now();
    const gateway = { ...assignment.gateway, checksPlatform };
    const worker = startWorkerProcess({ ...assignment, gateway }, coordinators);
    running.add(worker);
    void worker.ended.then(async (end) => {
      running.delete(worker);
      await isStarted;
      if (!isEnding) replace({ pid: worker.pid, ...end }, performance.now() - startedAtMs, checksPlatform);
    });
    return worker;
  }

  function replace(ended: object, livedMs: number, checksPlatform: boolean): void {
    ends = countConsecutiveExits(ends, livedMs);
    const restartMs = restartDelayMs(ends);
    logger.error({ ...ended, restartMs }, 'A worker ended; another takes its place');
    const restart = setTimeout(() => {
      restarts.delete(restart);
      hire(checksPlatform).ready.catch(logFailure);
    }, restartMs);
    restarts.add(restart);
  }

  function logFailure(error: unknown): void {
    if (isEnding) return;
    const reason = error instanceof StartupError ? error.message : String(error);
    logger.error({ reason }, 'A worker could not start');
  }

  const killAll = () => {
    for (const worker of running) worker.kill();
  };

  async function end(): Promise<void> {
    isEnding = true;
    for (const restart of restarts) clearTimeout(restart);
    killAll();
    await Promise.all([...running].map(({ ended }) => ended));
  }

  async function stop(): Promise<void> {
    isEnding = true;
    for (const worker of running) worker.drain();
    const cut = setTimeout(killAll, DRAIN_TIMEOUT_MS);
    await Promise.all([...running].map(({ ended }) => ended));
    clearTimeout(cut);
    await end();
  }

  return { hire, keepFull, end, stop };
}
