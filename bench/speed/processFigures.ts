/** What the system knows of a process and those it started: processor time and memory, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in these, whatever the machine. */
const TICKS_PER_SECOND = 100;

/** Processor time so far, in seconds, of the process and all below it that still run. */
export function cpuSeconds(pid: number): number {
  return sum(processTree(pid), (one) => {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8');
    // Behind the name, which may hold anything: state is field 3, user and system time 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  });
}

/** The most memory that it ever had, in megabytes: for several processes, the sum of what each ever had. */
export function peakMegabytes(pid: number): number {
  return sum(processTree(pid), (one) => {
    const status = readFileSync(`/proc/${one}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  });
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
