/** One worker as its primary sees it: forked, told what to serve, and heard of until it ends. */
import cluster, { type Worker } from 'node:cluster';
import { StartupError } from '../config/startupError.js';
import { createIpcChannel, type IpcPort } from './ipcChannel.js';
import type {
  ConnectedWorker,
  Coordinator,
  PrimaryHandlers,
  WorkerAssignment,
  WorkerHandlers,
} from './protocol.js';

export interface WorkerProcess {
  pid: number | undefined;
  /** Resolves with its address when it serves. Rejects with a `StartupError`. */
  ready: Promise<string>;
  ended: Promise<WorkerEnd>;
  /** Has it answer what is under way and end; at once where it does not serve yet. */
  drain(): void;
  kill(): void;
}

export interface WorkerEnd {
  code: number | null;
  signal: string | null;
}

export function startWorkerProcess(
  assignment: WorkerAssignment,
  boards: readonly Coordinator[],
): WorkerProcess {
  const worker = cluster.fork();
  const member: ConnectedWorker = {
    id: worker.id,
    channel: createIpcChannel<WorkerHandlers, PrimaryHandlers>(toPort(worker)),
  };
  const { channel } = member;
  channel.handle('begin', () => {
    for (const coordinator of boards) coordinator.addWorker(member);
    return assignment;
  });
  // By then all that it said has been read; its end itself may be known before.
  worker.once('disconnect', () => {
    channel.close();
    for (const coordinator of boards) coordinator.removeWorker?.(member);
  });
  const ended = new Promise<WorkerEnd>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ready = waitUntilReady(member, ended);
  const kill = () => void worker.process.kill('SIGKILL');
  let drain: () => void = kill;
  ready.then(
    () => {
      drain = () => channel.notify('stop', undefined);
    },
    // It is for those who wait for it; the worker's end is heard of in any case.
    () => undefined,
  );
  return { pid: worker.process.pid, ready, ended, drain: () => drain(), kill };
}

function waitUntilReady({ channel }: ConnectedWorker, ended: Promise<WorkerEnd>): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    channel.handle('ready', resolve);
    channel.handle('failed', (text) => reject(new StartupError(text)));
    void ended.then(({ code, signal }) => {
      reject(new StartupError(`A worker ended as it started, with ${signal ?? code}.`));
    });
  });
}

function toPort(worker: Worker): IpcPort {
  return {
    send(message, done) {
      if (worker.isConnected()) worker.send(message, done);
      else done(new Error('The worker is gone.'));
    },
    onMessage: (listener) => worker.on('message', listener),
  };
}
