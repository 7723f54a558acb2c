/** Token managers of several processes under one simulated clock, with a simulated token endpoint. */
import { GatewayError } from '../../../src/errors.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { createTokenManager, type TokenManager } from '../../../src/rest/auth/tokenManager.js';
import type { SharedTokenStore } from '../../../src/rest/auth/tokenStateStore.js';

/** The endpoint's response to a request: a token of this number of seconds, or a status; 0 for no response at all. */
export type TokenResponse = { expiresIn: unknown } | { status: number; retryAfterMs?: number | undefined };

interface TokenWorldOptions {
  processes?: number;
  /** False: no process shares state. */
  isShared?: boolean;
  /** Latency of the token endpoint. */
  latencyMs?: number;
  respond(atMs: number): TokenResponse;
}

export interface TokenWorld {
  managers: TokenManager[];
  /** The token requests with their process, in true time. */
  requests: { atMs: number; process: number; response: TokenResponse }[];
  nowMs(): number;
  /** Advances the time, with all events in it. */
  pass(ms: number): Promise<void>;
  /** Sets the clocks of the processes and of the store. */
  setClock(aheadMs: number): void;
  /** Makes the store unavailable, or available again. */
  setStoreReachable(isReachable: boolean): void;
}

interface Timer {
  atMs: number;
  wake(): void;
}

const START_MS = Date.UTC(2026, 2, 14, 9, 30);

export function createTokenWorld(options: TokenWorldOptions): TokenWorld {
  const { processes = 1, isShared = true, latencyMs = 0, respond } = options;
  let trueMs = START_MS;
  let aheadMs = 0;
  let timers: Timer[] = [];
  const requests: TokenWorld['requests'] = [];
  const clock = { now: () => trueMs + aheadMs };
  const shared = createSharedText(clock.now);

  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = { atMs: trueMs + ms, wake: resolve };
      timers.push(timer);
      signal?.addEventListener('abort', () => {
        timers = timers.filter((other) => other !== timer);
        resolve();
      });
    });

  async function request(process: number) {
    const response = respond(trueMs);
    requests.push({ atMs: trueMs, process, response });
    if (latencyMs > 0) await sleep(latencyMs);
    if ('status' in response) throw refusal(response);
    return { accessToken: `token-${requests.length}`, expiresIn: response.expiresIn };
  }

  async function pass(ms: number) {
    const untilMs = trueMs + ms;
    for (;;) {
      await settle();
      const [next] = timers.sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      timers = timers.filter((timer) => timer !== next);
      trueMs = Math.max(trueMs, next.atMs);
      next.wake();
    }
    trueMs = untilMs;
  }

  const managers = Array.from({ length: processes }, (_, process) =>
    createTokenManager({
      requestToken: () => request(process),
      clock,
      logger: silentLogger,
      store: isShared ? shared.store : undefined,
      sleep,
    }),
  );
  return {
    managers,
    requests,
    nowMs: () => trueMs,
    pass,
    setClock(ms) {
      aheadMs = ms;
    },
    setStoreReachable: shared.setReachable,
  };
}

/** The shared store without a network: compare and set on one text. */
function createSharedText(now: () => number) {
  let text: string | undefined;
  let version = 0;
  let isReachable = true;
  const stored = () => ({ text, version: String(version), nowMs: now() });
  const store: SharedTokenStore = {
    async read() {
      return isReachable ? stored() : undefined;
    },
    async replace(before, after) {
      if (!isReachable) return undefined;
      const isReplaced = before === String(version);
      if (isReplaced) {
        text = after;
        version++;
      }
      return { ...stored(), isReplaced };
    },
  };
  return {
    store,
    setReachable(is: boolean) {
      isReachable = is;
    },
  };
}

function refusal({
  status,
  retryAfterMs,
}: {
  status: number;
  retryAfterMs?: number | undefined;
}): GatewayError {
  if (status === 0) return new GatewayError('PLATFORM_UNAVAILABLE', 'No response.', { retryable: true });
  const code = status === 429 ? 'PLATFORM_RATE_LIMITED' : 'PLATFORM_UNAUTHORIZED';
  return new GatewayError(code, 'No token.', { platform: { status }, retryAfterMs });
}

type TokenUse =
  | { kind: 'get'; process: number }
  /** The platform refuses the token at this endpoint. `refusesAll`: it also refuses the next token. */
  | { kind: 'refuse'; process: number; place: number; refusesAll: boolean };

/** As in `restCaller`: a refused call is repeated once if a new token may help. */
export async function take({ managers }: TokenWorld, step: TokenUse): Promise<void> {
  const manager = managers[step.process % managers.length];
  const token = await manager?.get();
  if (step.kind === 'get' || manager === undefined || token === undefined) return;
  const place = `/place/${step.place}`;
  if (manager.refuse(token, place) === 'final') return;
  const another = await manager.get(token);
  if (step.refusesAll) manager.refuse(another, place);
}

/** Runs all events that need no time to pass. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The most requests within any 15 minutes. */
export function maxInWindow(times: readonly number[], windowMs = 900_000): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length));
}
