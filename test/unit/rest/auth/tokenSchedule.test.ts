/** When a token is renewed and expires, for any `expires_in`. */
import { describe, expect, it } from 'vitest';
import { cooldownAfterFailure, scheduleToken } from '../../../../src/rest/auth/tokenSchedule.js';

const USUAL = scheduleToken(0, 3600);

describe('scheduleToken', () => {
  it('renews early, and ends before the platform’s end', () => {
    expect(USUAL.renewAtMs).toBeLessThan(USUAL.expiresAtMs);
    expect(USUAL.expiresAtMs).toBeLessThan(3_600_000);
    expect(USUAL.expiresAtMs).toBeGreaterThan(3_000_000);
  });

  it('counts from the arrival of the token', () => {
    expect(scheduleToken(500, 3600)).toEqual({
      renewAtMs: USUAL.renewAtMs + 500,
      expiresAtMs: USUAL.expiresAtMs + 500,
    });
  });

  it.each(['3600', ' 3600 ', '3.6e3'])('reads %j as a number of seconds', (expiresIn) => {
    expect(scheduleToken(0, expiresIn)).toEqual(USUAL);
  });

  it.each([
    undefined,
    null,
    '',
    ' ',
    'soon',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    {},
    [3600],
    true,
    0,
    '0',
    -1,
  ])('uses the default of an hour for %j', (expiresIn) => {
    expect(scheduleToken(0, expiresIn)).toEqual(USUAL);
  });

  it.each([0.1, 1, 30, '60'])('uses a token of %j s for at least 100 s', (expiresIn) => {
    expect(scheduleToken(0, expiresIn)).toEqual({ renewAtMs: 80_000, expiresAtMs: 100_000 });
  });

  it.each([3_600_000, 1e300])('uses a token of %j s for a day at most', (expiresIn) => {
    expect(scheduleToken(0, expiresIn).expiresAtMs).toBe(24 * 3_600_000);
  });
});

describe('cooldownAfterFailure', () => {
  it.each([
    [429, 90_000, 90_000],
    [429, undefined, 60_000],
    [429, 0, 60_000],
    [503, 5000, 5000],
    [503, undefined, 1000],
    [undefined, undefined, 1000],
  ])('after status %s with a Retry-After of %s ms waits %s ms', (status, retryAfterMs, expected) => {
    expect(cooldownAfterFailure(status, retryAfterMs)).toBe(expected);
  });

  it('doubles with each consecutive failure, up to 2 minutes, and up to 15 where the platform limits', () => {
    const failures = [1, 2, 3, 7, 8, 1000];
    expect(failures.map((count) => cooldownAfterFailure(401, undefined, count))).toEqual([
      1000, 2000, 4000, 64_000, 120_000, 120_000,
    ]);
    expect(failures.map((count) => cooldownAfterFailure(429, undefined, count))).toEqual([
      60_000, 120_000, 240_000, 900_000, 900_000, 900_000,
    ]);
  });

  it('also doubles with a short Retry-After, and never waits for less than it', () => {
    const failures = [1, 3, 4, 8, 1000];
    expect(failures.map((count) => cooldownAfterFailure(503, 5000, count))).toEqual([
      5000, 5000, 8000, 120_000, 120_000,
    ]);
    expect(cooldownAfterFailure(429, 600_000, 1000)).toBe(600_000);
  });

  it('limits a wait of days', () => {
    expect(cooldownAfterFailure(429, 7 * 86_400_000)).toBe(3_600_000);
  });
});
