/**
 * Limits of threshold levels that JSON cannot carry, and their number. `test/writes/threshold` compares all other rules
 * with the platform's.
 */
import { expect, it } from 'vitest';
import { checkThreshold, type NewThresholdLevel } from '../../../../src/sources/writes/thresholdWrite.js';
import { thresholdLevel } from '../../../support/rest/models.js';

const toLevel = (upperLimit: number | null): NewThresholdLevel => ({
  ...thresholdLevel('Level', { upperLimit }),
  notificationActions: [],
  sampleActions: [],
});

function checkLevels(levels: readonly NewThresholdLevel[]): string[] {
  return checkThreshold(levels, new Set()).map(({ field, code }) => `${field.join('.')} ${code}`);
}

const check = (...limits: (number | null)[]): string[] => checkLevels(limits.map(toLevel));

it('refuses an infinite limit of any level, and compares the others without it', () => {
  expect(check(1, Number.POSITIVE_INFINITY, 5, null)).toEqual(['levels.1.upperLimit OUT_OF_RANGE']);
  expect(check(1, Number.POSITIVE_INFINITY)).toEqual(['levels.1.upperLimit OUT_OF_RANGE']);
  expect(check(Number.NEGATIVE_INFINITY, 5)).toEqual(['levels.0.upperLimit OUT_OF_RANGE']);
});

it('accepts the largest finite numbers', () => {
  expect(check(-Number.MAX_VALUE, Number.MAX_VALUE)).toEqual([]);
});

it('accepts a hundred levels, and a hundred actions of each kind', () => {
  const limits = Array.from({ length: 101 }, (_, index) => index);
  expect(check(...limits.slice(1))).toEqual([]);
  expect(check(...limits)).toEqual(['levels TOO_MANY']);
  const withActions = (count: number) => ({
    ...toLevel(null),
    outputActions: Array.from({ length: count }, () => ({ type: 'SET_UP' as const, channelNumber: 0 })),
  });
  expect(checkLevels([withActions(100)])).toEqual([]);
  expect(checkLevels([withActions(101)])).toEqual(['levels.0.outputActions TOO_MANY']);
});
