/** The archive: samples from before the seeded history. They are generated and stored when they are first read. */
import { type BulkInsert, createBulkInsert, type Queries } from '../database/queries.js';
import type { StoredSampleKind } from '../database/rows.js';
import { createReportingSchedule, type ReportingSchedule } from './reportingSchedule.js';
import { emitArrived, SLOT_SECONDS, type Source } from './source.js';

/** Stored as JSON in the table `meta`. */
export interface ArchiveSpan {
  /** Unix seconds of the first sample. */
  readonly from: number;
  /** Unix seconds at which the seeded history begins. Equal to `from` without an archive. */
  readonly to: number;
  /** The lowest id of the seeded samples of each kind. All ids of the archive are lower. */
  readonly firstIds: Readonly<Record<StoredSampleKind, number>>;
}

/** Returns the ids of streams. Most requests read only dates after the archive, and do not call it. */
type StreamsOfBlock = () => readonly number[];

/** `storeBlock` returns the number of samples in a block. */
type BlockWork = (first: number, storeBlock: (block: number) => number) => void;

const KINDS = ['scalar', 'image', 'rfid'] as const satisfies readonly StoredSampleKind[];
/** The span that is generated at once for a stream: at most 1,152 samples. A multiple of all intervals. */
const BLOCK_SECONDS = 4 * 86_400;

function blockOf(at: number): number {
  return Math.floor(at / BLOCK_SECONDS);
}

function slotOf(at: number): number {
  return Math.floor(at / SLOT_SECONDS);
}

/** Raises the first ids of the seeded samples if the archive needs more ids below them. */
export function planArchive(
  sources: readonly Source[],
  span: Pick<ArchiveSpan, 'from' | 'to'>,
  usualFirstIds: ArchiveSpan['firstIds'],
): ArchiveSpan {
  const firstIds = { ...usualFirstIds };
  for (const kind of KINDS) {
    const moments = new Moments(sources.filter((source) => source.kind === kind));
    const needed = moments.countBefore(slotOf(span.to) + 1) - moments.countBefore(slotOf(span.from));
    firstIds[kind] = Math.max(firstIds[kind], needed + 1);
  }
  return { ...span, firstIds };
}

/** Numbers the moments of all sources of a kind in the order in which they report. */
class Moments {
  readonly #schedule: ReportingSchedule;
  /** The number of moments before each slot of a period. The last item is the number in a whole period. */
  readonly #before: number[] = [0];
  readonly #ranks: Map<number, number>[] = [];

  constructor(sources: readonly Source[]) {
    this.#schedule = createReportingSchedule(sources);
    for (let slot = 0; slot < this.#schedule.period; slot++) {
      const due = this.#schedule.dueIn(slot);
      this.#ranks.push(new Map(due.map(({ id }, rank) => [id, rank])));
      this.#before.push((this.#before[slot] ?? 0) + due.length);
    }
  }

  get #perPeriod(): number {
    return this.#before.at(-1) ?? 0;
  }

  countBefore(slot: number): number {
    const { period } = this.#schedule;
    return Math.floor(slot / period) * this.#perPeriod + (this.#before[slot % period] ?? 0);
  }

  numberOf(source: Source, at: number): number {
    const slot = slotOf(at);
    const rank = this.#ranks[slot % this.#schedule.period]?.get(source.id) ?? 0;
    return this.countBefore(slot) + rank;
  }

  /** The slot of the moment with this number. */
  slotOfNumber(number: number): number {
    if (this.#perPeriod === 0) return 0;
    const rest = number % this.#perPeriod;
    const slot = this.#before.findIndex((count) => count > rest) - 1;
    return Math.floor(number / this.#perPeriod) * this.#schedule.period + slot;
  }
}

interface ArchivedKind {
  readonly sources: ReadonlyMap<number, Source>;
  readonly moments: Moments;
  /** The id of a sample minus the number of its moment. */
  readonly idOffset: number;
}

/**
 * The id of a sample is computed from its time, so that the ids of the archive rise with the dates over all
 * streams, as if no device had sent late. A read returns the same samples regardless of earlier reads.
 */
export class SampleArchive {
  readonly #db: Queries;
  readonly #sources: readonly Source[];
  readonly #seed: number;
  readonly #span: ArchiveSpan;
  readonly #kinds = new Map<StoredSampleKind, ArchivedKind>();
  /** Unix seconds of the first seeded sample, by stream. */
  readonly #seededSince = new Map<number, number>();

  constructor(db: Queries, sources: readonly Source[], seed: number, span: ArchiveSpan) {
    this.#db = db;
    this.#sources = sources;
    this.#seed = seed;
    this.#span = span;
  }

  /** Stores the samples of these streams between two dates in Unix seconds, both inclusive. */
  storeBetween(kind: StoredSampleKind, streams: StreamsOfBlock, from: number, to: number): void {
    this.#store(kind, streams, from, (first, storeBlock) => {
      const last = blockOf(Math.min(to, this.#span.to));
      for (let block = first; block <= last; block++) storeBlock(block);
    });
  }

  /** Stores samples from a date on, until there are more than `count` or the seeded history begins. */
  storeFrom(kind: StoredSampleKind, streams: StreamsOfBlock, from: number, count: number): void {
    this.#store(kind, streams, from, (first, storeBlock) => {
      let stored = 0;
      for (let block = first; block <= blockOf(this.#span.to) && stored <= count; block++) {
        const samples = storeBlock(block);
        // The first block is not counted, because part of it may be before the date.
        if (block > first) stored += samples;
      }
    });
  }

  /** Stores the newest samples of the archive, at least `count` if it has as many. */
  storeNewest(kind: StoredSampleKind, streams: StreamsOfBlock, count: number): void {
    this.#store(kind, streams, this.#span.from, (first, storeBlock) => {
      let stored = 0;
      for (let block = blockOf(this.#span.to); block >= first && stored < count; block--) {
        stored += storeBlock(block);
      }
    });
  }

  /** Samples with a greater id than this have at least this date, in Unix seconds. */
  dateOf(kind: StoredSampleKind, id: number): number {
    const { from, to, firstIds } = this.#span;
    if (from === to || id >= firstIds[kind]) return to + 1;
    const { moments, idOffset } = this.#kind(kind);
    return Math.max(from, moments.slotOfNumber(Math.max(0, id - idOffset)) * SLOT_SECONDS);
  }

  /** Runs `work` in a transaction, with the first block, unless the archive ends before `from`. */
  #store(kind: StoredSampleKind, streams: StreamsOfBlock, from: number, work: BlockWork): void {
    const { from: start, to } = this.#span;
    if (start === to || from > to) return;
    const streamIds = streams();
    // Shared by all blocks, because a flush per block would prepare a separate statement for each row count.
    const insert = createBulkInsert(this.#db, `${kind}_sample`);
    this.#db.transaction(() => {
      work(blockOf(Math.max(from, start)), (block) => this.#storeBlock(kind, streamIds, block, insert));
      insert.flush();
    });
  }

  #kind(kind: StoredSampleKind): ArchivedKind {
    const cached = this.#kinds.get(kind);
    if (cached) return cached;
    const sources = this.#sources.filter((source) => source.kind === kind);
    const moments = new Moments(sources);
    const { to, firstIds } = this.#span;
    const idOffset = firstIds[kind] - moments.countBefore(slotOf(to) + 1);
    const archived = { sources: new Map(sources.map((source) => [source.id, source])), moments, idOffset };
    this.#kinds.set(kind, archived);
    return archived;
  }

  /** Returns the number of samples of these streams in the block. */
  #storeBlock(
    kind: StoredSampleKind,
    streamIds: readonly number[],
    block: number,
    insert: BulkInsert,
  ): number {
    const { sources } = this.#kind(kind);
    const sql = 'SELECT samples FROM archive WHERE stream_id = ? AND block = ?';
    let samples = 0;
    for (const streamId of streamIds) {
      const source = sources.get(streamId);
      if (!source) continue;
      const stored = this.#db.one<{ samples: number }>(sql, streamId, block);
      samples += stored ? stored.samples : this.#generate(kind, source, block, insert);
    }
    return samples;
  }

  #generate(kind: StoredSampleKind, source: Source, block: number, insert: BulkInsert): number {
    const { moments, idOffset } = this.#kind(kind);
    const last = Math.min((block + 1) * BLOCK_SECONDS, this.#endOf(kind, source.id)) - 1;
    const begin = Math.max(block * BLOCK_SECONDS, this.#span.from);
    let samples = 0;
    for (let at = firstMoment(source, begin); at <= last; at += source.interval) {
      emitArrived(source, this.#seed, at, this.#span.to, ({ values }) => {
        insert.add([moments.numberOf(source, at) + idOffset, ...values]);
        samples++;
      });
    }
    const sql = 'INSERT INTO archive (stream_id, block, samples) VALUES (?, ?, ?)';
    this.#db.run(sql, source.id, block, samples);
    return samples;
  }

  /** The archive of a stream ends before its first seeded sample, which may be late or from a device that went silent. */
  #endOf(kind: StoredSampleKind, streamId: number): number {
    const cached = this.#seededSince.get(streamId);
    if (cached !== undefined) return cached;
    const sql = `SELECT min(sample_date) AS date FROM ${kind}_sample WHERE stream_id = ? AND id >= ?`;
    const first = this.#db.one<{ date: number | null }>(sql, streamId, this.#span.firstIds[kind])?.date;
    const end = Math.min(first ?? Number.POSITIVE_INFINITY, this.#span.to + 1);
    this.#seededSince.set(streamId, end);
    return end;
  }
}

/** The first moment of a source at or after a date. */
function firstMoment({ interval, phase }: Source, from: number): number {
  return Math.ceil((from - phase) / interval) * interval + phase;
}
