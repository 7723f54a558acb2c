/** The invalidation log against the plainest model: false positives are allowed beyond its bound, false negatives never. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInvalidationLog } from '../../../../src/cache/memory/invalidationLog.js';

const tag = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const invalidation = fc.oneof(
  { weight: 9, arbitrary: fc.array(tag, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant('all' as const) },
);

describe('createInvalidationLog', () => {
  it('knows every invalidation since a version, however few tags it may record', () => {
    fc.assert(
      fc.property(
        fc.array(invalidation, { maxLength: 20 }),
        fc.nat(20),
        tag,
        fc.integer({ min: 1, max: 5 }),
        (all, from, looked, maxTags) => {
          const log = createInvalidationLog(maxTags);
          const at = Math.min(from, all.length);
          let before = { version: log.version(), ofTag: log.versionOf(looked) };
          all.forEach((tags, index) => {
            if (index === at) before = { version: log.version(), ofTag: log.versionOf(looked) };
            if (tags === 'all') log.addAll();
            else log.add(tags);
          });
          if (at === all.length) before = { version: log.version(), ofTag: log.versionOf(looked) };
          const isInvalidated = all.slice(at).some((tags) => tags === 'all' || tags.includes(looked));
          const found = [
            log.isInvalidatedSince([looked], before.version),
            log.versionOf(looked) > before.ofTag,
          ];
          if (isInvalidated) expect(found).toEqual([true, true]);
          else if (maxTags === 5) expect(found).toEqual([false, false]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
