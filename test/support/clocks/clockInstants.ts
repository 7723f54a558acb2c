/** The instants at which `npm run test:clocks` starts test files, each a few seconds before a calendar event. */

interface ClockInstant {
  /** ISO 8601. */
  readonly at: string;
  /** The time zone of the process. */
  readonly zone: string;
}

export const CLOCK_INSTANTS: readonly ClockInstant[] = [
  // Clock changes in both directions: in Europe, in America, and by half an hour on Lord Howe Island.
  { at: '2027-03-28T00:59:50Z', zone: 'Europe/Berlin' },
  { at: '2027-10-31T00:59:50Z', zone: 'Europe/Berlin' },
  { at: '2028-03-12T06:59:50Z', zone: 'America/New_York' },
  { at: '2028-11-05T05:59:50Z', zone: 'America/New_York' },
  { at: '2028-04-01T14:59:50Z', zone: 'Australia/Lord_Howe' },
  { at: '2028-09-30T15:29:50Z', zone: 'Australia/Lord_Howe' },
  // The start, middle and end of 29 February.
  { at: '2028-02-28T23:59:50Z', zone: 'UTC' },
  { at: '2028-02-29T12:00:00Z', zone: 'Asia/Kathmandu' },
  { at: '2028-02-29T23:59:50Z', zone: 'UTC' },
  // The last minutes of a year and of a month.
  { at: '2027-12-31T23:58:00Z', zone: 'UTC' },
  { at: '2027-12-31T22:58:00Z', zone: 'Europe/Berlin' },
  { at: '2027-04-30T23:58:00Z', zone: 'America/New_York' },
  // Several hours of a day.
  { at: '2026-11-22T02:10:00Z', zone: 'UTC' },
  { at: '2026-11-22T05:25:00Z', zone: 'America/New_York' },
  { at: '2026-11-22T08:40:00Z', zone: 'UTC' },
  { at: '2026-11-22T11:55:00Z', zone: 'Europe/Berlin' },
  { at: '2026-11-22T15:05:00Z', zone: 'UTC' },
  { at: '2026-11-22T18:20:00Z', zone: 'Asia/Kathmandu' },
  { at: '2026-11-22T20:40:00Z', zone: 'UTC' },
  { at: '2026-11-22T23:35:00Z', zone: 'UTC' },
];

/**
 * The instant of a test file: TEST_CLOCK sets one for all files (`2028-02-29T12:00:00Z`, or with a zone,
 * `2028-02-29T12:00:00Z@Europe/Berlin`); TEST_CLOCKS, a whole number, spreads the files over the list, and each number
 * spreads them differently. Undefined without either.
 */
export function instantOf(file: string, environment: NodeJS.ProcessEnv): ClockInstant | undefined {
  const { TEST_CLOCK, TEST_CLOCKS } = environment;
  if (TEST_CLOCK) {
    const [at = '', zone = 'UTC'] = TEST_CLOCK.split('@');
    if (Number.isNaN(Date.parse(at))) throw new Error(`TEST_CLOCK=${TEST_CLOCK} begins with no instant.`);
    return { at, zone };
  }
  if (!TEST_CLOCKS) return undefined;
  const turn = Number(TEST_CLOCKS);
  if (!Number.isInteger(turn) || turn < 0)
    throw new Error(`TEST_CLOCKS=${TEST_CLOCKS} is not a whole number.`);
  return CLOCK_INSTANTS[(hashOfText(file) + turn) % CLOCK_INSTANTS.length];
}

function hashOfText(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
  return hash;
}
