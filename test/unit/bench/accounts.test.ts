/** The lower bounds that the benchmark of accounts compares REST calls with. */
import { describe, expect, it } from 'vitest';
import { lowerBoundOfLastSamples, lowerBoundOfPage } from '../../../bench/accounts/lowerBound.js';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const sampled = (minutesAgo: number) => ({
  lastSample: { sampledAt: new Date(NOW_MS - minutesAgo * 60_000).toISOString() },
});
const unsampled = { lastSample: null };

describe('the lower bound of last samples', () => {
  it('is a call for sites, for streams and for the batch while no list is truncated', () => {
    expect(lowerBoundOfLastSamples([{ streams: [sampled(5)] }, { streams: [sampled(59)] }], NOW_MS)).toBe(3);
  });

  it('has one more for each site with silent streams, and for each stream without samples', () => {
    const sites = [
      { streams: [sampled(5), sampled(61), sampled(3000)] },
      { streams: [sampled(5), unsampled, unsampled] },
      { streams: [sampled(5)] },
    ];
    expect(lowerBoundOfLastSamples(sites, NOW_MS)).toBe(3 + 1 + 2);
  });

  it('has one for each site and each full batch where the list of streams is truncated', () => {
    const site = { streams: Array.from({ length: 5 }, () => sampled(5)) };
    const sites = Array.from({ length: 2001 }, () => site);
    expect(lowerBoundOfLastSamples(sites, NOW_MS)).toBe(1 + 2001 + 2);
  });
});

describe('the lower bound of a page', () => {
  it('grows with the page where lists are truncated, and else stays', () => {
    expect([1, 100, 1000].map((sites) => lowerBoundOfPage(50, sites))).toEqual([6, 6, 6]);
    expect([1, 100, 1000].map((sites) => lowerBoundOfPage(10_000, sites))).toEqual([7, 549, 5049]);
  });
});
