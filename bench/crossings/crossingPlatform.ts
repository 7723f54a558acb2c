/**
 * A platform with many streams whose samples cross the levels of their thresholds at random. It serves everything that
 * threshold changes are derived from, and records when each crossing has arrived.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CrossingPlatform {
  url: string;
  /** Samples are added while it is true. */
  isRunning: boolean;
  /** When the samples that change the level of their stream have arrived: Unix milliseconds by the id of the sample. */
  crossings: ReadonlyMap<number, number>;
  newestId(): number;
  /** Calls since the last reset, by the kind of their path. */
  calls: Map<string, number>;
  close(): void;
}

interface CrossingOptions {
  streams: number;
  samplesPerSecond: number;
  /** The part of the samples that cross. */
  crossingShare: number;
  random(): number;
}

interface Row {
  id: number;
  stream_id: number;
  sample_date: string;
  value: string;
}

const LEVELS = [
  { display_name: 'Low', upper_limit: 10, false_alarm_filter: 0 },
  { display_name: 'Normal', lower_limit: 10, upper_limit: 20, false_alarm_filter: 0 },
  { display_name: 'High', lower_limit: 20, false_alarm_filter: 0 },
];
const LEVEL_WIDTH = 10;
const NORMAL = 1;
const TICK_MS = 20;
const MAX_ROWS = 10_000;
const MAX_STREAM_ROWS = 100;
const HOUR_MS = 3_600_000;

const toDate = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

class Samples {
  /** The row of an id is at the index `id - 1`. */
  readonly rows: Row[] = [];
  readonly crossings = new Map<number, number>();
  readonly #byStream = new Map<number, Row[]>();
  readonly #options: CrossingOptions;

  /** Each stream has a sample of the last hour, in the normal level. */
  constructor(options: CrossingOptions) {
    this.#options = options;
    for (let streamId = 1; streamId <= options.streams; streamId++)
      this.#add(streamId, NORMAL, Date.now() - HOUR_MS * (1 - streamId / options.streams));
  }

  add(): void {
    const { streams, random, crossingShare } = this.#options;
    const streamId = 1 + Math.floor(random() * streams);
    const level = this.levelOf(streamId);
    const isCrossing = random() < crossingShare;
    const shift = isCrossing ? 1 + Math.floor(random() * (LEVELS.length - 1)) : 0;
    const id = this.#add(streamId, (level + shift) % LEVELS.length, Date.now());
    if (isCrossing) this.crossings.set(id, Date.now());
  }

  ofStream(streamId: number): readonly Row[] {
    return this.#byStream.get(streamId) ?? [];
  }

  levelOf(streamId: number): number {
    return Math.floor(Number(this.ofStream(streamId).at(-1)?.value ?? 0) / LEVEL_WIDTH);
  }

  #add(streamId: number, level: number, atMs: number): number {
    const value = `${level * LEVEL_WIDTH + 1 + this.#options.random() * 8}`;
    const row = { id: this.rows.length + 1, stream_id: streamId, sample_date: toDate(atMs), value };
    this.rows.push(row);
    const own = this.#byStream.get(streamId);
    if (own === undefined) this.#byStream.set(streamId, [row]);
    else own.push(row);
    return row.id;
  }
}

export async function startCrossingPlatform(options: CrossingOptions): Promise<CrossingPlatform> {
  const samples = new Samples(options);
  const calls = new Map<string, number>();
  let due = 0;
  const timer = setInterval(() => {
    if (!platform.isRunning) return;
    for (due += (options.samplesPerSecond * TICK_MS) / 1000; due >= 1; due--) samples.add();
  }, TICK_MS);
  const server = createServer((request, response) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://platform');
    const kind = pathname.replace(/\/\d+/, '/{id}');
    calls.set(kind, (calls.get(kind) ?? 0) + 1);
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify(respond(samples, options, kind, Number(/\/(\d+)/.exec(pathname)?.[1]), searchParams)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const platform: CrossingPlatform = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isRunning: false,
    crossings: samples.crossings,
    newestId: () => samples.rows.length,
    calls,
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
    },
  };
  return platform;
}

function respond(
  samples: Samples,
  { streams }: CrossingOptions,
  kind: string,
  streamId: number,
  query: URLSearchParams,
): unknown {
  if (kind === '/auth/token') return { access_token: 'token', token_type: 'JWT', expires_in: 86_400 };
  if (kind === '/v2.0/sample/batch') return toBatch(samples, query);
  if (kind === '/v2.0/stream') return Array.from({ length: streams }, (_, index) => toStream(index + 1));
  if (kind === '/v2.0/stream/{id}') return toStream(streamId);
  if (kind === '/v2.0/stream/{id}/threshold') return { levels: LEVELS };
  if (kind === '/v2.0/stream/{id}/threshold/status')
    return { Status: LEVELS[samples.levelOf(streamId)]?.display_name };
  if (kind === '/v2.0/stream/{id}/sample') return samples.ofStream(streamId).slice(-MAX_STREAM_ROWS);
  if (kind === '/v2.0/stream/{id}/sample/batch')
    return { hasMore: false, samples: samples.ofStream(streamId) };
  return [];
}

function toBatch(samples: Samples, query: URLSearchParams) {
  const afterId = Number(query.get('sampleID') ?? 0);
  const hours = query.get('backfillHours');
  const later = samples.rows.slice(afterId);
  const fromMs = Date.now() - Number(hours) * HOUR_MS;
  const rows = hours === null ? later : later.filter((row) => Date.parse(row.sample_date) >= fromMs);
  return { hasMore: rows.length > MAX_ROWS, samples: rows.slice(0, MAX_ROWS) };
}

function toStream(id: number) {
  const type = { type_id: 1, type_display_name: 'Pressure', units: 'bar', value_scale: '1', status_id: 1 };
  return { id, site_id: 1, creation_date: '2020-01-01T00:00:00Z', display_name: `Stream ${id}`, ...type };
}
