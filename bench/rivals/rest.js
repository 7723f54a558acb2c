/** REST access of both rivals: URL, token, and an optional cache of all responses. */
import { LRUCache } from 'lru-cache';

export const platformUrl = process.env.PLATFORM_URL ?? '';
const isCaching = process.env.REST_CACHE === 'on';

export async function fetchToken() {
  const response = await fetch(`${platformUrl}/auth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('bench:bench').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = await response.json();
  return token;
}

/** @param get returns the parsed body of a path. With the cache it is called once per path, without expiry. */
export function createRest(get) {
  return isCaching ? { get: cached(get) } : { get };
}

function cached(get) {
  const responses = new LRUCache({ max: 100_000 });
  return async (path) => {
    const cached = responses.get(path);
    if (cached !== undefined) return cached;
    const response = await get(path);
    responses.set(path, response);
    return response;
  };
}
