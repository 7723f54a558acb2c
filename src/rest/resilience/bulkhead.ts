/**
 * Bounds the number of concurrent calls. Further calls wait until a slot is free, their caller disconnects, or they
 * time out. Operations take turns, so that one with thousands of calls does not hold up the others; the calls of one
 * operation keep their order.
 */
import { GatewayError } from '../../errors.js';
import { FairQueue } from '../../lib/fairQueue.js';
import { createCancellationError, onWaitEnd, type WaitLimits } from '../transport/waitLimits.js';
import type { ResilienceLimits } from './resilienceLimits.js';

type BulkheadLimits = Pick<ResilienceLimits, 'maxConcurrent' | 'maxQueued' | 'maxPerOperation'>;

export class Bulkhead {
  readonly #limits: BulkheadLimits;
  /** Waiting calls by operation. */
  readonly #queue = new FairQueue<string, () => void>();
  #active = 0;

  constructor(limits: BulkheadLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot: returns undefined if one is free, otherwise a promise that resolves when the call has one. Call `leave`
   * after the call, but not if this throws or rejects. `operation` names the operation that waits. Errors:
   * PLATFORM_UNAVAILABLE if the queue is full and the operation has used its part of it, CANCELLED if the caller
   * disconnected, PLATFORM_TIMEOUT if the wait was too long.
   */
  enter(limits: WaitLimits, operation = ''): Promise<void> | undefined {
    if (limits.cancellation?.isCancelled()) throw createCancellationError(limits.cancellation);
    if (this.#active >= this.#limits.maxConcurrent) {
      if (!this.#hasRoomFor(operation)) throw createQueueFullError();
      return this.#waitForSlot(operation, limits);
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
   * Maximum calls that one operation may currently have in flight and in the queue, at least 1. Calls within it
   * are never refused.
   */
  currentCallLimit(): number {
    return Math.min(this.#limits.maxPerOperation, this.#partOf(this.#queue.ownerCount + 1));
  }

  /** Calls in flight. */
  activeCount(): number {
    return this.#active;
  }

  /** Calls in the queue. */
  queuedCount(): number {
    return this.#queue.size;
  }

  /**
   * A full queue still accepts the first call of each operation, and further calls of an operation that has less than an
   * equal part of the queue.
   */
  #hasRoomFor(operation: string): boolean {
    if (this.#queue.size < this.#limits.maxQueued) return true;
    return this.#queue.sizeOf(operation) < this.#partOf(this.#queue.ownerCount);
  }

  #partOf(operations: number): number {
    return Math.max(1, Math.floor(this.#limits.maxQueued / operations));
  }

  #waitForSlot(operation: string, limits: WaitLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const takeSlot = () => {
        stopWatching();
        resolve();
      };
      const stopWatching = onWaitEnd(limits, (error) => {
        this.#queue.delete(operation, takeSlot);
        stopWatching();
        reject(error);
      });
      this.#queue.add(operation, takeSlot);
    });
  }
}

function createQueueFullError(): GatewayError {
  const message = 'Too many calls are waiting for the platform.';
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true });
}
