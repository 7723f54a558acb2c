/** Samples as rows of a table and back: ranges are kept and reduced as numbers, and become objects when answered. */
import { type TimeTable, viewOf } from '../lib/timeTable.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { scalarSampleRow } from '../rest/rows.js';
import { createDateParser } from './dateParser.js';
import type { ScalarSample } from './samples.js';
import { formatDateTime, toFloat } from './wireValues.js';

type ScalarRow = RowOf<typeof scalarSampleRow>;

/** Of a table of samples: the id, the value (NaN for a text that is none), and how the value was written. */
export const ID = 0;
export const VALUE = 1;
const DECIMALS = 2;
export const SAMPLE_COLUMNS = 3;

/** The value was written in a way that only its own text can tell. */
const AS_TEXT = -1;

/** Rows as they come, in the order of date and id; those without a readable date are left out. */
export function toSampleTable(rows: readonly ScalarRow[]): TimeTable {
  const inOrder = isInOrder(rows) ? rows : toOrder(rows);
  const times = new Float64Array(inOrder.length);
  const ids = new Float64Array(inOrder.length);
  const values = new Float64Array(inOrder.length);
  const decimals = new Float64Array(inOrder.length);
  const texts = new Map<number, string>();
  const parseDate = createDateParser();
  // A plain loop over ten thousand rows, without an object for each: this is where a year's time goes.
  for (let at = 0; at < inOrder.length; at++) {
    const row = inOrder[at];
    if (row === undefined) continue;
    const value = toFloat(row.value) ?? Number.NaN;
    times[at] = parseDate(row.sample_date);
    ids[at] = row.id;
    values[at] = value;
    decimals[at] = decimalsOf(row.value, value);
    if (decimals[at] === AS_TEXT) texts.set(row.id, row.value);
  }
  return { times, columns: [ids, values, decimals], texts };
}

/** The samples of a table, those from `fromRow` and before `toRow`. */
export function toScalarSamples(
  { times, columns, texts }: TimeTable,
  streamId: number,
  fromRow = 0,
  toRow = times.length,
): ScalarSample[] {
  const samples: ScalarSample[] = [];
  for (let row = fromRow; row < toRow; row++) {
    const id = columns[ID]?.[row] ?? 0;
    const value = columns[VALUE]?.[row] ?? Number.NaN;
    samples.push({
      __typename: 'ScalarSample',
      id,
      streamId,
      sampledAt: formatDateTime(times[row] ?? 0),
      value: Number.isNaN(value) ? null : value,
      rawValue: texts.get(id) ?? value.toFixed(columns[DECIMALS]?.[row] ?? 0),
    });
  }
  return samples;
}

/** Times and values of what is a number. */
export function numbersOf(table: TimeTable): { times: Float64Array; values: Float64Array } {
  const values = table.columns[VALUE] ?? new Float64Array(0);
  const isNumber = (value: number) => !Number.isNaN(value);
  if (values.every(isNumber)) return { times: table.times, values };
  return {
    times: table.times.filter((_, row) => isNumber(values[row] ?? Number.NaN)),
    values: values.filter(isNumber),
  };
}

/** The rows before an instant. */
export function before(table: TimeTable, ms: number): TimeTable {
  return viewOf(table, Number.NEGATIVE_INFINITY, ms);
}

/** The platform answers in this order, and with dates that can be read; one that does not is put right. */
function isInOrder(rows: readonly ScalarRow[]): boolean {
  const parseDate = createDateParser();
  let [lastMs, lastId] = [Number.NEGATIVE_INFINITY, 0];
  for (const { sample_date, id } of rows) {
    const ms = parseDate(sample_date);
    if (!(ms > lastMs || (ms === lastMs && id >= lastId))) return false;
    [lastMs, lastId] = [ms, id];
  }
  return true;
}

function toOrder(rows: readonly ScalarRow[]): ScalarRow[] {
  const dated = rows
    .map((row) => ({ row, ms: Date.parse(row.sample_date) }))
    .filter(({ ms }) => !Number.isNaN(ms));
  return dated.sort((one, other) => one.ms - other.ms || one.row.id - other.row.id).map(({ row }) => row);
}

const PLAIN_DECIMAL = /^-?\d{1,15}(?:\.(\d{1,15}))?$/;

/** With how many decimals the number is written, where that and the number give back the very text. */
function decimalsOf(text: string, value: number): number {
  const match = PLAIN_DECIMAL.exec(text);
  if (match === null) return AS_TEXT;
  const decimals = match[1]?.length ?? 0;
  return value.toFixed(decimals) === text ? decimals : AS_TEXT;
}
