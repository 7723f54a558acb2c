/** Finds out whether a token that was refused somewhere is good elsewhere, by one call that every API client may make. */
import type { PlatformRequest, TransportResponse } from '../transport/transport.js';

/** Settings of the API client's own; `RestClient.uiPreferences` reads them. */
export const PROBE_PATH = '/v2.0/user/uiPreferences';

/** True where the platform takes the token; false where it does not, or nothing could be found out. */
export type TokenProbe = (token: string) => Promise<boolean>;

/** One call for however many ask about a token at the same time. */
export function createTokenProbe(
  send: (token: string, request: PlatformRequest) => Promise<TransportResponse>,
): TokenProbe {
  const underWay = new Map<string, Promise<boolean>>();
  /** The last token that was refused here, too: it stays so, and hundreds may still come back with it. */
  let ended: string | undefined;

  async function probe(token: string): Promise<boolean> {
    try {
      const { status } = await send(token, {
        method: 'GET',
        template: PROBE_PATH,
        path: PROBE_PATH,
        headers: {},
      });
      if (status === 401 || status === 403) ended = token;
      return status < 300 || status === 404;
    } catch {
      return false;
    } finally {
      underWay.delete(token);
    }
  }

  return async (token) => {
    if (token === ended) return false;
    const known = underWay.get(token) ?? probe(token);
    underWay.set(token, known);
    return known;
  };
}
