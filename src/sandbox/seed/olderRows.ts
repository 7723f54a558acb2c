/**
 * Guarantees that every source has a row whenever a sandbox starts: a source without a row in its history gets its latest
 * rows from before that history.
 */
import { ROWS_PER_SLICE, type SlicedComputation } from '../../lib/slicedComputation.js';
import { type Emission, emitAt, type Source } from './source.js';

/** Rows that arrived after `from` and up to `to`, in Unix seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const HALF_DAY = 43_200;

/** The source's part of the history. For a source that went silent before the history, its last half day. */
export function historyOf({ silentFrom }: Source, { from, to }: Span): Span {
  if (silentFrom === undefined) return { from, to };
  return { from: silentFrom > from ? from : silentFrom - HALF_DAY, to: silentFrom };
}

/** Throw after this many consecutive moments without a row. A log emits at 6 of 100 moments. */
const MAX_MOMENTS = 1000;

/** The latest moment up to `to` at which the source emits rows, and these rows. */
function latestEmission(source: Source, seed: number, to: number) {
  const rows: Emission[] = [];
  const { interval, phase } = source;
  let at = Math.floor((to - phase) / interval) * interval + phase;
  for (let moment = 0; moment < MAX_MOMENTS; moment++, at -= interval) {
    emitAt(source, seed, at, (row) => rows.push(row));
    if (rows.length > 0) return { at, rows };
  }
  throw new Error(`The ${source.kind} of ${source.id} emits no row.`);
}

const SOURCES_PER_SLICE = ROWS_PER_SLICE / 20;

/** Emits the latest rows of the sources that emit none in their history, in order of arrival. */
export function* emitOlderRows(
  sources: readonly Source[],
  seed: number,
  span: Span,
  emit: (emission: Emission) => void,
): SlicedComputation<void> {
  const older: { at: number; rows: Emission[] }[] = [];
  for (const [index, source] of sources.entries()) {
    const { from, to } = historyOf(source, span);
    const latest = latestEmission(source, seed, to);
    if (latest.at <= from) older.push(latest);
    if ((index + 1) % SOURCES_PER_SLICE === 0) yield;
  }
  older.sort((a, b) => a.at - b.at);
  for (const { rows } of older) for (const row of rows) emit(row);
}
