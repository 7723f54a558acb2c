/** Pages of device records around rows that cannot be decoded. */
import { expect, it } from 'vitest';
import { createRecordPaginator } from '../../../../src/sources/entities/recordPaginator.js';

const RECORDS_AT_ONCE = 100;

/** A device with records 1 to `count`, of which the platform sends some in a form that is not usable. */
function createPaginator(count: number, isUsable: (id: number) => boolean) {
  let calls = 0;
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const paginator = createRecordPaginator(
    async (_, afterId) => {
      calls += 1;
      const sent =
        afterId === undefined
          ? ids.slice(-RECORDS_AT_ONCE)
          : ids.filter((id) => id > afterId).slice(0, RECORDS_AT_ONCE);
      return { rows: sent.filter(isUsable).map((id) => ({ id })), lengthOnWire: sent.length };
    },
    (row: { id: number }) => row,
  );
  return { paginator, calls: () => calls };
}

it('continues after a page with an unusable row', async () => {
  const { paginator, calls } = createPaginator(350, (id) => id !== 50);
  const page = await paginator(1, { afterId: 0, count: 1000 });
  expect(page.items.map(({ id }) => id)).toEqual(
    Array.from({ length: 350 }, (_, index) => index + 1).filter((id) => id !== 50),
  );
  expect(await page.hasMore()).toBe(false);
  expect(calls()).toBe(4);
});

it('ends at a page without a usable row, which has no cursor to read on from', async () => {
  const { paginator, calls } = createPaginator(350, (id) => id <= 100);
  const page = await paginator(1, { afterId: 0, count: 1000 });
  expect(page.items).toHaveLength(100);
  expect(await page.hasMore()).toBe(false);
  expect(calls()).toBe(2);
});

it.each([
  ['behind a record', { afterId: 1, count: 10 }, 5, true],
  ['of all records', { afterId: undefined, count: 10 }, 5, false],
  ['of the newest records of a short response', { afterId: undefined, count: 3 }, 5, true],
  ['of the newest records of a full response', { afterId: undefined, count: 1000 }, 350, true],
  ['without records', { afterId: undefined, count: 10 }, 0, false],
])('tells from one call whether there are records before a page %s', async (_, request, count, expected) => {
  const { paginator, calls } = createPaginator(count, () => true);
  expect((await paginator(1, request)).hasEarlier).toBe(expected);
  expect(calls()).toBe(1);
});
