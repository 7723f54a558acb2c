/** Every metric of `/metrics`: name, type, labels, help, and how prom-client aggregates the values of several processes. */

/** A metric with its values as prom-client's registries export it: plain data that one process can send to another. */
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
  /** Differs from the family's name in the parts of a histogram. */
  metricName?: string;
}

export interface Metric extends Omit<MetricFamily, 'values'> {
  labels: readonly string[];
}

export const metricTable = {
  httpRequests: {
    name: 'fieldgraph_http_requests_total',
    type: 'counter',
    labels: ['status'],
    help: 'HTTP requests by class of status; a client that disconnected early counts as 4xx.',
    aggregator: 'sum',
  },
  operationDuration: {
    name: 'fieldgraph_operation_duration_seconds',
    type: 'histogram',
    labels: ['answer'],
    help: 'Duration of operations over HTTP in seconds, from arrival to the end of the response, by source of the response.',
    aggregator: 'sum',
  },
  operationsRefused: {
    name: 'fieldgraph_operations_refused_total',
    type: 'counter',
    labels: ['code'],
    help: 'Operations over HTTP and websockets that were refused before they ran, by error code.',
    aggregator: 'sum',
  },
  restCalls: {
    name: 'fieldgraph_rest_calls_total',
    type: 'counter',
    labels: ['endpoint', 'outcome'],
    help: 'REST calls to the platform including retries, by endpoint and class of status or failure.',
    aggregator: 'sum',
  },
  restCallDuration: {
    name: 'fieldgraph_rest_call_duration_seconds',
    type: 'histogram',
    labels: ['family'],
    help: 'Duration of REST calls in seconds, by family of endpoints.',
    aggregator: 'sum',
  },
  tokenRequests: {
    name: 'fieldgraph_token_requests_total',
    type: 'counter',
    labels: [],
    help: 'Requests for a platform token.',
    aggregator: 'sum',
  },
  tokenRequestsLeft: {
    name: 'fieldgraph_token_requests_left',
    type: 'gauge',
    labels: [],
    help: 'Token requests left in the current window of 15 minutes; absent with CALLER_AUTH=platform.',
    aggregator: 'min',
  },
  breakerState: {
    name: 'fieldgraph_breaker_state',
    type: 'gauge',
    labels: ['family'],
    help: 'State of the circuit breaker of each family of endpoints: 0 closed, 1 half open, 2 open; the highest of all processes.',
    aggregator: 'max',
  },
  cacheAnswers: {
    name: 'fieldgraph_cache_answers_total',
    type: 'counter',
    labels: ['origin'],
    help: 'Reads of the REST cache, by origin of the value.',
    aggregator: 'sum',
  },
  cacheEntries: {
    name: 'fieldgraph_cache_entries',
    type: 'gauge',
    labels: [],
    help: 'Entries of the REST cache in memory.',
    aggregator: 'sum',
  },
  cacheBytes: {
    name: 'fieldgraph_cache_bytes',
    type: 'gauge',
    labels: [],
    help: 'Estimated memory of the REST cache in bytes.',
    aggregator: 'sum',
  },
  websockets: {
    name: 'fieldgraph_websocket_connections',
    type: 'gauge',
    labels: [],
    help: 'Open websocket connections.',
    aggregator: 'sum',
  },
  streams: {
    name: 'fieldgraph_stream_connections',
    type: 'gauge',
    labels: [],
    help: 'Open streams over HTTP, and reservations of single connection mode.',
    aggregator: 'sum',
  },
  subscriptions: {
    name: 'fieldgraph_subscriptions',
    type: 'gauge',
    labels: ['transport'],
    help: 'Open subscriptions, by transport.',
    aggregator: 'sum',
  },
  subscriptionDeliveries: {
    name: 'fieldgraph_subscription_deliveries_total',
    type: 'counter',
    labels: ['transport'],
    help: 'Events sent to subscribers, by transport.',
    aggregator: 'sum',
  },
  subscriptionDelay: {
    name: 'fieldgraph_subscription_delay_seconds',
    type: 'histogram',
    labels: ['transport'],
    help: 'Time from the poll that brought an event to its hand-over to the socket in seconds, by transport; events of the past are not counted.',
    aggregator: 'sum',
  },
  subscriptionResumes: {
    name: 'fieldgraph_subscription_resumes_total',
    type: 'counter',
    labels: [],
    help: 'Subscriptions that resumed behind a cursor.',
    aggregator: 'sum',
  },
  subscriptionsEnded: {
    name: 'fieldgraph_subscriptions_ended_total',
    type: 'counter',
    labels: ['code'],
    help: 'Subscriptions that the gateway ended early, by error code; SLOW_CONSUMER counts slow consumers.',
    aggregator: 'sum',
  },
  polls: {
    name: 'fieldgraph_polls_total',
    type: 'counter',
    labels: ['kind', 'outcome'],
    help: 'Polls for new samples, by kind of sample and outcome.',
    aggregator: 'sum',
  },
  pollLag: {
    name: 'fieldgraph_poll_lag_seconds',
    type: 'gauge',
    labels: ['kind'],
    help: 'Time since the last successful poll in seconds, by kind of sample; absent while it is not polled; the highest of all processes.',
    aggregator: 'max',
  },
  spans: {
    name: 'fieldgraph_trace_spans_total',
    type: 'counter',
    labels: ['outcome'],
    help: 'Spans of traces: exported to the collector, or dropped because the queue was full or the collector failed; absent without tracing.',
    aggregator: 'sum',
  },
  workers: {
    name: 'fieldgraph_workers',
    type: 'gauge',
    labels: [],
    help: 'Processes that serve requests.',
    aggregator: 'sum',
  },
  workersEnded: {
    name: 'fieldgraph_workers_ended_total',
    type: 'counter',
    labels: [],
    help: 'Workers that ended unexpectedly; absent with WORKERS=1.',
    aggregator: 'sum',
  },
  eventLoopDelay: {
    name: 'fieldgraph_event_loop_delay_seconds',
    type: 'gauge',
    labels: ['percentile'],
    help: 'Event loop delay in seconds since the last scrape, by percentile; the highest of all processes.',
    aggregator: 'max',
  },
  residentMemory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Resident memory of all processes in bytes.',
    aggregator: 'sum',
  },
  heapUsed: {
    name: 'nodejs_heap_used_bytes',
    type: 'gauge',
    labels: [],
    help: 'JavaScript heap in use in bytes, of all processes.',
    aggregator: 'sum',
  },
  cpu: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    labels: [],
    help: 'CPU time of all processes in seconds.',
    aggregator: 'sum',
  },
} as const satisfies Readonly<Record<string, Metric>>;
