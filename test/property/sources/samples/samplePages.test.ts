/** Paging through samples loses and repeats none, for any density and any arrivals meanwhile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readAllSamples,
  readSamples,
  type SamplePosition,
  toPosition,
} from '../../../../src/sources/samples/samplePages.js';
import { byTime, createSampleStore, type StoredSample } from '../../../support/samples/sampleStore.js';

const START = Date.UTC(2024, 0, 1);

/** Ids rise with arrival, dates do not: many share a second, and some are late. */
const arrivals: fc.Arbitrary<StoredSample[]> = fc
  .array(fc.integer({ min: 0, max: 12 }), { maxLength: 80 })
  .map(toArrivals);

function toArrivals(seconds: readonly number[]): StoredSample[] {
  return seconds.map((second, index) => ({
    id: index + 1,
    sampledAt: new Date(START + second * 1000).toISOString(),
  }));
}

interface Walk {
  found: StoredSample[];
  pages: number;
}

async function walk(
  store: ReturnType<typeof createSampleStore>,
  { fromMs = START, first = 5 },
  between: (page: number, position: SamplePosition | undefined) => void = () => {},
): Promise<Walk> {
  const found: StoredSample[] = [];
  let position: SamplePosition | undefined;
  for (let pages = 1; ; pages++) {
    const page = await readSamples(store.source, fromMs, position, first);
    expect(page.items.length).toBeLessThanOrEqual(first);
    if (page.hasMore) expect(page.items).toHaveLength(first);
    found.push(...page.items);
    position = toPosition(page.items.at(-1)) ?? position;
    if (!page.hasMore) return { found, pages };
    between(pages, position);
  }
}

describe('readSamples, page after page', () => {
  it('gives every sample once, by date and then by id', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 20 }), async (samples, first) => {
        const { found } = await walk(createSampleStore(samples), { first });
        expect(found).toEqual([...samples].sort(byTime));
      }),
    );
  });

  it('returns exactly the samples at or after the date, with fractions of a second', async () => {
    const from = fc.integer({ min: -2000, max: 14_000 });
    await fc.assert(
      fc.asyncProperty(arrivals, from, fc.integer({ min: 1, max: 9 }), async (samples, offset, first) => {
        const fromMs = START + offset;
        const { found } = await walk(createSampleStore(samples, { roundsDown: true }), { fromMs, first });
        const wanted = samples.filter(({ sampledAt }) => Date.parse(sampledAt) >= fromMs);
        expect(found).toEqual(wanted.sort(byTime));
      }),
    );
  });

  it('repeats none, and includes all that arrive after the current position, while samples keep arriving', async () => {
    const late = fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(arrivals, late, fc.integer({ min: 1, max: 6 }), async (samples, seconds, first) => {
        const store = createSampleStore(samples);
        const due = [...samples];
        const waiting = [...seconds];
        const { found } = await walk(store, { first }, (page, position) => {
          const second = waiting.shift();
          if (second === undefined) return;
          const sample = { id: 1000 + page, sampledAt: new Date(START + second * 1000).toISOString() };
          store.add(sample);
          if (position === undefined || START + second * 1000 >= position.sampledAtMs) due.push(sample);
        });
        expect(found).toEqual(due.sort(byTime));
      }),
    );
  });

  it('makes at most two requests for a page, where a second fits into one', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 9 }), async (samples, first) => {
        const store = createSampleStore(samples);
        let requestsBefore = 0;
        const checkPage = () => {
          expect(store.requests.length - requestsBefore).toBeLessThanOrEqual(2);
          requestsBefore = store.requests.length;
        };
        await walk(store, { first }, checkPage);
        checkPage();
      }),
      // The first response for the third page repeats the samples of the second, and has only one more.
      { examples: [[toArrivals([...Array(4).fill(1), ...Array(20).fill(2)]), 5]] },
    );
  });
});

/** The most samples that share a second. */
function densestSecond(samples: readonly StoredSample[]): number {
  const counts = samples.map((one) => samples.filter(({ sampledAt }) => sampledAt === one.sampledAt).length);
  return Math.max(0, ...counts);
}

describe('readAllSamples', () => {
  it('gives every sample once, however little the source returns at a time', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async (samples) => {
        const store = createSampleStore(samples, { maxPageLength: densestSecond(samples) + 1 });
        const found: StoredSample[] = [];
        for await (const page of readAllSamples(store.source, START)) found.push(...page);
        expect(found).toEqual([...samples].sort(byTime));
      }),
    );
  });
});
