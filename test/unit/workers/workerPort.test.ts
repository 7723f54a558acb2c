/** The pipe to a worker bounds what a suspended worker has not read. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorkerPort } from '../../../src/workers/ipcChannel.js';

const MB = 1024 * 1024;
const READER =
  "process.on('message', ({ reply }) => reply && process.send({ reply })); process.send('started')";

let worker: ChildProcess;
let received: unknown[] = [];
let exceeded: number[] = [];

function open(maxUnsentBytes: number) {
  const port = createWorkerPort(worker, { maxUnsentBytes, onExceeded: (bytes) => exceeded.push(bytes) });
  port.onMessage((message) => received.push(message));
  return port;
}

const toSamples = (bytes: number) => ({ samples: 's'.repeat(bytes) });

beforeEach(async () => {
  received = [];
  exceeded = [];
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  worker = spawn(process.execPath, ['-e', READER], { stdio: [...stdio], serialization: 'advanced' });
  await new Promise((resolve) => worker.once('message', resolve));
});

afterEach(async () => {
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await exited;
});

describe('the port of a worker', () => {
  it('reports a suspended worker once, when the unsent bytes exceed the bound, and sends nothing more', () => {
    worker.kill('SIGSTOP');
    const port = open(4 * MB);
    let sent = 0;
    for (; exceeded.length === 0 && sent < 20; sent++) port.send(toSamples(MB), () => {});
    expect(sent).toBeLessThanOrEqual(6);
    expect(exceeded).toEqual([expect.any(Number)]);
    expect(exceeded[0]).toBeGreaterThan(4 * MB);
    expect(exceeded[0]).toBeLessThan(5.1 * MB);
    const errors: (Error | null)[] = [];
    port.send(toSamples(MB), (error) => errors.push(error));
    expect(errors).toEqual([expect.any(Error)]);
    expect(exceeded).toHaveLength(1);
  });

  it('counts small messages too', () => {
    worker.kill('SIGSTOP');
    const port = open(MB);
    for (let sent = 0; sent < 2000; sent++) port.send(toSamples(1024), () => {});
    expect(exceeded).toHaveLength(1);
  });

  it('releases the bytes of messages that the worker has read', async () => {
    const port = open(4 * MB);
    for (let sent = 0; sent < 5; sent++) {
      await new Promise<void>((resolve) => {
        let isWritten = false;
        port.send(toSamples(3 * MB), () => (isWritten = true));
        worker.once('message', () => {
          expect(isWritten).toBe(true);
          resolve();
        });
        port.send({ reply: true }, () => {});
      });
    }
    expect(received).toHaveLength(5);
    expect(exceeded).toEqual([]);
  });
});
