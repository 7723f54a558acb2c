/** Groups the sources by slot, so that a slot visits only the sources that are due in it. */
import { ROWS_PER_SLICE, type SlicedComputation } from '../../lib/slicedComputation.js';
import { type Emit, emitAt, SLOT_SECONDS, type Source } from './source.js';

export type ReportingSchedule = ReturnType<typeof createReportingSchedule>;

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function slotsOf({ interval }: Source): number {
  return interval / SLOT_SECONDS;
}

/** Sorts sources as they report within a slot: by phase, then by id. */
export function inReportingOrder(sources: readonly Source[]): Source[] {
  return [...sources].sort((a, b) => (a.phase % SLOT_SECONDS) - (b.phase % SLOT_SECONDS) || a.id - b.id);
}

/** Intervals are multiples of 300 seconds. The slots repeat after the least common multiple of the intervals. */
export function createReportingSchedule(sources: readonly Source[]) {
  const intervals = new Set(sources.map(slotsOf));
  const period = [...intervals].reduce((a, b) => (a * b) / greatestCommonDivisor(a, b), 1);
  const due: Source[][] = Array.from({ length: period }, () => []);
  for (const source of inReportingOrder(sources)) {
    const first = Math.floor(source.phase / SLOT_SECONDS);
    for (let slot = first; slot < period; slot += slotsOf(source)) due[slot]?.push(source);
  }
  return {
    /** The number of slots after which they repeat. */
    period,
    /** The sources due in a slot (Unix seconds divided by 300), in the order in which they report. */
    dueIn: (slot: number): readonly Source[] => due[slot % period] ?? [],
  };
}

/**
 * Emits the rows that arrive after `from` and up to `to` (Unix seconds), in order of arrival. Pauses when the number of
 * moments and rows since the last pause reaches `ROWS_PER_SLICE`.
 */
export function* emitBetween(
  schedule: ReportingSchedule,
  seed: number,
  span: { readonly from: number; readonly to: number },
  emit: Emit,
): SlicedComputation<void> {
  let units = 0;
  const count: Emit = (emission) => {
    units++;
    emit(emission);
  };
  const lastSlot = Math.floor(span.to / SLOT_SECONDS);
  for (let slot = Math.floor(span.from / SLOT_SECONDS); slot <= lastSlot; slot++) {
    for (const source of schedule.dueIn(slot)) {
      const at = slot * SLOT_SECONDS + (source.phase % SLOT_SECONDS);
      if (at > span.from && at <= span.to) emitAt(source, seed, at, count);
      if (++units < ROWS_PER_SLICE) continue;
      units = 0;
      yield;
    }
  }
}
