/**
 * Renews the token under a lease: one process requests it while the others wait for its result. If the process with the
 * lease ends, another takes over.
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

interface TokenRenewalOptions {
  requestToken(): Promise<IssuedToken>;
  ledger: TokenLedger;
  logger: Logger;
  /** Ends early when the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Called after each read of the shared state. */
  onStateRead(): void;
}

/** Intervals of polling for another process's token. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 500;
/** Longest wait for another process, even while it extends its lease. */
const MAX_WAIT_MS = 60_000;

/** Gets a token other than the one with the id `replacesTokenId`. Rejects as `TokenManager.get` does. */
export type RenewToken = (purpose: RenewalPurpose, replacesTokenId: string | undefined) => Promise<string>;

export function createTokenRenewal({
  requestToken,
  ledger,
  logger,
  sleep,
  onStateRead,
}: TokenRenewalOptions): RenewToken {
  const holder = randomUUID();
  let requests = 0;

  /** The attempt is counted already. */
  async function requestUnderLease(request: RenewalRequest): Promise<string> {
    const requesting = new AbortController();
    void extendLeaseUntil(requesting.signal);
    const { outcome, cause } = await requestToken().then(toSuccess, toFailure);
    requesting.abort();
    const settled = await ledger.update((state, nowMs) => settleRenewal(state, request, outcome, nowMs));
    if (outcome.kind === 'token') {
      logger.debug({ remainingAttempts: settled.remainingAttempts }, 'Token renewed');
      return outcome.value;
    }
    logger.warn({ code: outcome.failure.code, ...settled, cause }, 'Token request failed');
    throw toTokenError(outcome.failure, settled.cooldownMs);
  }

  async function extendLeaseUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(LEASE_MS / 3, signal);
      if (!signal.aborted) await ledger.update((state, nowMs) => extendLease(state, holder, nowMs));
    }
  }

  async function renew(purpose: RenewalPurpose, replacesTokenId: string | undefined): Promise<string> {
    const request = { holder, attemptId: `${holder}:${++requests}`, replacesTokenId, purpose };
    for (let waitedMs = 0, pollMs = FIRST_POLL_MS; waitedMs < MAX_WAIT_MS; waitedMs += pollMs) {
      const step = await ledger.update((state, nowMs) => planRenewal(state, request, nowMs));
      onStateRead();
      if (step.kind === 'use') return step.token.value;
      if (step.kind === 'request') return requestUnderLease(request);
      if (step.kind === 'blocked') throw step.error;
      pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS, Math.max(step.forMs, 1));
      await sleep(pollMs);
    }
    throw new GatewayError('PLATFORM_TIMEOUT', 'Another process did not get a token in time.', {
      retryable: true,
    });
  }

  return renew;
}

interface RenewalResult {
  outcome: RenewalOutcome;
  /** For the log only. */
  cause?: unknown;
}

function toSuccess({ accessToken, expiresIn }: IssuedToken): RenewalResult {
  return { outcome: { kind: 'token', value: accessToken, expiresIn } };
}

function toFailure(error: unknown): RenewalResult {
  if (!(error instanceof GatewayError)) {
    const failure = {
      code: 'INTERNAL_SERVER_ERROR' as const,
      message: 'The token request failed.',
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
