/** Relay connections over samples: pages are fetched as they are asked for, and counted only on demand. */
import { PiecedList } from '../lib/piecedList.js';
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
  nodes: Iterable<Sample>;
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
  return pageOf(new PiecedList([samples]), {
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
  samples: PiecedList<Sample>,
  facts: PageFacts,
): SampleConnection<Sample> {
  return new SamplePage(samples, facts);
}

/** Cursors are made for those who ask for them. */
class SamplePage<Sample extends TimedSample> implements SampleConnection<Sample> {
  readonly nodes: PiecedList<Sample>;
  readonly totalCount: () => number | Promise<number>;
  readonly facts: PageFacts;

  constructor(nodes: PiecedList<Sample>, facts: PageFacts) {
    this.nodes = nodes;
    this.totalCount = facts.totalCount;
    this.facts = facts;
  }

  get edges(): SampleConnection<Sample>['edges'] {
    return this.nodes.toArray().map((node) => ({ node, cursor: toCursor(node) }));
  }

  get pageInfo(): SampleConnection<Sample>['pageInfo'] {
    const { hasNextPage, hasPreviousPage } = this.facts;
    const [startCursor, endCursor] = [cursorOf(this.nodes.first()), cursorOf(this.nodes.last())];
    return { hasNextPage, hasPreviousPage, startCursor, endCursor };
  }
}

function cursorOf(sample: TimedSample | undefined): string | null {
  return sample ? toCursor(sample) : null;
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
