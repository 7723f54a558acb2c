/** CPU time and memory of other processes, from Linux's /proc. CPU time is less sensitive to other load than wall time. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in these ticks on every machine. */
const TICKS_PER_SECOND = 100;

/** CPU time of one process since its start, in seconds, with all its threads. NaN on systems other than Linux. */
export function cpuSeconds(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const stat = readFileSync(file, 'utf8');
  // The name in brackets may contain anything. After it, state is field 3, user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** CPU time of one process in milliseconds, exact to microseconds, without threads that have ended. NaN elsewhere. */
export function cpuMilliseconds(pid: number): number {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(`${threads}/${pid}/schedstat`)) return Number.NaN;
  return readdirSync(threads).reduce((total, thread) => {
    const [nanoseconds] = readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ');
    return total + Number(nanoseconds) / 1e6;
  }, 0);
}

/** CPU time of a process and its running descendants in seconds, exact to microseconds. NaN on systems other than Linux. */
export function treeCpuSeconds(pid: number): number {
  return sum(processTree(pid), cpuMilliseconds) / 1000;
}

/** Resident memory of one process in megabytes. */
export function residentMegabytes(pid: number): number {
  return readMegabytes(pid, 'VmRSS');
}

/** Peak resident memory in megabytes. For several processes, the sum of their peaks. */
export function peakMegabytes(pid: number): number {
  return sum(processTree(pid), (one) => readMegabytes(one, 'VmHWM'));
}

function readMegabytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

function processTree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)];
}

function childrenOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads)
    .flatMap((thread) => readFileSync(`${threads}/${thread}/children`, 'utf8').split(' '))
    .filter((text) => text !== '')
    .map(Number);
}

function sum(pids: readonly number[], figureOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + figureOf(pid), 0);
}
