/** One worker process as its primary sees it: forks it, configures it, and observes it until it exits. */
import cluster, { type Worker } from 'node:cluster';
import { StartupError } from '../config/startupError.js';
import { createIpcChannel, type IpcPort } from './ipcChannel.js';
import type {
  ConnectedWorker,
  PrimaryHandlers,
  PrimaryService,
  WorkerAssignment,
  WorkerHandlers,
} from './protocol.js';

export interface WorkerProcess {
  pid: number | undefined;
  /** Resolves with the worker's address when it serves requests. Rejects with a `StartupError`. */
  ready: Promise<string>;
  exited: Promise<WorkerExit>;
  /** Lets the current requests complete, then ends the worker. Ends it at once if it does not serve yet. */
  drain(): void;
  kill(): void;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
}

export function startWorkerProcess(
  assignment: WorkerAssignment,
  services: readonly PrimaryService[],
): WorkerProcess {
  const process = cluster.fork();
  const channel = createIpcChannel<WorkerHandlers, PrimaryHandlers>(toPort(process));
  const worker: ConnectedWorker = { id: process.id, channel };
  channel.handle('begin', () => {
    for (const service of services) service.addWorker(worker);
    return assignment;
  });
  // 'disconnect' follows the worker's last message; 'exit' may come before it.
  process.once('disconnect', () => {
    channel.close();
    for (const service of services) service.removeWorker?.(worker);
  });
  const exited = new Promise<WorkerExit>((resolve) => {
    process.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ready = waitUntilReady(worker, exited);
  const kill = () => void process.process.kill('SIGKILL');
  let drain: () => void = kill;
  ready.then(
    () => {
      drain = () => channel.notify('stop', undefined);
    },
    // The caller handles the rejection of `ready`.
    () => undefined,
  );
  return { pid: process.process.pid, ready, exited, drain: () => drain(), kill };
}

function waitUntilReady({ channel }: ConnectedWorker, exited: Promise<WorkerExit>): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    channel.handle('ready', resolve);
    channel.handle('failed', (text) => reject(new StartupError(text)));
    void exited.then(({ code, signal }) => {
      reject(new StartupError(`A worker ended as it started, with ${signal ?? code}.`));
    });
  });
}

function toPort(worker: Worker): IpcPort {
  return {
    send(message, done) {
      if (worker.isConnected()) worker.send(message, done);
      else done(new Error('The worker has exited.'));
    },
    onMessage: (listener) => worker.on('message', listener),
  };
}
