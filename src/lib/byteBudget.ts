/**
 * Bounds the memory that one caller, and all callers together, can occupy: unsent bytes, open subscriptions and queued
 * samples.
 */

export interface ByteBudget {
  readonly caller: string;
  /** Charges bytes to the caller; a negative number releases them. */
  add(bytes: number): void;
  /** Bytes charged now. */
  used(): number;
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

/** The share of the heap for all callers together. While they occupy more, each has only an equal part of it. */
const HEAP_SHARE = 1 / 4;

/** `maxHeapBytes`: the largest heap of the process. */
export function createByteBudgets(maxBytes: number, maxHeapBytes: number): ByteBudgets {
  const accounts = new Accounts(maxBytes, HEAP_SHARE * maxHeapBytes);
  return (caller) => new CallerBudget(caller, accounts);
}

class Accounts {
  readonly maxBytes: number;
  readonly #maxTotal: number;
  /** Callers without charged bytes have no entry. */
  readonly #byCaller = new Map<string, Account>();
  #total = 0;

  constructor(maxBytes: number, maxTotal: number) {
    this.maxBytes = maxBytes;
    this.#maxTotal = maxTotal;
  }

  get(caller: string): Account | undefined {
    return this.#byCaller.get(caller);
  }

  open(caller: string): Account {
    const existing = this.#byCaller.get(caller);
    if (existing) return existing;
    const account: Account = { used: 0, reserved: 0, waiting: [] };
    this.#byCaller.set(caller, account);
    return account;
  }

  add(caller: string, bytes: number): void {
    const account = this.open(caller);
    const before = account.used;
    account.used += bytes;
    grantWaiting(account, this.maxBytes);
    this.#total += account.used - before;
    if (account.used === 0 && account.waiting.length === 0) this.#byCaller.delete(caller);
  }

  /** The bytes that one caller may occupy now. */
  limit(): number {
    if (this.#total <= this.#maxTotal) return this.maxBytes;
    return Math.min(this.maxBytes, this.#maxTotal / this.#byCaller.size);
  }
}

/** A class, because one is created for each HTTP request. */
class CallerBudget implements ByteBudget {
  readonly caller: string;
  readonly #accounts: Accounts;

  constructor(caller: string, accounts: Accounts) {
    this.caller = caller;
    this.#accounts = accounts;
  }

  add(bytes: number): void {
    this.#accounts.add(this.caller, bytes);
  }

  used(): number {
    return this.#accounts.get(this.caller)?.used ?? 0;
  }

  isExceeded(): boolean {
    return this.used() > this.#accounts.limit();
  }

  hasRoomFor(bytes: number): boolean {
    const account = this.#accounts.get(this.caller);
    return (account ? account.used - account.reserved : 0) + bytes <= this.#accounts.limit() / 2;
  }

  reserve(bytes: number): ByteReservation {
    const { waiting } = this.#accounts.open(this.caller);
    // Connections may occupy the other half for as long as they are open, so a larger reservation could wait forever.
    const charged = Math.min(bytes, this.#accounts.maxBytes / 2);
    const reservation = createReservation(charged, waiting, () => {
      this.#accounts.open(this.caller).reserved -= charged;
      this.add(-charged);
    });
    this.add(0);
    return reservation;
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
