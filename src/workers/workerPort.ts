/** The primary's end of the pipe to a worker, with a bound for the messages that the worker has not read. */
import type { ChildProcess } from 'node:child_process';
import { serialize } from 'node:v8';
import type { IpcPort } from './ipcChannel.js';

export interface WorkerPortOptions {
  /** Bytes that may be unsent. Node queues up to 128 KB in addition before they are counted. */
  maxUnsentBytes?: number;
  /** Called once, with the unsent bytes, when a message exceeds the bound. The worker must then be ended. */
  onExceeded(unsentBytes: number): void;
}

/** Samples for a worker that has not read for minutes, at the largest rate that a poll can have. */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;

/**
 * Counts only messages that the pipe did not take at once: their bytes are known after serializing them again, which
 * costs nothing while the worker reads. After the bound is exceeded, nothing is sent.
 */
export function createWorkerPort(
  worker: ChildProcess,
  { maxUnsentBytes = MAX_UNSENT_BYTES, onExceeded }: WorkerPortOptions,
): IpcPort {
  let unsentBytes = 0;
  let isExceeded = false;

  function send(message: object, done: (error: Error | null) => void): void {
    let bytes = 0;
    const isTaken = worker.send(message, (error) => {
      unsentBytes -= bytes;
      done(error);
    });
    if (isTaken) return;
    bytes = serialize(message).byteLength;
    unsentBytes += bytes;
    if (unsentBytes <= maxUnsentBytes) return;
    isExceeded = true;
    onExceeded(unsentBytes);
  }

  return {
    send(message, done) {
      if (worker.connected && !isExceeded) send(message, done);
      else done(new Error('The worker has exited or does not read.'));
    },
    onMessage: (listener) => worker.on('message', listener),
  };
}
