/** Sends requests with the platform's token, and again once with another where the platform refuses the first. */

import { toCancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { PlatformRequest, TransportResponse } from '../transport/transport.js';
import { waitWithinLimits } from '../transport/waitLimits.js';
import type { TokenManager } from './tokenManager.js';
import { createTokenProbe, PROBE_PATH } from './tokenProbe.js';

export interface AuthorizedSendOptions {
  transport: { send(request: PlatformRequest): Promise<TransportResponse> };
  tokens: TokenManager;
  clock: Clock;
}

/** The platform's answer of whatever status, the second one where the first was a refusal of the token. */
export type AuthorizedSend = (request: PlatformRequest) => Promise<TransportResponse>;

/** The most milliseconds that a call without a deadline waits for a token. */
const TOKEN_TIMEOUT_MS = 30_000;

export function createAuthorizedSend({ transport, tokens, clock }: AuthorizedSendOptions): AuthorizedSend {
  const isGoodElsewhere = createTokenProbe((token, request) => transport.send(withToken(request, token)));

  /** What is fetched for all who need it: whoever can't wait any longer leaves the others to it. */
  function inTime<Value>(work: Promise<Value>, { signal, deadlineAtMs }: PlatformRequest): Promise<Value> {
    const timeoutMs = deadlineAtMs === undefined ? TOKEN_TIMEOUT_MS : deadlineAtMs - clock.now();
    return waitWithinLimits(work, { cancellation: signal && toCancellation(signal), timeoutMs });
  }

  /**
   * Whether another token could help. A 401 is about the token; a 403 mostly about the place, though tokens that
   * had ended have been answered so: one look elsewhere costs less than one of the few requests for a token.
   */
  async function isWorthRenewing(request: PlatformRequest, status: number, token: string): Promise<boolean> {
    const place = toRefusalKey(request, status);
    const isReplaced = (tokens.getCurrent() ?? token) !== token;
    if (status === 403 && !isReplaced && request.template !== PROBE_PATH && !tokens.isRefusalFinal(place)) {
      const isGood = await inTime(isGoodElsewhere(token), request);
      if (isGood) tokens.confirmRefusal(token, place);
    }
    return tokens.isRefusalFinal(place) ? false : tokens.refuse(token, place) === 'renew';
  }

  return async (request) => {
    const token = tokens.getCurrent() ?? (await inTime(tokens.get(), request));
    const response = await transport.send(withToken(request, token));
    if (!isRefusal(response) || !(await isWorthRenewing(request, response.status, token))) return response;
    request.onRefused?.();
    const another = await inTime(tokens.get(token), request);
    const repeated = await transport.send(withToken(request, another));
    if (isRefusal(repeated)) tokens.refuse(another, toRefusalKey(request, repeated.status));
    return repeated;
  };
}

/** Apart by status: where everybody is forbidden, a token may still end. */
function toRefusalKey({ template }: PlatformRequest, status: number): string {
  return `${status} ${template}`;
}

function withToken(request: PlatformRequest, token: string): PlatformRequest {
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
}

function isRefusal({ status }: TransportResponse): boolean {
  return status === 401 || status === 403;
}
