/** How much of a processor another process has taken: what remains true of a run on a machine that others use too. */
import { readFileSync } from 'node:fs';

const TICK_MS = 10;

/** Since the process began, in milliseconds, its threads together. Linux alone tells. */
export function processorMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name stands in brackets and may hold anything; user and system time are the 12th and 13th after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
