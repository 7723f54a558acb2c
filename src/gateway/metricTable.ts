/** Every metric of `/metrics`: name, type, labels, help, and how prom-client aggregates the values of several processes. */

/**
 * A metric with its values, in the form that prom-client's registries export: plain data that one process can send
 * to another.
 */
export interface MetricFamily {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** How the values of several processes are combined. */
  aggregator: 'sum' | 'max' | 'min';
  values: readonly MetricValue[];
}

export interface MetricValue {
  labels: Readonly<Record<string, string>>;
  value: number;
  /** Differs from the family's name for the series of a histogram (`_bucket`, `_sum`, `_count`). */
  metricName?: string;
}

export interface Metric extends Omit<MetricFamily, 'values'> {
  labels: readonly string[];
}

/** Values of several processes are added. */
function counter(name: string, help: string, labels: readonly string[] = []): Metric {
  return { name, type: 'counter', labels, help, aggregator: 'sum' };
}

function gauge(
  name: string,
  help: string,
  { labels = [], aggregator = 'sum' }: Partial<Pick<Metric, 'labels' | 'aggregator'>> = {},
): Metric {
  return { name, type: 'gauge', labels, help, aggregator };
}

function histogram(name: string, help: string, labels: readonly string[]): Metric {
  return { name, type: 'histogram', labels, help, aggregator: 'sum' };
}

export const metricTable = {
  httpRequests: counter(
    'fieldgraph_http_requests_total',
    'HTTP requests by status class, except for /healthz, /readyz and /metrics; a client that disconnected early counts as 4xx.',
    ['status'],
  ),
  operationDuration: histogram(
    'fieldgraph_operation_duration_seconds',
    'Duration of operations over HTTP in seconds, from arrival until the response ends or the client disconnects, by source of the response.',
    ['response'],
  ),
  operations: gauge(
    'fieldgraph_operations',
    'Queries and mutations by state: executing, or waiting until others have ended.',
    { labels: ['state'] },
  ),
  operationsRefused: counter(
    'fieldgraph_operations_refused_total',
    'Operations and websockets that were refused because of a limit or a credential, by error code; invalid documents and missing scopes are not counted.',
    ['code'],
  ),
  operationErrors: counter(
    'fieldgraph_operation_errors_total',
    'Results of operations that contain errors, by error code; a result with several codes counts once for each.',
    ['code'],
  ),
  restCalls: counter(
    'fieldgraph_rest_calls_total',
    'REST calls to the platform, including retries, by endpoint and by status class or kind of failure.',
    ['endpoint', 'outcome'],
  ),
  restCallDuration: histogram(
    'fieldgraph_rest_call_duration_seconds',
    'Duration of REST calls in seconds, by family of endpoints.',
    ['family'],
  ),
  tokenRequests: counter('fieldgraph_token_requests_total', 'Requests for a platform token.'),
  tokenRequestsLeft: gauge(
    'fieldgraph_token_requests_left',
    'Token requests left in the current window of 15 minutes; 0 after a 429; absent with CALLER_AUTH=platform.',
    { aggregator: 'min' },
  ),
  breakerState: gauge(
    'fieldgraph_breaker_state',
    'State of the circuit breaker of each family of endpoints: 0 closed, 1 half open, 2 open; the highest of all processes.',
    { labels: ['family'], aggregator: 'max' },
  ),
  cacheReads: counter(
    'fieldgraph_cache_reads_total',
    'Reads of the REST cache by origin of the value; stale values are being renewed, overdue values should already have been renewed.',
    ['origin'],
  ),
  cacheEntries: gauge('fieldgraph_cache_entries', 'Entries of the REST cache in memory.'),
  cacheBytes: gauge('fieldgraph_cache_bytes', 'Estimated memory of the REST cache in bytes.'),
  websockets: gauge('fieldgraph_websocket_connections', 'Open websocket connections.'),
  streams: gauge(
    'fieldgraph_stream_connections',
    'Open streams over HTTP, and reservations of single connection mode.',
  ),
  subscriptions: gauge('fieldgraph_subscriptions', 'Open subscriptions, by transport.', {
    labels: ['transport'],
  }),
  subscriptionDeliveries: counter(
    'fieldgraph_subscription_deliveries_total',
    'Events sent to subscribers, by transport.',
    ['transport'],
  ),
  subscriptionDelay: histogram(
    'fieldgraph_subscription_delay_seconds',
    'Seconds from the poll that returned an event until it is written to the socket, by transport; replayed events are not counted.',
    ['transport'],
  ),
  subscriptionResumes: counter(
    'fieldgraph_subscription_resumes_total',
    'Subscriptions that resumed from a cursor.',
  ),
  subscriptionsEnded: counter(
    'fieldgraph_subscriptions_ended_total',
    'Subscriptions that the gateway ended early, by error code, for example SLOW_CONSUMER.',
    ['code'],
  ),
  polls: counter('fieldgraph_polls_total', 'Polls for new samples, by kind of sample and outcome.', [
    'kind',
    'outcome',
  ]),
  pollLag: gauge(
    'fieldgraph_poll_lag_seconds',
    'Seconds since the last successful poll, by kind of sample; absent for kinds that are not polled; the highest of all processes.',
    { labels: ['kind'], aggregator: 'max' },
  ),
  spans: counter(
    'fieldgraph_trace_spans_total',
    'Spans of traces: exported to the collector, or dropped because the queue was full or the collector failed; absent without tracing.',
    ['outcome'],
  ),
  logLinesDropped: counter(
    'fieldgraph_log_lines_dropped_total',
    'Log lines that standard error did not accept, for example because the disk is full.',
  ),
  redisConnected: gauge(
    'fieldgraph_redis_connected',
    'Whether the gateway is connected to Redis: 1 connected, 0 not connected; absent without REDIS_URL; the lowest of all processes.',
    { aggregator: 'min' },
  ),
  redisRefusals: counter(
    'fieldgraph_redis_refusals_total',
    'Commands that Redis refused, for example because it is full; absent without REDIS_URL.',
  ),
  redisDisconnects: counter(
    'fieldgraph_redis_disconnects_total',
    'Connections to Redis that were lost, or closed because Redis was too slow; absent without REDIS_URL.',
  ),
  certificateExpiry: gauge(
    'fieldgraph_tls_certificate_expiry_timestamp_seconds',
    'Expiry of the TLS certificate in use, in seconds since 1970; absent without TLS_CERT_FILE; the earliest of all processes.',
    { aggregator: 'min' },
  ),
  workers: gauge('fieldgraph_workers', 'Processes that serve requests.'),
  workersConfigured: gauge(
    'fieldgraph_workers_configured',
    'Processes that should serve requests, according to WORKERS.',
    { aggregator: 'max' },
  ),
  workersEnded: counter(
    'fieldgraph_workers_ended_total',
    'Workers that ended unexpectedly; absent with WORKERS=1.',
  ),
  eventLoopDelay: gauge(
    'fieldgraph_event_loop_delay_seconds',
    'Event loop delay in seconds since the last scrape, by percentile; the highest of all processes.',
    { labels: ['percentile'], aggregator: 'max' },
  ),
  buildInfo: gauge(
    'fieldgraph_build_info',
    'Always 1; the labels are the versions of the gateway and of Node.js.',
    { labels: ['version', 'node'], aggregator: 'max' },
  ),
  startTime: gauge(
    'process_start_time_seconds',
    'Start of the gateway in seconds since 1970; with several workers, the start of the primary.',
    { aggregator: 'min' },
  ),
  openDescriptors: gauge(
    'process_open_fds',
    'Open file descriptors of the process that has the most; Linux only.',
    { aggregator: 'max' },
  ),
  maxDescriptors: gauge(
    'process_max_fds',
    'Maximum number of open file descriptors per process; Linux only.',
    { aggregator: 'min' },
  ),
  residentMemory: gauge('process_resident_memory_bytes', 'Resident memory of all processes in bytes.'),
  heapUsed: gauge('nodejs_heap_used_bytes', 'JavaScript heap in use in bytes, of all processes.'),
  cpu: counter('process_cpu_seconds_total', 'CPU time of all processes in seconds.'),
};
