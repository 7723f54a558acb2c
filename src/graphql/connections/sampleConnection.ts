/** Relay connections over samples: pages are fetched as they are asked for, and counted only on demand. */
import { ChunkedList } from '../../lib/chunkedList.js';
import {
  readAllSamples,
  readSamples,
  type SamplePosition,
  type SampleSource,
  type TimedSample,
} from '../../sources/samples/samplePages.js';
import type { ImageSample, RfidSample, ScalarSample } from '../../sources/samples/samples.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { type PageArguments, readFirst } from './listConnection.js';

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
  const after = page.after == null ? undefined : decodeSampleCursor(page.after);
  const { samples, hasMore } = await readSamples(source, fromMs, after, first);
  const isWhole = !hasMore && after === undefined;
  return createSampleConnection(new ChunkedList([samples]), {
    hasNextPage: hasMore,
    hasPreviousPage: after !== undefined,
    totalCount: () => (isWhole ? samples.length : countSamples(source, fromMs)),
  });
}

export interface PageDetails {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  totalCount: () => number | Promise<number>;
}

export function createSampleConnection<Sample extends TimedSample>(
  samples: ChunkedList<Sample>,
  facts: PageDetails,
): SampleConnection<Sample> {
  return new SampleConnectionPage(samples, facts);
}

/** Cursors are made for those who ask for them. */
class SampleConnectionPage<Sample extends TimedSample> implements SampleConnection<Sample> {
  readonly nodes: ChunkedList<Sample>;
  readonly totalCount: () => number | Promise<number>;
  readonly details: PageDetails;

  constructor(nodes: ChunkedList<Sample>, facts: PageDetails) {
    this.nodes = nodes;
    this.totalCount = facts.totalCount;
    this.details = facts;
  }

  get edges(): SampleConnection<Sample>['edges'] {
    return this.nodes.toArray().map((node) => ({ node, cursor: encodeSampleCursor(node) }));
  }

  get pageInfo(): SampleConnection<Sample>['pageInfo'] {
    const { hasNextPage, hasPreviousPage } = this.details;
    const [startCursor, endCursor] = [cursorOf(this.nodes.first()), cursorOf(this.nodes.last())];
    return { hasNextPage, hasPreviousPage, startCursor, endCursor };
  }
}

function cursorOf(sample: TimedSample | undefined): string | null {
  return sample ? encodeSampleCursor(sample) : null;
}

async function countSamples<Sample extends TimedSample>(source: SampleSource<Sample>, fromMs: number) {
  let count = 0;
  for await (const samples of readAllSamples(source, fromMs)) count += samples.length;
  return count;
}

function encodeSampleCursor(sample: TimedSample): string {
  return encodeCursor([Date.parse(sample.sampledAt), sample.id]);
}

export function decodeSampleCursor(cursor: string): SamplePosition {
  const [sampledAtMs, id] = decodeCursor(cursor, 'after');
  return { sampledAtMs, id };
}
