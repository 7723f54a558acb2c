/** Reads the counts of all parts when somebody asks for `/metrics`: until then they are plain numbers where they arise. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestCounts } from './http/requestTally.js';
import { DURATION_BOUNDS, type DurationCounts } from './lib/durations.js';
import type { MetricFamily, MetricSample } from './lib/metricFamily.js';
import { type Metric, metricTable as table } from './metricTable.js';
import type { PlatformReadings } from './platform.js';
import type { BreakerState } from './rest/patience/circuitBreaker.js';

/** What a process that serves knows. */
export interface GatewayReadings {
  requests: RequestCounts;
  platform: PlatformReadings;
  websockets: number;
}

const breakerStates: Readonly<Record<BreakerState, number>> = { closed: 0, halfOpen: 1, open: 2 };

export function toGatewayFamilies({ requests, platform, websockets }: GatewayReadings): MetricFamily[] {
  const { calls, tokenRequestsLeft, breakers, cache, cacheUsage, subscriptions } = platform;
  return [
    byLabel(table.httpRequests, requests.statuses),
    histogram(table.operationDuration, requests.operations),
    byLabel(table.operationsRefused, requests.refusals),
    family(
      table.restCalls,
      calls.counts().map(({ endpoint, outcome, count }) => ({ labels: { endpoint, outcome }, value: count })),
    ),
    histogram(table.restCallDuration, calls.durations()),
    single(table.tokenRequests, calls.tokenRequests()),
    tokenRequestsLeft === undefined
      ? family(table.tokenRequestsLeft, [])
      : single(table.tokenRequestsLeft, tokenRequestsLeft),
    byLabel(
      table.breakerState,
      breakers.map(([name, state]) => [name, breakerStates[state]]),
    ),
    byLabel(table.cacheAnswers, Object.entries(cache)),
    single(table.cacheEntries, cacheUsage.entries),
    single(table.cacheBytes, cacheUsage.bytes),
    single(table.websockets, websockets),
    single(table.subscriptions, subscriptions),
    single(table.workers, 1),
  ];
}

export function toWorkersEnded(count: number): MetricFamily {
  return single(table.workersEnded, count);
}

export interface ProcessMetrics {
  /** Of this process; the delay of its event loop is that since the last read. */
  read(): MetricFamily[];
  close(): void;
}

/** How often the event loop is looked at: what is less late than this is not late. */
const DELAY_RESOLUTION_MS = 20;

export function createProcessMetrics(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  return {
    read() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const lateness = byLabel(table.eventLoopDelay, readDelay(delay));
      delay.reset();
      return [
        lateness,
        single(table.residentMemory, rss),
        single(table.heapUsed, heapUsed),
        single(table.cpu, (user + system) / 1e6),
      ];
    },
    close: () => void delay.disable(),
  };
}

/** The histogram measures the time between two ticks of its timer, of which the resolution is no delay. */
function readDelay(delay: IntervalHistogram): [percentile: string, seconds: number][] {
  const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - DELAY_RESOLUTION_MS / 1000);
  return [
    ['50', toSeconds(delay.percentile(50))],
    ['99', toSeconds(delay.percentile(99))],
    ['100', delay.count === 0 ? 0 : toSeconds(delay.max)],
  ];
}

function family(metric: Metric, samples: readonly MetricSample[]): MetricFamily {
  const { name, type, help, together } = metric;
  return { name, type, help, together, samples };
}

function single(metric: Metric, value: number): MetricFamily {
  return family(metric, [{ labels: {}, value }]);
}

/** For metrics with one label. */
function byLabel(metric: Metric, values: readonly (readonly [string, number])[]): MetricFamily {
  const [label = ''] = metric.labels;
  return family(
    metric,
    values.map(([name, value]) => ({ labels: { [label]: name }, value })),
  );
}

function histogram(metric: Metric, values: readonly (readonly [string, DurationCounts])[]): MetricFamily {
  const [label = ''] = metric.labels;
  return family(
    metric,
    values.flatMap(([name, counts]) => toBuckets({ [label]: name }, counts)),
  );
}

/** Each bucket holds those before it, too. */
function toBuckets(
  labels: Readonly<Record<string, string>>,
  { buckets, count, sumSeconds }: DurationCounts,
): MetricSample[] {
  let below = 0;
  const bounded = DURATION_BOUNDS.map((bound, index) => {
    below += buckets[index] ?? 0;
    return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...bounded,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sumSeconds },
    { suffix: '_count', labels, value: count },
  ];
}
