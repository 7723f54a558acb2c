import { describe, expect, it } from 'vitest';
import { createEndpointStats } from '../../../../src/sources/core/endpointStats.js';

const SITES = '/v2.0/site';

describe('the expected cost of an endpoint', () => {
  it('is zero before the first call, then a moving average', () => {
    const stats = createEndpointStats({ nowMs: () => 0 });
    expect(stats.expectedCost(SITES)).toEqual({ bytes: 0, durationMs: 0 });
    stats.record(SITES, { bytes: 1000, durationMs: 100 });
    stats.record(SITES, { bytes: 2000, durationMs: 200 });
    expect(stats.expectedCost(SITES)).toEqual({ bytes: 1300, durationMs: 130 });
  });

  it('forgets the time of a slow call after a minute, and keeps the bytes', () => {
    let nowMs = 0;
    const stats = createEndpointStats({ nowMs: () => nowMs });
    stats.record(SITES, { bytes: 1000, durationMs: 20_000 });
    nowMs = 59_999;
    expect(stats.expectedCost(SITES)).toEqual({ bytes: 1000, durationMs: 20_000 });
    nowMs = 60_000;
    expect(stats.expectedCost(SITES)).toEqual({ bytes: 1000, durationMs: 0 });
    stats.record(SITES, { bytes: 1000, durationMs: 50 });
    expect(stats.expectedCost(SITES)).toEqual({ bytes: 1000, durationMs: 50 });
  });
});
