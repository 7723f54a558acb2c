/**
 * Limits the operations of one caller that execute at the same time, by their estimated cost: what an operation has loaded
 * stays in memory until its response is written. Further operations wait in the order of their arrival.
 */
import { createCallerLimitError, createClientDisconnectedError } from '../../errors.js';
import type { OperationCost } from '../../graphql/limits/operationGuard.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { MaybePromise } from '../../lib/maybePromise.js';

/** The executing operations of one caller cost at most as much as this number of operations at the limit of the cost. */
const MAX_EXPENSIVE = 4;
/** For the request, the context and the response of a cheap operation. */
const MIN_COST = 100;
const MAX_WAITING = 1000;

/** Call it once, when the operation has ended. */
type Leave = () => void;

interface Waiter {
  cost: number;
  start(): void;
}

interface Account {
  /** Of the executing operations, as a whole number. */
  cost: number;
  waiting: Set<Waiter>;
}

export type ExecutionLimit = ReturnType<typeof createExecutionLimit>;

/** `maxCost`: the highest cost of one operation. */
export function createExecutionLimit(maxCost: number) {
  const maxTotal = MAX_EXPENSIVE * maxCost;
  /** Callers without executing operations have no entry. */
  const accounts = new Map<string, Account>();

  const accountOf = (caller: string): Account => {
    const account = accounts.get(caller) ?? { cost: 0, waiting: new Set() };
    accounts.set(caller, account);
    return account;
  };

  function startWaiting(account: Account): void {
    for (const waiter of account.waiting) {
      if (account.cost + waiter.cost > maxTotal) return;
      account.waiting.delete(waiter);
      waiter.start();
    }
  }

  function begin(caller: string, account: Account, cost: number): Leave {
    account.cost += cost;
    return () => {
      account.cost -= cost;
      startWaiting(account);
      if (account.cost === 0) accounts.delete(caller);
    };
  }

  return {
    /**
     * Returns at once if the operation may execute, else a promise that resolves when it may, or rejects with CANCELLED.
     * Throws CANCELLED, or RATE_LIMITED if too many are waiting.
     */
    enter(
      caller: string,
      estimate: Pick<OperationCost, 'estimated'> | undefined,
      cancellation: Cancellation,
    ): MaybePromise<Leave> {
      const cost = Math.min(maxTotal, Math.max(MIN_COST, Math.ceil(estimate?.estimated ?? 0)));
      const account = accountOf(caller);
      const { waiting } = account;
      if (waiting.size === 0 && account.cost + cost <= maxTotal) return begin(caller, account, cost);
      if (cancellation.isCancelled()) throw createClientDisconnectedError();
      if (waiting.size >= MAX_WAITING)
        throw createCallerLimitError('Rate limited: too many operations of this caller are waiting.');
      return new Promise((resolve, reject) => {
        const ignoreCancellation = cancellation.onCancelled(() => {
          waiting.delete(waiter);
          startWaiting(account);
          reject(createClientDisconnectedError());
        });
        const waiter = {
          cost,
          start() {
            ignoreCancellation();
            resolve(begin(caller, account, cost));
          },
        };
        waiting.add(waiter);
      });
    },
  };
}
