/**
 * Bounds the number of concurrent calls. Further calls wait until a slot is free, their caller disconnects, or they
 * time out. Callers take turns, and so do the operations of each, so that neither a caller with many operations nor an
 * operation with thousands of calls holds up the others. The calls of one operation keep their order.
 */
import { GatewayError } from '../../errors.js';
import { CallerQueue } from '../../lib/fairQueue.js';
import { createCancellationError, onWaitEnd, type WaitLimits } from '../transport/waitLimits.js';
import type { ResilienceLimits } from './resilienceLimits.js';

/** The operation that makes a call, and its caller. */
export interface CallOwner {
  /** Absent: the call is not for one caller. */
  callerId?: string | undefined;
  requestId?: string | undefined;
}

type BulkheadLimits = Pick<ResilienceLimits, 'maxConcurrent' | 'maxQueued' | 'maxPerOperation'>;

export class Bulkhead {
  readonly #limits: BulkheadLimits;
  readonly #queue = new CallerQueue<string, () => void>();
  #active = 0;

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
   * equal part of its caller's equal part of the queue.
   */
  #hasRoomFor(callerId: string, operation: string): boolean {
    const queue = this.#queue;
    if (queue.size < this.#limits.maxQueued) return true;
    return (
      queue.sizeOf(callerId, operation) < this.#partOf(queue.callerCount, queue.operationCountOf(callerId))
    );
  }

  #partOf(callers: number, operations: number): number {
    return Math.max(1, Math.floor(this.#limits.maxQueued / callers / operations));
  }

  #waitForSlot(callerId: string, operation: string, limits: WaitLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const takeSlot = () => {
        stopWatching();
        resolve();
      };
      const stopWatching = onWaitEnd(limits, (error) => {
        this.#queue.delete(callerId, operation, takeSlot);
        stopWatching();
        reject(error);
      });
      this.#queue.add(callerId, operation, takeSlot);
    });
  }
}

function createQueueFullError(): GatewayError {
  const message = 'Too many calls are waiting for the platform.';
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true });
}
