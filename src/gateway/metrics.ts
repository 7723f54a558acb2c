/**
 * Collects the metrics of this process when `/metrics` is read. Until then they are plain numbers, stored beside
 * the code that counts them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { AggregatorRegistry } from 'prom-client';
import type { OpenSession } from '../http/auth/callerSession.js';
import type { SubscriptionCounts } from '../http/delivery/subscriptionMetrics.js';
import type { ExecutionCounts } from '../http/rateLimits/executionLimit.js';
import type { RequestCounts } from '../http/requests/requestMetrics.js';
import { createMetricsPage, type MetricsAccess } from '../http/server/pages.js';
import { DURATION_BOUNDS, type DurationCounts } from '../lib/durationHistogram.js';
import type { BreakerState } from '../rest/resilience/circuitBreaker.js';
import type { ExportCounts } from '../tracing/spanExporter.js';
import type { Coordinator } from './coordinator.js';
import { countDroppedLines } from './logging.js';
import { type Metric, type MetricFamily, type MetricValue, metricTable as table } from './metricTable.js';
import type { PlatformMetricValues } from './platform.js';
import { readVersion } from './version.js';

interface GatewayMetricValues {
  requests: RequestCounts;
  executions: Readonly<ExecutionCounts>;
  platform: PlatformMetricValues;
  websockets: number;
  streams: number;
  subscriptions: SubscriptionCounts;
  /** Undefined without tracing. */
  spans: ExportCounts | undefined;
  /** Undefined without TLS. */
  certificateExpiresAtMs: number | undefined;
}

const breakerStates: Readonly<Record<BreakerState, number>> = { closed: 0, halfOpen: 1, open: 2 };

export async function combineFamilies(
  processes: readonly (readonly MetricFamily[])[],
): Promise<MetricFamily[]> {
  // prom-client declares the type of a metric as a number, but exports its name.
  return (await toRegistry(processes).getMetricsAsJSON()) as unknown as MetricFamily[];
}

function toRegistry(processes: readonly (readonly MetricFamily[])[]) {
  return AggregatorRegistry.aggregate([...processes]);
}

function toGatewayFamilies({
  requests,
  executions,
  platform,
  websockets,
  streams,
  subscriptions,
  spans,
  certificateExpiresAtMs,
}: GatewayMetricValues): MetricFamily[] {
  const { callMetrics, remainingTokenRequests, breakerStates: breakers, cache, cacheUsage } = platform;
  return [
    toLabelledFamily(table.httpRequests, requests.statuses),
    toHistogramFamily(table.operationDuration, requests.operations),
    toLabelledFamily(table.operations, Object.entries(executions)),
    toLabelledFamily(table.operationsRefused, requests.refusals),
    toLabelledFamily(table.operationErrors, requests.errors),
    toFamily(
      table.restCalls,
      callMetrics
        .counts()
        .map(({ endpoint, outcome, count }) => ({ labels: { endpoint, outcome }, value: count })),
    ),
    toHistogramFamily(table.restCallDuration, callMetrics.durations()),
    toSingleValueFamily(table.tokenRequests, callMetrics.tokenRequests()),
    toSingleValueFamily(table.tokenRequestsLeft, remainingTokenRequests),
    toLabelledFamily(
      table.breakerState,
      breakers.map(([name, state]) => [name, breakerStates[state]]),
    ),
    toLabelledFamily(table.cacheReads, Object.entries(cache)),
    toSingleValueFamily(table.cacheEntries, cacheUsage.entries),
    toSingleValueFamily(table.cacheBytes, cacheUsage.bytes),
    toSingleValueFamily(table.websockets, websockets),
    toSingleValueFamily(table.streams, streams),
    ...toSubscriptionFamilies(subscriptions),
    toFamily(
      table.polls,
      platform.polls.map(({ kind, outcome, count }) => ({ labels: { kind, outcome }, value: count })),
    ),
    toLabelledFamily(table.pollLag, platform.pollLagSeconds),
    toLabelledFamily(table.spans, Object.entries(spans ?? {})),
    toSingleValueFamily(
      table.certificateExpiry,
      certificateExpiresAtMs === undefined ? undefined : certificateExpiresAtMs / 1000,
    ),
  ];
}

function toCoordinatorFamilies({ cacheSharing, processCount }: Coordinator): MetricFamily[] {
  const { redis } = cacheSharing;
  const counts = redis?.counts();
  return [
    toSingleValueFamily(table.redisConnected, redis && Number(redis.isConnected())),
    toSingleValueFamily(table.redisRefusals, counts?.refusals),
    toSingleValueFamily(table.redisDisconnects, counts?.disconnects),
    toSingleValueFamily(table.workers, 1),
    toSingleValueFamily(table.workersConfigured, processCount),
  ];
}

function toSubscriptionFamilies(counts: SubscriptionCounts): MetricFamily[] {
  return [
    toLabelledFamily(table.subscriptions, counts.open),
    toLabelledFamily(table.subscriptionDeliveries, counts.deliveries),
    toHistogramFamily(table.subscriptionDelay, counts.delays),
    toSingleValueFamily(table.subscriptionResumes, counts.resumes),
    toLabelledFamily(table.subscriptionsEnded, counts.ended),
  ];
}

export function toWorkerExitsFamily(count: number): MetricFamily {
  return toSingleValueFamily(table.workersEnded, count);
}

/** Interval of the measuring timer. A shorter delay is not visible. */
const EVENT_LOOP_RESOLUTION_MS = 20;

export function createProcessMetrics() {
  const maxDescriptors = readMaxDescriptors();
  const build = { version: readVersion(), node: process.versions.node };
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  return {
    /** The delay of the event loop covers the time since the last call. */
    collect(): MetricFamily[] {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const eventLoopDelay = toLabelledFamily(table.eventLoopDelay, readEventLoopDelay(delay));
      delay.reset();
      return [
        eventLoopDelay,
        toSingleValueFamily(table.logLinesDropped, countDroppedLines()),
        toSingleValueFamily(table.residentMemory, rss),
        toSingleValueFamily(table.heapUsed, heapUsed),
        toSingleValueFamily(table.cpu, (user + system) / 1e6),
        toFamily(table.buildInfo, [{ labels: build, value: 1 }]),
        toSingleValueFamily(table.startTime, performance.timeOrigin / 1000),
        toSingleValueFamily(table.openDescriptors, countOpenDescriptors()),
        toSingleValueFamily(table.maxDescriptors, maxDescriptors),
      ];
    },
    close: (): void => void delay.disable(),
  };
}

/** Undefined on systems other than Linux. */
function countOpenDescriptors(): number | undefined {
  try {
    // One of these descriptors is open to read the folder.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** Undefined on systems other than Linux, and without a limit. */
function readMaxDescriptors(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** The histogram measures the time between two ticks of its timer, so the timer's interval is subtracted. */
function readEventLoopDelay(delay: IntervalHistogram): [percentile: string, seconds: number][] {
  const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - EVENT_LOOP_RESOLUTION_MS / 1000);
  return [
    ['50', toSeconds(delay.percentile(50))],
    ['99', toSeconds(delay.percentile(99))],
    ['100', delay.count === 0 ? 0 : toSeconds(delay.max)],
  ];
}

function toFamily(metric: Metric, values: readonly MetricValue[]): MetricFamily {
  const { name, type, help, aggregator } = metric;
  return { name, type, help, aggregator, values };
}

/** Without a value the metric is absent. */
function toSingleValueFamily(metric: Metric, value: number | undefined): MetricFamily {
  return toFamily(metric, value === undefined ? [] : [{ labels: {}, value }]);
}

/** For a metric with one label. */
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
    values.flatMap(([labelValue, counts]) => toHistogramValues(metric.name, { [label]: labelValue }, counts)),
  );
}

/** Buckets are cumulative, as Prometheus expects. */
function toHistogramValues(
  name: string,
  labels: Readonly<Record<string, string>>,
  { buckets, count, sumSeconds }: DurationCounts,
): MetricValue[] {
  let cumulative = 0;
  const bounded = DURATION_BOUNDS.map((bound, index) => {
    cumulative += buckets[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: cumulative };
  });
  return [
    ...bounded,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

interface GatewayMetricsOptions {
  access: MetricsAccess;
  openSession: OpenSession;
  usesCallerCredentials: boolean;
  metricValues(): GatewayMetricValues;
  coordinator: Coordinator;
}

/** Creates the `/metrics` page: of this process, or the sum over all workers. It is undefined with METRICS=off. */
export function createGatewayMetrics(options: GatewayMetricsOptions) {
  const { access, coordinator } = options;
  const { metrics: shared } = coordinator;
  if (access === 'off') return { page: undefined, close() {} };
  const process = createProcessMetrics();
  const read = () => [
    ...toGatewayFamilies(options.metricValues()),
    ...toCoordinatorFamilies(coordinator),
    ...process.collect(),
  ];
  shared?.onRead(read);
  const render = async () => toRegistry([shared ? await shared.collect() : read()]).metrics();
  return { page: createMetricsPage({ ...options, access, render }), close: process.close };
}
