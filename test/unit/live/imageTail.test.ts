/** New images are found by their ids, in the order of arrival, although the platform lists them by time. */
import { expect, it } from 'vitest';
import { createSampleTail, type SampleTail, type TailPosition } from '../../../src/live/sampleTail.js';
import type { RestClient } from '../../../src/rest/restClient.js';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A platform with images and a clock, both in milliseconds since the start. Pages have `pageLength` images. */
function createPlatform(pageLength = 10_000) {
  const images: { id: number; ms: number }[] = [];
  const calls: number[] = [];
  const clock = { ms: 0 };
  const failure = { isDown: false };
  const imagesSince = async (fromMs: number) => {
    if (failure.isDown) throw new Error('down');
    calls.push(fromMs - START_MS);
    const found = images
      .filter(({ ms }) => START_MS + ms >= fromMs)
      .sort((one, other) => one.ms - other.ms || one.id - other.id);
    const samples = found.slice(0, pageLength).map(({ id, ms }) => ({
      ...{ id, stream_id: 1, sample_date: new Date(START_MS + ms).toISOString() },
      url: `https://images.example.com/${id}.jpg`,
    }));
    return { samples, hasMore: found.length > pageLength };
  };
  const rest = { imagesSince } as unknown as RestClient;
  const createTail = (from?: TailPosition) =>
    createSampleTail('IMAGE', rest, () => START_MS + clock.ms, from);
  let lastId = 0;
  return {
    ...{ calls, clock, failure, createTail },
    /** An image arrives that was taken at this time. */
    add(ms: number): number {
      images.push({ id: ++lastId, ms });
      return lastId;
    },
    /** The platform lists all images twice. */
    repeat: () => images.push(...images),
  };
}

const idsOf = async (tail: SampleTail) => (await tail.step()).samples.map(({ id }) => id);

it('finds images that arrive after newer ones, and none that had arrived before the start', async () => {
  const { add, createTail } = createPlatform();
  add(-10 * MINUTE_MS);
  add(-5 * MINUTE_MS);
  const tail = createTail();
  await tail.start();
  const [newer, late, future] = [add(MINUTE_MS), add(-20 * MINUTE_MS), add(HOUR_MS)];
  expect(await idsOf(tail)).toEqual([newer, late, future]);
  const later = [add(2 * MINUTE_MS), add(-30 * MINUTE_MS)];
  expect(await idsOf(tail)).toEqual(later);
  expect(await idsOf(tail)).toEqual([]);
  expect(tail.position()).toEqual({ id: later[1] });
});

it('returns an image once that the platform lists twice', async () => {
  const { add, repeat, createTail } = createPlatform();
  const tail = createTail();
  const ids = [add(MINUTE_MS), add(-MINUTE_MS)];
  repeat();
  expect(await idsOf(tail)).toEqual(ids);
});

it('continues at the position of another tail', async () => {
  const { add, createTail } = createPlatform();
  const first = createTail();
  await first.start();
  add(MINUTE_MS);
  await first.step();
  const next = add(-MINUTE_MS);
  expect(await idsOf(createTail(first.position()))).toEqual([next]);
});

it('reads the hour before the last step that succeeded', async () => {
  const { add, calls, clock, failure, createTail } = createPlatform();
  const tail = createTail();
  await tail.start();
  clock.ms = 2 * HOUR_MS;
  await tail.step();
  failure.isDown = true;
  clock.ms = 5 * HOUR_MS;
  await expect(tail.step()).rejects.toThrow('down');
  failure.isDown = false;
  const ids = [add(1.5 * HOUR_MS), add(4 * HOUR_MS)];
  expect(await idsOf(tail)).toEqual(ids);
  await tail.step();
  expect(calls.slice(2)).toEqual([HOUR_MS, 4 * HOUR_MS]);
});

it('delivers many images in one step, in the order of arrival, with the position after them', async () => {
  const { add, createTail } = createPlatform(3);
  const tail = createTail();
  await tail.start();
  const ids = Array.from({ length: 7 }, (_, index) => add((7 - index) * MINUTE_MS));
  expect(await idsOf(tail)).toEqual(ids);
  expect(tail.position()).toEqual({ id: 7 });
  expect(await idsOf(tail)).toEqual([]);
});

it('finds new images after the clock was ahead for a while', async () => {
  const { add, clock, createTail } = createPlatform();
  const tail = createTail();
  await tail.start();
  clock.ms = 24 * HOUR_MS;
  await tail.step();
  clock.ms = MINUTE_MS;
  await tail.step();
  const image = add(MINUTE_MS);
  expect(await idsOf(tail)).toEqual([image]);
});

it('continues after an outage at the time up to which another tail had read everything', async () => {
  const { add, clock, createTail } = createPlatform();
  const first = createTail();
  await first.start();
  const known = add(0);
  await first.step();
  const missed = [add(HOUR_MS), add(2 * HOUR_MS)];
  clock.ms = 4 * HOUR_MS;
  expect(await idsOf(createTail({ id: known, asOfMs: START_MS }))).toEqual(missed);
});

it('reads at most the newest 1,000 images again', async () => {
  const { add, calls, createTail } = createPlatform();
  for (let index = 0; index < 1500; index++) add(-50 * MINUTE_MS + index * 1000);
  const tail = createTail();
  await tail.start();
  await tail.step();
  expect(calls).toEqual([-HOUR_MS, -50 * MINUTE_MS + 500 * 1000]);
});
