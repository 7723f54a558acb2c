/** Creates the `/metrics` page: of this process, or the sum over all workers. */
import {
  type AuthenticateAt,
  createMetricsPage,
  type MetricsAccess,
  type MetricsPage,
} from '../http/server/metricsPage.js';
import type { SharedMetrics } from './coordinator.js';
import {
  createProcessMetrics,
  type GatewayMetricValues,
  toExposition,
  toGatewayFamilies,
} from './metrics.js';

export interface GatewayMetricsOptions {
  access: MetricsAccess;
  authenticate: AuthenticateAt;
  metricValues(): GatewayMetricValues;
  /** The metrics of other workers; undefined if there are none. */
  shared: SharedMetrics | undefined;
}

export interface GatewayMetrics {
  /** Undefined with METRICS=off. */
  page: MetricsPage | undefined;
  close(): void;
}

export function createGatewayMetrics(options: GatewayMetricsOptions): GatewayMetrics {
  const { access, authenticate, shared } = options;
  if (access === 'off') return { page: undefined, close() {} };
  const process = createProcessMetrics();
  const read = () => [...toGatewayFamilies(options.metricValues()), ...process.collect()];
  shared?.onRead(read);
  const render = async () => toExposition(shared ? await shared.collect() : read());
  return { page: createMetricsPage({ access, authenticate, render }), close: process.close };
}
