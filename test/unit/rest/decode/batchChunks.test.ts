/** Short batches do not wait for the turns among which long ones are divided. */
import { expect, it } from 'vitest';
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
  const long = Promise.all([1, 2, 3].map(() => readBatchChunks('/batch', converter, longText, budget)));
  void long.then(() => {
    areLongDone = true;
  });
  let turns = 0;
  const turn = setImmediate(() => turns++);
  const { value } = await readBatchChunks('/batch', converter, toText(1), budget);
  clearImmediate(turn);
  expect(value.chunks.flat()).toEqual([row]);
  expect([turns, areLongDone]).toEqual([0, false]);
  await long;
});
