/** Walks a delivery queue page by page. Reading never moves the queue for others. */
import type { SamplePage } from './samplePages.js';

/** Reads one page of a queue from strictly above an id. */
export type QueueReader<Sample> = (afterId: number) => Promise<SamplePage<Sample>>;

/** Everything above an id that the queue holds now, in order of arrival; `hasMore` when `maxPages` ended it. */
export async function drainQueue<Sample extends { id: number }>(
  read: QueueReader<Sample>,
  afterId: number,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<SamplePage<Sample>> {
  const samples: Sample[] = [];
  let lastId = afterId;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await read(lastId);
    for (const sample of page.samples) samples.push(sample);
    const newest = newestId(page.samples);
    if (!page.hasMore || newest <= lastId) return { samples, hasMore: false };
    lastId = newest;
  }
  return { samples, hasMore: true };
}

/** The highest id, or 0 of none. */
export function newestId(samples: readonly { id: number }[]): number {
  return samples.reduce((id, sample) => Math.max(id, sample.id), 0);
}
