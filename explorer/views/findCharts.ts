/** Finds what a chart can draw in a response: series, aggregates, rows and samples. Pure. */
import { isRecord, type Json, joinTexts, noOwner, type Owner, ownerIn, toText } from './owners.js';

export interface Line {
  name: string;
  /** Unix milliseconds, in order. */
  times: readonly number[];
  values: readonly (number | null)[];
  /** The lowest and highest value at each time, drawn as a band. */
  low?: readonly (number | null)[];
  high?: readonly (number | null)[];
}

export interface ChartData {
  title: string;
  /** Empty for a series without points. */
  lines: readonly Line[];
}

type Column = readonly (number | null)[];

interface FoundChart extends ChartData {
  /** Replaces a title that several charts have. */
  longTitle: string;
}

/** The charts of a response in its order. */
export function findCharts(data: unknown): ChartData[] {
  const charts: FoundChart[] = [];
  visit(data, '', noOwner, charts);
  const repeated = findRepeated(charts.map(({ title }) => title));
  return charts.map(({ title, longTitle, lines }) => ({
    title: repeated.has(title) ? longTitle : title,
    lines,
  }));
}

function visit(value: unknown, key: string, owner: Owner, charts: FoundChart[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const chart = chartOfRows(value.filter(isRecord), key, owner);
    if (chart) charts.push(chart);
    else for (const item of value) visit(item, key, owner, charts);
    return;
  }
  const record = value as Json;
  const lines = linesOfSeries(record, withUnits(owner) || key);
  if (lines.length > 0 || isEmptySeries(record)) charts.push({ ...titlesOf(owner, key), lines });
  const inner = ownerIn(record, owner);
  for (const [field, content] of Object.entries(record)) visit(content, field, inner, charts);
}

function titlesOf(owner: Owner, ...fields: readonly string[]) {
  const toTitle = (name: string) => joinTexts(' · ', [name, ...fields]);
  const name = withUnits(owner);
  return { title: toTitle(name), longTitle: toTitle(joinTexts(', ', [name, owner.place])) };
}

function withUnits({ name, units }: Pick<Owner, 'name' | 'units'>): string {
  return name && units ? `${name} (${units})` : name;
}

/** Includes the name of the site, because streams of several sites can have the same name. */
function nameOfStream(stream: Json): string | undefined {
  const { name, units, site } = stream;
  if (typeof name !== 'string') return undefined;
  const siteName = isRecord(site) ? toText(site['name']) : '';
  return joinTexts(', ', [withUnits({ name, units: toText(units) }), siteName]);
}

function isEmptySeries({ times, values, lines }: Json): boolean {
  return Array.isArray(times) && times.length === 0 && (Array.isArray(values) || Array.isArray(lines));
}

/** `Series` has one line, `SharedSeries` several on one time axis. */
function linesOfSeries({ times, lines, ...own }: Json, name: string): Line[] {
  if (!isColumn(times) || times.length === 0) return [];
  const records: readonly Json[] = Array.isArray(lines) ? lines.filter(isRecord) : [own];
  return records.flatMap((line, index) => {
    const { values, min, max, stream } = line;
    const band = isColumn(min) && isColumn(max) ? { low: min, high: max } : {};
    const drawn = isColumn(values) ? values : isColumn(max) ? max : undefined;
    const lineName = (isRecord(stream) ? nameOfStream(stream) : undefined) ?? (lines ? `${index + 1}` : name);
    return drawn ? [{ name: lineName, times: times as number[], values: drawn, ...band }] : [];
  });
}

const timeFields = ['startAt', 'time', 'sampledAt'];
/** Fields that lie between `min` and `max`, which are drawn as a band around them. */
const levels = ['value', 'avg', 'timeWeightedAvg', 'last', 'first', 'max', 'min'];
/** Fields that are drawn under their own name, the preferred first. */
const measured = [
  ...['value', 'avg', 'timeWeightedAvg', 'integral', 'stdDev'],
  ...['last', 'first', 'delta', 'sum', 'max', 'min'],
];
/** Drawn if there is no other number. */
const counts = ['count', 'deltaResets'];

/** The field that a chart of rows draws. Aggregates can have fields with any name, such as aliases of `percentile`. */
function findValueField(rows: readonly Json[], timeField: string): string | undefined {
  const others = timeField === 'startAt' ? rows.flatMap(Object.keys) : [];
  const isNumber = (field: string) => rows.some((row) => typeof row[field] === 'number');
  return (
    measured.find(isNumber) ??
    others.find((field) => !counts.includes(field) && isNumber(field)) ??
    counts.find(isNumber)
  );
}

/** Empty for counts, and for fields that may be aliases of them. */
function unitsOf(field: string, [first]: readonly Json[], owner: Owner): string {
  if (field === 'integral') return toText(first?.['integralUnits']);
  return measured.includes(field) ? owner.units : '';
}

/** Aggregates, rows and samples: objects with a time and a number. Undefined for other lists. */
function chartOfRows(rows: readonly Json[], key: string, owner: Owner): FoundChart | undefined {
  const [first] = rows;
  const timeField = first && timeFields.find((field) => field in first);
  const valueField = timeField && findValueField(rows, timeField);
  if (!timeField || !valueField || rows.length < 2) return undefined;
  const lines = linesOfRows(rows, timeField, valueField, withUnits(owner));
  if (lines.length === 0) return undefined;
  const drawn = { ...owner, units: unitsOf(valueField, rows, owner) };
  return { ...titlesOf(drawn, key, valueField === 'value' ? '' : valueField), lines };
}

/** Rows of several streams become several lines. */
function linesOfRows(rows: readonly Json[], timeField: string, valueField: string, owner: string): Line[] {
  const groups = new Map<string, { name: string; rows: Json[] }>();
  for (const row of rows) {
    const { streamId, streamName, siteName, counterTypeId } = row;
    const stream = [streamName, siteName].filter((text) => typeof text === 'string').join(', ');
    const name = stream || String(counterTypeId ?? (owner || valueField));
    const key = `${streamId} ${name}`;
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { name, rows: [row] });
  }
  const all = [...groups.values()];
  const repeated = findRepeated(all.map(({ name }) => name));
  const lines = all.map(({ name, rows }) =>
    toLine(repeated.has(name) ? `${name}, ${rows[0]?.['streamId']}` : name, rows, timeField, valueField),
  );
  // A list whose items have one time each, such as newest samples, is not a chart.
  return lines.some(({ times }) => times.length > 1) ? lines.filter(({ times }) => times.length > 0) : [];
}

function findRepeated(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of names) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

function toLine(name: string, rows: readonly Json[], timeField: string, valueField: string): Line {
  const sorted = rows
    .map((row) => ({ row, time: toMs(row[timeField]) }))
    .filter(({ time }) => Number.isFinite(time))
    .sort((left, right) => left.time - right.time);
  const column = (field: string): Column =>
    sorted.map(({ row }) => (typeof row[field] === 'number' ? (row[field] as number) : null));
  const hasBand =
    levels.includes(valueField) &&
    rows.some((row) => typeof row['min'] === 'number' && typeof row['max'] === 'number');
  const line = { name, times: sorted.map(({ time }) => time), values: column(valueField) };
  return hasBand ? { ...line, low: column('min'), high: column('max') } : line;
}

function toMs(time: unknown): number {
  return typeof time === 'number' ? time : typeof time === 'string' ? Date.parse(time) : Number.NaN;
}

function isColumn(value: unknown): value is Column {
  return Array.isArray(value) && value.every((item) => item === null || typeof item === 'number');
}
