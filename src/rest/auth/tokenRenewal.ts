/**
 * Requests a token from the token endpoint: OAuth 2.0 client credentials over HTTP Basic. A lease coordinates
 * renewals: one process requests a token while the others wait for its result. If the process that holds the lease
 * exits, another one takes over.
 */

import { randomUUID } from 'node:crypto';
import { createStoppingError, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { toRecord } from '../../lib/records.js';
import { parseResponseJson, toStatusError } from '../decode/responseErrors.js';
import { TOKEN_PATH } from '../path.js';
import { type PlatformTransport, toText } from '../transport/platformRequest.js';
import {
  extendLease,
  LEASE_MS,
  planRenewal,
  type RenewalOutcome,
  type RenewalRequest,
  releaseLease,
  settleRenewal,
  toTokenError,
} from './renewalPlan.js';
import type { RenewalPurpose } from './tokenBudget.js';
import type { TokenStateStore } from './tokenStateStore.js';

/** An API client of the platform. */
export interface Credential {
  key: string;
  secret: string;
}

export interface IssuedToken {
  accessToken: string;
  /** The platform's `expires_in`, not validated. */
  expiresIn: unknown;
}

/** Sends one request. Rejects with a `GatewayError` without parts of the credential or the response. */
export async function requestToken(
  transport: PlatformTransport,
  { key, secret }: Credential,
  clock: Clock,
): Promise<IssuedToken> {
  const basic = Buffer.from(`${key}:${secret}`).toString('base64');
  const response = await transport.send({
    method: 'POST',
    path: TOKEN_PATH,
    template: TOKEN_PATH,
    headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  if (response.status !== 200) throw toStatusError(TOKEN_PATH, response, clock.now());
  return toIssuedToken(parseTokenBody(toText(response.body)));
}

/** Removes the cause of a parser error: its message quotes the text, which may contain a token. */
function parseTokenBody(text: string): unknown {
  try {
    return parseResponseJson(TOKEN_PATH, text);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError(error.code, error.message);
  }
}

/** Servers refuse each call whose headers are much longer. */
export const MAX_TOKEN_LENGTH = 16_384;

function toIssuedToken(body: unknown): IssuedToken {
  const { access_token: accessToken, expires_in: expiresIn } = toRecord(body);
  // The token is sent in a header, so it must consist of characters that headers allow.
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    const message = 'The platform responded to a token request without a token.';
    throw new GatewayError('PLATFORM_BAD_RESPONSE', message);
  }
  if (accessToken.length > MAX_TOKEN_LENGTH) {
    const message = `The platform issued a token of more than ${MAX_TOKEN_LENGTH} characters.`;
    throw new GatewayError('PLATFORM_BAD_RESPONSE', message);
  }
  return { accessToken, expiresIn };
}

interface TokenRenewalOptions {
  requestToken(): Promise<IssuedToken>;
  stateStore: TokenStateStore;
  logger: Logger;
  /** Ends early when the signal is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Called after each read of the shared state. */
  onStateRead(): void;
}

/** Intervals of polling for another process's token. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 500;
/** Maximum wait for another process, even while it extends its lease. */
const MAX_WAIT_MS = 60_000;

/** Gets a token other than the one with the id `replacesTokenId`. Rejects as `TokenManager.get` does. */
export type RenewToken = (purpose: RenewalPurpose, replacesTokenId: string | undefined) => Promise<string>;

export function createTokenRenewal({
  requestToken,
  stateStore,
  logger,
  sleep,
  onStateRead,
}: TokenRenewalOptions): RenewToken {
  const holder = randomUUID();
  let requests = 0;

  /** The attempt has already been counted. */
  async function requestUnderLease(request: RenewalRequest): Promise<string> {
    const requesting = new AbortController();
    void extendLeaseUntil(requesting.signal);
    const { outcome, cause } = await requestToken().then(toSuccess, toFailure);
    requesting.abort();
    if (outcome.kind === 'failure' && outcome.failure.code === 'STOPPING') {
      // This process has cancelled the request, because it stops. The platform has not failed.
      await stateStore.update((state) => releaseLease(state, holder));
      throw createStoppingError();
    }
    const { cooldownMs, ...counts } = await stateStore.update((state, nowMs) =>
      settleRenewal(state, request, outcome, nowMs),
    );
    if (outcome.kind === 'token') {
      if (counts.failures > 0) logger.info(counts, 'Token request succeeded after failures');
      else logger.debug({ remainingAttempts: counts.remainingAttempts }, 'Token renewed');
      return outcome.value;
    }
    const { code, platform } = outcome.failure;
    const fields = { code, platform, cooldownMs: Math.round(cooldownMs), ...counts, cause };
    logger.warn(fields, 'Token request failed');
    throw toTokenError(outcome.failure, cooldownMs);
  }

  async function extendLeaseUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(LEASE_MS / 3, signal);
      if (!signal.aborted) await stateStore.update((state, nowMs) => extendLease(state, holder, nowMs));
    }
  }

  return async (purpose, replacesTokenId) => {
    const request = { holder, attemptId: `${holder}:${++requests}`, replacesTokenId, purpose };
    for (let waitedMs = 0, pollMs = FIRST_POLL_MS; waitedMs < MAX_WAIT_MS; waitedMs += pollMs) {
      const step = await stateStore.update((state, nowMs) => planRenewal(state, request, nowMs));
      onStateRead();
      if (step.kind === 'use') return step.token.value;
      if (step.kind === 'request') return requestUnderLease(request);
      if (step.kind === 'blocked') throw step.error;
      pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS);
      await sleep(pollMs);
    }
    const message = 'Another process did not get a token in time.';
    throw new GatewayError('PLATFORM_TIMEOUT', message, { retryable: true });
  };
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
  const gatewayError =
    error instanceof GatewayError
      ? error
      : new GatewayError('INTERNAL_SERVER_ERROR', 'The token request failed.', { cause: error });
  const { code, message, retryable, platform, retryAfterMs, cause } = gatewayError;
  const failure = { code, message, retryable, platform };
  return { outcome: { kind: 'failure', failure, retryAfterMs }, cause };
}
