/** The types of a row of the fault matrix. The same object runs as a test and is a line of the manual. */
import type { ErrorCode } from '../../../src/errors.js';

/** A line of the table in `docs/operations.md`. */
export interface Line {
  fault: string;
  /** The result for the caller. */
  sees: string;
  /** REST calls made. */
  calls: string;
  /** When responses are normal again. Every row also checks sockets, timers and memory. */
  back: string;
}

/** A row with its own test. */
export interface Scenario extends Line {
  /** Fails if the line is wrong. */
  run(): Promise<void>;
  /** Why the row cannot run on this machine. */
  skip?: string | undefined;
}

/** The result of the field that needed the failing call. */
export type FieldResult = 'nothing' | 'stale' | Failure;

export interface Failure {
  code: ErrorCode;
  retryable: boolean;
  /** The upper bound of `retryAfterMs` in milliseconds; absent if the error has none. */
  retryAfterMs?: number;
}

export interface Calls {
  /** Calls to each failing endpoint. */
  data: number;
  /** Token requests. */
  tokens: number;
  /** Calls to other endpoints that check the token; absent: none. */
  probes?: number;
}

export function toTable(lines: readonly Line[]): string {
  const cells = lines.map(({ fault, sees, calls, back }) => [fault, sees, calls, back]);
  const head = ['Fault', 'What the caller sees', 'REST calls made', 'Normal again'];
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const resultWords = {
  nothing: 'null or an empty list, without an error',
  stale: 'the stale response if one is cached',
};

export function toWords(result: FieldResult): string {
  if (typeof result === 'string') return resultWords[result];
  const { code, retryable, retryAfterMs } = result;
  const wait = retryAfterMs === undefined ? '' : ', with `retryAfterMs`';
  return `\`${code}\`, ${retryable ? 'retryable' : 'not retryable'}${wait}`;
}

export function callsInWords({ data, tokens, probes = 0 }: Calls): string {
  const parts = [`${data}`];
  if (probes > 0)
    parts.push(probes === 1 ? '1 probe of another endpoint' : `${probes} probes of other endpoints`);
  if (tokens > 0) parts.push(`${tokens} token request${tokens > 1 ? 's' : ''}`);
  return parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
