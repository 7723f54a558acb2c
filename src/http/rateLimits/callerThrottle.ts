/**
 * Protects other callers from one that floods. Operations beyond the rate are refused after a delay, during which the
 * connection is not read. A caller that was refused recently is deprioritised: its operations run one per turn of the
 * event loop. Failed logins are limited per address.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { createCallerLimitError, createClientDisconnectedError, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { createTurns } from '../../lib/fairQueue.js';
import { settle } from '../../lib/maybePromise.js';
import type { CallerSession, OpenSession } from '../auth/callerSession.js';
import { hasCredential, type ProvidedCredential } from '../auth/providedCredential.js';
import {
  type CallerRateLimiter,
  createCallerRateLimiter,
  type RateLimit,
  REFUSAL_WEIGHT,
} from './callerRateLimiter.js';
import { remoteAddressOf, toAddressGroup } from './remoteAddress.js';

export interface PausableConnection {
  pause(): unknown;
  resume(): unknown;
  /** The events of a `Socket`. The refusals of a closed connection are sent without a delay. */
  once?(event: 'close', listener: () => void): unknown;
  off?(event: 'close', listener: () => void): unknown;
}

export type CallerThrottle = ReturnType<typeof createCallerThrottle>;

const REFUSAL_DELAY_MS = 250;
/** Connections whose refusals are delayed; refusals of further ones are sent at once. */
const MAX_DELAYED_CONNECTIONS = 1000;
const DEPRIORITISED_MS = 10_000;
/** The least recently active caller is evicted. */
export const MAX_REFUSED_CALLERS = 10_000;

export function createCallerThrottle(rate: CallerRateLimiter, clock: Clock) {
  const refusedAtMs = new LRUCache<string, number>({ max: MAX_REFUSED_CALLERS });
  const takeTurn = createTurns(1, { isAlwaysLater: true });
  /** The refusals of one connection share a delay, so that pipelined requests do not use up the number of delays. */
  const delays = new Map<PausableConnection, Promise<void>>();

  function delayOf(connection: PausableConnection): Promise<void> | undefined {
    const existing = delays.get(connection);
    if (existing !== undefined || delays.size >= MAX_DELAYED_CONNECTIONS) return existing;
    connection.pause();
    const delay = new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        connection.off?.('close', end);
        connection.resume();
        delays.delete(connection);
        resolve();
      };
      const timer = setTimeout(end, REFUSAL_DELAY_MS);
      connection.once?.('close', end);
    });
    delays.set(connection, delay);
    return delay;
  }

  const isDeprioritised = (caller: string) => {
    const atMs = refusedAtMs.get(caller);
    return atMs !== undefined && clock.now() - atMs < DEPRIORITISED_MS;
  };

  return {
    /**
     * Counts an operation. Returns a promise to wait for before the operation is read, or undefined if it may continue at
     * once. Throws RATE_LIMITED. The promise rejects with CANCELLED if the response is closed first.
     */
    admit(caller: string, response?: ServerResponse): Promise<void> | undefined {
      const waitMs = rate.take(caller);
      if (waitMs > 0) throw createRateError(rate, waitMs);
      if (!isDeprioritised(caller)) return undefined;
      // The memory of a waiting operation includes all pipelined requests of its connection.
      return takeTurn(caller, (leave) =>
        response?.once('close', () => leave(createClientDisconnectedError())),
      );
    },
    recordRefusal(caller: string): void {
      rate.chargeRefusal(caller);
      refusedAtMs.set(caller, clock.now());
    },
    /** For RATE_LIMITED, pauses the connection and resolves after its delay; undefined for other errors. */
    delayRefusal(connection: PausableConnection, { code }: GatewayError): Promise<void> | undefined {
      return code === 'RATE_LIMITED' ? delayOf(connection) : undefined;
    },
  };
}

function createRateError({ limit }: CallerRateLimiter, retryAfterMs: number): GatewayError {
  const message = `Rate limited: at most ${limit.perSecond} operations per second and ${limit.burst} at once. An operation that is refused for another reason counts as ${REFUSAL_WEIGHT}.`;
  return createCallerLimitError(message, retryAfterMs);
}

/**
 * Counts a request for anything but an operation. Undefined if it may be served now. Otherwise its connection is not
 * read for a moment, and the promise then resolves with the error.
 */
export type LimitPage = (request: IncomingMessage) => Promise<GatewayError> | undefined;

/** A page costs less than an operation. */
const PAGES_PER_OPERATION = 10;

/** The rate of the requests of each address for anything but operations. The argument is the limit of operations. */
export function createPageRate({ perSecond, burst }: RateLimit, clock: Clock): CallerRateLimiter {
  return createCallerRateLimiter(
    { perSecond: PAGES_PER_OPERATION * perSecond, burst: PAGES_PER_OPERATION * burst },
    clock,
  );
}

export function createPageLimit(rate: CallerRateLimiter, { delayRefusal }: CallerThrottle): LimitPage {
  return (request) => {
    const error = takePage(rate, remoteAddressOf(request));
    return error && Promise.resolve(delayRefusal(request.socket, error)).then(() => error);
  };
}

/** Counts a page. Returns the error if the address requests too many. */
function takePage(rate: CallerRateLimiter, address: string): GatewayError | undefined {
  const retryAfterMs = rate.take(toAddressGroup(address));
  if (retryAfterMs === 0) return undefined;
  return createCallerLimitError('Rate limited: too many requests came from this address.', retryAfterMs);
}

/** Whether the operation itself is refused; not because of a rate limit, the load or an unknown persisted query. */
export function isOperationRefusal(error: unknown): boolean {
  return !(error instanceof GatewayError) || !uncountedCodes.has(error.code);
}

const uncountedCodes: ReadonlySet<unknown> = new Set([
  'RATE_LIMITED',
  'OVERLOADED',
  'PERSISTED_QUERY_NOT_FOUND',
]);

/** Errors about the credential itself; others are about the current state of the gateway or platform. */
const failureCodes: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

/** The least recently used credential is evicted. */
export const MAX_VALID_CREDENTIALS = 10_000;
/** How long after its last use a valid credential bypasses the limit of its address. */
const VALID_CREDENTIAL_TTL_MS = 3_600_000;

/**
 * Limits failed logins per address, so that the gateway does not spend its time verifying guessed keys or floods of
 * wrong credentials. Credentials that were valid recently are always verified: a caller that shares its address with an
 * attacker, behind a router or proxy, is not locked out. HTTP, websockets and the metrics page authenticate through the
 * returned function. Refused requests without a credential are not failed logins; they count as requests for pages.
 */
export function limitFailedLogins(
  openSession: OpenSession,
  rate: CallerRateLimiter,
  pageRate: CallerRateLimiter,
  clock: Clock,
): OpenSession {
  const validCredentials = new LRUCache<string, true>({
    max: MAX_VALID_CREDENTIALS,
    ttl: VALID_CREDENTIAL_TTL_MS,
    ttlResolution: 0,
    perf: clock,
  });

  const openLimited: OpenSession = (credential, address, isRecheck = false) => {
    const id = toCredentialHash(credential);
    const key = `failed logins of ${toAddressGroup(address)}`;
    // A recheck never waits: it must end the connection of a revoked credential even if others guess from its address.
    const retryAfterMs = isRecheck || validCredentials.has(id) ? 0 : rate.waitMs(key);
    if (retryAfterMs > 0) {
      const message = 'Rate limited: too many invalid credentials came from this address.';
      throw createCallerLimitError(message, retryAfterMs);
    }
    const onSuccess = (session: CallerSession) => {
      validCredentials.set(id, true);
      return session;
    };
    const onFailure = (error: unknown): never => {
      if (error instanceof GatewayError && failureCodes.has(error.code)) {
        validCredentials.delete(id);
        if (!isRecheck) rate.chargeRefusal(key);
      }
      throw error;
    };
    return settle(() => openSession(credential, address, isRecheck), onSuccess, onFailure);
  };

  /** A request without a credential is not an attempt to guess one. It costs as much as a page. */
  const openAnonymous: OpenSession = (credential, address, isRecheck) =>
    settle(
      () => openSession(credential, address, isRecheck),
      (session) => session,
      (error) => {
        const isRefused = error instanceof GatewayError && failureCodes.has(error.code);
        throw (isRefused ? takePage(pageRate, address) : undefined) ?? error;
      },
    );

  return (credential, address, isRecheck) =>
    (hasCredential(credential) ? openLimited : openAnonymous)(credential, address, isRecheck);
}

/** Identifies a credential without storing it. */
function toCredentialHash({ bearer, basic, apiKey }: ProvidedCredential): string {
  return hash('sha256', JSON.stringify([bearer, basic?.user, basic?.password, apiKey]), 'base64');
}
