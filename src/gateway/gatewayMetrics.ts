/** Brings the metrics of this process, or of all that serve together, to those who may read them. */
import type { OpenSession } from '../http/auth/callerSession.js';
import { createMetricsPage, type MetricsAccess, type MetricsPage } from '../http/server/metricsPage.js';
import { combineFamilies, toExposition } from '../lib/metricFamily.js';
import { createProcessMetrics, type GatewayMetricValues, toGatewayFamilies } from './metrics.js';
import type { Peers } from './peers.js';

export interface GatewayMetricsOptions {
  access: MetricsAccess;
  openSession: OpenSession;
  usesCallerCredentials: boolean;
  metricValues(): GatewayMetricValues;
  peers: Peers | undefined;
}

export interface GatewayMetrics {
  /** Undefined where nobody may read them. */
  page: MetricsPage | undefined;
  close(): void;
}

export function createGatewayMetrics(options: GatewayMetricsOptions): GatewayMetrics {
  const { access, peers } = options;
  if (access === 'off') return { page: undefined, close() {} };
  const own = createProcessMetrics();
  const read = () => [...toGatewayFamilies(options.metricValues()), ...own.collect()];
  peers?.metrics.onRead(read);
  const render = async () => toExposition(peers ? await peers.metrics.collect() : combineFamilies([read()]));
  return { page: createMetricsPage({ ...options, access, render }), close: own.close };
}
