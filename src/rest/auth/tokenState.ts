/**
 * The token state of one credential: the token, the attempts, the cooldown after a failure, and the lease of the process
 * that is renewing. The state of one process, or shared by many. Pure functions normalise, shift, merge and serialise it.
 */
import type { GatewayError } from '../../errors.js';
import { recentAttempts, type TokenAttempt, WINDOW_MS } from './tokenBudget.js';
import type { TokenTimes } from './tokenSchedule.js';

/** Times are milliseconds of one clock: this process's, or the shared store's. */
export interface TokenState {
  attempts: readonly TokenAttempt[];
  token: StoredToken | undefined;
  cooldown: Cooldown | undefined;
  lease: RenewalLease | undefined;
}

export interface StoredToken extends TokenTimes {
  /** Id of the attempt that returned it. */
  id: string;
  value: string;
  /** Rises with each token. */
  version: number;
  obtainedAtMs: number;
}

interface TimeWindow {
  fromMs: number;
  untilMs: number;
}

/** No process requests a token before its end. Stored longer, to count failures in a row. */
export interface Cooldown extends TimeWindow {
  failures: number;
  /** Version of the token at the failure; a newer token ends the cooldown. */
  version: number;
  failure: TokenFailure;
}

/** The error that callers receive, without secrets. */
export type TokenFailure = Pick<GatewayError, 'code' | 'message' | 'retryable' | 'platform'>;

/** The process that is requesting a token; others wait for it until the end of the lease. */
interface RenewalLease extends TimeWindow {
  holder: string;
}

export const noTokenState: TokenState = {
  attempts: [],
  token: undefined,
  cooldown: undefined,
  lease: undefined,
};

/**
 * Removes expired parts. Parts that begin in the future are from before the clock was set back: they are shifted
 * to begin now, so that they keep their length.
 */
export function normalizeTimes({ attempts, token, cooldown, lease }: TokenState, nowMs: number): TokenState {
  return {
    attempts: recentAttempts(attempts, nowMs),
    token: token && shiftToken(token, Math.min(0, nowMs - token.obtainedAtMs)),
    cooldown: cooldown && normalizeCooldown(cooldown, nowMs),
    lease: lease && shiftSpan(lease, Math.min(0, nowMs - lease.fromMs)),
  };
}

/** Old failures do not count as consecutive with the next one. */
function normalizeCooldown(cooldown: Cooldown, nowMs: number): Cooldown | undefined {
  if (nowMs >= cooldown.untilMs + WINDOW_MS) return undefined;
  return shiftSpan(cooldown, Math.min(0, nowMs - cooldown.fromMs));
}

/** The state in the time of a clock that is `byMs` ahead. */
export function shiftTimes({ attempts, token, cooldown, lease }: TokenState, byMs: number): TokenState {
  return {
    attempts: attempts.map(({ id, atMs }) => ({ id, atMs: atMs + byMs })),
    token: token && shiftToken(token, byMs),
    cooldown: cooldown && shiftSpan(cooldown, byMs),
    lease: lease && shiftSpan(lease, byMs),
  };
}

function shiftToken(token: StoredToken, byMs: number): StoredToken {
  if (byMs === 0) return token;
  const { obtainedAtMs, renewAtMs, expiresAtMs } = token;
  return {
    ...token,
    obtainedAtMs: obtainedAtMs + byMs,
    renewAtMs: renewAtMs + byMs,
    expiresAtMs: expiresAtMs + byMs,
  };
}

function shiftSpan<Some extends TimeWindow>(span: Some, byMs: number): Some {
  return byMs === 0 ? span : { ...span, fromMs: span.fromMs + byMs, untilMs: span.untilMs + byMs };
}

/** Combines both states; the lease is the shared one. */
export function mergeStates(own: TokenState, shared: TokenState): TokenState {
  const token = newerToken(own.token, shared.token);
  const cooldown = laterCooldown(own.cooldown, shared.cooldown);
  const ids = new Set(shared.attempts.map(({ id }) => id));
  return {
    attempts: [...shared.attempts, ...own.attempts.filter(({ id }) => !ids.has(id))],
    token,
    cooldown: cooldown && cooldown.version >= (token?.version ?? 0) ? cooldown : undefined,
    lease: shared.lease,
  };
}

/**
 * Compares versions and failures, not times: times from the shared store were converted between two clocks and may
 * be off by a few milliseconds, which would add up.
 */
function laterCooldown(own: Cooldown | undefined, shared: Cooldown | undefined): Cooldown | undefined {
  if (own === undefined || shared === undefined) return own ?? shared;
  const ahead = own.version - shared.version || own.failures - shared.failures;
  return ahead > 0 ? own : shared;
}

function newerToken(own: StoredToken | undefined, shared: StoredToken | undefined): StoredToken | undefined {
  if (own === undefined || shared === undefined) return own ?? shared;
  if (own.version !== shared.version) return own.version > shared.version ? own : shared;
  return own.id > shared.id ? own : shared;
}

/** Milliseconds until no part of the state matters. */
export function stateLifetimeMs({ token, cooldown }: TokenState, nowMs: number): number {
  return Math.max(WINDOW_MS, (token?.expiresAtMs ?? 0) - nowMs, (cooldown?.untilMs ?? 0) + WINDOW_MS - nowMs);
}

export function serializeState({ attempts, token, cooldown, lease }: TokenState): string {
  return JSON.stringify({ attempts, token, cooldown, lease });
}

/**
 * Parses a string of `serializeState`. Only a process with the credential can have written it, so its shape needs no
 * check. A change of the shape needs another key in Redis, because replicas of different versions can share one.
 */
export function parseState(text: string | undefined): TokenState {
  return text === undefined ? noTokenState : { ...noTokenState, ...(JSON.parse(text) as TokenState) };
}
