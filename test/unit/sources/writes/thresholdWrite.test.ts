/** Limits of threshold levels that JSON cannot carry. `test/writes/threshold` compares all other rules with the platform's. */
import { expect, it } from 'vitest';
import { checkThreshold, type NewThresholdLevel } from '../../../../src/sources/writes/thresholdWrite.js';
import { thresholdLevel } from '../../../support/rest/models.js';

const toLevel = (upperLimit: number | null): NewThresholdLevel => ({
  ...thresholdLevel('Level', { upperLimit }),
  notificationActions: [],
  sampleActions: [],
});

function check(...limits: (number | null)[]): string[] {
  const errors = checkThreshold(limits.map(toLevel), new Set());
  return errors.map(({ field, code }) => `${field.join('.')} ${code}`);
}

it('refuses an infinite limit of any level, and compares the others without it', () => {
  expect(check(1, Number.POSITIVE_INFINITY, 5, null)).toEqual(['levels.1.upperLimit OUT_OF_RANGE']);
  expect(check(1, Number.POSITIVE_INFINITY)).toEqual(['levels.1.upperLimit OUT_OF_RANGE']);
  expect(check(Number.NEGATIVE_INFINITY, 5)).toEqual(['levels.0.upperLimit OUT_OF_RANGE']);
});

it('accepts the largest finite numbers', () => {
  expect(check(-Number.MAX_VALUE, Number.MAX_VALUE)).toEqual([]);
});
