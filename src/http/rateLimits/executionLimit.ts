/**
 * Limits the operations that execute at the same time, by their estimated cost: what an operation has loaded stays in
 * memory until its result is complete. One limit is for each caller, the other for the process.
 */
import { createCallerLimitError, createClientDisconnectedError, GatewayError } from '../../errors.js';
import type { OperationCost } from '../../graphql/limits/operationGuard.js';
import type { Cancellation } from '../../lib/cancellation.js';
import { FairQueue } from '../../lib/fairQueue.js';
import type { CallerSession } from '../auth/callerSession.js';

/** The executing operations of one caller cost at most as much as this number of operations at the limit of the cost. */
const MAX_EXPENSIVE = 4;
/** A cheap operation counts as this much, because its request, context and response also take memory. */
const MIN_COST = 100;
const MAX_WAITING = 1000;
/** For all callers together. */
const MAX_WAITING_IN_PROCESS = 10_000;
/** Heap that the most expensive operations take while they execute (`npm run bench:worst`), rounded up. */
const BYTES_PER_COST = 1500;
/** The rest of the heap is for caches, connections and unsent responses. */
const HEAP_SHARE = 1 / 2;
/** Operations below this share of the cost of the process do not wait for more expensive ones. */
const MAX_CHEAP_SHARE = 1 / 100;
/** The share of the cost of the process that is reserved for cheap operations. */
const CHEAP_SHARE = 1 / 4;

/** For all callers together. */
export interface ExecutionCounts {
  executing: number;
  waiting: number;
}

interface WaitDetails {
  cancellation: Cancellation;
  session: Pick<CallerSession, 'checkCredential'>;
}

interface ExecutionLimitOptions {
  /** The highest cost of one operation. */
  maxCost: number;
  /** Milliseconds after which an operation that waits for its caller is refused; half of them for the process. */
  maxWaitMs: number;
  /** The largest heap of the process, in bytes. */
  maxHeapBytes: number;
}

export class ExecutionLimit {
  readonly #maxOfCaller: number;
  readonly #maxCheap: number;
  readonly #maxWaitMs: number;
  /** Callers without operations have no entry. */
  readonly #callers = new Map<string, CostGate>();
  readonly #cheap: CostGate;
  readonly #expensive: CostGate;
  readonly #counts: ExecutionCounts = { executing: 0, waiting: 0 };

  constructor({ maxCost, maxWaitMs, maxHeapBytes }: ExecutionLimitOptions) {
    const maxOfProcess = Math.max(MIN_COST, (maxHeapBytes * HEAP_SHARE) / BYTES_PER_COST);
    const details = {
      maxWaiting: MAX_WAITING_IN_PROCESS,
      maxWaitMs: maxWaitMs / 2,
      createRefusal: createOverloadError,
      counts: this.#counts,
    };
    const maxExpensive = maxOfProcess * (1 - CHEAP_SHARE);
    // With a small heap, a caller leaves as much to others.
    this.#maxOfCaller = Math.min(MAX_EXPENSIVE * Math.max(maxCost, MIN_COST), maxExpensive / 2);
    this.#maxCheap = maxOfProcess * MAX_CHEAP_SHARE;
    this.#maxWaitMs = maxWaitMs;
    this.#cheap = new CostGate({ ...details, maxTotal: maxOfProcess * CHEAP_SHARE });
    this.#expensive = new CostGate({ ...details, maxTotal: maxExpensive });
  }

  counts(): Readonly<ExecutionCounts> {
    return this.#counts;
  }

  /** Whether an operation of this cost would execute at once. */
  hasRoom(caller: string, estimate: OperationCost | undefined): boolean {
    const cost = toWholeCost(estimate);
    return (this.#callers.get(caller)?.hasRoom(cost) ?? true) && this.#processGateOf(cost).hasRoom(cost);
  }

  /**
   * Executes an operation, at once if it has room. Rejects with CANCELLED if its client disconnects while it waits, with
   * RATE_LIMITED or OVERLOADED if it waits for too long or too many others wait, and with the error of
   * `checkCredential` after the wait.
   */
  async run<Result>(
    caller: string,
    estimate: OperationCost | undefined,
    { cancellation, session }: WaitDetails,
    execute: () => Promise<Result>,
  ): Promise<Result> {
    const cost = toWholeCost(estimate);
    const ofCaller = this.#callers.get(caller) ?? this.#createCallerGate();
    const ofProcess = this.#processGateOf(cost);
    this.#callers.set(caller, ofCaller);
    try {
      return await ofCaller.run(caller, cost, cancellation, (hasWaitedForCaller) =>
        ofProcess.run(caller, cost, cancellation, async (hasWaitedForProcess) => {
          this.#counts.executing++;
          try {
            if (hasWaitedForCaller || hasWaitedForProcess) await session.checkCredential();
            return await execute();
          } finally {
            this.#counts.executing--;
          }
        }),
      );
    } finally {
      if (ofCaller.isEmpty()) this.#callers.delete(caller);
    }
  }

  #createCallerGate(): CostGate {
    return new CostGate({
      maxTotal: this.#maxOfCaller,
      maxWaiting: MAX_WAITING,
      maxWaitMs: this.#maxWaitMs,
      createRefusal: createCallerWaitError,
      counts: this.#counts,
    });
  }

  #processGateOf(cost: number): CostGate {
    return cost <= this.#maxCheap ? this.#cheap : this.#expensive;
  }
}

function toWholeCost(cost: OperationCost | undefined): number {
  return Math.max(MIN_COST, Math.ceil(cost?.estimated ?? 0));
}

interface CostGateOptions {
  maxTotal: number;
  maxWaiting: number;
  maxWaitMs: number;
  createRefusal: () => GatewayError;
  counts: ExecutionCounts;
}

interface WaitingOperation {
  cost: number;
  start(): void;
}

/** Admits operations up to a total cost. Callers that wait take turns, and the operations of each keep their order. */
class CostGate {
  readonly #options: CostGateOptions;
  readonly #waiting = new FairQueue<string, WaitingOperation>();
  /** Total of the admitted operations, as a whole number. */
  #total = 0;
  /** Whether the first waiting operation starts in the next turn of the event loop. */
  #isStarting = false;

  constructor(options: CostGateOptions) {
    this.#options = options;
  }

  isEmpty(): boolean {
    return this.#total === 0 && this.#waiting.size === 0;
  }

  hasRoom(cost: number): boolean {
    return this.#waiting.size === 0 && this.#fits(cost);
  }

  /** Executes an operation as soon as it has room. */
  async run<Result>(
    caller: string,
    cost: number,
    cancellation: Cancellation,
    execute: (hasWaited: boolean) => Promise<Result>,
  ): Promise<Result> {
    const mustWait = !this.hasRoom(cost);
    if (mustWait) await this.#wait(caller, cost, cancellation);
    else this.#total += this.#toCharge(cost);
    try {
      return await execute(mustWait);
    } finally {
      this.#total -= this.#toCharge(cost);
      this.#startWaiting();
    }
  }

  /** An operation that costs more than all may cost together executes alone. */
  #toCharge(cost: number): number {
    return Math.min(cost, this.#options.maxTotal);
  }

  #fits(cost: number): boolean {
    return this.#total + this.#toCharge(cost) <= this.#options.maxTotal;
  }

  #wait(caller: string, cost: number, cancellation: Cancellation): Promise<void> {
    const { maxWaiting, maxWaitMs, createRefusal, counts } = this.#options;
    if (cancellation.isCancelled()) throw createClientDisconnectedError();
    if (this.#waiting.size >= maxWaiting) throw createRefusal();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        ignoreCancellation();
        this.#waiting.delete(caller, waiting);
        counts.waiting--;
      };
      const fail = (error: Error) => {
        end();
        this.#startWaiting();
        reject(error);
      };
      const waiting = {
        cost,
        start() {
          end();
          resolve();
        },
      };
      const ignoreCancellation = cancellation.onCancelled(() => fail(createClientDisconnectedError()));
      const timer = setTimeout(() => fail(createRefusal()), maxWaitMs).unref();
      this.#waiting.add(caller, waiting);
      counts.waiting++;
    });
  }

  /**
   * Starts one operation in each turn of the event loop, so that other work runs in between. Operations that would have
   * room do not overtake the first one, so that an expensive one gets its turn.
   */
  #startWaiting(): void {
    if (this.#isStarting || !this.#isFirstReady()) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      if (!this.#isFirstReady()) return;
      const first = this.#waiting.shift();
      this.#total += this.#toCharge(first?.cost ?? 0);
      first?.start();
      this.#startWaiting();
    });
  }

  #isFirstReady(): boolean {
    const first = this.#waiting.first();
    return first !== undefined && this.#fits(first.cost);
  }
}

function createCallerWaitError() {
  return createCallerLimitError('Rate limited: too many operations of this caller are executing or waiting.');
}

function createOverloadError() {
  const message = 'The gateway is executing as many operations as its memory allows. Try again later.';
  return new GatewayError('OVERLOADED', message, { retryable: true, retryAfterMs: 1000 });
}
