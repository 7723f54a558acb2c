/** Reads the counts of all parts when somebody asks for `/metrics`: until then they are plain numbers where they arise. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestCounts } from '../http/server/requestMetrics.js';
import { DURATION_BOUNDS, type DurationCounts } from '../lib/durationHistogram.js';
import type { MetricFamily, MetricSample } from '../lib/metricFamily.js';
import type { BreakerState } from '../rest/resilience/circuitBreaker.js';
import { type Metric, metricTable as table } from './metricTable.js';
import type { PlatformMetricValues } from './platform.js';

/** What a process that serves knows. */
export interface GatewayMetricValues {
  requests: RequestCounts;
  platform: PlatformMetricValues;
  websockets: number;
}

const breakerStates: Readonly<Record<BreakerState, number>> = { closed: 0, halfOpen: 1, open: 2 };

export function toGatewayFamilies({ requests, platform, websockets }: GatewayMetricValues): MetricFamily[] {
  const {
    callMetrics,
    remainingTokenRequests,
    breakerStates: breakers,
    cache,
    cacheUsage,
    subscriptions,
  } = platform;
  return [
    toLabelledFamily(table.httpRequests, requests.statuses),
    toHistogramFamily(table.operationDuration, requests.operations),
    toLabelledFamily(table.operationsRefused, requests.refusals),
    toFamily(
      table.restCalls,
      callMetrics
        .counts()
        .map(({ endpoint, outcome, count }) => ({ labels: { endpoint, outcome }, value: count })),
    ),
    toHistogramFamily(table.restCallDuration, callMetrics.durations()),
    toSingleSampleFamily(table.tokenRequests, callMetrics.tokenRequests()),
    remainingTokenRequests === undefined
      ? toFamily(table.tokenRequestsLeft, [])
      : toSingleSampleFamily(table.tokenRequestsLeft, remainingTokenRequests),
    toLabelledFamily(
      table.breakerState,
      breakers.map(([name, state]) => [name, breakerStates[state]]),
    ),
    toLabelledFamily(table.cacheAnswers, Object.entries(cache)),
    toSingleSampleFamily(table.cacheEntries, cacheUsage.entries),
    toSingleSampleFamily(table.cacheBytes, cacheUsage.bytes),
    toSingleSampleFamily(table.websockets, websockets),
    toSingleSampleFamily(table.subscriptions, subscriptions),
    toSingleSampleFamily(table.workers, 1),
  ];
}

export function toWorkerExitsFamily(count: number): MetricFamily {
  return toSingleSampleFamily(table.workersEnded, count);
}

export interface ProcessMetrics {
  /** Of this process; the delay of its event loop is that since the last read. */
  collect(): MetricFamily[];
  close(): void;
}

/** How often the event loop is looked at: what is less late than this is not late. */
const EVENT_LOOP_RESOLUTION_MS = 20;

export function createProcessMetrics(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  return {
    collect() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const lateness = toLabelledFamily(table.eventLoopDelay, readEventLoopDelay(delay));
      delay.reset();
      return [
        lateness,
        toSingleSampleFamily(table.residentMemory, rss),
        toSingleSampleFamily(table.heapUsed, heapUsed),
        toSingleSampleFamily(table.cpu, (user + system) / 1e6),
      ];
    },
    close: () => void delay.disable(),
  };
}

/** The histogram measures the time between two ticks of its timer, of which the resolution is no delay. */
function readEventLoopDelay(delay: IntervalHistogram): [percentile: string, seconds: number][] {
  const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - EVENT_LOOP_RESOLUTION_MS / 1000);
  return [
    ['50', toSeconds(delay.percentile(50))],
    ['99', toSeconds(delay.percentile(99))],
    ['100', delay.count === 0 ? 0 : toSeconds(delay.max)],
  ];
}

function toFamily(metric: Metric, samples: readonly MetricSample[]): MetricFamily {
  const { name, type, help, aggregation } = metric;
  return { name, type, help, aggregation, samples };
}

function toSingleSampleFamily(metric: Metric, value: number): MetricFamily {
  return toFamily(metric, [{ labels: {}, value }]);
}

/** For metrics with one label. */
function toLabelledFamily(metric: Metric, values: readonly (readonly [string, number])[]): MetricFamily {
  const [label = ''] = metric.labels;
  return toFamily(
    metric,
    values.map(([name, value]) => ({ labels: { [label]: name }, value })),
  );
}

function toHistogramFamily(
  metric: Metric,
  values: readonly (readonly [string, DurationCounts])[],
): MetricFamily {
  const [label = ''] = metric.labels;
  return toFamily(
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
