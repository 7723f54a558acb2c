/** Compares the manual with the code: the fault matrix, the log, the limits and the freshness of responses. */
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { POLICIES } from '../../src/cache/policies.js';
import { metricTable } from '../../src/gateway/metricTable.js';
import { defaultResilienceLimits } from '../../src/rest/resilience/resilienceLimits.js';
import { matrix } from './rows/matrix.js';
import { toTable } from './rows/row.js';

const read = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** The text under a heading, without the sections below it. */
function section(page: string, heading: string): string {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  return text.split(/\n##+ /)[0] ?? '';
}

/** A table's lines, without the spaces that align its columns. */
function tableIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) => line.replace(/ +/g, ' ').replace(/-{3,}/g, '---')).join('\n');
}

function duration(ms: number): string {
  const units: [number, string][] = [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ];
  const [size, name] = units.find(([unit]) => ms % unit === 0 && ms >= unit) ?? [1, 'ms'];
  return `${ms / size} ${name}`;
}

const freshness = Object.entries(POLICIES).map(([kind, policy]) => {
  const { timeToLiveMs, staleWhileRevalidateMs, staleIfErrorMs } = policy;
  return [kind, ...[timeToLiveMs, staleWhileRevalidateMs, staleIfErrorMs].map(duration)];
});

const sources = new URL('../../src/', import.meta.url);

/** Level and message of each log line of the gateway's own code. */
async function findLogLines(): Promise<string[]> {
  const files = await readdir(sources, { recursive: true });
  const own = files.filter((name) => name.endsWith('.ts') && !name.startsWith('sandbox'));
  const texts = await Promise.all(own.map((name) => readFile(new URL(name, sources), 'utf8')));
  const calls = texts.flatMap((text) => [
    ...text.matchAll(/[lL]ogger\.(\w+)\(\{?[^;]*?'([A-Z][^']+)',?\s*\)/g),
  ]);
  return calls.map(([, level, message]) => `${level} ${message}`);
}

describe('docs/monitoring.md', () => {
  it('explains every line of the log', async () => {
    const [, , ...rows] = tableIn(section(await read('monitoring.md'), 'Log')).split('\n');
    const explained = rows.map((row) => row.split(' | ').slice(0, 2).join(' ').replace('| ', ''));
    const found = await findLogLines();
    expect(found.length).toBeGreaterThan(10);
    expect(explained.sort()).toEqual([...new Set(found)].sort());
  });

  it('lists every metric', async () => {
    const [, , ...rows] = tableIn(section(await read('monitoring.md'), 'Metrics')).split('\n');
    const listed = Object.values(metricTable).map(({ name, type, labels, help }) => {
      const named = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${named === '' ? '' : `${named} `}| ${help} |`;
    });
    expect(rows).toEqual(listed);
  });
});

describe('docs/operations.md', () => {
  it('contains the fault matrix', async () => {
    const page = await read('operations.md');
    expect(tableIn(section(page, 'Faults'))).toBe(toTable(matrix));
  });

  it('lists no fault twice', () => {
    expect(new Set(matrix.map(({ fault }) => fault)).size).toBe(matrix.length);
  });

  it('states the limits of resilience', async () => {
    const { attemptTimeoutMs, operationTimeoutMs, retry, retryBudget, breaker, ...limits } =
      defaultResilienceLimits;
    const text = section(await read('operations.md'), 'Resilience').replace(/\s+/g, ' ');
    const number = (value: number) => value.toLocaleString('en-US');
    for (const phrase of [
      `An attempt may take ${duration(attemptTimeoutMs)}`,
      `an operation ${duration(operationTimeoutMs)}`,
      `${retry.maxAttempts} attempts`,
      `up to ${duration(retry.baseDelayMs)}`,
      `up to ${duration(retry.maxDelayMs)}`,
      `more than ${duration(retry.maxRetryAfterMs)}`,
      `${retryBudget.maxShare * 100}% of the calls in flight, at least ${retryBudget.minConcurrent}`,
      `${breaker.failureRatio * 100}% of at least ${breaker.minCalls} calls within ${duration(breaker.windowMs)}`,
      `After ${duration(breaker.openMs)} one probe call`,
      `${number(limits.maxConcurrent)} calls`,
      `${number(limits.maxConcurrentAuth)} token requests`,
      `${number(limits.maxQueued)} wait`,
      `${number(limits.endpointQuota.maxCalls)} calls in ${duration(limits.endpointQuota.windowMs)}`,
    ]) {
      expect(text).toContain(phrase);
    }
  });
});

describe('docs/configuration.md', () => {
  it('states how long each kind of response is fresh', async () => {
    const page = await read('configuration.md');
    const [, , ...rows] = tableIn(section(page, 'Freshness')).split('\n');
    const cells = rows.map((row) => row.slice(2, -2).split(' | '));
    expect(cells.map((row) => row.slice(0, -1))).toEqual(freshness);
    for (const cell of cells) expect(cell.at(-1)).toMatch(/\.$/);
  });
});
