/** A cache without Redis, with a platform whose responses the test provides, and the key of one site. */
import { Cache } from '../../../src/cache/cache.js';
import { createCredentialScope, createEntryKey, createKeyBuilder } from '../../../src/cache/cacheKey.js';
import type { CacheRequest } from '../../../src/cache/cacheRequest.js';
import { GatewayError } from '../../../src/errors.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { createManualClock, createManualPlatform } from './cacheParts.js';

export const scope = createCredentialScope('https://platform.example', 'key');
export const entryKey = createEntryKey(scope, 'secret');
export const keys = createKeyBuilder(scope, entryKey);
export const tag = keys.tag('site', 1);
export const key = keys.key({ name: '/v2.0/site/{siteId}', parameter: 1, tags: [tag] });
export const down = new GatewayError('PLATFORM_UNAVAILABLE', 'The platform could not be reached.', {
  retryable: true,
});

export function start(maxBytes?: number) {
  const clock = createManualClock();
  const platform = createManualPlatform();
  const cache = new Cache({ clock, logger: silentLogger, maxBytes });
  const fetch = (request: Partial<CacheRequest<string>> = {}) =>
    cache.fetch({ key, kind: 'site', load: platform.load, ...request });
  return { clock, platform, cache, fetch };
}

/** A cache that has stored "first" for this long. */
export async function startWithStored(ageMs: number) {
  const parts = start();
  const first = parts.fetch();
  await parts.platform.respond('first');
  await first;
  parts.clock.pass(ageMs);
  return parts;
}

/** Runs all pending callbacks. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));
