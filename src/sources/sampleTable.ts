/** Samples as rows of a table and back: ranges are kept and reduced as numbers, and become objects when answered. */
import { type TimeTable, viewOf } from '../lib/timeTable.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { scalarSampleRow } from '../rest/rows.js';
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
  const dated = inOrder(rows.map((row) => ({ row, ms: Date.parse(row.sample_date) })).filter(isDated));
  const times = new Float64Array(dated.length);
  const columns = Array.from({ length: SAMPLE_COLUMNS }, () => new Float64Array(dated.length));
  const [ids, values, decimals] = columns as [Float64Array, Float64Array, Float64Array];
  const texts = new Map<number, string>();
  for (const [index, { row, ms }] of dated.entries()) {
    times[index] = ms;
    ids[index] = row.id;
    values[index] = toFloat(row.value) ?? Number.NaN;
    decimals[index] = decimalsOf(row.value, values[index] ?? Number.NaN);
    if (decimals[index] === AS_TEXT) texts.set(row.id, row.value);
  }
  return { times, columns, texts };
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

interface Dated {
  row: ScalarRow;
  ms: number;
}

function isDated({ ms }: Dated): boolean {
  return !Number.isNaN(ms);
}

/** The platform answers in this order; one that does not is put right. */
function inOrder(rows: Dated[]): Dated[] {
  const compare = (one: Dated, other: Dated) => one.ms - other.ms || one.row.id - other.row.id;
  const isSorted = rows.every((row, index) => index === 0 || compare(rows[index - 1] ?? row, row) <= 0);
  return isSorted ? rows : rows.sort(compare);
}

const PLAIN_DECIMAL = /^-?\d{1,15}(?:\.(\d{1,15}))?$/;

/** With how many decimals the number is written, where that and the number give back the very text. */
function decimalsOf(text: string, value: number): number {
  const match = PLAIN_DECIMAL.exec(text);
  if (match === null) return AS_TEXT;
  const decimals = match[1]?.length ?? 0;
  return value.toFixed(decimals) === text ? decimals : AS_TEXT;
}
