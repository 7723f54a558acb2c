/** What both rivals do alike in front of REST: where it is, a token, and on demand a cache of all that it answered. */
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

/** `get` answers the parsed body of a path. With the cache, which nothing ever leaves, it is asked once for each. */
export function createRest(get) {
  return isCaching ? { get: cached(get) } : { get };
}

function cached(get) {
  const answers = new LRUCache({ max: 100_000 });
  return async (path) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const answer = await get(path);
    answers.set(path, answer);
    return answer;
  };
}
