/** While samples arrive and time passes, last samples of each kind are never older than their bounds. */
import { expect, it } from 'vitest';
import { POLICIES } from '../../../../src/cache/policies.js';
import { HOUR_MS, MINUTE_MS } from '../../../../src/lib/clock.js';
import { required } from '../../../support/gateway.js';
import { startLiveGateway } from '../../../support/http/live.js';
import { createRandom } from '../../../support/random.js';
import { TEST_SEED } from '../../../support/seed.js';

const { timeToLiveMs, staleWhileRevalidateMs, staleIfErrorMs } = POLICIES.lastSample;
/** The maximum age of a response. */
const MAX_AGE_MS = timeToLiveMs + staleWhileRevalidateMs;
/** A sample that arrives later than the window of its batch, less the difference of the clocks, may be missing so long. */
const MAX_LATE_AGE_MS = timeToLiveMs + staleIfErrorMs + MAX_AGE_MS;
const WINDOWS_MS = { scalar: HOUR_MS, image: 24 * HOUR_MS, rfid: 6 * HOUR_MS };
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

type Kind = keyof typeof WINDOWS_MS;
const KINDS: readonly Kind[] = ['scalar', 'image', 'rfid'];
const FIELDS = { scalar: 'lastSample', image: 'lastImage', rfid: 'lastRfidRead' } as const;

type Result = { id: string } & { [Name in (typeof FIELDS)[Kind]]: { sampledAt: string } | null };
interface Data {
  stream?: Result;
  streams?: { nodes: Result[] };
  site?: { streams: Result[] };
}

interface Arrival {
  kind: Kind;
  streamId: number;
  arrivedAtMs: number;
  sampledAtMs: number;
}

const SELECTION = `id ${KINDS.map((kind) => `${FIELDS[kind]} { sampledAt }`).join(' ')}`;
const PAUSES_MS = [500, 3000, 9000, 11_000, 25_000, 42_000, 120_000, 400_000, 1_300_000];
const DELAYS_MS = [0, 1 / 60, 0.5, 3, 5, 8, 30].map((hours) => hours * HOUR_MS);
const STEPS = 200;

it.each([0, 1, 2])('last samples of random operations (%i)', async (run) => {
  const gateway = await startLiveGateway({ sandbox: { siteCount: 6 } });
  const random = createRandom(TEST_SEED + run);
  const streams = gateway.sql<{ id: number; siteId: number; units: string }>(
    'SELECT id, site_id AS siteId, units FROM stream WHERE account_id = ? ORDER BY id',
    gateway.accountId,
  );
  const nowMs = () => gateway.clock.now();
  const arrivals: Arrival[] = KINDS.flatMap((kind) =>
    gateway
      .sql<{ streamId: number; date: number }>(
        `SELECT stream_id AS streamId, max(sample_date) AS date FROM ${kind}_sample
         JOIN stream ON stream.id = stream_id WHERE account_id = ? GROUP BY stream_id`,
        gateway.accountId,
      )
      .map(({ streamId, date }) => ({ kind, streamId, arrivedAtMs: 0, sampledAtMs: date * 1000 })),
  );
  /** The streams that have sent this kind. */
  const senders = (kind: Kind) => arrivals.filter((one) => one.kind === kind).map(({ streamId }) => streamId);

  function addSample(kind: Kind): void {
    const streamId = required(random.pick(senders(kind)));
    const date = Math.floor((nowMs() - random.pick(DELAYS_MS)) / 1000);
    const values = {
      scalar: [gateway.nextId('scalar'), streamId, date, 5],
      image: [gateway.nextId('image'), streamId, date, 160, 120],
      rfid: [gateway.nextId('rfid'), streamId, date, date, date, 'tag', null],
    }[kind];
    gateway.run(`INSERT INTO ${kind}_sample VALUES (${values.map(() => '?').join(', ')})`, ...values);
    arrivals.push({ kind, streamId, arrivedAtMs: nowMs(), sampledAtMs: date * 1000 });
  }

  function check(kind: Kind, streamId: number, sampledAt: string | undefined): void {
    const ofStream = arrivals.filter((one) => one.kind === kind && one.streamId === streamId);
    const certain = ofStream.filter(({ arrivedAtMs, sampledAtMs }) => {
      const isLate = arrivedAtMs - sampledAtMs > WINDOWS_MS[kind] - CLOCK_DIFFERENCE_MS;
      return nowMs() - arrivedAtMs >= (isLate ? MAX_LATE_AGE_MS : MAX_AGE_MS);
    });
    const timesMs = (samples: readonly Arrival[]) => samples.map(({ sampledAtMs }) => sampledAtMs);
    const foundMs = sampledAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(sampledAt);
    const name = `${FIELDS[kind]} of Stream:${streamId}`;
    expect(foundMs, name).toBeGreaterThanOrEqual(Math.max(...timesMs(certain)));
    expect(foundMs, name).toBeLessThanOrEqual(Math.max(...timesMs(ofStream)));
  }

  async function read(): Promise<void> {
    const stream = required(random.pick(streams));
    const data = await gateway.ask<Data>(
      random.pick([
        `{ streams(first: 1000) { nodes { ${SELECTION} } } }`,
        `{ site(id: ${stream.siteId}) { streams { ${SELECTION} } } }`,
        `{ stream(id: ${stream.id}) { ${SELECTION} } }`,
      ]),
    );
    for (const result of data.streams?.nodes ?? data.site?.streams ?? [required(data.stream)]) {
      const streamId = Number(result.id.split(':')[1]);
      const measuresNumbers = streams.some(({ id, units }) => id === streamId && units !== '');
      for (const kind of measuresNumbers ? (['scalar'] as const) : KINDS)
        check(kind, streamId, result[FIELDS[kind]]?.sampledAt);
    }
  }

  for (let step = 0; step < STEPS; step += 1) {
    const choice = random.next();
    if (choice < 0.45) gateway.clock.advance(random.pick(PAUSES_MS));
    else if (choice < 0.65) addSample(random.pick(KINDS));
    else await read();
  }
});
