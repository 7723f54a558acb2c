/** Reads the platform's dates: RFC 3339 with and without an offset, and Unix time. */

/** Earliest date that the platform accepts in a query, in Unix seconds. */
export const MIN_UNIX_SECONDS = 946_688_461;
/** The end of the year 9999, the last that the platform's dates can express. */
export const MAX_UNIX_SECONDS = 253_402_300_799;

/**
 * Matches almost every date of the platform, and only dates that exist. February ends with the 28th here: the 29th is
 * left to `Date.parse`, which takes ten times as long.
 */
export const USUAL_DATE_TIME =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}Z$/;

/** Whether a value is a date in any form of the platform. */
export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && (USUAL_DATE_TIME.test(value) || !Number.isNaN(parseDateTime(value)));
}

/** Unix milliseconds of a date in any form of the platform; NaN for all other strings. */
export function parseDateTime(text: string): number {
  const dateTime = withZone(text);
  return dateTime === '' ? parseUnixTime(text) : Date.parse(dateTime);
}

/** Adds UTC, the platform's time zone, to a date-time without an offset. Returns an empty string for all other strings. */
function withZone(text: string): string {
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text)) return '';
  if (/[+-]\d\d$/.test(text)) return `${text}:00`;
  return /([Zz]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
}

/** Seconds with 9 or 10 digits, or milliseconds with 12 or 13, which are dates from 1973 to 2286. */
function parseUnixTime(text: string): number {
  const [, seconds, ms] = /^(?:(\d{9,10}(?:\.\d+)?)|(\d{12,13}))$/.exec(text) ?? [];
  return seconds === undefined ? Number(ms) : Math.round(Number(seconds) * 1000);
}
