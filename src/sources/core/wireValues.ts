/** Converts the strings of the wire into values. Unreadable strings become null, never a guess such as 0. */
import { DAY_MS } from '../../lib/clock.js';
import { MIN_UNIX_SECONDS, parseDateTime, USUAL_DATE_TIME } from '../../rest/decode/dates.js';

/** The lowest date that the platform accepts in a query. */
export const MIN_DATE_MS = MIN_UNIX_SECONDS * 1000;

const CANONICAL_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** RFC 3339 UTC for the graph's DateTime; null if the text is not a date. */
export function toDateTime(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (USUAL_DATE_TIME.test(text)) return text;
  const ms = parseDateTime(text);
  if (Number.isNaN(ms)) return null;
  const written = formatDateTime(ms);
  // `Date.parse` reads February 31 and 24:00 as instants of the next month or day.
  const isExisting = text.startsWith(written.slice(0, TO_SECONDS_LENGTH));
  return isExisting && CANONICAL_DATE_TIME.test(text) ? text : written;
}

/** The length of `2020-11-19T18:29:42`. */
const TO_SECONDS_LENGTH = 19;

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
/** The text of the last day with its `T`. Samples come in order of time, so the next one often has the same day. */
let lastDay = { startMs: Number.NaN, text: '' };

/** RFC 3339 UTC, without a fraction of zero. */
export function formatDateTime(ms: number): string {
  const startMs = Math.floor(ms / DAY_MS) * DAY_MS;
  const seconds = (ms - startMs) / 1000;
  if (!Number.isInteger(seconds)) return new Date(ms).toISOString().replace('.000Z', 'Z');
  if (startMs !== lastDay.startMs) {
    const written = new Date(startMs).toISOString();
    lastDay = { startMs, text: written.slice(0, written.indexOf('T') + 1) };
  }
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${lastDay.text}${twoDigits[hours]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}Z`;
}

/** A decimal text as a number; null for every other text, the empty text included. */
export function toFloat(text: string | undefined): number | null {
  if (text === undefined || !/^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** A type or status: its number, and its name if the platform sends one. */
export interface Classification {
  id: number;
  name: string | null;
}

export function toClassification(id: number | undefined, name?: string): Classification | null {
  return id === undefined ? null : { id, name: emptyToNull(name) };
}

/** Null for an empty string, by which the wire marks an absent value. */
export function emptyToNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

const DAY = /^\d{4}-\d\d-\d\dT/;
const [ZERO, COLON, Z] = [48, 58, 90];
const WHOLE_SECOND_LENGTH = 20;

/**
 * Returns the same as `parseDateTime`, which would take most of the time of decoding a sample. Parses a day once for all
 * of its consecutive samples, and the time digit by digit.
 */
export function createDateParser(): (text: string) => number {
  let day = '';
  let dayMs = Number.NaN;
  return (text) => {
    if (!isOnSecond(text)) return parseDateTime(text);
    if (day === '' || !text.startsWith(day)) {
      const parsedDay = DAY.exec(text)?.[0];
      if (parsedDay === undefined) return parseDateTime(text);
      day = parsedDay;
      dayMs = Date.parse(`${day}00:00:00Z`);
    }
    const [hour, minute, second] = [digitsAt(text, 11), digitsAt(text, 14), digitsAt(text, 17)];
    // Leaves times that no clock shows to `parseDateTime`.
    if (hour > 23 || minute > 59 || second > 59) return parseDateTime(text);
    return dayMs + ((hour * 60 + minute) * 60 + second) * 1000;
  };
}

/** Whether the text may be a day followed by `hh:mm:ssZ`. */
function isOnSecond(text: string): boolean {
  return (
    text.length === WHOLE_SECOND_LENGTH &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON &&
    text.charCodeAt(19) === Z
  );
}

/** Infinity if the characters are not digits. */
function digitsAt(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO];
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? Number.POSITIVE_INFINITY : tens * 10 + ones;
}

/** Leaves out the rows that have no value. */
export function convert<Row, Value>(rows: readonly Row[], toValue: (row: Row) => Value | null): Value[] {
  return rows.map(toValue).filter((value) => value !== null);
}
