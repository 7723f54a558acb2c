/** Two ends of a pipe in one process: a message leaves the other end as a copy, in order, a turn later. */
import { createIpcChannel, type IpcPort } from '../../../src/workers/ipcChannel.js';
import type {
  ChannelToPrimary,
  ConnectedWorker,
  PrimaryHandlers,
  PrimaryService,
  WorkerHandlers,
} from '../../../src/workers/protocol.js';

export function createPorts(): [IpcPort, IpcPort] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const toPort = (own: number): IpcPort => ({
    send(message, done) {
      const copy = structuredClone(message);
      setImmediate(() => {
        done(null);
        for (const listener of listeners[1 - own] ?? []) listener(copy);
      });
    },
    onMessage: (listener) => void listeners[own]?.push(listener),
  });
  return [toPort(0), toPort(1)];
}

export interface FakeWorker {
  channel: ChannelToPrimary;
  /** Ends it like a death: no further message arrives. */
  die(): void;
}

/** Workers that have joined the boards of a primary. */
export function joinWorkers(count: number, boards: readonly PrimaryService[]): FakeWorker[] {
  return Array.from({ length: count }, (_, id) => {
    const [primaryEnd, workerEnd] = createPorts();
    const member: ConnectedWorker = {
      id,
      channel: createIpcChannel<WorkerHandlers, PrimaryHandlers>(primaryEnd),
    };
    for (const coordinator of boards) coordinator.addWorker(member);
    return {
      channel: createIpcChannel<PrimaryHandlers, WorkerHandlers>(workerEnd),
      die() {
        member.channel.close();
        for (const coordinator of boards) coordinator.removeWorker?.(member);
      },
    };
  });
}
