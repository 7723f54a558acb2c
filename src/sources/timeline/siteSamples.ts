/**
 * Loads the samples of several streams of a site in one batch if that costs less than reading each stream. The streams
 * then find their samples in the page store.
 */
import type DataLoader from 'dataloader';
import { DAY_MS, MINUTE_MS } from '../../lib/clock.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import { type CallOptions, countSkippedRows } from '../../rest/callRecord.js';
import type { RowBatch } from '../../rest/endpointKinds.js';
import type { RestClient } from '../../rest/restClient.js';
import { type ColumnTable, joinSorted } from '../../timeseries/columnTable.js';
import { createBatchLoader, settleEach } from '../core/batches.js';
import { isEndpointFailure } from '../core/collectionFallback.js';
import { groupBy } from '../core/collections.js';
import type { Reader } from '../core/reader.js';
import { MIN_DATE_MS } from '../core/wireValues.js';
import type { StreamReference } from '../entities/streams.js';
import { newestByStream, type RecentSamples } from '../samples/newestSamples.js';
import { siteWindowStart } from '../samples/recentSamples.js';
import { convertBatch, toScalarSample } from '../samples/samples.js';
import { floorTo, type TimeSpan } from './dayPages.js';
import { lastSecond, rowsBefore, SAMPLE_COLUMNS, type ScalarRow, toSampleTable } from './sampleTable.js';
import { type MissingSamples, planSite, type SitePlan } from './sitePlan.js';
import { checkAscending, densityOf, missingFrameBytes, type Timeline } from './timeline.js';
import { endOfRead } from './timelinePages.js';

/** The name in explanations. */
const RELATION = 'samples of streams';
/** Longer batches hardly ever cost less, and looking up their pages would take long. */
const MAX_SPAN_MS = 31 * DAY_MS;
/** Maximum pages of batches in one operation: 400,000 samples, which take less than half of the page store. */
const MAX_PAGES = 40;

/** If a batch takes half of the operation's time, the other half remains for reading each stream. */
const TIME_SHARE = 0.5;

/** The samples that an operation is about to read of a stream. */
export interface SampleDemand {
  stream: StreamReference;
  span: TimeSpan;
  /** The length of the frames that may be read instead, in minutes. */
  frameMinutes?: number | undefined;
  /** The maximum number of samples; by default, all of the span. */
  maxRows?: number | undefined;
}

interface SiteSamplesOptions {
  rest: RestClient;
  reader: Reader;
  nowMs: () => number;
  samplesOf(streamId: number): Timeline;
  framesOf(streamId: number, minutes: number): Timeline;
  /** The number of streams at a site that measure numbers; undefined if finding it takes a call. */
  countStreams(siteId: number): number | undefined;
}

/** The batches of one operation. */
export class SiteSamples {
  readonly #options: SiteSamplesOptions;
  readonly #template: string;
  /** Created at the first demand: most operations have none. */
  #loader: DataLoader<SampleDemand, null> | undefined;
  #remainingPages = MAX_PAGES;
  /**
   * Sites with demands whose batch has not returned its first page. The function passes the newest samples to the
   * request that waits for them; undefined without such a request.
   */
  readonly #demanded = new Map<number, ((newest: RecentSamples | undefined) => void) | undefined>();

  constructor(options: SiteSamplesOptions) {
    this.#options = options;
    this.#template = options.rest.siteSamplesSince.template;
  }

  /**
   * Resolves when the stream can be read. Streams that are demanded at the same time share a batch. Does not reject: a
   * stream whose batch fails is read by itself.
   */
  async prefetch(demand: SampleDemand): Promise<void> {
    const { fromMs } = demand.span;
    const { siteId } = demand.stream;
    const nowMs = this.#options.nowMs();
    if (siteId === null || fromMs >= nowMs || fromMs < nowMs - MAX_SPAN_MS) return;
    if (!this.#demanded.has(siteId)) this.#demanded.set(siteId, undefined);
    const load = (demands: readonly SampleDemand[]) => this.#loadAll(demands);
    this.#loader ??= createBatchLoader(this.#options.reader.turns, load, { cache: false });
    await this.#loader.load(demand);
  }

  /**
   * The newest samples of the site, if the operation is about to read a batch of it. Resolves to undefined as soon as that
   * batch turns out to begin too late, or not to fit one page, and if it is not read at all.
   */
  newestOf(siteId: number): Promise<RecentSamples | undefined> | undefined {
    if (!this.#demanded.has(siteId) || this.#demanded.get(siteId) !== undefined) return undefined;
    return new Promise((resolve) => this.#demanded.set(siteId, resolve));
  }

  /** Later requests get nothing: the rows can take megabytes. */
  #passNewest(siteId: number, getNewest?: () => RecentSamples | undefined): void {
    this.#demanded.get(siteId)?.(getNewest?.());
    this.#demanded.delete(siteId);
  }

  async #loadAll(demands: readonly SampleDemand[]): Promise<null[]> {
    const sites = groupBy(demands, ({ stream }) => stream.siteId);
    await settleEach([...sites], async ([siteId, ofSite]) => {
      try {
        await this.#loadSite(siteId, ofSite);
      } finally {
        this.#passNewest(siteId);
      }
    });
    return demands.map(() => null);
  }

  /** Loads the longest batch that costs less than reading the streams. Other demands are left to the streams. */
  async #loadSite(siteId: number, demands: readonly SampleDemand[]): Promise<void> {
    const streamCount = demands.length < 2 ? undefined : this.#options.countStreams(siteId);
    if (streamCount === undefined || this.#isAvoided(siteId)) return;
    const { turns, records, endpointStats } = this.#options.reader;
    const found = await settleEach(demands, (demand) => this.#findMissing(demand), turns);
    const missing = found.filter((one): one is MissingSamples => one !== undefined && 'fromMs' in one);
    const starts = [...new Set(missing.map(({ fromMs }) => fromMs))].sort((one, other) => one - other);
    const facts = {
      streamCount,
      nowMs: this.#options.nowMs(),
      singleCost: () => endpointStats.expectedCost(this.#options.rest.streamSampleRange.template),
      pageCost: () => endpointStats.expectedCost(this.#template),
    };
    for (const fromMs of starts) {
      const site = planSite(fromMs, missing, { ...facts, maxPages: this.#remainingPages });
      if (site === undefined) continue;
      records.addPlan(RELATION, site.batchSize, site.plan);
      if (site.plan.strategy === 'perSite') return this.#load(siteId, site);
    }
  }

  #isAvoided(siteId: number): boolean {
    const { isFailing, hasTimedOut } = this.#options.reader.endpointStats;
    return isFailing(this.#template) || isFailing(this.#batchName(siteId)) || hasTimedOut(this.#template);
  }

  /** Undefined if reading the samples takes no call. */
  #findMissing(demand: SampleDemand): MissingSamples | undefined {
    const { stream, span, frameMinutes, maxRows = Number.POSITIVE_INFINITY } = demand;
    const { nowMs, samplesOf, framesOf } = this.#options;
    const past = { fromMs: span.fromMs, toMs: Math.min(span.toMs, nowMs()) };
    const samples = samplesOf(stream.id).cachedCoverage(past);
    if (samples.firstMissingMs === undefined) return undefined;
    const fromMs = floorTo(Math.max(MIN_DATE_MS, samples.firstMissingMs), MINUTE_MS);
    const density = densityOf(samples);
    let frameBytes = Number.POSITIVE_INFINITY;
    if (frameMinutes !== undefined) {
      const frames = framesOf(stream.id, frameMinutes).cachedCoverage(past);
      if (frames.firstMissingMs === undefined) return undefined;
      frameBytes = missingFrameBytes(samples, frames, frameMinutes);
    }
    const rows = Math.min(samples.missingMs * density, maxRows);
    return { streamId: stream.id, fromMs, density, rows, frameBytes };
  }

  #batchName(siteId: number): string {
    return `${this.#template} ${siteId}`;
  }

  async #load(siteId: number, plan: SitePlan): Promise<void> {
    const { reader, nowMs } = this.#options;
    this.#remainingPages -= plan.expectedPages;
    if (plan.fromMs > siteWindowStart(nowMs())) this.#passNewest(siteId);
    const lookup = reader.lookup({
      kind: 'samplesOpen',
      template: this.#template,
      parameter: `${siteId} from ${plan.fromMs}`,
      isUncached: true,
      load: (options) => this.#readPages(siteId, plan, options),
    });
    try {
      await reader.load(lookup, plan.batchSize, TIME_SHARE);
    } catch (error) {
      if (isEndpointFailure(error)) reader.endpointStats.markFailing(this.#template, false);
    }
  }

  /**
   * Stores the samples of each stream in the batch. A stream without samples is not stored as empty: it may have moved to
   * another site.
   */
  async #readPages(
    siteId: number,
    { fromMs, expectedPages, shouldRead }: SitePlan,
    options: CallOptions,
  ): Promise<null> {
    const { rest, reader, nowMs, samplesOf } = this.#options;
    const { turns } = reader;
    const counted = countSkippedRows(options);
    const loadedAtMs = nowMs();
    const tables = new Map<number, ColumnTable[]>();
    let toMs = fromMs;
    let reservedPages = expectedPages;
    for (let pages = 1; ; pages++) {
      const { samples, hasMore } = await rest.siteSamplesSince(siteId, toMs, counted.options);
      await nextTurn();
      if (counted.skippedRows() > 0) {
        // Any stream may lack samples. The next batch would have the same rows.
        reader.endpointStats.markFailing(this.#batchName(siteId), false);
        return null;
      }
      this.#passNewest(siteId, () => newestIn({ samples, hasMore }, toMs, loadedAtMs));
      const reachedMs = hasMore ? endOfPage(this.#template, samples) : endOfRead(loadedAtMs);
      await this.#addRows(tables, samples, reachedMs);
      if (reachedMs <= toMs) break;
      toMs = reachedMs;
      const remaining = (pages * (loadedAtMs - toMs)) / (toMs - fromMs);
      const additionalPages = Math.max(0, pages + Math.ceil(remaining) - reservedPages);
      if (!hasMore || additionalPages > this.#remainingPages) break;
      if (!shouldRead(remaining, nowMs() - loadedAtMs)) break;
      this.#remainingPages -= additionalPages;
      reservedPages += additionalPages;
    }
    for (const [streamId, parts] of tables) {
      if (turns.measure()) await turns.later(() => undefined);
      samplesOf(streamId).store({ table: joinSorted(parts, SAMPLE_COLUMNS), fromMs, toMs }, loadedAtMs);
    }
    return null;
  }

  async #addRows(
    tables: Map<number, ColumnTable[]>,
    rows: readonly ScalarRow[],
    endMs: number,
  ): Promise<void> {
    const { turns } = this.#options.reader;
    for (const [streamId, ofStream] of groupBy(rows, ({ stream_id }) => stream_id)) {
      if (turns.measure()) await turns.later(() => undefined);
      const table = rowsBefore(joinSorted([toSampleTable(ofStream)], SAMPLE_COLUMNS), endMs);
      const parts = tables.get(streamId);
      if (parts) parts.push(table);
      else tables.set(streamId, [table]);
    }
  }
}

/** Undefined if the page can't replace the batch of last samples. */
function newestIn(batch: RowBatch<ScalarRow>, sinceMs: number, readAtMs: number): RecentSamples | undefined {
  if (batch.hasMore || sinceMs > siteWindowStart(readAtMs)) return undefined;
  return newestByStream(convertBatch(batch, toScalarSample).samples, sinceMs, readAtMs);
}

/** The last second of an incomplete page may lack samples, so it is left to the next page. */
function endOfPage(template: string, rows: readonly ScalarRow[]): number {
  const table = toSampleTable(rows);
  checkAscending(template, table.times);
  return lastSecond(joinSorted([table], SAMPLE_COLUMNS));
}
