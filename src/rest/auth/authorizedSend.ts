/**
 * Sends requests with the platform's token, and repeats each once if the platform refuses it: with a new token, or a read
 * with the same one if that is valid.
 */
import { hasCode } from '../../errors.js';
import { type Clock, toMonotonicClock } from '../../lib/clock.js';
import type { PlatformRequest, PlatformTransport, TransportResponse } from '../transport/platformRequest.js';
import { waitWithinLimits } from '../transport/waitLimits.js';
import type { TokenManager } from './tokenManager.js';

interface AuthorizedSendOptions {
  transport: PlatformTransport;
  tokens: TokenManager;
  clock: Clock;
}

/** Resolves to the response, whatever its status; if the request was repeated, to the second response. */
type AuthorizedSend = (request: PlatformRequest) => Promise<TransportResponse>;

/**
 * The shortest response first. The API client may not be authorized for each of them: after a 403 the next one is
 * called. `checkToken` of the platform calls the same endpoints.
 */
const PROBE_PATHS = ['/v2.0/user/uiPreferences', '/v2.0/account/organization', '/v2.0/site'];

/** Maximum wait for a token, in milliseconds, for a call without a deadline. */
const TOKEN_TIMEOUT_MS = 30_000;
/** Longest wait for the probes, in milliseconds. It is short, because the call already has a response. */
const PROBE_TIMEOUT_MS = 5_000;

export function createAuthorizedSend({ transport, tokens, clock }: AuthorizedSendOptions): AuthorizedSend {
  const { refusedEndpoints } = tokens;
  const monotonicClock = toMonotonicClock(clock);
  const probeToken = createTokenProbe((token, path, deadlineAtMs) => {
    const probe: PlatformRequest = { method: 'GET', template: path, path, headers: {}, deadlineAtMs };
    return transport.send(withToken(probe, token));
  }, monotonicClock);

  /** Waits for work that is shared by several calls: it continues if this call is cancelled or times out. */
  function inTime<Value>(
    work: Promise<Value>,
    { cancellation, deadlineAtMs }: PlatformRequest,
  ): Promise<Value> {
    const timeoutMs = deadlineAtMs === undefined ? TOKEN_TIMEOUT_MS : deadlineAtMs - monotonicClock.now();
    return waitWithinLimits(work, { cancellation, timeoutMs });
  }

  /** `unknown` if the call reaches its deadline first. Rejects only if the call is cancelled. */
  function probeInTime(token: string, request: PlatformRequest): Promise<ProbeResult> {
    return inTime(probeToken(token, request.template), request).catch((error: unknown) => {
      if (hasCode(error, 'PLATFORM_TIMEOUT')) return 'unknown';
      throw error;
    });
  }

  /**
   * Whether a refused token is valid; undefined without a check. A 401 is about the token, unless the endpoint may
   * refuse every token. A 403 is usually about the endpoint, but the platform has also sent it for expired tokens. In
   * doubt one call to another endpoint costs less than one of the few token requests.
   */
  async function checkToken(request: PlatformRequest, status: number, token: string) {
    const isDoubtful = status === 403 || refusedEndpoints.mayRefuseEvery(token, toEndpoint(request, status));
    return isDoubtful ? probeInTime(token, request) : undefined;
  }

  /**
   * Returns the remedy: a new token, another attempt of a read with the same one, or nothing. If the check fails, the
   * refusal is the response: a failure says nothing about the token.
   */
  async function decideRemedy(request: PlatformRequest, status: number, token: string): Promise<Remedy> {
    const endpoint = toEndpoint(request, status);
    if (refusedEndpoints.isFinal(endpoint)) return 'none';
    // A token that was replaced proves nothing about the endpoint.
    const isReplaced = (tokens.getCurrent() ?? token) !== token;
    const result = isReplaced ? 'refused' : await checkToken(request, status, token);
    // Calls that return during the check share its result, but only the first one is repeated.
    if (result === 'unknown' || refusedEndpoints.isFinal(endpoint)) return 'none';
    if (result !== 'accepted') {
      return tokens.refuse(token, endpoint, result === 'refused') === 'renew' ? 'renew' : 'none';
    }
    tokens.confirmRefusal(token, endpoint);
    return request.method === 'GET' ? 'repeat' : 'none';
  }

  async function repeat(request: PlatformRequest, status: number, token: string): Promise<TransportResponse> {
    request.onRefused?.();
    const repeated = await transport.send(withToken(request, token));
    if (!refusesToken(repeated)) refusedEndpoints.withdraw(toEndpoint(request, status));
    return repeated;
  }

  /**
   * Undefined if no other token can help: the platform issues the same one again, or it is valid. The reserved token
   * requests are for tokens that are certainly invalid.
   */
  async function getAnother(token: string, request: PlatformRequest): Promise<string | undefined> {
    const replace = async (purpose?: 'need') => {
      const another = await inTime(tokens.get(token, purpose), request);
      return another === token ? undefined : another;
    };
    try {
      return await replace();
    } catch (error) {
      // If the platform itself sent the 429, a token request has just failed, and this call must not cause a second one.
      const isBudget = hasCode(error, 'PLATFORM_RATE_LIMITED') && !error.platform;
      if (!isBudget) throw error;
      const result = await probeInTime(token, request);
      if (result === 'unknown') throw error;
      return result === 'accepted' ? undefined : replace('need');
    }
  }

  return async (request) => {
    const token = tokens.getCurrent() ?? (await inTime(tokens.get(), request));
    const response = await transport.send(withToken(request, token));
    if (!refusesToken(response)) return response;
    const remedy = await decideRemedy(request, response.status, token);
    if (remedy === 'none') return response;
    if (remedy === 'repeat') return repeat(request, response.status, token);
    request.onRefused?.();
    const another = await getAnother(token, request);
    if (another === undefined) {
      tokens.confirmRefusal(token, toEndpoint(request, response.status));
      return response;
    }
    const repeated = await transport.send(withToken(request, another));
    if (refusesToken(repeated)) tokens.refuse(another, toEndpoint(request, repeated.status));
    return repeated;
  };
}

type Remedy = 'renew' | 'repeat' | 'none';

/** Includes the status: a token may expire (401) for an endpoint that is forbidden (403). */
function toEndpoint({ template }: PlatformRequest, status: number): string {
  return `${status} ${template}`;
}

/** Written field by field, because V8 takes longer to copy all properties, and every call needs such an object. */
function withToken(request: PlatformRequest, token: string): PlatformRequest {
  const { method, path, template, body, requestId, callerId } = request;
  const { cancellation, deadlineAtMs, onSend, onRefused } = request;
  const headers = { Authorization: `Bearer ${token}`, ...request.headers };
  return {
    method,
    path,
    template,
    headers,
    body,
    requestId,
    callerId,
    cancellation,
    deadlineAtMs,
    onSend,
    onRefused,
  };
}

function refusesToken({ status }: TransportResponse): boolean {
  return status === 401 || status === 403;
}

/** `unknown`: the call failed, or its status says nothing about the token. */
type ProbeResult = 'accepted' | 'refused' | 'unknown';

/**
 * Checks a token that an endpoint refused, by calls to other endpoints that API clients are authorized for. Concurrent
 * checks of a token share them. Never rejects.
 */
function createTokenProbe(
  send: (token: string, path: string, deadlineAtMs: number) => Promise<TransportResponse>,
  monotonicClock: Clock,
): (token: string, refusedTemplate: string) => Promise<ProbeResult> {
  const inFlight = new Map<string, Promise<ProbeResult>>();
  /**
   * The last token that a check found refused. Hundreds of calls may still return with it, but the platform may issue
   * it again.
   */
  let refused = { token: '', untilMs: 0 };

  async function check(token: string, refusedTemplate: string): Promise<ProbeResult> {
    const deadlineAtMs = monotonicClock.now() + PROBE_TIMEOUT_MS;
    for (const path of PROBE_PATHS) {
      if (path === refusedTemplate) continue;
      const response = await send(token, path, deadlineAtMs);
      if (response.status !== 403) return toProbeResult(response);
    }
    return 'refused';
  }

  async function probe(token: string, refusedTemplate: string): Promise<ProbeResult> {
    try {
      const result = await check(token, refusedTemplate);
      if (result === 'refused') refused = { token, untilMs: monotonicClock.now() + PROBE_TIMEOUT_MS };
      return result;
    } catch {
      return 'unknown';
    } finally {
      inFlight.delete(token);
    }
  }

  return async (token, refusedTemplate) => {
    if (token === refused.token && monotonicClock.now() < refused.untilMs) return 'refused';
    const shared = inFlight.get(token) ?? probe(token, refusedTemplate);
    inFlight.set(token, shared);
    return shared;
  };
}

function toProbeResult(response: TransportResponse): ProbeResult {
  if (refusesToken(response)) return 'refused';
  return response.status < 300 || response.status === 404 ? 'accepted' : 'unknown';
}
