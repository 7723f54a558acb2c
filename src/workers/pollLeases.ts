/**
 * Holds, in the primary, the lease of each poll that workers share, and forwards the steps of the worker that holds it to
 * the other workers.
 */
import {
  type LeaseMessage,
  type LeaseState,
  type PublishedStep,
  toLeaseMs,
} from '../gateway/sharing/pollLease.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { TailPosition } from '../live/sampleTail.js';
import type { ConnectedWorker, PollParticipant, PrimaryService } from './protocol.js';

interface PollLeasesOptions {
  /** Monotonic. */
  clock: Clock;
  pollMs: number;
  logger: Logger;
}

interface Lease {
  participants: Map<string, ConnectedWorker>;
  /** The participant that leads. Undefined while the lease is free. */
  leader: string | undefined;
  /** Time of the last message of the leader. */
  renewedAtMs: number;
  /** All samples up to this position are delivered. Undefined until a leader has begun. */
  position: TailPosition | undefined;
}

export class PollLeases implements PrimaryService {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #logger: Logger;
  readonly #leases = new Map<string, Lease>();

  constructor({ clock, pollMs, logger }: PollLeasesOptions) {
    this.#clock = clock;
    this.#leaseMs = toLeaseMs(pollMs);
    this.#logger = logger;
  }

  addWorker(worker: ConnectedWorker): void {
    const { channel } = worker;
    channel.handle('claimPoll', ({ participant, position }) => this.#claim(worker, participant, position));
    channel.handle('publishStep', ({ participant, step }) => this.#publish(participant, step));
    channel.handle('wakePoll', (participant) => this.#wake(participant));
    channel.handle('releasePoll', (participant) => this.#release(participant));
  }

  removeWorker(worker: ConnectedWorker): void {
    for (const [feed, { participants }] of this.#leases) {
      for (const [id, owner] of participants) if (owner === worker) this.#release({ feed, id });
    }
  }

  #claim(worker: ConnectedWorker, { feed, id }: PollParticipant, position?: TailPosition): LeaseState {
    const lease = this.#getOrCreate(feed);
    lease.participants.set(id, worker);
    const silentMs = this.#clock.now() - lease.renewedAtMs;
    if (lease.leader !== undefined && lease.leader !== id && silentMs > this.#leaseMs) {
      this.#logger.warn(
        { silentMs: Math.round(silentMs) },
        'The polling worker does not respond; another worker takes over',
      );
      lease.leader = undefined;
    }
    lease.leader ??= id;
    if (lease.leader === id) {
      lease.renewedAtMs = this.#clock.now();
      // Steps move the position. The leader may have sent this message before it knew that its last step was accepted.
      lease.position ??= position;
    }
    return { isLeader: lease.leader === id, position: lease.position };
  }

  #getOrCreate(feed: string): Lease {
    const free = { participants: new Map(), leader: undefined, renewedAtMs: 0, position: undefined };
    const lease = this.#leases.get(feed) ?? free;
    this.#leases.set(feed, lease);
    return lease;
  }

  /** Returns whether the participant still leads. Only then is the step forwarded, and the leader delivers its samples. */
  #publish({ feed, id }: PollParticipant, step: PublishedStep): boolean {
    const lease = this.#leases.get(feed);
    if (lease?.leader !== id) return false;
    lease.renewedAtMs = this.#clock.now();
    lease.position = step.position;
    notifyOthers(lease, id, { kind: 'step', step });
    return true;
  }

  /** The leader wakes its poll; the other participants ignore the message. */
  #wake({ feed, id }: PollParticipant): void {
    const lease = this.#leases.get(feed);
    if (lease) notifyOthers(lease, id, { kind: 'wake' });
  }

  #release({ feed, id }: PollParticipant): void {
    const lease = this.#leases.get(feed);
    if (lease === undefined) return;
    lease.participants.delete(id);
    if (lease.participants.size === 0) this.#leases.delete(feed);
    if (lease.leader !== id) return;
    lease.leader = undefined;
    notifyOthers(lease, id, { kind: 'release' });
  }
}

function notifyOthers({ participants }: Lease, sender: string, message: LeaseMessage): void {
  for (const [id, { channel }] of participants) {
    if (id !== sender) channel.notify('pollMessage', { id, message });
  }
}
