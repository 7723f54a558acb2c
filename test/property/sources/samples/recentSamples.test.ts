/** For every fetch plan, last samples equal those of a request for each stream. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestByStream } from '../../../../src/sources/samples/newestSamples.js';
import type { ScalarSample } from '../../../../src/sources/samples/samples.js';
import { startTestGateway, type TestGateway } from '../../../support/gateway.js';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 4, 20, 12);

interface Last {
  id: string;
  lastSample: { platformId: string } | null;
}

async function startAt(nowMs: number, seed: number): Promise<TestGateway> {
  const clock = { now: () => nowMs };
  return startTestGateway({ sandbox: { seed, siteCount: 12, clock }, gateway: { clock } });
}

/** The platform's definition of the last sample: by date, then by arrival. */
function expectedOf(gateway: TestGateway): Map<string, string | null> {
  const rows = gateway.sql<{ id: number; last: number | null }>(
    `SELECT stream.id AS id, (
       SELECT id FROM scalar_sample WHERE stream_id = stream.id ORDER BY sample_date DESC, id DESC LIMIT 1
     ) AS last FROM stream WHERE account_id = ?`,
    gateway.accountId,
  );
  return new Map(rows.map(({ id, last }) => [`Stream:${id}`, last === null ? null : String(last)]));
}

const toLast = ({ id, lastSample }: Last) => [id, lastSample?.platformId ?? null] as const;

async function lastBySite(gateway: TestGateway): Promise<Map<string, string | null>> {
  const ids = gateway.sql<{ id: number }>('SELECT id FROM site WHERE account_id = ?', gateway.accountId);
  const found: (readonly [string, string | null])[] = [];
  for (const { id } of ids) {
    const data = await gateway.ask<{ site: { streams: Last[] } }>(
      `{ site(id: "${id}") { streams { id lastSample { platformId } } } }`,
    );
    found.push(...data.site.streams.map(toLast));
  }
  return new Map(found);
}

describe('last samples', () => {
  it.each([
    [1, 0],
    [2, 17],
    [3, 41],
    [4, 95],
  ])('are the same by account, by site and one by one (seed %i, %i minutes later)', async (seed, minutes) => {
    const nowMs = NOW_MS + minutes * 60_000;
    const byAccount = await startAt(nowMs, seed);
    const { data, calls } = await byAccount.count<{ streams: { nodes: Last[] } }>(
      '{ streams(first: 1000) { nodes { id lastSample { platformId } } } }',
    );
    expect(calls).toContain('/v2.0/sample/batch');
    expect(new Map(data.streams.nodes.map(toLast))).toEqual(expectedOf(byAccount));

    const bySite = await startAt(nowMs, seed);
    expect(await lastBySite(bySite)).toEqual(expectedOf(bySite));
    expect(bySite.restCalls().map(({ pathTemplate }) => pathTemplate)).toContain(
      '/v2.0/site/{siteId}/sample/batch',
    );
  });
});

/** Samples of a few streams as they arrive: ids rise, dates may be before those of earlier arrivals. */
const arrivals = fc
  .array(
    fc.record({ streamId: fc.integer({ min: 1, max: 4 }), ageMinutes: fc.nat(240), lateness: fc.nat(120) }),
    {
      maxLength: 60,
    },
  )
  .map((list) =>
    list
      .map((one) => ({ ...one, arrivedAgo: Math.max(0, one.ageMinutes - one.lateness) }))
      .sort((one, other) => other.arrivedAgo - one.arrivedAgo)
      .map(({ streamId, ageMinutes, arrivedAgo }, index) => ({
        arrivedAtMs: NOW_MS - arrivedAgo * 60_000,
        sample: toSample(index + 1, streamId, NOW_MS - ageMinutes * 60_000),
      })),
  );

function toSample(id: number, streamId: number, sampledAtMs: number): ScalarSample {
  const sampledAt = new Date(sampledAtMs).toISOString();
  return { __typename: 'ScalarSample', id, streamId, sampledAt, value: id, rawValue: String(id) };
}

function lastOf(samples: readonly ScalarSample[], streamId: number): ScalarSample | undefined {
  return samples
    .filter((sample) => sample.streamId === streamId)
    .sort((one, other) => Date.parse(other.sampledAt) - Date.parse(one.sampledAt) || other.id - one.id)[0];
}

describe('newestByStream', () => {
  const sinceMs = NOW_MS - HOUR_MS;

  it.each([
    ['taken', ({ sampledAt }: ScalarSample) => Date.parse(sampledAt) >= sinceMs],
    ['arrived', (_: ScalarSample, arrivedAtMs: number) => arrivedAtMs >= sinceMs],
  ])('contains only true last samples when the window filters by when they were %s', (_, isInWindow) => {
    fc.assert(
      fc.property(arrivals, (list) => {
        const all = list.map(({ sample }) => sample);
        const batch = list.filter(({ sample, arrivedAtMs }) => isInWindow(sample, arrivedAtMs));
        const { newest } = newestByStream(
          batch.map(({ sample }) => sample),
          sinceMs,
          NOW_MS,
        );
        for (const [streamId, sample] of newest) expect(sample).toEqual(lastOf(all, streamId));
      }),
    );
  });
});
