/**
 * Holds the one token of a platform credential: fetched when first needed, by one request however many wait,
 * renewed in the background ahead of its end, dropped when the platform refuses it.
 */
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { cooldownAfterFailure, scheduleToken, type TokenTimes } from './tokenSchedule.js';

/** The token endpoint's answer, so far as it could be read. */
export interface IssuedToken {
  accessToken: string;
  /** The platform's `expires_in`, unread. */
  expiresIn: unknown;
}

export interface TokenManager {
  /** A token to call with. Rejects with the token endpoint's failure, and at once while it cools down. */
  get(): Promise<string>;
  /** Says that the platform refused this token. Does nothing when it has been replaced already. */
  refuse(token: string): void;
}

export interface TokenManagerOptions {
  /** Asks the platform for a token; rejects with a `GatewayError`. */
  requestToken(): Promise<IssuedToken>;
  clock: Clock;
  logger: Logger;
}

type HeldToken = TokenTimes & { value: string };

export function createTokenManager({ requestToken, clock, logger }: TokenManagerOptions): TokenManager {
  let held: HeldToken | undefined;
  let pending: Promise<string> | undefined;
  let failure: { error: GatewayError; untilMs: number } | undefined;

  async function fetchToken(): Promise<string> {
    const issued = await requestToken();
    held = { value: issued.accessToken, ...scheduleToken(clock.now(), issued.expiresIn) };
    failure = undefined;
    return held.value;
  }

  function rememberFailure(error: unknown): never {
    const known = toTokenError(error);
    const cooldownMs = cooldownAfterFailure(known.platform?.status, known.retryAfterMs);
    failure = { error: known, untilMs: clock.now() + cooldownMs };
    logger.warn({ code: known.code, cooldownMs, cause: known.cause }, 'No token from the platform');
    throw known;
  }

  /** One flight for everybody; cleared by the flight itself. */
  function renew(): Promise<string> {
    pending ??= fetchToken()
      .catch(rememberFailure)
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  function failureAt(nowMs: number): GatewayError | undefined {
    if (failure === undefined || nowMs >= failure.untilMs) return undefined;
    const { error, untilMs } = failure;
    return new GatewayError(error.code, error.message, { ...error, retryAfterMs: untilMs - nowMs });
  }

  return {
    async get() {
      const nowMs = clock.now();
      const coolingDown = failureAt(nowMs);
      if (held === undefined || nowMs >= held.expiresAtMs) {
        if (coolingDown && !pending) throw coolingDown;
        return renew();
      }
      if (nowMs >= held.renewAtMs && !coolingDown) renew().catch(() => undefined);
      return held.value;
    },
    refuse(token) {
      if (held?.value === token) held = undefined;
    },
  };
}

function toTokenError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError('INTERNAL_SERVER_ERROR', 'Asking for a token failed.', { cause: error });
}
