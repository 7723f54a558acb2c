/** One worker as its primary sees it: forked, told what to serve, and heard of until it ends. */
import cluster, { type Worker } from 'node:cluster';
import { StartFailure } from '../cli/startupError.js';
import { createChannel, type Port } from './channel.js';
import type { Assignment, Board, Member, PrimaryAnswers, WorkerAnswers } from './protocol.js';

export interface WorkerProcess {
  pid: number | undefined;
  /** Resolves with its address when it serves. Rejects with a `StartFailure`. */
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

export function startWorkerProcess(assignment: Assignment, boards: readonly Board[]): WorkerProcess {
  const worker = cluster.fork();
  const member: Member = {
    id: worker.id,
    channel: createChannel<WorkerAnswers, PrimaryAnswers>(toPort(worker)),
  };
  const { channel } = member;
  channel.answer('begin', () => {
    for (const board of boards) board.join(member);
    return assignment;
  });
  // By then all that it said has been read; its end itself may be known before.
  worker.once('disconnect', () => {
    channel.close();
    for (const board of boards) board.leave?.(member);
  });
  const ended = new Promise<WorkerEnd>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ready = whenReady(member, ended);
  const kill = () => void worker.process.kill('SIGKILL');
  let drain: () => void = kill;
  ready.then(
    () => {
      drain = () => channel.tell('stop', undefined);
    },
    // It is for those who wait for it; the worker's end is heard of in any case.
    () => undefined,
  );
  return { pid: worker.process.pid, ready, ended, drain: () => drain(), kill };
}

function whenReady({ channel }: Member, ended: Promise<WorkerEnd>): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    channel.answer('ready', resolve);
    channel.answer('failed', (text) => reject(new StartFailure(text)));
    void ended.then(({ code, signal }) => {
      reject(new StartFailure(`A worker ended as it started, with ${signal ?? code}.`));
    });
  });
}

function toPort(worker: Worker): Port {
  return {
    send(message, done) {
      if (worker.isConnected()) worker.send(message, done);
      else done(new Error('The worker is gone.'));
    },
    onMessage: (listener) => worker.on('message', listener),
  };
}
