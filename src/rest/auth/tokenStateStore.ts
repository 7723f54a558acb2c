/**
 * Stores the token state in this process, and in the shared store if there is one. While that is unavailable, the
 * process continues with its own state.
 */
import type { Clock } from '../../lib/clock.js';
import type { StateChange } from './renewalPlan.js';
import {
  mergeStates,
  normalizeTimes,
  noTokenState,
  parseState,
  type StoredToken,
  serializeState,
  shiftTimes,
  stateLifetimeMs,
  type TokenState,
} from './tokenState.js';

type Change<Result> = (state: TokenState, nowMs: number) => StateChange<Result>;

export type TokenStateStore = ReturnType<typeof createTokenStateStore>;

interface TokenStateStoreOptions {
  clock: Clock;
  /** Absent if this process is the only one. */
  store?: SharedTokenStore | undefined;
}

/** Attempts to write a change while other processes write. Only renewals write, so conflicts are few. */
const MAX_UPDATE_ROUNDS = 50;

export function createTokenStateStore({ clock, store }: TokenStateStoreOptions) {
  let own = noTokenState;

  function normalized(): TokenState {
    own = normalizeTimes(own, clock.now());
    return own;
  }

  function applyTo<Result>({ text, nowMs }: StoredText, change: Change<Result>) {
    const aheadMs = nowMs - clock.now();
    const merged = mergeStates(shiftTimes(normalized(), aheadMs), parseState(text));
    const { next, result } = change(normalizeTimes(merged, nowMs), nowMs);
    const nextText = serializeState(next);
    return { result, nextText, lifeMs: stateLifetimeMs(next, nowMs), adopted: shiftTimes(next, -aheadMs) };
  }

  /** Undefined while the store and its fallback are unavailable. */
  async function updateShared<Result>(
    { read, replace, fallback }: SharedTokenStore,
    change: Change<Result>,
  ): Promise<{ result: Result } | undefined> {
    let stored = await read();
    for (let round = 0; stored !== undefined && round < MAX_UPDATE_ROUNDS; round++) {
      const { result, nextText, lifeMs, adopted } = applyTo(stored, change);
      const isSame = nextText === stored.text;
      const written = isSame
        ? { ...stored, isReplaced: true }
        : await replace(stored.version, nextText, lifeMs);
      if (written?.isReplaced) {
        // Merged, because another change of this process may have ended in the meantime.
        own = mergeStates(own, adopted);
        return { result };
      }
      stored = written;
    }
    return fallback && updateShared(fallback, change);
  }

  return {
    /** The state of this process, in the times of its clock. */
    state: normalized,
    /** The last token, even if the clock was set back since. */
    latestToken: (): StoredToken | undefined => own.token,
    /** Changes the state atomically for all processes. The change may be called several times. */
    async update<Result>(change: Change<Result>): Promise<Result> {
      const shared = store && (await updateShared(store, change));
      if (shared) return shared.result;
      const { next, result } = change(normalized(), clock.now());
      own = next;
      return result;
    },
  };
}

export interface StoredText {
  /** Undefined if there is none, or if another credential wrote it. */
  text: string | undefined;
  /** Identifies this content. */
  version: string;
  /** Time of the store in milliseconds: the clock that all processes share. */
  nowMs: number;
}

/**
 * The port to a store of one string that all processes of one credential share, so that they share one token. Its
 * methods never reject: they resolve to undefined while the store is unavailable.
 */
export interface SharedTokenStore {
  read(): Promise<StoredText | undefined>;
  /**
   * Writes the text for `lifeMs` if the content is still of the version. Resolves to the content afterwards, with
   * `isReplaced` if the text was written.
   */
  replace(
    version: string,
    text: string,
    lifeMs: number,
  ): Promise<(StoredText & { isReplaced: boolean }) | undefined>;
  /** Shared by fewer processes, and used while this store is unavailable. */
  readonly fallback?: SharedTokenStore | undefined;
}
