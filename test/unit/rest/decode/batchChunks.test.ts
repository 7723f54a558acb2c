/** Short batches do not wait for the turns among which long ones are divided. */
import { describe, expect, it } from 'vitest';
import { TurnBudget } from '../../../../src/lib/turnBudget.js';
import { CHUNK_LENGTH, readBatchChunks } from '../../../../src/rest/decode/batchChunks.js';

it('a batch of one chunk is decoded at once while long batches wait for their turns', async () => {
  let nowMs = 0;
  const budget = new TurnBudget({ maxTurnMs: 2, nowMs: () => nowMs++ });
  const converter = { decode: (row: unknown) => row, convert: (rows: readonly unknown[]) => rows };
  const row = { text: 'x'.repeat(100) };
  const toText = (rows: number) => JSON.stringify({ samples: Array(rows).fill(row), hasMore: false });
  const longText = toText(Math.ceil((20 * CHUNK_LENGTH) / 100));
  let areLongDone = false;
  const long = Promise.all(
    [1, 2, 3].map(() => readBatchChunks({ template: '/batch' }, converter, longText, budget)),
  );
  void long.then(() => {
    areLongDone = true;
  });
  let turns = 0;
  const turn = setImmediate(() => turns++);
  const { value } = await readBatchChunks({ template: '/batch' }, converter, toText(1), budget);
  clearImmediate(turn);
  expect(value.chunks.flat()).toEqual([row]);
  expect([turns, areLongDone]).toEqual([0, false]);
  await long;
});

describe('the end of a batch', () => {
  const converter = { decode: (row: unknown) => row, convert: (rows: readonly unknown[]) => rows };
  const rows = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, padding: 'x'.repeat(100) }));
  const read = async (body: object, limit?: number) =>
    (await readBatchChunks({ template: '/batch', query: { limit } }, converter, JSON.stringify(body))).value
      .hasMore;

  it.each(['hasMore', 'hasmore', 'has_more', 'HasMore'])('is recognised by %s', async (name) => {
    expect(await read({ [name]: true, samples: rows(1) })).toBe(true);
    expect(await read({ [name]: false, samples: rows(5) }, 5)).toBe(false);
  });

  it.each([
    ['true', true],
    ['True', true],
    [1, true],
    ['false', false],
    [0, false],
  ])('is recognised as %j', async (flag, hasMore) => {
    expect(await read({ hasMore: flag, samples: rows(5) }, hasMore ? 6 : 5)).toBe(hasMore);
  });

  it.each(['{"hasMore":false,"samples":null}', '{"hasMore":false}'])('has no rows in %s', async (text) => {
    const { value } = await readBatchChunks({ template: '/batch' }, converter, text);
    expect(value).toEqual({ chunks: [[]], hasMore: false });
  });

  it('is also found in Pascal case, with the rows', async () => {
    const text = JSON.stringify({ HasMore: true, Samples: rows(2) });
    const { value } = await readBatchChunks({ template: '/batch' }, converter, text);
    expect(value).toEqual({ chunks: [rows(2)], hasMore: true });
  });

  it.each([
    ['a full page', 50, 50, true],
    ['a short page', 49, 50, false],
    ['a full long page', 2000, 2000, true],
    ['a short long page', 1999, 2000, false],
    ['a full batch without a limit', 10_000, undefined, true],
    ['an empty batch', 0, undefined, false],
  ])('without the flag, %s (%d rows, limit %s) has more: %s', async (_, count, limit, hasMore) => {
    expect(await read({ samples: rows(count) }, limit)).toBe(hasMore);
  });
});
