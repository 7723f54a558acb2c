/** Bounds the memory that one caller can occupy: unsent bytes, open subscriptions and queued samples. */

export interface ByteBudget {
  readonly caller: string;
  /** Charges bytes to the caller; a negative number releases them. */
  add(bytes: number): void;
  /** Bytes charged now. */
  used(): number;
  /** Whether more bytes are charged than the budget allows. */
  isExceeded(): boolean;
  /**
   * Whether this many bytes fit into half of the budget, beside all charged bytes except reservations. The other half is
   * for reservations and for work that already runs.
   */
  hasRoomFor(bytes: number): boolean;
  /**
   * Charges bytes as soon as they fit. All reservations together occupy at most half of the budget, and are granted in
   * order.
   */
  reserve(bytes: number): ByteReservation;
}

export interface ByteReservation {
  /** Resolves with true when the bytes are charged, with false after `release`. */
  granted: Promise<boolean>;
  /** Releases the bytes, or cancels the waiting. Calls after the first one have no effect. */
  release(): void;
}

/** Returns the budget of a caller by its id. All budgets of one id share one account. */
export type ByteBudgets = (caller: string) => ByteBudget;

interface WaitingReservation {
  bytes: number;
  grant(): void;
}

interface Account {
  /** Includes reservations. */
  used: number;
  reserved: number;
  waiting: WaitingReservation[];
}

export function createByteBudgets(maxBytes: number): ByteBudgets {
  const accounts = new Map<string, Account>();
  return (caller) => new CallerBudget(caller, accounts, maxBytes);
}

/** A class, because one is created for each HTTP request. */
class CallerBudget implements ByteBudget {
  readonly caller: string;
  /** Callers without charged bytes have no entry. */
  readonly #accounts: Map<string, Account>;
  readonly #maxBytes: number;

  constructor(caller: string, accounts: Map<string, Account>, maxBytes: number) {
    this.caller = caller;
    this.#accounts = accounts;
    this.#maxBytes = maxBytes;
  }

  add(bytes: number): void {
    const account = this.#account();
    account.used += bytes;
    grantWaiting(account, this.#maxBytes);
    if (account.used === 0 && account.waiting.length === 0) this.#accounts.delete(this.caller);
  }

  used(): number {
    return this.#accounts.get(this.caller)?.used ?? 0;
  }

  isExceeded(): boolean {
    return this.used() > this.#maxBytes;
  }

  hasRoomFor(bytes: number): boolean {
    const account = this.#accounts.get(this.caller);
    return (account ? account.used - account.reserved : 0) + bytes <= this.#maxBytes / 2;
  }

  reserve(bytes: number): ByteReservation {
    const { waiting } = this.#account();
    // Connections may occupy the other half for as long as they are open, so a larger reservation could wait forever.
    const charged = Math.min(bytes, this.#maxBytes / 2);
    const reservation = createReservation(charged, waiting, () => {
      this.#account().reserved -= charged;
      this.add(-charged);
    });
    this.add(0);
    return reservation;
  }

  #account(): Account {
    const existing = this.#accounts.get(this.caller);
    if (existing) return existing;
    const account: Account = { used: 0, reserved: 0, waiting: [] };
    this.#accounts.set(this.caller, account);
    return account;
  }
}

/** For operations that retain nothing between two events, such as queries over HTTP. */
export const unlimitedBytes: ByteBudget = {
  caller: '',
  add() {},
  used: () => 0,
  isExceeded: () => false,
  hasRoomFor: () => true,
  reserve: () => ({ granted: Promise.resolve(true), release() {} }),
};

function grantWaiting(account: Account, maxBytes: number): void {
  for (;;) {
    const [next] = account.waiting;
    if (!next || account.reserved + next.bytes > maxBytes / 2 || account.used + next.bytes > maxBytes) return;
    account.waiting.shift();
    account.used += next.bytes;
    account.reserved += next.bytes;
    next.grant();
  }
}

function createReservation(
  bytes: number,
  waiting: WaitingReservation[],
  onRelease: () => void,
): ByteReservation {
  let state: 'waiting' | 'granted' | 'released' = 'waiting';
  let release = () => {};
  const granted = new Promise<boolean>((resolve) => {
    const waiter: WaitingReservation = {
      bytes,
      grant() {
        state = 'granted';
        resolve(true);
      },
    };
    waiting.push(waiter);
    release = () => {
      const before = state;
      state = 'released';
      if (before === 'granted') onRelease();
      if (before !== 'waiting') return;
      waiting.splice(waiting.indexOf(waiter), 1);
      resolve(false);
    };
  });
  return { granted, release: () => release() };
}
