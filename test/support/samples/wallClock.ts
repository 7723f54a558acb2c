/** Calendars and wall-clock times from the runtime's own formatting, as the reference for the gateway's intervals. */

const DAY = 86_400;

/** Around the nights of the generated streams; all but two of them change their clocks, the last two at midnight. */
export const ZONES: readonly string[] = [
  ...['UTC', 'Europe/Zurich', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['America/Havana', 'Asia/Beirut'],
];

interface Wall {
  /** Since 1970-01-01, and since January 1970. */
  day: number;
  month: number;
  /** Since midnight. */
  minute: number;
  /** Seconds that the wall clock is ahead of UTC. */
  shift: number;
}

/** The wall-clock time at an instant in Unix seconds. */
function wallOf(zone: string): (seconds: number) => Wall {
  const two = '2-digit' as const;
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  });
  return (seconds) => {
    const text = format.format(seconds * 1000);
    const wall = Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
    const [year = 0, month = 0] = text.split('-').map(Number);
    return {
      day: Math.floor(wall / DAY),
      month: (year - 1970) * 12 + month - 1,
      minute: Math.floor((wall % DAY) / 60),
      shift: wall - seconds,
    };
  };
}

/** The latest wall-clock minute of the day up to an instant; differs from the current one after the clock goes back. */
function latestOf(wall: (seconds: number) => Wall): (seconds: number) => number {
  return (seconds) => {
    const { day, minute, shift } = wall(seconds);
    let latest = minute;
    if (wall(seconds - 3600).shift <= shift) return latest;
    for (let earlier = seconds - 3600; earlier < seconds; earlier += 60) {
      const shown = wall(earlier);
      if (shown.day === day) latest = Math.max(latest, shown.minute);
    }
    return latest;
  };
}

/** A name for the interval of an instant, the same for all its instants; `unit` is as in `every`. */
export function intervalOf(unit: Record<string, number>, zone: string): (seconds: number) => string {
  const wall = wallOf(zone);
  const latest = latestOf(wall);
  const [name = '', count = 1] = Object.entries(unit)[0] ?? [];
  const minutes = name === 'hours' ? count * 60 : count;
  return (seconds) => {
    const { day, month, minute, shift } = wall(seconds);
    if (name === 'months') return `m${Math.floor(month / count)}`;
    if (name === 'weeks') return `w${Math.floor((day - 4) / (7 * count))}`;
    if (name === 'days') return `d${Math.floor(day / count)}`;
    if (minutes === 1440) return `d${day}`;
    // Up to an hour, intervals end where the clock changes; longer ones begin at the first occurrence of a wall-clock
    // time.
    if (minutes <= 60) return `${day} ${Math.floor(minute / minutes)} ${shift}`;
    return `${day} ${Math.floor(latest(seconds) / minutes)}`;
  };
}
