/** Checks a token that an endpoint refused, by a call that every API client is authorized for. */
import type { PlatformRequest, TransportResponse } from '../transport/transport.js';

/** The endpoint of `RestClient.uiPreferences`. */
export const PROBE_PATH = '/v2.0/user/uiPreferences';

/** True if the platform accepts the token; false if it does not or the call failed. */
export type TokenProbe = (token: string) => Promise<boolean>;

/** Concurrent checks of a token share one call. */
export function createTokenProbe(
  send: (token: string, request: PlatformRequest) => Promise<TransportResponse>,
): TokenProbe {
  const inFlight = new Map<string, Promise<boolean>>();
  /** The last token that the probe found refused. Hundreds of calls may still return with it. */
  let refusedToken: string | undefined;

  async function probe(token: string): Promise<boolean> {
    try {
      const { status } = await send(token, {
        method: 'GET',
        template: PROBE_PATH,
        path: PROBE_PATH,
        headers: {},
      });
      if (status === 401 || status === 403) refusedToken = token;
      return status < 300 || status === 404;
    } catch {
      return false;
    } finally {
      inFlight.delete(token);
    }
  }

  return async (token) => {
    if (token === refusedToken) return false;
    const shared = inFlight.get(token) ?? probe(token);
    inFlight.set(token, shared);
    return shared;
  };
}
