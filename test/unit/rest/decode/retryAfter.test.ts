/** `Retry-After` in its two forms, and in common invalid ones. */
import { expect, it } from 'vitest';
import { retryAfterMs } from '../../../../src/rest/decode/responseErrors.js';

const NOW = Date.UTC(2026, 2, 14, 9, 30);

it.each([
  ['0', 0],
  ['120', 120_000],
  ['9'.repeat(400), 86_400_000],
  [' 7 ', 7000],
  ['Sat, 14 Mar 2026 09:30:30 GMT', 30_000],
  ['Sat, 14 Mar 2026 09:00:00 GMT', 0],
])('the parser of Retry-After reads %j as %i ms', (header, expected) => {
  expect(retryAfterMs({ 'retry-after': header }, NOW)).toBe(expected);
});

it.each([undefined, null, '', '  ', 'soon', '1.5', '-1', '30.0', '5, 5', 7, ['7'], {}])(
  'the parser of Retry-After ignores %j',
  (header) => {
    expect(retryAfterMs({ 'retry-after': header }, NOW)).toBeUndefined();
  },
);

it.each([
  ['Sat, 14 Mar 2026 07:30:00 GMT', 'Sat, 14 Mar 2026 07:31:00 GMT', 60_000],
  ['Sat, 14 Mar 2026 11:30:00 GMT', 'Sat, 14 Mar 2026 11:30:30 GMT', 30_000],
  ['Sat, 14 Mar 2026 11:30:00 GMT', 'Sat, 14 Mar 2026 11:00:00 GMT', 0],
  ['Sat, 14 Mar 2026 11:30:00 GMT', '120', 120_000],
  ['soon', 'Sat, 14 Mar 2026 09:30:30 GMT', 30_000],
])('a response of %j with the Retry-After %j asks for %i ms', (date, retryAfter, expected) => {
  expect(retryAfterMs({ date, 'retry-after': retryAfter }, NOW)).toBe(expected);
});
