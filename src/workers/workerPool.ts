/** Runs a fixed number of workers on one port: starts them, replaces those that exit, and drains them on a stop. */

import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import type { Gateway } from '../gateway/gateway.js';
import type { OnDrain, OpenWork } from '../gateway/logging.js';
import { doubledMs } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { StartupError } from '../lib/startupErrors.js';
import { createIpcChannel, createWorkerPort } from './ipcChannel.js';
import type { ConnectedWorker, PrimaryService, WorkerAssignment } from './protocol.js';

interface WorkerPoolOptions {
  assignment: Omit<WorkerAssignment, 'workerId'>;
  services: readonly PrimaryService[];
  logger: Logger;
  stopping?: AbortSignal | undefined;
}

/** A little longer than a worker drains, and a little shorter than the 10 s that a stop may take. */
const DRAIN_TIMEOUT_MS = 9_800;

/** A worker that hangs does not report its open work within this time. Its work is then not counted. */
const STOP_TIMEOUT_MS = 1000;
/** The time in which the last messages of a worker arrive after its exit. */
const LAST_MESSAGES_MS = 500;
const noWork: OpenWork = { requests: 0, websockets: 0 };

const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

/**
 * Resolves when all workers serve requests, at one address, or without an address when `stopping` is aborted. Otherwise
 * stops all workers and rejects with the first `StartupError`.
 */
export async function startWorkerPool(options: WorkerPoolOptions): Promise<Gateway> {
  cluster.setupPrimary({ exec: workerFile, args: [], serialization: 'advanced' });
  const workers = new Workers(options);
  try {
    return { url: await workers.start(), stop: (onDrain) => workers.stop(onDrain) };
  } catch (error) {
    await workers.stop();
    throw error;
  }
}

class Workers {
  readonly #options: WorkerPoolOptions;
  readonly #running = new Set<WorkerProcess>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isStopping = false;
  #consecutiveExits = 0;
  /** The addresses of the first workers, once all have started. A worker that exits before is replaced then. */
  #started: Promise<string[]> = Promise.resolve([]);

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  async start(): Promise<string> {
    const { assignment, stopping } = this.#options;
    const { workerCount } = assignment;
    const workers = Array.from({ length: workerCount }, (_, index) => this.#startWorker(index === 0));
    this.#started = Promise.all(workers.map(({ ready }) => ready));
    // A worker that hangs before it has started must not delay a stop.
    const stopped = new Promise<string[]>((resolve) => {
      stopping?.addEventListener('abort', () => resolve([]));
    });
    const [url = ''] = await Promise.race([this.#started, stopped]);
    return url;
  }

  async stop(onDrain?: OnDrain): Promise<number> {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const workers = [...this.#running];
    const timer = setTimeout(() => this.#killLate(), DRAIN_TIMEOUT_MS);
    const open = await Promise.all(workers.map((worker) => worker.drain()));
    onDrain?.({ requests: sumOf(open, 'requests'), websockets: sumOf(open, 'websockets') });
    await Promise.all(workers.map(({ exited }) => exited));
    clearTimeout(timer);
    return workers.reduce((sum, worker) => sum + worker.cutOff, 0);
  }

  /** With `checksPlatform` the worker checks the platform at its start, and so does its replacement. */
  #startWorker(checksPlatform: boolean): WorkerProcess {
    const { assignment } = this.#options;
    const startedAtMs = performance.now();
    const gateway = { ...assignment.gateway, checksPlatform };
    const worker = new WorkerProcess({ ...this.#options, assignment: { ...assignment, gateway } });
    this.#running.add(worker);
    void worker.exited.then((exit) => {
      this.#running.delete(worker);
      const uptimeMs = performance.now() - startedAtMs;
      const replace = () => this.#replace({ pid: worker.pid, ...exit }, uptimeMs, checksPlatform);
      this.#started.then(replace, () => undefined);
    });
    return worker;
  }

  #replace(exit: WorkerExit & { pid: number | undefined }, uptimeMs: number, checksPlatform: boolean): void {
    if (this.#isStopping) return;
    this.#consecutiveExits = countConsecutiveExits(this.#consecutiveExits, uptimeMs);
    const restartMs = restartDelayMs(this.#consecutiveExits);
    this.#options.logger.error({ ...exit, restartMs }, 'A worker exited; starting another one');
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#startWorker(checksPlatform).ready.catch((error: unknown) => this.#logStartFailure(error));
    }, restartMs);
    this.#restarts.add(restart);
  }

  #logStartFailure(error: unknown): void {
    if (this.#isStopping) return;
    const reason = error instanceof StartupError ? error.message : String(error);
    this.#options.logger.error({ reason }, 'A worker could not start');
  }

  #killLate(): void {
    for (const worker of this.#running) {
      this.#options.logger.warn({ pid: worker.pid }, 'A worker did not stop in time; killing it');
      worker.kill();
    }
  }
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A worker that ran for this long did not exit because of its configuration. */
const STABLE_AFTER_MS = 60_000;

/** Returns the number of early exits in a row, including this one. An exit after a long run counts as the first. */
export function countConsecutiveExits(before: number, uptimeMs: number): number {
  return uptimeMs >= STABLE_AFTER_MS ? 1 : before + 1;
}

/** Returns milliseconds: doubles with each exit in a row. */
export function restartDelayMs(consecutiveExits: number): number {
  return doubledMs(FIRST_DELAY_MS, consecutiveExits, MAX_DELAY_MS);
}

interface WorkerExit {
  code: number | null;
  signal: string | null;
}

/** One worker process as its primary sees it: forks it, configures it, and observes it until it exits. */
class WorkerProcess implements ConnectedWorker {
  readonly id: number;
  readonly pid: number | undefined;
  readonly channel: ConnectedWorker['channel'];
  /** Resolves with the worker's address when it serves requests. Rejects with a `StartupError`. */
  readonly ready: Promise<string>;
  readonly exited: Promise<WorkerExit>;
  /** The responses that its drain has cut off. */
  cutOff = 0;
  readonly #options: WorkerPoolOptions;
  readonly #worker = cluster.fork();
  #isReady = false;
  #isRemoved = false;
  #endWatch = () => {};
  readonly #closeUnaccepted = trackConnections(this.#worker.process);

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const worker = this.#worker;
    this.id = worker.id;
    this.pid = worker.process.pid;
    const onExceeded = (unsentBytes: number) => {
      options.logger.error({ pid: this.pid, unsentBytes }, 'A worker does not read its messages; killing it');
      this.kill();
    };
    this.channel = createIpcChannel(createWorkerPort(worker.process, { onExceeded }));
    this.channel.handle('begin', () => this.#begin());
    this.channel.handle('stopped', (count) => {
      this.cutOff = count;
    });
    // 'disconnect' follows the worker's last message; 'exit' may come before it. Node does not emit 'disconnect' for a
    // worker that exits before it has taken a connection from the primary.
    worker.once('disconnect', () => this.#remove());
    worker.once('exit', () => setTimeout(() => this.#remove(), LAST_MESSAGES_MS).unref());
    this.exited = new Promise((resolve) => {
      worker.once('exit', (code, signal) => resolve({ code, signal }));
    });
    this.ready = this.#untilReady();
  }

  /**
   * Lets the current requests complete, then ends the worker. Ends it at once if it does not serve yet. Resolves when the
   * drain has begun; never rejects.
   */
  async drain(): Promise<OpenWork> {
    if (this.#isReady) return this.channel.request('stop', undefined, STOP_TIMEOUT_MS).catch(() => noWork);
    this.kill();
    return noWork;
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  #begin(): WorkerAssignment {
    const { assignment, services, logger } = this.#options;
    const onHung = (silentMs: number) => {
      logger.error({ pid: this.pid, silentMs }, 'A worker does not respond; killing it');
      this.kill();
    };
    // Does not ping the worker before this, because loading its modules may take long on a busy machine.
    this.#endWatch = watchWorker(() => this.channel.request('ping', undefined), onHung);
    for (const service of services) service.addWorker(this);
    return { ...assignment, workerId: this.id };
  }

  #untilReady(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.channel.handle('ready', (url) => {
        this.#isReady = true;
        resolve(url);
      });
      this.channel.handle('failed', (text) => reject(new StartupError(text)));
      void this.exited.then(({ code, signal }) => {
        reject(new StartupError(`A worker exited while it started, with ${signal ?? code}.`));
      });
    });
  }

  #remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#endWatch();
    this.#closeUnaccepted();
    this.channel.close();
    for (const service of this.#options.services) service.removeWorker?.(this);
  }
}

function sumOf(open: readonly OpenWork[], name: keyof OpenWork): number {
  return open.reduce((sum, { [name]: count }) => sum + count, 0);
}

/** The messages of Node's cluster to a worker. Connections have the act `newconn`. */
type SendToWorker = (message: ClusterMessage, handle?: { close(): void }, ...rest: unknown[]) => boolean;

interface ClusterMessage {
  act?: string;
  seq?: number;
}

/**
 * Returns a function to call when the worker has exited: it closes the connections that the worker has not accepted. Node
 * leaves them open, so that their clients would wait forever.
 */
function trackConnections(worker: ChildProcess): () => void {
  const internals = worker as unknown as { send: SendToWorker };
  const send = internals.send.bind(worker);
  const unaccepted = new Map<number | undefined, { close(): void }>();
  internals.send = (message, handle, ...rest) => {
    if (message.act === 'newconn' && handle) unaccepted.set(message.seq, handle);
    return send(message, handle, ...rest);
  };
  worker.on('internalMessage', ({ ack }: { ack?: number }) => unaccepted.delete(ack));
  return () => {
    for (const handle of unaccepted.values()) handle.close();
  };
}

const PING_INTERVAL_MS = 5_000;
/**
 * Pings in a row without a response, after which the worker is reported. Half a minute: far longer than garbage
 * collection, or than the longest operation may occupy the event loop.
 */
const MAX_UNANSWERED_PINGS = 6;

/**
 * Calls `onHung` once, with the milliseconds since the last response. Counts pings, not time: a primary that was suspended
 * together with its workers must not report them.
 * @param ping resolves when the worker responds; may reject.
 * @returns a function that ends the pings.
 */
export function watchWorker(ping: () => Promise<unknown>, onHung: (silentMs: number) => void): () => void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === MAX_UNANSWERED_PINGS) {
      clearInterval(timer);
      onHung(unanswered * PING_INTERVAL_MS);
      return;
    }
    unanswered += 1;
    ping().then(
      () => {
        unanswered = 0;
      },
      () => undefined,
    );
  }, PING_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
