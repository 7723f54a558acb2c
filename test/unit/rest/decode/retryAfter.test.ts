/** `Retry-After` in its two forms, and in common invalid ones. */
import { expect, it } from 'vitest';
import { retryAfterMs } from '../../../../src/rest/decode/responseErrors.js';

const NOW = Date.UTC(2026, 2, 14, 9, 30);

it.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7000],
  ['Sat, 14 Mar 2026 09:30:30 GMT', 30_000],
  ['Sat, 14 Mar 2026 09:00:00 GMT', 0],
])('the parser of Retry-After reads %j as %i ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

it.each([undefined, null, '', '  ', 'soon', '1.5', '-1', '30.0', '5, 5', 7, ['7'], {}])(
  'the parser of Retry-After ignores %j',
  (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  },
);
