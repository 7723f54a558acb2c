/** Two ends of a pipe in one process: what goes in at one comes out at the other as a copy, in order, a turn later. */
import { createChannel, type Port } from '../../src/workers/channel.js';
import type {
  Board,
  ChannelToPrimary,
  Member,
  PrimaryAnswers,
  WorkerAnswers,
} from '../../src/workers/protocol.js';

export function createPorts(): [Port, Port] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const toPort = (own: number): Port => ({
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
  /** Ends it as a death does: nothing more is heard of it. */
  die(): void;
}

/** Workers that have joined the boards of a primary. */
export function joinWorkers(count: number, boards: readonly Board[]): FakeWorker[] {
  return Array.from({ length: count }, (_, id) => {
    const [primaryEnd, workerEnd] = createPorts();
    const member: Member = { id, channel: createChannel<WorkerAnswers, PrimaryAnswers>(primaryEnd) };
    for (const board of boards) board.join(member);
    return {
      channel: createChannel<PrimaryAnswers, WorkerAnswers>(workerEnd),
      die() {
        member.channel.close();
        for (const board of boards) board.leave?.(member);
      },
    };
  });
}
