/** Finds what a chart can draw in a response: series, aggregates, rows and samples. Pure. */

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
  lines: readonly Line[];
}

type Json = Readonly<Record<string, unknown>>;
type Column = readonly (number | null)[];

/** The charts of a response in its order. */
export function findCharts(data: unknown): ChartData[] {
  const charts: ChartData[] = [];
  visit(data, '', '', charts);
  return charts;
}

function visit(value: unknown, key: string, owner: string, charts: ChartData[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const lines = linesOfRows(value.filter(isRecord), owner);
    if (lines.length > 0) charts.push({ title: [owner, key].filter(Boolean).join(' · '), lines });
    else for (const item of value) visit(item, key, owner, charts);
    return;
  }
  const record = value as Json;
  const lines = linesOfSeries(record, owner || key);
  if (lines.length > 0) charts.push({ title: [owner, key].filter(Boolean).join(' · '), lines });
  const name = nameOf(record) ?? owner;
  for (const [field, inner] of Object.entries(record)) visit(inner, field, name, charts);
}

function nameOf({ name, units }: Json): string | undefined {
  if (typeof name !== 'string') return undefined;
  return typeof units === 'string' && units !== '' ? `${name} (${units})` : name;
}

/** Includes the name of the site, because streams of several sites can have the same name. */
function nameOfStream(stream: Json): string | undefined {
  const { site } = stream;
  const name = nameOf(stream);
  return name !== undefined && isRecord(site) && typeof site['name'] === 'string'
    ? `${name}, ${site['name']}`
    : name;
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
const valueFields = ['value', 'avg', 'timeWeightedAvg', 'last', 'delta', 'sum', 'max', 'min', 'count'];

/** Aggregates, rows and samples: objects with a time and a number. Rows of several streams become several lines. */
function linesOfRows(rows: readonly Json[], owner: string): Line[] {
  const [first] = rows;
  const timeField = first && timeFields.find((field) => field in first);
  const valueField = first && valueFields.find((field) => rows.some((row) => typeof row[field] === 'number'));
  if (timeField === undefined || valueField === undefined || rows.length < 2) return [];
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
  const repeated = repeatedNames(all);
  const lines = all.map(({ name, rows }) =>
    toLine(repeated.has(name) ? `${name}, ${rows[0]?.['streamId']}` : name, rows, timeField, valueField),
  );
  // A list whose items have one time each, such as newest samples, is not a chart.
  return lines.some(({ times }) => times.length > 1) ? lines.filter(({ times }) => times.length > 0) : [];
}

function repeatedNames(items: readonly { name: string }[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of items) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

function toLine(name: string, rows: readonly Json[], timeField: string, valueField: string): Line {
  const sorted = rows
    .map((row) => ({ row, time: toMs(row[timeField]) }))
    .filter(({ time }) => Number.isFinite(time))
    .sort((left, right) => left.time - right.time);
  const column = (field: string): Column =>
    sorted.map(({ row }) => (typeof row[field] === 'number' ? (row[field] as number) : null));
  const hasBand = rows.some((row) => typeof row['min'] === 'number' && typeof row['max'] === 'number');
  const line = { name, times: sorted.map(({ time }) => time), values: column(valueField) };
  return hasBand ? { ...line, low: column('min'), high: column('max') } : line;
}

function toMs(time: unknown): number {
  return typeof time === 'number' ? time : typeof time === 'string' ? Date.parse(time) : Number.NaN;
}

function isColumn(value: unknown): value is Column {
  return Array.isArray(value) && value.every((item) => item === null || typeof item === 'number');
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
