/** Every metric of `/metrics`: its name, what it counts, and how those of several processes are added up. */
import type { MetricFamily } from '../lib/metricFamily.js';

export interface Metric extends Omit<MetricFamily, 'samples'> {
  labels: readonly string[];
}

export const metricTable = {
  httpRequests: {
    name: 'fieldgraph_http_requests_total',
    type: 'counter',
    labels: ['status'],
    help: 'HTTP requests by class of status; a client that disconnected early counts as 4xx.',
    aggregation: 'sum',
  },
  operationDuration: {
    name: 'fieldgraph_operation_duration_seconds',
    type: 'histogram',
    labels: ['answer'],
    help: 'Duration of operations over HTTP in seconds, from arrival to the end of the response, by source of the response.',
    aggregation: 'sum',
  },
  operationsRefused: {
    name: 'fieldgraph_operations_refused_total',
    type: 'counter',
    labels: ['code'],
    help: 'Operations over HTTP and websockets that were refused before they ran, by error code.',
    aggregation: 'sum',
  },
  restCalls: {
    name: 'fieldgraph_rest_calls_total',
    type: 'counter',
    labels: ['endpoint', 'outcome'],
    help: 'REST calls to the platform including retries, by endpoint and class of status or failure.',
    aggregation: 'sum',
  },
  restCallDuration: {
    name: 'fieldgraph_rest_call_duration_seconds',
    type: 'histogram',
    labels: ['family'],
    help: 'Duration of REST calls in seconds, by family of endpoints.',
    aggregation: 'sum',
  },
  tokenRequests: {
    name: 'fieldgraph_token_requests_total',
    type: 'counter',
    labels: [],
    help: 'Requests for a platform token.',
    aggregation: 'sum',
  },
  tokenRequestsLeft: {
    name: 'fieldgraph_token_requests_left',
    type: 'gauge',
    labels: [],
    help: 'Token requests left in the current window of 15 minutes; absent with CALLER_AUTH=platform.',
    aggregation: 'min',
  },
  breakerState: {
    name: 'fieldgraph_breaker_state',
    type: 'gauge',
    labels: ['family'],
    help: 'State of the circuit breaker of each family of endpoints: 0 closed, 1 half open, 2 open; the highest of all processes.',
    aggregation: 'max',
  },
  cacheAnswers: {
    name: 'fieldgraph_cache_answers_total',
    type: 'counter',
    labels: ['origin'],
    help: 'Reads of the REST cache, by origin of the value.',
    aggregation: 'sum',
  },
  cacheEntries: {
    name: 'fieldgraph_cache_entries',
    type: 'gauge',
    labels: [],
    help: 'Entries of the REST cache in memory.',
    aggregation: 'sum',
  },
  cacheBytes: {
    name: 'fieldgraph_cache_bytes',
    type: 'gauge',
    labels: [],
    help: 'Estimated memory of the REST cache in bytes.',
    aggregation: 'sum',
  },
  websockets: {
    name: 'fieldgraph_websocket_connections',
    type: 'gauge',
    labels: [],
    help: 'Open websocket connections.',
    aggregation: 'sum',
  },
  subscriptions: {
    name: 'fieldgraph_subscriptions',
    type: 'gauge',
    labels: [],
    help: 'Subscriptions that wait for samples.',
    aggregation: 'sum',
  },
  workers: {
    name: 'fieldgraph_workers',
    type: 'gauge',
    labels: [],
    help: 'Processes that serve requests.',
    aggregation: 'sum',
  },
  workersEnded: {
    name: 'fieldgraph_workers_ended_total',
    type: 'counter',
    labels: [],
    help: 'Workers that ended unexpectedly; absent with WORKERS=1.',
    aggregation: 'sum',
  },
  eventLoopDelay: {
    name: 'fieldgraph_event_loop_delay_seconds',
    type: 'gauge',
    labels: ['percentile'],
    help: 'Event loop delay in seconds since the last scrape, by percentile; the highest of all processes.',
    aggregation: 'max',
  },
  residentMemory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Resident memory of all processes in bytes.',
    aggregation: 'sum',
  },
  heapUsed: {
    name: 'nodejs_heap_used_bytes',
    type: 'gauge',
    labels: [],
    help: 'JavaScript heap in use in bytes, of all processes.',
    aggregation: 'sum',
  },
  cpu: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    labels: [],
    help: 'CPU time of all processes in seconds.',
    aggregation: 'sum',
  },
} as const satisfies Readonly<Record<string, Metric>>;
