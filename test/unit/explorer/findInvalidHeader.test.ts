/** The explorer finds each header that `fetch` refuses, and no other. */
import { expect, it } from 'vitest';
import { findInvalidHeader } from '../../../explorer/requests/findInvalidHeader.js';

const isSendable = (headers: Record<string, string>) => {
  try {
    new Headers(headers);
    return true;
  } catch {
    return false;
  }
};

it.each([
  ['X Bad', '1', 'letters, digits and hyphens'],
  ['', '1', 'letters, digits and hyphens'],
  ['Größe', '1', 'letters, digits and hyphens'],
  ['X-Bad', 'a\nb', 'a line break'],
  ['X-Bad', 'a\0b', 'a line break'],
  ['Authorization', 'Bearer 5€', '"€"'],
  ['Authorization', 'Bearer 🔑', '"🔑"'],
])('%j: %j is invalid', (name, value, reason) => {
  expect(isSendable({ [name]: value })).toBe(false);
  const problem = findInvalidHeader({ Valid: '1', [name]: value });
  expect(problem).toContain(`"${name}"`);
  expect(problem).toContain(reason);
});

it.each(['', 'Schlüssel', 'a\tb', ' a\n', '"1"'])('%j is a valid value', (value) => {
  expect(isSendable({ "X-!#$%&'*+.^_`|~9": value })).toBe(true);
  expect(findInvalidHeader({ "X-!#$%&'*+.^_`|~9": value })).toBeUndefined();
});

it('values that are not text are sent as text', () => {
  expect(findInvalidHeader({ 'X-Explain': 1, 'X-Flag': true })).toBeUndefined();
});
