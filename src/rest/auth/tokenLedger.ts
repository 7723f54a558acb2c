/**
 * Keeps what is known of the token in this process, and together with the others where a shared store is
 * there: so the manager need not know whether it is, and goes on alone the moment it is not.
 */
import type { Clock } from '../../lib/clock.js';
import type { StateChange } from './renewalPlan.js';
import type { SharedTokenStore, StoredText } from './sharedTokenStore.js';
import {
  type KnownToken,
  mergeStates,
  normalizeTimes,
  noTokenState,
  parseState,
  serializeState,
  shiftTimes,
  stateLifetimeMs,
  type TokenState,
} from './tokenState.js';

export interface TokenLedger {
  /** What this process knows, in the times of its own clock. */
  state(): TokenState;
  /** The token as it was known last, whether or not the clock has been set back since. */
  latestToken(): KnownToken | undefined;
  /** Changes what is known, in one step for all processes. The change may be tried several times. */
  update<Result>(change: (state: TokenState, nowMs: number) => StateChange<Result>): Promise<Result>;
}

export interface TokenLedgerOptions {
  clock: Clock;
  /** Absent: this process is alone. */
  store?: SharedTokenStore | undefined;
}

/** How often a change that others came before is tried again. Only those who write compete: that is few. */
const MAX_UPDATE_ROUNDS = 50;

export function createTokenLedger({ clock, store }: TokenLedgerOptions): TokenLedger {
  let own = noTokenState;

  function known(): TokenState {
    own = normalizeTimes(own, clock.now());
    return own;
  }

  function changeFrom<Result>(
    { text, nowMs }: StoredText,
    change: (state: TokenState, nowMs: number) => StateChange<Result>,
  ) {
    const aheadMs = nowMs - clock.now();
    const merged = mergeStates(shiftTimes(known(), aheadMs), parseState(text));
    const { next, result } = change(normalizeTimes(merged, nowMs), nowMs);
    const nextText = serializeState(next);
    return { result, nextText, lifeMs: stateLifetimeMs(next, nowMs), adopted: shiftTimes(next, -aheadMs) };
  }

  /** Undefined where the store can't be used. */
  async function updateShared<Result>(
    { read, replace }: SharedTokenStore,
    change: (state: TokenState, nowMs: number) => StateChange<Result>,
  ): Promise<{ result: Result } | undefined> {
    let stored = await read();
    for (let round = 0; stored !== undefined && round < MAX_UPDATE_ROUNDS; round++) {
      const { result, nextText, lifeMs, adopted } = changeFrom(stored, change);
      const isSame = nextText === stored.text;
      const written = isSame
        ? { ...stored, isReplaced: true }
        : await replace(stored.version, nextText, lifeMs);
      if (written?.isReplaced) {
        // Merged, since another change of this process may have ended meanwhile.
        own = mergeStates(own, adopted);
        return { result };
      }
      stored = written;
    }
    return undefined;
  }

  return {
    state: known,
    latestToken: () => own.token,
    async update(change) {
      const shared = store && (await updateShared(store, change));
      if (shared) return shared.result;
      const { next, result } = change(known(), clock.now());
      own = next;
      return result;
    },
  };
}
