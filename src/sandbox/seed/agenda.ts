/** Which sources measure in which slot, so that a slot looks at the sources that are due in it and at no others. */
import { ROWS_PER_SLICE, type SlicedComputation } from '../../lib/slicedComputation.js';
import { type Emission, emitAt, SLOT_SECONDS, type Source } from './source.js';

export interface Agenda {
  /** The sources due in a slot (Unix seconds divided by 300), in the order in which they report. */
  dueIn(slot: number): readonly Source[];
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function slotsOf({ interval }: Source): number {
  return interval / SLOT_SECONDS;
}

/** The order in which sources report within a slot; sources of equal shift report by id. */
export function inReportingOrder(sources: readonly Source[]): Source[] {
  return [...sources].sort((a, b) => (a.phase % SLOT_SECONDS) - (b.phase % SLOT_SECONDS) || a.id - b.id);
}

/** Intervals are multiples of 300 seconds; the slots repeat after their least common multiple. */
export function createAgenda(sources: readonly Source[]): Agenda {
  const intervals = new Set(sources.map(slotsOf));
  const period = [...intervals].reduce((a, b) => (a * b) / greatestCommonDivisor(a, b), 1);
  const due: Source[][] = Array.from({ length: period }, () => []);
  for (const source of inReportingOrder(sources)) {
    const first = Math.floor(source.phase / SLOT_SECONDS);
    for (let slot = first; slot < period; slot += slotsOf(source)) due[slot]?.push(source);
  }
  return { dueIn: (slot) => due[slot % period] ?? [] };
}

/**
 * Emits everything that arrives after `from` and up to `to` (Unix seconds), in order of arrival. Pauses after at most
 * `ROWS_PER_SLICE` moments and rows together, beside the rows of one moment.
 */
export function* emitBetween(
  agenda: Agenda,
  seed: number,
  span: { readonly from: number; readonly to: number },
  emit: (emission: Emission) => void,
): SlicedComputation<void> {
  let units = 0;
  function count(emission: Emission): void {
    units++;
    emit(emission);
  }
  const lastSlot = Math.floor(span.to / SLOT_SECONDS);
  for (let slot = Math.floor(span.from / SLOT_SECONDS); slot <= lastSlot; slot++) {
    for (const source of agenda.dueIn(slot)) {
      const at = slot * SLOT_SECONDS + (source.phase % SLOT_SECONDS);
      if (at > span.from && at <= span.to) emitAt(source, seed, at, count);
      if (++units < ROWS_PER_SLICE) continue;
      units = 0;
      yield;
    }
  }
}
