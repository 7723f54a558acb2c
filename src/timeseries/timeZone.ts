/** What the clocks on the wall show in an IANA time zone, and when: days there have 23, 24 or 25 hours. */

export interface TimeZone {
  /** What the wall shows at an instant, in milliseconds as if the wall were UTC. */
  toWall(ms: number): number;
  /** The first instant at which the wall shows this or, where the clock jumps over it, what comes next. */
  toInstant(wallMs: number): number;
  /** The first instant in the span at which the wall is moved forward or back; undefined where there is none. */
  changeWithin(fromMs: number, toMs: number): number | undefined;
}

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

/** Undefined for a name that is no time zone. */
export function createTimeZone(name: string): TimeZone | undefined {
  const format = createFormat(name);
  if (format === undefined) return undefined;
  const offsetAt = rememberOffsets((ms) => readWall(format, ms) - ms);
  const toWall = (ms: number) => ms + offsetAt(ms);

  /** Offsets before and behind differ: the instant is found by halving. */
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
    const shown = [early, late].filter((ms) => toWall(ms) === wallMs);
    if (shown.length > 0) return Math.min(...shown);
    return changeWithin(wallMs - DAY_MS, wallMs + DAY_MS) ?? early;
  }

  return { toWall, toInstant, changeWithin };
}

/** Asking for an offset is slow: where a day of UTC begins and ends with one, that one holds all through it. */
function rememberOffsets(offsetAt: (ms: number) => number): (ms: number) => number {
  const known = new Map<number, number>();
  function atStartOf(day: number): number {
    const offset = known.get(day) ?? offsetAt(day * DAY_MS);
    known.set(day, offset);
    return offset;
  }
  return (ms) => {
    const day = Math.floor(ms / DAY_MS);
    const offset = atStartOf(day);
    return offset === atStartOf(day + 1) ? offset : offsetAt(ms);
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const two = '2-digit' as const;
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', era: 'short', ...fields });
  } catch {
    return undefined;
  }
}

/** Zones' offsets are whole seconds: what the wall shows lacks only the part of a second. */
function readWall(format: Intl.DateTimeFormat, ms: number): number {
  const wholeMs = Math.floor(ms / SECOND_MS) * SECOND_MS;
  const part: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(wholeMs)) part[type] = value;
  const read = (name: string) => Number(part[name]);
  const year = part['era'] === 'BC' ? 1 - read('year') : read('year');
  const wall = Date.UTC(year, read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  return wall + (ms - wholeMs);
}
