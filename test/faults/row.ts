/** What a row of the fault matrix is: the same object is run as a test and written as a line of the manual. */
import type { ErrorCode } from '../../src/errors.js';

/** A line of the table in `docs/operations.md`. */
export interface Line {
  fault: string;
  /** What the caller sees. */
  sees: string;
  /** REST calls made. */
  calls: string;
  /** When answers are what they were before. Sockets, timers and memory are held to it in every row. */
  back: string;
}

/** A line that is shown by a course of events of its own. */
export interface Scenario extends Line {
  /** Fails where the line is not true. */
  run(): Promise<void>;
  /** Why it can't be run here. */
  skip?: string | undefined;
}

/** What a caller gets in the place that needed the failing call. */
export type Sight = 'nothing' | 'stale' | Failure;

export interface Failure {
  code: ErrorCode;
  retryable: boolean;
  /** The most milliseconds it says to wait; absent: it says none. */
  retryAfterMs?: number;
}

export interface Calls {
  /** To each endpoint that fails. */
  data: number;
  /** To the token endpoint. */
  tokens: number;
  /** Elsewhere, to see whether the token is good; absent: none. */
  looks?: number;
}

export function toTable(lines: readonly Line[]): string {
  const cells = lines.map(({ fault, sees, calls, back }) => [fault, sees, calls, back]);
  const head = ['Fault', 'What the caller sees', 'REST calls made', 'Back as before'];
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const sightWords = {
  nothing: 'nothing there: null or an empty list, and no error',
  stale: 'the stale answer where there is one',
};

export function toWords(sight: Sight): string {
  if (typeof sight === 'string') return sightWords[sight];
  const { code, retryable, retryAfterMs } = sight;
  const wait = retryAfterMs === undefined ? '' : ', with `retryAfterMs`';
  return `\`${code}\`, ${retryable ? 'retryable' : 'not retryable'}${wait}`;
}

export function callsInWords({ data, tokens, looks = 0 }: Calls): string {
  const parts = [`${data}`];
  if (looks > 0) parts.push(`${looks} look elsewhere`);
  if (tokens > 0) parts.push(`${tokens} token request${tokens > 1 ? 's' : ''}`);
  return parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
