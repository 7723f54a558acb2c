/**
 * The invalidation log, compared with a simple model: after forgetting it may report too much, but it never misses an
 * invalidation.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInvalidationLog } from '../../../../src/cache/memory/invalidationLog.js';

const tag = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const drop = fc.oneof(
  { weight: 9, arbitrary: fc.array(tag, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant('all' as const) },
);

describe('createDropLog', () => {
  it('reports every invalidation since a version, for any number of remembered tags', () => {
    fc.assert(
      fc.property(
        fc.array(drop, { maxLength: 20 }),
        fc.nat(20),
        tag,
        fc.integer({ min: 1, max: 5 }),
        (all, from, asked, most) => {
          const log = createInvalidationLog(most);
          const at = Math.min(from, all.length);
          let count = 0;
          all.forEach((tags, index) => {
            if (index === at) count = log.version();
            if (tags === 'all') log.addAll();
            else log.add(tags);
          });
          if (at === all.length) count = log.version();
          const wasDropped = all.slice(at).some((tags) => tags === 'all' || tags.includes(asked));
          const says = log.isInvalidatedSince([asked], count);
          if (wasDropped) expect(says).toBe(true);
          else if (most === 5) expect(says).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
