/** The results as tables in Markdown. Pure. */
import { toTable, toText } from '../shared/tables.js';
import type { Cell } from './cells.js';
import type { Judgement } from './judged.js';
import type { Result, Round } from './measure.js';
import { figuresOf, summarise } from './summary.js';

const HEAD = [
  '',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'REST calls each',
  'CPU µs each',
  'CPU',
  'load’s CPU',
  'gateway by requests',
  'gateway by CPU',
];

/** One table for each combination of mode, latency and connections. */
export function resultTables(results: readonly Result[]): string {
  const titles = [...new Set(results.map(({ cell }) => titleOf(cell)))];
  return titles
    .map((title) => {
      const rows = results.filter(({ cell }) => titleOf(cell) === title).map((one) => toRow(one, results));
      return `### ${title}\n\n${toTable(HEAD, rows)}`;
    })
    .join('\n\n');
}

function titleOf({ mode, latencyMs, connections }: Cell): string {
  const callers = connections === 1 ? 'one caller' : `${connections} connections`;
  return mode === 'cold' ? `cold, stub at ${latencyMs} ms, ${callers}` : `${mode}, ${callers}`;
}

function toRow(result: Result, results: readonly Result[]): string[] {
  const { cell, server } = result;
  const figures = summarise(result);
  const { requestsPerSecond, p50Ms, p99Ms, restCalls, cpuMicroseconds, cpuShare, loadShare } = figures;
  const numbers = [requestsPerSecond, p50Ms, p99Ms, restCalls, cpuMicroseconds].map(toText);
  const ratios = ratiosOf(figures, server === 'gateway' ? undefined : figuresOf(results, 'gateway', cell));
  return [
    `${cell.workload} ${server}`,
    ...numbers,
    ...[cpuShare, loadShare].map((share) => `${Math.round(share * 100)} %`),
    ...ratios,
  ];
}

/** How many times better the gateway is. Above 1 the gateway is ahead. */
function ratiosOf(figures: Round, gateway: Round | undefined): [string, string] {
  if (!gateway) return ['', ''];
  return [
    `${toText(gateway.requestsPerSecond / figures.requestsPerSecond)} ×`,
    `${toText(figures.cpuMicroseconds / gateway.cpuMicroseconds)} ×`,
  ];
}

export function judgementTable(judgements: readonly Judgement[]): string {
  const rows = judgements.map(({ name, target, floor, isMaximum, measured, byCpu, isMet }) => {
    const bound = isMaximum ? 'at most' : 'at least';
    const figures = [toText(measured), byCpu === undefined ? '' : toText(byCpu)];
    return [name, `${bound} ${target}`, ...figures, isMet ? 'met' : '**missed**', `${bound} ${floor}`];
  });
  return toTable(['', 'target', 'measured', 'by CPU', '', 'bound in CI'], rows);
}
