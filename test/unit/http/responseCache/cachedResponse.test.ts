/** The headers of a stored response: how long clients reuse it, and its tags. */
import { expect, it } from 'vitest';
import {
  matchesTag,
  toCacheControl,
  toCachedResponse,
  toEntityTag,
} from '../../../../src/http/responseCache/cachedResponse.js';

const NOW_MS = 1_800_000_000_000;

it.each([
  [0, 0, 'private, no-cache'],
  [999, 0, 'private, no-cache'],
  [1999, 0, 'private, max-age=1'],
  [1999, 999, 'private, max-age=1'],
  [1999, 7000, 'private, max-age=7, immutable'],
])('a response that is fresh for %i ms and immutable for %i ms: %s', (freshMs, immutableMs, expected) => {
  const response = toCachedResponse('{}', {
    contentType: 'application/json',
    freshUntilMs: NOW_MS + freshMs,
    immutableUntilMs: NOW_MS + immutableMs,
  });
  expect(toCacheControl(response, NOW_MS)).toBe(expected);
});

const stale = { contentType: 'application/json', freshUntilMs: 0 };
const response = toCachedResponse('{}', stale);
const other = toCachedResponse('[]', stale);

it('has another tag for each encoding', () => {
  const tags = (['identity', 'br', 'gzip'] as const).map((encoding) => toEntityTag(response, encoding));
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect([matchesTag(tag, response), matchesTag(tag, other)]).toEqual([true, false]);
});

it.each([
  [undefined, false],
  ['', false],
  [' * ', true],
  [`W/${toEntityTag(response, 'gzip')}`, true],
  [`"x", ${toEntityTag(response, 'identity')}`, true],
  [`"x", ${toEntityTag(other, 'identity')}`, false],
])('If-None-Match: %s names the response: %s', (ifNoneMatch, matches) => {
  expect(matchesTag(ifNoneMatch, response)).toBe(matches);
});
