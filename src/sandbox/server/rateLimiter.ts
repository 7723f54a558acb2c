/** Counts requests per caller and endpoint in fixed windows, as the platform limits them. */
import type { Clock } from '../../lib/clock.js';

export interface RateLimiter {
  /** Counts one request. Returns 0 when it is allowed, else the whole seconds to wait. */
  countRequest(key: string, limit: number): number;
}

interface RateWindow {
  readonly endsAt: number;
  count: number;
}

const MAX_WINDOWS = 10_000;

/** A window begins with its first request and lasts `windowMs` milliseconds. */
export function createRateLimiter(clock: Clock, windowMs: number): RateLimiter {
  const windows = new Map<string, RateWindow>();

  /** Keys come from callers, unknown ones too: without this the map would grow without bound. */
  function dropEnded(now: number): void {
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
  }

  return {
    countRequest(key, limit) {
      const now = clock.now();
      if (windows.size >= MAX_WINDOWS) dropEnded(now);
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        window = { endsAt: now + windowMs, count: 0 };
        windows.set(key, window);
      }
      window.count++;
      return window.count <= limit ? 0 : Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    },
  };
}
