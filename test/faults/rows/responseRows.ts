/** The fault rows of single responses: statuses, bodies and connections, of one endpoint and of all. */
import type { Fault } from '../../support/sandbox/testSandbox.js';
import { type Calls, callsInWords, type Failure, type FieldResult, type Line, toWords } from './row.js';

export interface ResponseRow {
  fault: string;
  /** One endpoint, or all of them with the token endpoint. */
  on: readonly ('one' | 'all')[];
  /** Each fault runs as a test. */
  faults: readonly Fault[];
  /** The result with an empty cache. */
  uncached: FieldResult;
  /** The result with a cache entry past its time to live. */
  cached: FieldResult;
  calls: Calls;
  /** Whether the calls wait for one another. */
  waits?: boolean;
  /** The time until responses are normal again. */
  backAfterMs: number;
}

const onBoth = ['one', 'all'] as const;
const once: Calls = { data: 1, tokens: 0 };
const threeTimes: Calls = { data: 3, tokens: 0 };
const atOnce = 0;

const refused: Failure = { code: 'PLATFORM_REFUSED', retryable: false };
const unauthorized: Failure = { code: 'PLATFORM_UNAUTHORIZED', retryable: false };
const badResponse: Failure = { code: 'PLATFORM_BAD_RESPONSE', retryable: false };
const unavailable: Failure = { code: 'PLATFORM_UNAVAILABLE', retryable: true };
const limited: Failure = { code: 'PLATFORM_RATE_LIMITED', retryable: true };

const statuses = (...all: number[]): Fault[] => all.map((status) => ({ status }));
const common = { on: onBoth, calls: once, backAfterMs: atOnce };
/** Failures that a stale response hides. */
const covered = { ...common, cached: 'stale' as const };

export const statusRows: readonly ResponseRow[] = [
  {
    ...common,
    fault: 'Status 400, 409, 418',
    faults: statuses(400, 409, 418),
    uncached: refused,
    cached: refused,
  },
  {
    ...common,
    fault: 'Status 401',
    on: ['one'],
    faults: statuses(401),
    uncached: unauthorized,
    cached: unauthorized,
    calls: { data: 2, tokens: 1 },
  },
  {
    ...common,
    fault: 'Status 403',
    on: ['one'],
    faults: statuses(403),
    uncached: unauthorized,
    cached: unauthorized,
    calls: { data: 2, probes: 1, tokens: 0 },
  },
  {
    ...common,
    fault: 'Status 401',
    on: ['all'],
    faults: statuses(401),
    uncached: { ...unauthorized, retryAfterMs: 1000 },
    cached: { ...unauthorized, retryAfterMs: 1000 },
    calls: { data: 1, tokens: 1 },
    backAfterMs: 1000,
  },
  {
    ...common,
    fault: 'Status 403',
    on: ['all'],
    faults: statuses(403),
    uncached: { ...unauthorized, retryAfterMs: 1000 },
    cached: { ...unauthorized, retryAfterMs: 1000 },
    calls: { data: 1, probes: 3, tokens: 1 },
    backAfterMs: 1000,
  },
  {
    ...common,
    fault: 'Status 404',
    on: ['one'],
    faults: statuses(404),
    uncached: 'nothing',
    cached: 'nothing',
  },
  { ...common, fault: 'Status 404', on: ['all'], faults: statuses(404), uncached: refused, cached: refused },
  { ...covered, fault: 'Status 500', faults: statuses(500), uncached: unavailable },
  { ...covered, fault: 'Status 501', faults: statuses(501), uncached: { ...unavailable, retryable: false } },
  {
    ...covered,
    fault: 'Status 408, 502, 503, 504',
    faults: statuses(408, 502, 503, 504),
    uncached: unavailable,
    calls: threeTimes,
  },
  {
    ...covered,
    fault: 'A redirect',
    faults: [{ status: 302, headers: { Location: 'http://127.0.0.1:1/v2.0/device' } }],
    uncached: badResponse,
  },
];

export const limitRows: readonly ResponseRow[] = [
  {
    ...covered,
    fault: 'Status 429 without `Retry-After`',
    faults: statuses(429),
    uncached: { ...limited, retryAfterMs: 4000 },
    calls: threeTimes,
    waits: true,
    backAfterMs: 4000,
  },
  {
    ...covered,
    fault: 'Status 429 with `Retry-After` above 5 s',
    faults: [
      { status: 429, retryAfter: 7 },
      { status: 429, headers: { 'Retry-After': 'Fri, 31 Dec 2100 23:59:59 GMT' } },
    ],
    uncached: { ...limited, retryAfterMs: Number.POSITIVE_INFINITY },
    backAfterMs: 86_400_000,
  },
];

export const bodyRows: readonly ResponseRow[] = [
  {
    ...common,
    fault: 'Status 204',
    on: ['one'],
    faults: statuses(204),
    uncached: 'nothing',
    cached: 'nothing',
  },
  { ...covered, fault: 'Status 204', on: ['all'], faults: statuses(204), uncached: badResponse },
  {
    ...covered,
    fault: 'Status 200 with an empty body',
    faults: [{ body: '' }, { body: ' \r\n' }],
    uncached: badResponse,
  },
  {
    ...covered,
    fault: 'HTML instead of JSON',
    faults: [
      { body: '<html><h1>Welcome</h1></html>', contentType: 'text/html' },
      { body: '<!doctype html>', contentType: 'application/json' },
    ],
    uncached: badResponse,
  },
  {
    ...covered,
    fault: 'Truncated JSON in a complete body, or JSON of a different shape',
    faults: [{ body: '[{"device_id":16' }, { body: '{}' }, { body: 'null' }, { body: '"text"' }],
    uncached: badResponse,
  },
  {
    ...covered,
    fault: 'A connection that is reset, or closed in the middle of the body',
    faults: [{ destroySocket: true }, { cutAfterBytes: 10 }],
    uncached: unavailable,
    calls: threeTimes,
  },
];

const places = { one: 'one endpoint', all: 'all' };

export function toLine({ fault, on, uncached, cached, calls, backAfterMs }: ResponseRow): Line {
  const sees = cached === 'stale' ? `${toWords(uncached)}; ${toWords(cached)}` : toWords(uncached);
  return {
    fault: `${fault}, on ${on.map((place) => places[place]).join(' and on ')}`,
    sees,
    calls: callsInWords(calls),
    back: toBack(backAfterMs),
  };
}

function toBack(afterMs: number): string {
  if (afterMs === 0) return 'at once';
  return afterMs > 60_000 ? 'after the stated time, a day at most' : `after ${afterMs / 1000} s`;
}
