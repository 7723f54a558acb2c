/** Two ends of a pipe in one process: a message leaves the other end as a copy, in order, a turn later. */
import { createIpcChannel, type IpcPort } from '../../../src/workers/ipcChannel.js';
import type {
  ChannelToPrimary,
  ConnectedWorker,
  PrimaryHandlers,
  PrimaryService,
  WorkerHandlers,
} from '../../../src/workers/protocol.js';

/** No message arrives while `isCut`. */
export function createPorts(isCut = () => false): [IpcPort, IpcPort] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const toPort = (own: number): IpcPort => ({
    send(message, done) {
      const copy = structuredClone(message);
      setImmediate(() => {
        if (isCut()) return;
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
  /** Ends it as the exit of its process does: no further message arrives. */
  die(): void;
}

/** Workers that take part in these services of a primary. */
export function joinWorkers(count: number, services: readonly PrimaryService[]): FakeWorker[] {
  return Array.from({ length: count }, (_, id) => {
    let isDead = false;
    const [primaryEnd, workerEnd] = createPorts(() => isDead);
    const member: ConnectedWorker = {
      id,
      channel: createIpcChannel<WorkerHandlers, PrimaryHandlers>(primaryEnd),
    };
    for (const service of services) service.addWorker(member);
    return {
      channel: createIpcChannel<PrimaryHandlers, WorkerHandlers>(workerEnd),
      die() {
        isDead = true;
        member.channel.close();
        for (const service of services) service.removeWorker?.(member);
      },
    };
  });
}
