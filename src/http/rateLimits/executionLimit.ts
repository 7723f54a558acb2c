/**
 * Limits the operations of one caller that execute at the same time, by their estimated cost: what an operation has loaded
 * stays in memory until its result is complete. Further operations wait in the order of their arrival.
 */
import { createCallerLimitError, createClientDisconnectedError } from '../../errors.js';
import type { OperationCost } from '../../graphql/limits/operationGuard.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { CallerSession } from '../auth/callerSession.js';

/** The executing operations of one caller cost at most as much as this number of operations at the limit of the cost. */
const MAX_EXPENSIVE = 4;
/** A cheap operation counts as this much, because its request, context and response also take memory. */
const MIN_COST = 100;
const MAX_WAITING = 1000;

interface CallerExecutions {
  /** Total for the executing operations, as a whole number. */
  cost: number;
  waiting: Set<{ cost: number; start(): void }>;
  /** Whether the first waiting operation starts in the next turn of the event loop. */
  isStarting: boolean;
}

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
  /** Milliseconds after which an operation that waits is refused. */
  maxWaitMs: number;
}

export class ExecutionLimit {
  readonly #maxTotal: number;
  readonly #maxWaitMs: number;
  /** Callers without operations have no entry. */
  readonly #accounts = new Map<string, CallerExecutions>();
  readonly #counts: ExecutionCounts = { executing: 0, waiting: 0 };

  constructor({ maxCost, maxWaitMs }: ExecutionLimitOptions) {
    this.#maxTotal = MAX_EXPENSIVE * Math.max(maxCost, MIN_COST);
    this.#maxWaitMs = maxWaitMs;
  }

  counts(): Readonly<ExecutionCounts> {
    return this.#counts;
  }

  /** Whether an operation of this cost would execute at once. */
  hasRoom(caller: string, cost: OperationCost | undefined): boolean {
    const account = this.#accounts.get(caller);
    return account === undefined || !this.#mustWait(account, this.#toCost(cost));
  }

  /**
   * Executes an operation, at once if it has room. Rejects with CANCELLED if its client disconnects while it waits, with
   * RATE_LIMITED if it waits for too long or too many others wait, and with the error of `checkCredential` after the wait.
   */
  async run<Result>(
    caller: string,
    estimate: OperationCost | undefined,
    { cancellation, session }: WaitDetails,
    execute: () => Promise<Result>,
  ): Promise<Result> {
    const cost = this.#toCost(estimate);
    const account = this.#accounts.get(caller) ?? { cost: 0, waiting: new Set(), isStarting: false };
    const waits = this.#mustWait(account, cost);
    if (waits) await this.#wait(caller, account, cost, cancellation);
    else account.cost += cost;
    this.#accounts.set(caller, account);
    this.#counts.executing++;
    try {
      if (waits) await session.checkCredential();
      return await execute();
    } finally {
      this.#counts.executing--;
      account.cost -= cost;
      this.#proceed(caller, account);
    }
  }

  #toCost(cost: OperationCost | undefined): number {
    return Math.min(this.#maxTotal, Math.max(MIN_COST, Math.ceil(cost?.estimated ?? 0)));
  }

  #fits(account: CallerExecutions, cost: number): boolean {
    return account.cost + cost <= this.#maxTotal;
  }

  #mustWait(account: CallerExecutions, cost: number): boolean {
    return account.waiting.size > 0 || !this.#fits(account, cost);
  }

  /** Resolves when the cost is added to the account. */
  #wait(caller: string, account: CallerExecutions, cost: number, cancellation: Cancellation): Promise<void> {
    const { waiting } = account;
    if (cancellation.isCancelled()) throw createClientDisconnectedError();
    if (waiting.size >= MAX_WAITING) throw createWaitError();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        ignoreCancellation();
        waiting.delete(waiter);
        this.#counts.waiting--;
      };
      const fail = (error: Error) => {
        end();
        this.#proceed(caller, account);
        reject(error);
      };
      const waiter = {
        cost,
        start() {
          end();
          account.cost += cost;
          resolve();
        },
      };
      const ignoreCancellation = cancellation.onCancelled(() => fail(createClientDisconnectedError()));
      const timer = setTimeout(() => fail(createWaitError()), this.#maxWaitMs).unref();
      waiting.add(waiter);
      this.#counts.waiting++;
    });
  }

  /** Call it when an operation has ended or has given up waiting. */
  #proceed(caller: string, account: CallerExecutions): void {
    if (account.waiting.size > 0) this.#startWaiting(account);
    else if (account.cost === 0) this.#accounts.delete(caller);
  }

  /** Starts one operation in each turn of the event loop, so that other callers run in between. */
  #startWaiting(account: CallerExecutions): void {
    const [next] = account.waiting;
    if (account.isStarting || next === undefined || !this.#fits(account, next.cost)) return;
    account.isStarting = true;
    setImmediate(() => {
      account.isStarting = false;
      const [first] = account.waiting;
      if (first === undefined || !this.#fits(account, first.cost)) return;
      first.start();
      this.#startWaiting(account);
    });
  }
}

function createWaitError() {
  return createCallerLimitError('Rate limited: too many operations of this caller are executing or waiting.');
}
