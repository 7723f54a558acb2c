/** A load is shared by all callers that wait for it, and each keeps its own deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Cache } from '../../../../src/cache/cache.js';
import { createCredentialScope, createKeyBuilder } from '../../../../src/cache/cacheKey.js';
import { createSamplePageStore } from '../../../../src/cache/memory/samplePageStore.js';
import { toMonotonicClock } from '../../../../src/lib/clock.js';
import { silentLogger as logger } from '../../../../src/lib/logger.js';
import type { CallOptions } from '../../../../src/rest/callRecord.js';
import { waitWithinLimits } from '../../../../src/rest/transport/waitLimits.js';
import { createEndpointStats } from '../../../../src/sources/core/endpointStats.js';
import { Reader } from '../../../../src/sources/core/reader.js';
import { createResponseFreshness } from '../../../../src/sources/core/responseFreshness.js';
import { runningClock as clock } from '../../../support/runningClock.js';

const LOAD_MS = 300;

/** Ends at its deadline, as calls of the platform do. */
async function loadSlowly({ deadlineAtMs }: CallOptions): Promise<string> {
  const timeoutMs = deadlineAtMs === undefined ? 10_000 : deadlineAtMs - clock.now();
  return waitWithinLimits(
    sleep(LOAD_MS).then(() => 'loaded'),
    { timeoutMs },
  );
}

function createParts() {
  return {
    cache: new Cache({ clock, logger }),
    keys: createKeyBuilder(createCredentialScope('http://platform.example', 'key')),
    samplePages: createSamplePageStore({ clock }),
    endpointStats: createEndpointStats({ nowMs: clock.now }),
    freshness: createResponseFreshness(clock.now),
    monotonicClock: clock,
  };
}

it('a caller that shares a load does not get the first caller’s deadline, nor wait beyond its own', async () => {
  const parts = createParts();
  const readBy = (timeoutMs: number) => {
    const reader = new Reader({ ...parts, options: { deadlineAtMs: clock.now() + timeoutMs } });
    return reader.read({ kind: 'site', template: '/v2.0/site', load: loadSlowly });
  };
  const responses = await Promise.allSettled([readBy(50), readBy(10_000), readBy(60)]);
  expect(responses).toMatchObject([
    { status: 'rejected', reason: { code: 'PLATFORM_TIMEOUT' } },
    { status: 'fulfilled', value: 'loaded' },
    { status: 'rejected', reason: { code: 'PLATFORM_TIMEOUT' } },
  ]);
});

it.each([-1, 1])('setting the clock by %s h neither ends nor extends an operation', async (hours) => {
  let passedMs = 0;
  let setByMs = 0;
  const start = clock.now();
  const settable = { now: () => start + passedMs + setByMs, monotonicNow: () => passedMs };
  const monotonicClock = toMonotonicClock(settable);
  const options = { deadlineAtMs: monotonicClock.now() + 30_000 };
  const reader = new Reader({ ...createParts(), monotonicClock, options });
  const load = async () => 'loaded';
  setByMs = hours * 3_600_000;
  passedMs = 29_000;
  await expect(reader.read({ kind: 'site', template: '/v2.0/site', load })).resolves.toBe('loaded');
  passedMs = 30_000;
  await expect(reader.read({ kind: 'device', template: '/v2.0/device', load })).rejects.toMatchObject({
    code: 'PLATFORM_TIMEOUT',
  });
});
