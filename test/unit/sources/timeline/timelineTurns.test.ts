/** Reading stored pages does not block the event loop, however many streams and years a query has. */
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/lib/clock.js';
import { OperationTurns, TurnBudget } from '../../../../src/lib/turnBudget.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const TO_MS = Date.UTC(2023, 0, 1);
const STREAM_IDS = [1, 2, 3, 4];
const MAX_READS_PER_TURN = 10;

it('reads as many pages of all streams in one turn as the time of a turn allows', async () => {
  const clock = createManualClock();
  const { rest } = createComputedRest(() => ({ samples: [], hasMore: false }), clock);
  const { createReader } = createReaders({ clock });
  let pages = 0;
  let maxPages = 0;
  let turns = 0;
  // Each reading of the clock takes a millisecond.
  let nowMs = 0;
  const budget = new TurnBudget({ maxTurnMs: MAX_READS_PER_TURN, nowMs: () => nowMs++ });
  const readAll = async (operation?: OperationTurns) => {
    const timelines = createTimelines(rest, createReader(undefined, operation), clock.now);
    await Promise.all(
      STREAM_IDS.map(async (id) => {
        const span = { fromMs: TO_MS - 20_000 * DAY_MS, toMs: TO_MS };
        for await (const _ of timelines.samples(id).readSegments(span))
          maxPages = Math.max(maxPages, ++pages);
      }),
    );
  };
  await readAll();
  let isReading = true;
  const nextTurn = () => {
    turns += 1;
    pages = 0;
    if (isReading) setImmediate(nextTurn);
  };
  maxPages = 0;
  nextTurn();
  await readAll(new OperationTurns(budget));
  isReading = false;
  expect(turns).toBeGreaterThan(50);
  expect(maxPages).toBeLessThanOrEqual(2 * MAX_READS_PER_TURN);
});
