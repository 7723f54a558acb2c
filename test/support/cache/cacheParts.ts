/** Shared parts of the cache tests: a clock that the test moves and a platform to load from. */
import type { LoadedValue } from '../../../src/cache/cacheRequest.js';
import { createClientDisconnectedError } from '../../../src/errors.js';
import type { Cancellation } from '../../../src/lib/cancellation.js';

interface ManualClock {
  now(): number;
  pass(byMs: number): void;
}

export function createManualClock(startMs = 1_700_000_000_000): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    pass: (byMs) => {
      nowMs += byMs;
    },
  };
}

/** A platform whose responses the test provides, load by load. */
interface ManualPlatform {
  /** The number of loads. */
  loads(): number;
  /** The cancellations of the loads. */
  cancellations: Cancellation[];
  load(cancellation: Cancellation): Promise<LoadedValue<string>>;
  /** Settles the oldest load in flight, as soon as there is one. */
  respond(value: string, loaded?: Partial<LoadedValue<string>>): Promise<void>;
  fail(error: Error): Promise<void>;
}

interface Pending {
  resolve(loaded: LoadedValue<string>): void;
  reject(error: Error): void;
}

export function createManualPlatform(): ManualPlatform {
  const pending: Pending[] = [];
  const cancellations: Cancellation[] = [];
  const next = async (): Promise<Pending> => {
    for (;;) {
      const oldest = pending.shift();
      if (oldest) return oldest;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    loads: () => cancellations.length,
    cancellations,
    load(cancellation) {
      cancellations.push(cancellation);
      return new Promise((resolve, reject) => {
        pending.push({ resolve, reject });
        cancellation.onCancelled(() => reject(createClientDisconnectedError()));
      });
    },
    async respond(value, loaded = {}) {
      (await next()).resolve({ value, bytes: value.length, isStorable: true, ...loaded });
      await settled();
    },
    async fail(error) {
      (await next()).reject(error);
      await settled();
    },
  };
}

/** A load that resolves at once, and is counted. */
export function createCounter(toValue: () => string = () => 'value') {
  let loads = 0;
  return {
    loads: () => loads,
    async load(): Promise<LoadedValue<string>> {
      loads += 1;
      const value = toValue();
      return { value, bytes: value.length, isStorable: true };
    },
  };
}
