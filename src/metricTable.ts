/** Every metric of `/metrics`: its name, what it counts, and how those of several processes are added up. */
import type { MetricFamily } from './lib/metricFamily.js';

export interface Metric extends Omit<MetricFamily, 'samples'> {
  labels: readonly string[];
}

export const metricTable = {
  httpRequests: {
    name: 'fieldgraph_http_requests_total',
    type: 'counter',
    labels: ['status'],
    help: 'HTTP requests that are over, by class of status; 4xx where the caller left before.',
    together: 'sum',
  },
  operationDuration: {
    name: 'fieldgraph_operation_duration_seconds',
    type: 'histogram',
    labels: ['answer'],
    help: 'Operations over HTTP, from their arrival to the end of their answer, by how it was come by.',
    together: 'sum',
  },
  operationsRefused: {
    name: 'fieldgraph_operations_refused_total',
    type: 'counter',
    labels: ['code'],
    help: 'Operations over HTTP and websockets that were turned away before anything of them ran, by error code.',
    together: 'sum',
  },
  restCalls: {
    name: 'fieldgraph_rest_calls_total',
    type: 'counter',
    labels: ['endpoint', 'outcome'],
    help: 'Calls made to the platform, retries included, by endpoint and class of status, or why there was none.',
    together: 'sum',
  },
  restCallDuration: {
    name: 'fieldgraph_rest_call_duration_seconds',
    type: 'histogram',
    labels: ['family'],
    help: 'How long those calls took, by family of endpoints.',
    together: 'sum',
  },
  tokenRequests: {
    name: 'fieldgraph_token_requests_total',
    type: 'counter',
    labels: [],
    help: 'Tokens asked for.',
    together: 'sum',
  },
  tokenRequestsLeft: {
    name: 'fieldgraph_token_requests_left',
    type: 'gauge',
    labels: [],
    help: 'Token requests left of 15 in 15 minutes; absent where callers bring their own credentials.',
    together: 'min',
  },
  breakerState: {
    name: 'fieldgraph_breaker_state',
    type: 'gauge',
    labels: ['family'],
    help: 'Circuit breakers by family of endpoints: 0 closed, 1 half open, 2 open; the worst of all processes.',
    together: 'max',
  },
  cacheAnswers: {
    name: 'fieldgraph_cache_answers_total',
    type: 'counter',
    labels: ['origin'],
    help: 'What sources asked the cache for, by where it came from.',
    together: 'sum',
  },
  cacheEntries: {
    name: 'fieldgraph_cache_entries',
    type: 'gauge',
    labels: [],
    help: 'Answers of the platform kept in memory.',
    together: 'sum',
  },
  cacheBytes: {
    name: 'fieldgraph_cache_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory that they take, by the estimate that its bound is kept by.',
    together: 'sum',
  },
  websockets: {
    name: 'fieldgraph_websocket_connections',
    type: 'gauge',
    labels: [],
    help: 'Open websockets.',
    together: 'sum',
  },
  subscriptions: {
    name: 'fieldgraph_subscriptions',
    type: 'gauge',
    labels: [],
    help: 'Subscriptions that listen for samples.',
    together: 'sum',
  },
  workers: {
    name: 'fieldgraph_workers',
    type: 'gauge',
    labels: [],
    help: 'Processes that serve.',
    together: 'sum',
  },
  workersEnded: {
    name: 'fieldgraph_workers_ended_total',
    type: 'counter',
    labels: [],
    help: 'Workers that ended unasked; absent with WORKERS=1.',
    together: 'sum',
  },
  eventLoopDelay: {
    name: 'fieldgraph_event_loop_delay_seconds',
    type: 'gauge',
    labels: ['quantile'],
    help: 'How late the event loop was since this was last read; the worst of all processes.',
    together: 'max',
  },
  residentMemory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory of all processes.',
    together: 'sum',
  },
  heapUsed: {
    name: 'nodejs_heap_used_bytes',
    type: 'gauge',
    labels: [],
    help: 'Of it, what JavaScript uses.',
    together: 'sum',
  },
  cpu: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Processor time of all processes.',
    together: 'sum',
  },
} as const satisfies Readonly<Record<string, Metric>>;
