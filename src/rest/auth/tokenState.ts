/**
 * What is known of one credential's token: the token, the attempts to get one, the cooldown after a failure
 * and who is asking right now. One value that can be kept by one process or shared by many; the functions
 * here mend, move and merge it, and write it as text. Pure.
 */
import type { ErrorCode, PlatformStatus } from '../../errors.js';
import { isRecord } from '../decode/rowDecoder.js';
import { recentAttempts, type TokenAttempt, WINDOW_MS } from './tokenBudget.js';
import type { TokenTimes } from './tokenSchedule.js';

/** Times are milliseconds of one clock: this process's, or the shared store's. */
export interface TokenState {
  attempts: readonly TokenAttempt[];
  token: KnownToken | undefined;
  cooldown: Cooldown | undefined;
  lease: RenewalLease | undefined;
}

export interface KnownToken extends TokenTimes {
  /** The id of the attempt that got it. */
  id: string;
  value: string;
  /** Each token's is above that of the one before it. */
  generation: number;
  obtainedAtMs: number;
}

interface TimeWindow {
  fromMs: number;
  untilMs: number;
}

/** Nobody asks before its end. Kept afterwards, to count failures in a row. */
export interface Cooldown extends TimeWindow {
  failures: number;
  /** Of the token there was; a newer token ends the cooldown. */
  generation: number;
  failure: TokenFailure;
}

/** What callers are told of a failed request; nothing secret. */
export interface TokenFailure {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  platform: PlatformStatus | undefined;
}

/** Who asks for a token now. Its end is when others no longer wait for it. */
export interface RenewalLease extends TimeWindow {
  holder: string;
}

export const noTokenState: TokenState = {
  attempts: [],
  token: undefined,
  cooldown: undefined,
  lease: undefined,
};

/**
 * Drops what no longer counts. What lies in the future was written before the clock was set back: it
 * is moved to begin now, so that it ends after its own length and not when the clock has caught up.
 */
export function normalizeTimes({ attempts, token, cooldown, lease }: TokenState, nowMs: number): TokenState {
  return {
    attempts: recentAttempts(attempts, nowMs),
    token: token && shiftToken(token, Math.min(0, nowMs - token.obtainedAtMs)),
    cooldown: cooldown && normalizeCooldown(cooldown, nowMs),
    lease: lease && shiftSpan(lease, Math.min(0, nowMs - lease.fromMs)),
  };
}

/** Failures long ago are not in a row with the next. */
function normalizeCooldown(cooldown: Cooldown, nowMs: number): Cooldown | undefined {
  if (nowMs >= cooldown.untilMs + WINDOW_MS) return undefined;
  return shiftSpan(cooldown, Math.min(0, nowMs - cooldown.fromMs));
}

/** The same in the times of a clock that is ahead by so many milliseconds. */
export function shiftTimes({ attempts, token, cooldown, lease }: TokenState, byMs: number): TokenState {
  return {
    attempts: attempts.map(({ id, atMs }) => ({ id, atMs: atMs + byMs })),
    token: token && shiftToken(token, byMs),
    cooldown: cooldown && shiftSpan(cooldown, byMs),
    lease: lease && shiftSpan(lease, byMs),
  };
}

function shiftToken(token: KnownToken, byMs: number): KnownToken {
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

/** What both know together. Of leases the shared one holds: the own one is nobody else's business. */
export function mergeStates(own: TokenState, shared: TokenState): TokenState {
  const token = newerToken(own.token, shared.token);
  const cooldown = laterCooldown(own.cooldown, shared.cooldown);
  const ids = new Set(shared.attempts.map(({ id }) => id));
  return {
    attempts: [...shared.attempts, ...own.attempts.filter(({ id }) => !ids.has(id))],
    token,
    cooldown: cooldown && cooldown.generation >= (token?.generation ?? 0) ? cooldown : undefined,
    lease: shared.lease,
  };
}

/**
 * By what it counts, not by its times: what comes back from the shared store has been moved between two clocks
 * and may be off by a few milliseconds, which would add up.
 */
function laterCooldown(own: Cooldown | undefined, shared: Cooldown | undefined): Cooldown | undefined {
  if (own === undefined || shared === undefined) return own ?? shared;
  const ahead = own.generation - shared.generation || own.failures - shared.failures;
  return ahead > 0 ? own : shared;
}

function newerToken(own: KnownToken | undefined, shared: KnownToken | undefined): KnownToken | undefined {
  if (own === undefined || shared === undefined) return own ?? shared;
  if (own.generation !== shared.generation) return own.generation > shared.generation ? own : shared;
  return own.id > shared.id ? own : shared;
}

/** How long from now anything in it still matters, in milliseconds. */
export function stateLifetimeMs({ token, cooldown }: TokenState, nowMs: number): number {
  return Math.max(WINDOW_MS, (token?.expiresAtMs ?? 0) - nowMs, (cooldown?.untilMs ?? 0) + WINDOW_MS - nowMs);
}

export function serializeState({ attempts, token, cooldown, lease }: TokenState): string {
  return JSON.stringify({ attempts, token, cooldown, lease });
}

/** The state that a text of `serializeState` holds; an empty one for text that is none, or another version's. */
export function parseState(text: string | undefined): TokenState {
  const state = text === undefined ? undefined : parse(text);
  if (!isRecord(state) || !Array.isArray(state['attempts'])) return noTokenState;
  return {
    attempts: state['attempts'].filter((one): one is TokenAttempt => hasFields(one, ['id'], ['atMs'])),
    token: readToken(state['token']),
    cooldown: readCooldown(state['cooldown']),
    lease: hasFields<RenewalLease>(state['lease'], ['holder'], ['fromMs', 'untilMs'])
      ? state['lease']
      : undefined,
  };
}

function readToken(value: unknown): KnownToken | undefined {
  const times = ['generation', 'obtainedAtMs', 'renewAtMs', 'expiresAtMs'];
  return hasFields<KnownToken>(value, ['id', 'value'], times) ? value : undefined;
}

function readCooldown(value: unknown): Cooldown | undefined {
  if (!hasFields<Cooldown>(value, [], ['fromMs', 'untilMs', 'failures', 'generation'])) return undefined;
  return hasFields(value.failure, ['code', 'message'], []) ? value : undefined;
}

function hasFields<Shape extends object>(
  value: unknown,
  texts: readonly string[],
  numbers: readonly string[],
): value is Shape {
  return (
    isRecord(value) &&
    texts.every((name) => typeof value[name] === 'string') &&
    numbers.every((name) => Number.isFinite(value[name]))
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
