/**
 * Divides long work over turns of the event loop by time, so that neither a caller with many operations nor one
 * operation delays the others.
 */
import { CallerQueue } from './fairQueue.js';

/** Maximum work in one turn, in milliseconds. Receiving, decoding and garbage collection are not included. */
const MAX_TURN_MS = 10;

interface TurnBudgetOptions {
  maxTurnMs?: number | undefined;
  /** A clock that never goes back, in milliseconds. */
  nowMs?: (() => number) | undefined;
}

/** The time of the current turn, and the work that waits for later turns. */
export class TurnBudget {
  readonly #maxTurnMs: number;
  readonly #nowMs: () => number;
  readonly #waiting = new CallerQueue<object, () => void>();
  #startMs: number | undefined;
  #isExhausted = false;

  constructor({ maxTurnMs = MAX_TURN_MS, nowMs = () => performance.now() }: TurnBudgetOptions = {}) {
    this.#maxTurnMs = maxTurnMs;
    this.#nowMs = nowMs;
  }

  /** Whether the last measurement found the time of this turn used up. */
  isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Reads the clock. The time of a turn counts from its first measurement. Returns `isExhausted`. */
  measure(): boolean {
    if (this.#startMs === undefined) {
      this.#startMs = this.#nowMs();
      setImmediate(() => this.#beginTurn());
    } else if (this.#nowMs() - this.#startMs >= this.#maxTurnMs) {
      this.#isExhausted = true;
    }
    return this.#isExhausted;
  }

  /** Runs the work in a later turn. It must not throw. */
  add(callerId: string, operation: object, work: () => void): void {
    this.#waiting.add(callerId, operation, work);
    if (this.#startMs === undefined) this.measure();
  }

  /** The first measurement of a turn always finds time left, so that work proceeds on a machine of any speed. */
  #beginTurn(): void {
    this.#startMs = undefined;
    this.#isExhausted = false;
    this.#runWaiting();
  }

  /** Microtasks that a piece of work has queued run before the next piece, so that their time counts. */
  #runWaiting(): void {
    if (this.#waiting.size === 0 || this.measure()) return;
    this.#waiting.shift()?.();
    if (this.#waiting.size > 0) afterMicrotasks(() => this.#runWaiting());
  }
}

/** All operations share the event loop. */
const processBudget = new TurnBudget();

/** The work that one operation leaves to later turns. Batches of loads wait for it, so that they are not divided. */
export class OperationTurns {
  readonly #callerId: string;
  readonly #budget: TurnBudget;
  #waitingCount = 0;
  #onDone: (() => void)[] = [];

  /** `callerId`: empty if the operation is not for one caller. */
  constructor(budget = processBudget, callerId = '') {
    this.#callerId = callerId;
    this.#budget = budget;
  }

  /** Whether further work should be left to a later turn. Cheap: does not read the clock. */
  isExhausted(): boolean {
    return this.#budget.isExhausted();
  }

  /** Like `isExhausted`, but reads the clock first. Call it after a fraction of a millisecond of work. */
  measure(): boolean {
    return this.#budget.measure();
  }

  /** Whether work of the operation waits for a later turn. */
  isWaiting(): boolean {
    return this.#waitingCount > 0;
  }

  /** Calls `work` in a later turn, in the order of the calls. */
  later<Result>(work: () => Result | PromiseLike<Result>): Promise<Result> {
    this.#waitingCount += 1;
    return new Promise((resolve, reject) => {
      this.#budget.add(this.#callerId, this, () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
        this.#endWork();
      });
    });
  }

  /** Calls back when no work waits. */
  whenDone(call: () => void): void {
    if (this.#waitingCount === 0) call();
    else this.#onDone.push(call);
  }

  #endWork(): void {
    this.#waitingCount -= 1;
    if (this.#waitingCount > 0 || this.#onDone.length === 0) return;
    const calls = this.#onDone;
    this.#onDone = [];
    for (const call of calls) call();
  }
}

/**
 * Calls `dispatch` when all microtasks have run and no work of the operation waits for a turn, so that the keys of all of
 * that work share one batch. DataLoader by itself waits for microtasks only.
 */
export function scheduleBatch(turns: OperationTurns, dispatch: () => void): void {
  afterMicrotasks(() => {
    if (turns.isWaiting()) turns.whenDone(() => scheduleBatch(turns, dispatch));
    else dispatch();
  });
}

/** `nextTick` runs before the microtasks that a callback has queued, unless a microtask schedules it. */
export function afterMicrotasks(call: () => void): void {
  void Promise.resolve().then(() => process.nextTick(call));
}
