/** Brings the metrics of this process, or of all that serve together, to those who may read them. */
import {
  type AuthenticateAt,
  createMetricsPage,
  type MetricsAccess,
  type MetricsPage,
} from '../http/server/metricsPage.js';
import { combineFamilies, toExposition } from '../lib/metricFamily.js';
import { createProcessMetrics, type GatewayMetricValues, toGatewayFamilies } from './metrics.js';
import type { Peers } from './peers.js';

export interface GatewayMetricsOptions {
  access: MetricsAccess;
  authenticate: AuthenticateAt;
  metricValues(): GatewayMetricValues;
  peers: Peers | undefined;
}

export interface GatewayMetrics {
  /** Undefined where nobody may read them. */
  page: MetricsPage | undefined;
  close(): void;
}

export function createGatewayMetrics(options: GatewayMetricsOptions): GatewayMetrics {
  const { access, authenticate, peers } = options;
  if (access === 'off') return { page: undefined, close() {} };
  const own = createProcessMetrics();
  const read = () => [...toGatewayFamilies(options.metricValues()), ...own.collect()];
  peers?.metrics.onRead(read);
  const render = async () => toExposition(peers ? await peers.metrics.collect() : combineFamilies([read()]));
  return { page: createMetricsPage({ access, authenticate, render }), close: own.close };
}
