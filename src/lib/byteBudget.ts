/** Bounds the memory that one caller can make the gateway hold: unsent bytes, open subscriptions and queued samples. */

export interface ByteBudget {
  /** Charges bytes to the caller; a negative number releases them. */
  add(bytes: number): void;
  /** Bytes charged now. */
  used(): number;
  /** Whether more bytes are charged than the caller may hold. */
  isExceeded(): boolean;
  /** Whether this many bytes fit into half of the budget. The other half is kept for what already runs. */
  hasRoomFor(bytes: number): boolean;
  /** Charges bytes as soon as they fit, in the order of the requests. */
  reserve(bytes: number): Reservation;
}

export interface Reservation {
  /** Resolves with true when the bytes are charged, with false after `release`. */
  granted: Promise<boolean>;
  /** Releases the bytes, or gives up the place in line. Only the first call counts. */
  release(): void;
}

/** Answers the budget of a caller, given its name. All budgets of one name are one. */
export type ByteBudgets = (caller: string) => ByteBudget;

interface Waiter {
  bytes: number;
  grant(isGranted: boolean): void;
}

interface Account {
  used: number;
  waiters: Waiter[];
}

export function createByteBudgets(maxBytes: number): ByteBudgets {
  /** Callers that hold nothing have no entry. */
  const accounts = new Map<string, Account>();

  function accountOf(caller: string): Account {
    const known = accounts.get(caller);
    if (known) return known;
    const account: Account = { used: 0, waiters: [] };
    accounts.set(caller, account);
    return account;
  }

  function add(caller: string, bytes: number): void {
    const account = accountOf(caller);
    account.used += bytes;
    grantWaiters(account, maxBytes);
    if (account.used === 0 && account.waiters.length === 0) accounts.delete(caller);
  }

  return (caller) => {
    const used = () => accounts.get(caller)?.used ?? 0;
    return {
      add: (bytes) => add(caller, bytes),
      used,
      isExceeded: () => used() > maxBytes,
      hasRoomFor: (bytes) => used() + bytes <= maxBytes / 2,
      reserve(bytes) {
        const { waiters } = accountOf(caller);
        const reservation = createReservation(bytes, waiters, () => add(caller, -bytes));
        add(caller, 0);
        return reservation;
      },
    };
  };
}

/** For callers without a bound: operations over HTTP, which hold nothing between two events. */
export const unlimitedBytes: ByteBudget = {
  add() {},
  used: () => 0,
  isExceeded: () => false,
  hasRoomFor: () => true,
  reserve: () => ({ granted: Promise.resolve(true), release() {} }),
};

/** A single reservation is granted even where it alone exceeds the budget, so that it does not wait for ever. */
function grantWaiters(account: Account, maxBytes: number): void {
  for (;;) {
    const [next] = account.waiters;
    if (!next || (account.used > 0 && account.used + next.bytes > maxBytes)) return;
    account.waiters.shift();
    account.used += next.bytes;
    next.grant(true);
  }
}

function createReservation(bytes: number, waiters: Waiter[], giveBack: () => void): Reservation {
  let state: 'waiting' | 'granted' | 'released' = 'waiting';
  let release = () => {};
  const granted = new Promise<boolean>((resolve) => {
    const waiter: Waiter = {
      bytes,
      grant(isGranted) {
        state = isGranted ? 'granted' : 'released';
        resolve(isGranted);
      },
    };
    waiters.push(waiter);
    release = () => {
      const before = state;
      state = 'released';
      if (before === 'granted') giveBack();
      if (before !== 'waiting') return;
      waiters.splice(waiters.indexOf(waiter), 1);
      resolve(false);
    };
  });
  return { granted, release: () => release() };
}
