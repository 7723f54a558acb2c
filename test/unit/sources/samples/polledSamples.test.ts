/** How long the last samples of a poll are used, by a clock that may be set. */
import { expect, it } from 'vitest';
import { PolledLastSamples } from '../../../../src/sources/samples/polledSamples.js';
import { toScalarSample } from '../../../../src/sources/samples/samples.js';
import { required } from '../../../support/gateway.js';

const START_MS = Date.UTC(2026, 10, 23, 12);
const HOUR_MS = 3_600_000;
const MAX_AGE_MS = 90_000;

function start() {
  const clock = { ms: START_MS };
  const last = new PolledLastSamples(() => clock.ms, MAX_AGE_MS);
  last.setWindow({ samples: [], sinceMs: START_MS - HOUR_MS, isPartial: false }, START_MS);
  return { clock, last };
}

it('are used until the last poll is longer ago than the maximum', () => {
  const { clock, last } = start();
  last.add({ samples: [], asOfMs: START_MS });
  clock.ms += MAX_AGE_MS;
  expect(last.toEntry()?.storedAtMs).toBe(START_MS);
  clock.ms += 1;
  expect(last.toEntry()).toBeUndefined();
});

it('are not used from a clock that is set back to the next poll', () => {
  const { clock, last } = start();
  last.add({ samples: [], asOfMs: START_MS });
  clock.ms -= HOUR_MS;
  expect(last.toEntry()).toBeUndefined();
  last.add({ samples: [], asOfMs: clock.ms });
  expect(last.toEntry()?.storedAtMs).toBe(START_MS - HOUR_MS);
});

it('are as old as their receipt, where another process polls by a clock that is ahead', () => {
  const { clock, last } = start();
  last.add({ samples: [], asOfMs: START_MS + HOUR_MS });
  expect(last.toEntry()?.storedAtMs).toBe(START_MS);
  clock.ms += MAX_AGE_MS + 1;
  expect(last.toEntry()).toBeUndefined();
});

it('stay in the entry of the last poll after the poll has ended', () => {
  const { clock, last } = start();
  const row = { id: 5, stream_id: 3, sample_date: '2026-11-23T11:59:00Z', value: '1' };
  const sample = required(toScalarSample(row));
  last.add({ samples: [sample], asOfMs: START_MS });
  clock.ms += HOUR_MS;
  expect(last.toEntry()).toBeUndefined();
  const entry = last.toOlderEntry();
  last.clear();
  expect(entry).toMatchObject({ value: { newest: new Map([[3, sample]]), lastId: 5 }, storedAtMs: START_MS });
  expect(last.toOlderEntry()).toBeUndefined();
});
