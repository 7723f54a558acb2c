/** Relay connections over samples: pages are fetched as they are asked for, and counted only on demand. */
import {
  type SamplePlace,
  type SampleSource,
  type TimedSample,
  takeSamples,
  walkSamples,
} from '../sources/samplePages.js';
import type { ImageSample, RfidSample, ScalarSample } from '../sources/samples.js';
import { type PageArguments, readFirst } from './connection.js';
import { decodeCursor, encodeCursor } from './cursor.js';

export interface SampleConnection<Sample> {
  nodes: readonly Sample[];
  readonly edges: readonly { node: Sample; cursor: string }[];
  readonly pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  /** A function, so that only those who ask for the count pay for it. */
  totalCount: () => number | Promise<number>;
}

export type ScalarSampleConnection = SampleConnection<ScalarSample>;
export type ImageSampleConnection = SampleConnection<ImageSample>;
export type RfidSampleConnection = SampleConnection<RfidSample>;

/** The page of a source's samples at or after `fromMs` that the arguments ask for. */
export async function toSampleConnection<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
  page: PageArguments,
): Promise<SampleConnection<Sample>> {
  const first = readFirst(page.first);
  const after = page.after == null ? undefined : toPlace(page.after);
  const { samples, hasMore } = await takeSamples(source, fromMs, after, first);
  const isWhole = !hasMore && after === undefined;
  return pageOf(samples, {
    hasNextPage: hasMore,
    hasPreviousPage: after !== undefined,
    totalCount: () => (isWhole ? samples.length : countSamples(source, fromMs)),
  });
}

export interface PageFacts {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  totalCount: () => number | Promise<number>;
}

export function pageOf<Sample extends TimedSample>(
  samples: readonly Sample[],
  { hasNextPage, hasPreviousPage, totalCount }: PageFacts,
): SampleConnection<Sample> {
  const cursorOf = (sample: Sample | undefined) => (sample ? toCursor(sample) : null);
  return {
    nodes: samples,
    // Cursors are made for those who ask for them.
    get edges() {
      return samples.map((node) => ({ node, cursor: toCursor(node) }));
    },
    get pageInfo() {
      const [startCursor, endCursor] = [cursorOf(samples[0]), cursorOf(samples.at(-1))];
      return { hasNextPage, hasPreviousPage, startCursor, endCursor };
    },
    totalCount,
  };
}

async function countSamples<Sample extends TimedSample>(source: SampleSource<Sample>, fromMs: number) {
  let count = 0;
  for await (const samples of walkSamples(source, fromMs)) count += samples.length;
  return count;
}

function toCursor(sample: TimedSample): string {
  return encodeCursor([Date.parse(sample.sampledAt), sample.id]);
}

export function toPlace(cursor: string): SamplePlace {
  const [sampledAtMs, id] = decodeCursor(cursor, 'after');
  return { sampledAtMs, id };
}
