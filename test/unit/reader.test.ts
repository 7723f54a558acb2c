/** A load is shared by all who wait for it; the time that each can wait is its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCache } from '../../src/cache/cache.js';
import { createCredentialScope, createKeyBuilder } from '../../src/cache/cacheKey.js';
import { createPageStore } from '../../src/cache/pageStore.js';
import { createEndpointStats } from '../../src/lib/endpointStats.js';
import { silentLogger as logger } from '../../src/lib/logger.js';
import { waitPatiently } from '../../src/rest/patience/patience.js';
import type { CallOptions } from '../../src/rest/restCaller.js';
import { createAnswerFreshness } from '../../src/sources/answerFreshness.js';
import { createReader } from '../../src/sources/reader.js';
import { runningClock as clock } from '../support/runningClock.js';

const LOAD_MS = 300;

/** Gives up at its deadline, as calls of the platform do. */
async function loadSlowly({ deadlineAtMs }: CallOptions): Promise<string> {
  const timeoutMs = deadlineAtMs === undefined ? 10_000 : deadlineAtMs - clock.now();
  return waitPatiently(
    sleep(LOAD_MS).then(() => 'loaded'),
    { timeoutMs },
  );
}

it('who joins a load does not share the end of the first one’s time, nor wait beyond its own', async () => {
  const parts = {
    cache: createCache({ clock, logger }),
    keys: createKeyBuilder(createCredentialScope('http://platform.example', 'key')),
    pages: createPageStore({ clock }),
    stats: createEndpointStats(),
    explanation: undefined,
    freshness: createAnswerFreshness(clock.now),
    nowMs: clock.now,
  };
  const readBy = (timeoutMs: number) => {
    const reader = createReader({ ...parts, options: { deadlineAtMs: clock.now() + timeoutMs } });
    return reader.read({ kind: 'site', template: '/v2.0/site', load: loadSlowly });
  };
  const answers = await Promise.allSettled([readBy(50), readBy(10_000), readBy(60)]);
  expect(answers).toMatchObject([
    { status: 'rejected', reason: { code: 'PLATFORM_TIMEOUT' } },
    { status: 'fulfilled', value: 'loaded' },
    { status: 'rejected', reason: { code: 'PLATFORM_TIMEOUT' } },
  ]);
});
