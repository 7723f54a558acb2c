/** Wall time in an IANA time zone. A day has 23, 24 or 25 hours there. */
import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.js';

export interface TimeZone {
  /** The wall time at an instant, in milliseconds as if the wall clock showed UTC. */
  toWall(ms: number): number;
  /** The first instant with this wall time; if the clock jumps over it, the instant of the jump. */
  toInstant(wallMs: number): number;
  /** The first clock change in the span; undefined if there is none. */
  changeWithin(fromMs: number, toMs: number): number | undefined;
  /** Whether the first computation of an offset is slow. */
  readonly isSlow: boolean;
}

/** Uses no `Intl` format, because creating one takes a third of a millisecond, and UTC is the default of most arguments. */
const UTC: TimeZone = {
  toWall: (ms) => ms,
  toInstant: (wallMs) => wallMs,
  changeWithin: () => undefined,
  isSlow: false,
};

/** More zones than one gateway usually serves at a time. A zone with all its offsets takes half a megabyte. */
const MAX_ZONES = 16;
/** From 2000 to 2060. The platform has no samples before 2000. */
const MAX_DAYS = 22_000;

const zones = new LRUCache<string, TimeZone>({ max: MAX_ZONES });

/** Zones and the offsets of their days are cached. Undefined for an unknown name. */
export function getTimeZone(name: string): TimeZone | undefined {
  if (name === 'UTC') return UTC;
  const zone = zones.get(name) ?? createTimeZone(name);
  if (zone) zones.set(name, zone);
  return zone;
}

function createTimeZone(name: string): TimeZone | undefined {
  const format = createFormat(name);
  if (format === undefined) return undefined;
  const offsetAt = cacheOffsets((ms) => readOffset(format, ms));
  const toWall = (ms: number) => ms + offsetAt(ms);

  /** Bisects a span whose ends have different offsets. */
  function changeWithin(fromMs: number, toMs: number): number | undefined {
    const before = offsetAt(fromMs);
    if (before === offsetAt(toMs)) return undefined;
    let [low, high] = [fromMs, toMs];
    while (high - low > SECOND_MS) {
      const middle = Math.floor((low + high) / 2 / SECOND_MS) * SECOND_MS;
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  function toInstant(wallMs: number): number {
    const [early, late] = [wallMs - offsetAt(wallMs - DAY_MS), wallMs - offsetAt(wallMs + DAY_MS)];
    const matching = [early, late].filter((ms) => toWall(ms) === wallMs);
    if (matching.length > 0) return Math.min(...matching);
    return changeWithin(wallMs - DAY_MS, wallMs + DAY_MS) ?? early;
  }

  return { toWall, toInstant, changeWithin, isSlow: true };
}

/** Computing an offset is slow. A UTC day that begins and ends with the same offset has it all day. */
function cacheOffsets(offsetAt: (ms: number) => number): (ms: number) => number {
  const offsets = new Map<number, number>();
  function atStartOf(day: number): number {
    const cached = offsets.get(day);
    if (cached !== undefined) return cached;
    if (offsets.size >= MAX_DAYS) offsets.clear();
    const offset = offsetAt(day * DAY_MS);
    offsets.set(day, offset);
    return offset;
  }
  return (ms) => {
    const day = Math.floor(ms / DAY_MS);
    const offset = atStartOf(day);
    return offset === atStartOf(day + 1) ? offset : offsetAt(ms);
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

/** Reads an offset such as `GMT-08:00`; `GMT` alone stands for 0. Many offsets of the 19th century have seconds. */
function readOffset(format: Intl.DateTimeFormat, ms: number): number {
  const text = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
  const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return sign === '-' ? -offset : offset;
}
