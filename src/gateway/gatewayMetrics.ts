/** Creates the `/metrics` page: of this process, or the sum over all workers. */
import type { OpenSession } from '../http/auth/callerSession.js';
import { createMetricsPage, type MetricsAccess, type MetricsPage } from '../http/server/metricsPage.js';
import type { SharedMetrics } from './coordinator.js';
import {
  createProcessMetrics,
  type GatewayMetricValues,
  toExposition,
  toGatewayFamilies,
} from './metrics.js';

export interface GatewayMetricsOptions {
  access: MetricsAccess;
  openSession: OpenSession;
  usesCallerCredentials: boolean;
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
  const { access, shared } = options;
  if (access === 'off') return { page: undefined, close() {} };
  const process = createProcessMetrics();
  const read = () => [...toGatewayFamilies(options.metricValues()), ...process.collect()];
  shared?.onRead(read);
  const render = async () => toExposition(shared ? await shared.collect() : read());
  return { page: createMetricsPage({ ...options, access, render }), close: process.close };
}
