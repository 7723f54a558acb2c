/** Limits requests per API client and endpoint in fixed windows, as the platform does. */
import type { Clock } from '../../lib/clock.js';

export type RateLimiter = ReturnType<typeof createRateLimiter>;

interface RateWindow {
  readonly endsAt: number;
  count: number;
}

const MAX_WINDOWS = 10_000;

/** A window begins with its first request and lasts `windowMs` milliseconds. */
export function createRateLimiter(clock: Clock, windowMs: number) {
  const windows = new Map<string, RateWindow>();

  /** Bounds the map, because unauthenticated requests can add any key. */
  function deleteEnded(now: number): void {
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
  }

  return {
    /** Counts one request. Returns 0 if it is allowed, else the whole seconds to wait. */
    countRequest(key: string, limit: number): number {
      const now = clock.now();
      if (windows.size >= MAX_WINDOWS) deleteEnded(now);
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
