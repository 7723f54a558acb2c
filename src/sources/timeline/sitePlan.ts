/** Decides whether the samples of several streams are read one by one, or from the batch of their site. Pure. */
import { POLICIES } from '../../cache/policies.js';
import { type ExpectedCost, type FetchPlan, type FetchStrategy, planFetch } from '../core/fetchPlan.js';
import { MAX_PAGE_LENGTH } from '../samples/samplePages.js';
import { BYTES_PER_SAMPLE } from './timeline.js';

type StrategyName = 'singles' | 'perSite';

/** Samples that take at least one call. */
export interface MissingSamples {
  streamId: number;
  /** A whole minute, so that operations that begin within seconds of each other share a batch. */
  fromMs: number;
  /** Samples per millisecond. */
  density: number;
  /** The expected number of samples. */
  rows: number;
  /** The bytes of the frames that can replace them; infinite if none can. */
  frameBytes: number;
}

interface SiteFacts {
  /** The number of streams at the site that measure numbers. */
  streamCount: number;
  nowMs: number;
  maxPages: number;
  /** Of reading the samples of one stream. */
  singleCost(): ExpectedCost;
  /** Of one page of the batch. */
  pageCost(): ExpectedCost;
}

export interface SitePlan {
  fromMs: number;
  /** The number of streams that the batch serves. */
  batchSize: number;
  expectedPages: number;
  plan: FetchPlan<StrategyName>;
  /** Whether the remaining pages still cost less than reading each stream. */
  shouldRead(remainingPages: number, elapsedMs: number): boolean;
}

/** Plans the demands that begin at `fromMs` or later. Undefined if a batch is impossible or serves fewer than two streams. */
export function planSite(
  fromMs: number,
  demands: readonly MissingSamples[],
  facts: SiteFacts,
): SitePlan | undefined {
  const missing = costliestByStream(demands.filter((demand) => demand.fromMs >= fromMs));
  // A stream without recent samples takes its own call in any case.
  const served = missing.filter(({ density }) => density > 0);
  const pages = expectPages(missing, fromMs, facts);
  if (served.length < 2 || Math.ceil(pages) > facts.maxPages) return undefined;
  const planFor = (remaining: number, elapsedMs: number) =>
    planFetch<StrategyName>([
      singlesStrategy(served, remaining / pages, facts.singleCost()),
      perSiteStrategy(remaining, elapsedMs, facts.pageCost()),
    ]);
  return {
    fromMs,
    batchSize: served.length,
    expectedPages: Math.ceil(pages),
    plan: planFor(pages, 0),
    shouldRead: (remaining, elapsedMs) => planFor(remaining, elapsedMs).strategy === 'perSite',
  };
}

/** One demand for each stream, since its other demands share the pages. */
function costliestByStream(demands: readonly MissingSamples[]): MissingSamples[] {
  const byStream = new Map<number, MissingSamples>();
  for (const demand of demands) {
    const before = byStream.get(demand.streamId);
    if (before === undefined || bytesOf(before) < bytesOf(demand)) byStream.set(demand.streamId, demand);
  }
  return [...byStream.values()];
}

function bytesOf({ rows, frameBytes }: MissingSamples): number {
  return Math.min(rows * BYTES_PER_SAMPLE, frameBytes);
}

/** A batch has no end, so it contains the samples of all streams of the site until now. The last page may be a part. */
function expectPages(
  missing: readonly MissingSamples[],
  fromMs: number,
  { streamCount, nowMs }: SiteFacts,
): number {
  const density = missing.reduce((total, one) => total + one.density, 0) / missing.length;
  return (Math.max(streamCount, missing.length) * density * (nowMs - fromMs)) / MAX_PAGE_LENGTH;
}

/** `scale`: the number of samples relative to the expected number. */
function singlesStrategy(
  missing: readonly MissingSamples[],
  scale: number,
  { durationMs }: ExpectedCost,
): FetchStrategy<StrategyName> {
  let callCount = 0;
  let bytes = 0;
  for (const { rows, frameBytes } of missing) {
    const sampleBytes = rows * scale * BYTES_PER_SAMPLE;
    callCount += frameBytes < sampleBytes ? 1 : Math.max(1, Math.ceil((rows * scale) / MAX_PAGE_LENGTH));
    bytes += Math.min(frameBytes, sampleBytes);
  }
  return { name: 'singles', callCount, costPerCall: { bytes: bytes / callCount, durationMs } };
}

/**
 * Pages are read one after another. Their samples are fresh for a limited time from the first page on, which was read
 * `elapsedMs` ago.
 */
function perSiteStrategy(
  pages: number,
  elapsedMs: number,
  pageCost: ExpectedCost,
): FetchStrategy<StrategyName> {
  const pageCount = Math.ceil(pages);
  const bytes = (pages / pageCount) * MAX_PAGE_LENGTH * BYTES_PER_SAMPLE;
  const durationMs = pageCost.durationMs * pageCount;
  const isInTime = elapsedMs + durationMs < POLICIES.samplesOpen.timeToLiveMs;
  const callCount = isInTime ? pageCount : Number.POSITIVE_INFINITY;
  return { name: 'perSite', callCount, costPerCall: { bytes, durationMs } };
}
