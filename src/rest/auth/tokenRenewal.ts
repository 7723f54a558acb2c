/**
 * Gets a token: the one that another process has got meanwhile, or by one request to the platform under a
 * lease, so that of many processes one asks while the others wait, and a dead one's place is taken.
 */
import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../errors.js';
import type { Logger } from '../../lib/logger.js';
import {
  extendLease,
  LEASE_MS,
  planRenewal,
  type RenewalOutcome,
  type RenewalRequest,
  settleRenewal,
  toTokenError,
} from './renewalPlan.js';
import type { IssuedToken } from './requestToken.js';
import type { RenewalPurpose } from './tokenBudget.js';
import type { TokenLedger } from './tokenLedger.js';

export interface TokenRenewalOptions {
  requestToken(): Promise<IssuedToken>;
  ledger: TokenLedger;
  logger: Logger;
  /** Ends early when the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Called when it is known what all processes know. */
  onStateRead(): void;
}

/** How often another process's renewal is looked after. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 500;
/** Beyond this nobody waits for another process, though it gives signs of life. */
const MAX_WAIT_MS = 60_000;

/** Answers how to get a token other than the one with the id `replacesTokenId`. Rejects as `TokenManager.get` does. */
export function createTokenRenewal({
  requestToken,
  ledger,
  logger,
  sleep,
  onStateRead,
}: TokenRenewalOptions) {
  const holder = randomUUID();
  let requests = 0;

  /** Counts as an attempt already. */
  async function ask(request: RenewalRequest): Promise<string> {
    const asking = new AbortController();
    void keepLease(asking.signal);
    const { outcome, cause } = await requestToken().then(toSuccess, toFailure);
    asking.abort();
    const settled = await ledger.update((state, nowMs) => settleRenewal(state, request, outcome, nowMs));
    if (outcome.kind === 'token') {
      logger.debug({ remainingAttempts: settled.remainingAttempts }, 'Token renewed');
      return outcome.value;
    }
    logger.warn({ code: outcome.failure.code, ...settled, cause }, 'Token request failed');
    throw toTokenError(outcome.failure, settled.cooldownMs);
  }

  /** Signs of life for the others, until the signal is aborted. */
  async function keepLease(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(LEASE_MS / 3, signal);
      if (!signal.aborted) await ledger.update((state, nowMs) => extendLease(state, holder, nowMs));
    }
  }

  async function renew(purpose: RenewalPurpose, replacesTokenId: string | undefined): Promise<string> {
    const wish = { holder, attemptId: `${holder}:${++requests}`, replacesTokenId: replacesTokenId, purpose };
    for (let waitedMs = 0, lookMs = FIRST_POLL_MS; waitedMs < MAX_WAIT_MS; waitedMs += lookMs) {
      const step = await ledger.update((state, nowMs) => planRenewal(state, wish, nowMs));
      onStateRead();
      if (step.kind === 'use') return step.token.value;
      if (step.kind === 'ask') return ask(wish);
      if (step.kind === 'blocked') throw step.error;
      lookMs = Math.min(lookMs * 1.5, MAX_POLL_MS, Math.max(step.forMs, 1));
      await sleep(lookMs);
    }
    throw new GatewayError('PLATFORM_TIMEOUT', 'Another process did not get a token in time.', {
      retryable: true,
    });
  }

  return renew;
}

interface RenewalResult {
  outcome: RenewalOutcome;
  /** For the log alone. */
  cause?: unknown;
}

function toSuccess({ accessToken, expiresIn }: IssuedToken): RenewalResult {
  return { outcome: { kind: 'token', value: accessToken, expiresIn } };
}

function toFailure(error: unknown): RenewalResult {
  if (!(error instanceof GatewayError)) {
    const failure = {
      code: 'INTERNAL_SERVER_ERROR' as const,
      message: 'Asking for a token failed.',
      retryable: false,
      platform: undefined,
    };
    return { outcome: { kind: 'failure', failure, retryAfterMs: undefined }, cause: error };
  }
  const { code, message, retryable, platform, retryAfterMs, cause } = error;
  return {
    outcome: { kind: 'failure', failure: { code, message, retryable, platform }, retryAfterMs },
    cause,
  };
}
