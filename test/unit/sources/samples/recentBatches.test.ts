/** Last samples that come from a batch that an operation reads for charts. */
import { expect, it, vi } from 'vitest';
import type { Lookup } from '../../../../src/sources/core/lookup.js';
import { newestByStream, type RecentSamples } from '../../../../src/sources/samples/newestSamples.js';
import { SiteBatches } from '../../../../src/sources/samples/recentBatches.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

it.each([
  ['are stored without a call', 9, 0],
  ['are loaded again if their revalidation begins when they are stale', 10, 1],
])('%s', async (_, seconds, calls) => {
  const clock = createManualClock();
  const { rest, paths } = createComputedRest(() => ({ samples: [], hasMore: false }), clock);
  const reader = createReaders({ clock }).createReader();
  const newest = newestByStream([], clock.now() - 86_400_000, clock.now());
  const batches = new SiteBatches(rest, reader, clock.now, async () => newest);
  const load = vi.spyOn(reader, 'load');
  expect(await batches.load(7, 1)).toBe(newest);
  expect(paths).toEqual([]);
  clock.pass(seconds * 1000);
  const lookup = load.mock.calls[0]?.[0] as unknown as Lookup<RecentSamples>;
  await lookup.request.load({});
  expect(paths).toHaveLength(calls);
});
