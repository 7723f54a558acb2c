/** Threshold levels that a replica may have missed an invalidation of. */
import { describe, expect, it, vi } from 'vitest';
import { createThresholds } from '../../../src/sources/entities/thresholds.js';
import { clock, startBesideProxy } from '../../support/cache/cacheReplicas.js';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { down, keys } from '../../support/cache/siteCache.js';
import { createComputedRest, createReaders } from '../../support/rest/readerParts.js';
import { WAIT } from '../../support/waiting.js';

const STREAM_ID = 1;
const TAG = keys.tag('threshold', STREAM_ID);

describe.skipIf(!isRedisAvailable)('known levels (needs redis-server on the PATH)', () => {
  it('are loaded again after a replica was disconnected, and serve as they were if that fails', async () => {
    const { proxy, direct: one, proxied: other } = await startBesideProxy();
    let upperLimit = 10;
    let isDown = false;
    const { rest, paths } = createComputedRest(() => {
      if (isDown) throw down;
      return { levels: [{ display_name: 'High', upper_limit: upperLimit }] };
    }, clock);
    const { createReader } = createReaders({ clock, cache: other.cache });
    const read = async () => {
      const { levels, ageMs } = await createThresholds(rest, createReader()).cachedLevels(STREAM_ID);
      return { limits: levels.map((level) => level.upperLimit), ageMs };
    };
    expect(await read()).toEqual({ limits: [10], ageMs: 0 });

    proxy.cut();
    await vi.waitFor(() => expect(other.connection.isConnected()).toBe(false), WAIT);
    await one.cache.invalidate([TAG]);
    upperLimit = 20;
    proxy.mend();
    const key = keys.endpointKey('threshold', rest.threshold.template, STREAM_ID);
    await vi.waitFor(() => expect(other.cache.lookup(key, 'threshold').state).toBe('stale'), WAIT);
    clock.pass(1000);
    isDown = true;
    expect(await read()).toEqual({ limits: [10], ageMs: 1000 });
    isDown = false;
    expect(await read()).toEqual({ limits: [20], ageMs: 0 });
    expect(await read()).toEqual({ limits: [20], ageMs: 0 });
    expect(paths).toHaveLength(3);
  });
});
