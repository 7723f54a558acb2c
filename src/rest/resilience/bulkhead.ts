/**
 * Bounds the number of concurrent calls. Further calls wait until a slot is free, their caller disconnects, or they
 * time out. Callers take turns, and so do the operations of each, so that neither a caller with many operations nor an
 * operation with thousands of calls delays the others. The calls of one operation keep their order. A call that several
 * operations wait for is sent in the turn of whichever comes first.
 */
import { GatewayError } from '../../errors.js';
import type { Waiter } from '../../lib/cancellation.js';
import { CallerQueue } from '../../lib/fairQueue.js';
import { createCancellationError, onWaitEnd, type WaitLimits } from '../transport/waitLimits.js';
import type { ResilienceLimits } from './resilienceLimits.js';

export type CallOwner = Pick<Waiter, 'callerId' | 'requestId'>;

type BulkheadLimits = Pick<ResilienceLimits, 'maxConcurrent' | 'maxQueued' | 'maxPerOperation'>;

export class Bulkhead {
  readonly #limits: BulkheadLimits;
  readonly #queue = new CallerQueue<string, () => void>();
  #active = 0;
  /** Calls in the queue. A call that several operations wait for is in it several times, and counts once. */
  #queued = 0;

  constructor(limits: BulkheadLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot: returns undefined if one is free, otherwise a promise that resolves when the call has one. Call `leave`
   * after the call, but not if this throws or rejects. Errors: PLATFORM_UNAVAILABLE if the queue is full and the operation
   * has used its part of it, CANCELLED if the caller disconnected, PLATFORM_TIMEOUT if the wait was too long.
   */
  enter(limits: WaitLimits, { callerId = '', requestId = '' }: CallOwner = {}): Promise<void> | undefined {
    if (limits.cancellation?.isCancelled()) throw createCancellationError(limits.cancellation);
    if (this.#active >= this.#limits.maxConcurrent) {
      if (!this.#hasRoomFor(callerId, requestId)) throw createQueueFullError();
      return this.#waitForSlot(callerId, requestId, limits);
    }
    this.#active += 1;
    return undefined;
  }

  /** Passes the slot to the next operation directly, so that a new call cannot overtake it. */
  leave(): void {
    const takeSlot = this.#queue.shift();
    if (takeSlot) takeSlot();
    else this.#active -= 1;
  }

  /**
   * Maximum calls that one operation of the caller may currently have in flight and in the queue, at least 1. Calls within
   * it are never refused.
   */
  currentCallLimit(callerId = ''): number {
    const operations = this.#queue.operationCountOf(callerId);
    const others = this.#queue.callerCount - Math.min(operations, 1);
    return Math.min(this.#limits.maxPerOperation, this.#partOf(others + 1, operations + 1));
  }

  activeCount(): number {
    return this.#active;
  }

  queuedCount(): number {
    return this.#queued;
  }

  /**
   * A full queue still accepts the first call of each operation, and further calls while the operation has less than
   * its share. Callers share the queue equally, and so do the operations of each caller.
   */
  #hasRoomFor(callerId: string, operation: string): boolean {
    const queue = this.#queue;
    if (this.#queued < this.#limits.maxQueued) return true;
    return (
      queue.sizeOf(callerId, operation) < this.#partOf(queue.callerCount, queue.operationCountOf(callerId))
    );
  }

  #partOf(callers: number, operations: number): number {
    return Math.max(1, Math.floor(this.#limits.maxQueued / callers / operations));
  }

  #waitForSlot(callerId: string, operation: string, limits: WaitLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      let waiters: CallOwner[] | undefined;
      const end = () => {
        stopWatching();
        stopListening?.();
        this.#queued -= 1;
        this.#queue.delete(callerId, operation, takeSlot);
        for (const owner of waiters ?? [])
          this.#queue.delete(owner.callerId ?? '', owner.requestId ?? '', takeSlot);
      };
      const takeSlot = () => {
        end();
        resolve();
      };
      const stopWatching = onWaitEnd(limits, (error) => {
        end();
        reject(error);
      });
      this.#queue.add(callerId, operation, takeSlot);
      this.#queued += 1;
      const stopListening = limits.cancellation?.onWaiter?.((owner) => {
        waiters ??= [];
        waiters.push(owner);
        this.#queue.add(owner.callerId ?? '', owner.requestId ?? '', takeSlot);
      });
    });
  }
}

function createQueueFullError(): GatewayError {
  const message = 'Too many calls are waiting for the platform.';
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true });
}
