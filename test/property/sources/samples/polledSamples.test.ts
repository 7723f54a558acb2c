/** While a poll runs, the last samples equal those of direct calls, for any arrivals, and none is older. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../../src/lib/logger.js';
import { createPollStarter } from '../../../../src/live/samplePoll.js';
import { readWindow } from '../../../../src/live/sampleTail.js';
import type { QueuePosition } from '../../../../src/rest/endpointKinds.js';
import type { RestClient } from '../../../../src/rest/restClient.js';
import type { RecentSamples } from '../../../../src/sources/samples/newestSamples.js';
import { PolledLastSamples } from '../../../../src/sources/samples/polledSamples.js';

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

interface Row {
  id: number;
  stream_id: number;
  sample_date: string;
  value: string;
}

/** Arrivals: a stream, and how long before its arrival the sample was measured; late and equal times included. */
const arrivals = fc.array(
  fc.record({
    streamId: fc.integer({ min: 1, max: 4 }),
    ageSeconds: fc.constantFrom(0, 0, 1, 60, 3000, 4000, 90_000),
  }),
  { maxLength: 12 },
);

/** A queue of numbers by the platform's rules. */
function createPlatform() {
  const rows: Row[] = [];
  let nowMs = START_MS;
  const toMs = ({ sample_date }: Row) => Date.parse(sample_date);
  const queuedSamples = async <Chunk>(position: QueuePosition, convert: (page: Row[]) => Chunk) => {
    const sinceMs = 'backfillHours' in position ? nowMs - (position.backfillHours ?? 0) * HOUR_MS : 0;
    const afterId = 'afterId' in position ? (position.afterId ?? 0) : 0;
    const page = rows.filter((row) => row.id > afterId && toMs(row) >= sinceMs);
    return { chunks: [convert(page)], hasMore: false };
  };
  return {
    rest: { queuedSamples } as unknown as RestClient,
    clock: { now: () => nowMs },
    arrive(streamId: number, ageSeconds: number) {
      nowMs += 1000;
      const sample_date = new Date(nowMs - ageSeconds * 1000).toISOString();
      rows.push({ id: rows.length + 1, stream_id: streamId, sample_date, value: String(rows.length) });
    },
    /** The result of a direct call. */
    lastOf: (streamId: number) =>
      rows
        .filter((row) => row.stream_id === streamId)
        .sort((one, other) => toMs(one) - toMs(other) || one.id - other.id)
        .at(-1)?.id,
  };
}

/** Polls the platform, in the process that leads or in one that follows. */
async function startPoll({ rest, clock }: ReturnType<typeof createPlatform>, isFollower: boolean) {
  const lastSamples = new PolledLastSamples(clock.now, HOUR_MS);
  let onStep = () => {};
  const start = createPollStarter({
    ...{ rest, clock, logger: silentLogger, pollMs: 0, maxPollMs: 0 },
    lastSamples: isFollower ? undefined : lastSamples,
  });
  const poll = start('SCALAR', undefined, (polled) => {
    lastSamples.add(polled);
    onStep();
  });
  lastSamples.begin(poll.ready, () => readWindow(rest, clock.now));
  await poll.ready;
  const step = () =>
    new Promise<void>((resolve) => {
      onStep = resolve;
    });
  return {
    /** The last samples after the next whole poll. */
    async read(): Promise<RecentSamples | undefined> {
      await step();
      await step();
      return lastSamples.toEntry()?.value as RecentSamples | undefined;
    },
    stop: () => poll.stop(),
  };
}

it('are those of direct calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      arrivals,
      fc.array(arrivals, { maxLength: 6 }),
      fc.boolean(),
      async (before, rounds, isFollower) => {
        const platform = createPlatform();
        const { arrive, lastOf } = platform;
        for (const { streamId, ageSeconds } of before) arrive(streamId, ageSeconds);
        const poll = await startPoll(platform, isFollower);
        for (const round of rounds) {
          for (const { streamId, ageSeconds } of round) arrive(streamId, ageSeconds);
          const newest = (await poll.read())?.newest;
          for (const [streamId, { id }] of newest ?? []) expect(id).toBe(lastOf(streamId));
          const punctual = round.filter(({ ageSeconds }) => ageSeconds === 0);
          for (const { streamId } of punctual) expect(newest?.get(streamId)?.id).toBe(lastOf(streamId));
        }
        poll.stop();
      },
    ),
    { numRuns: 200 },
  );
});
