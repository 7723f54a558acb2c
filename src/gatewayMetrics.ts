/** Brings the metrics of this process, or of all that serve together, to those who may read them. */
import {
  type AuthenticateAt,
  createMetricsPage,
  type MetricsAccess,
  type MetricsPage,
} from './http/metricsPage.js';
import { combineFamilies, toExposition } from './lib/metricFamily.js';
import { createProcessMetrics, type GatewayReadings, toGatewayFamilies } from './metrics.js';
import type { Siblings } from './siblings.js';

export interface GatewayMetricsOptions {
  access: MetricsAccess;
  authenticate: AuthenticateAt;
  read(): GatewayReadings;
  siblings: Siblings | undefined;
}

export interface GatewayMetrics {
  /** Undefined where nobody may read them. */
  page: MetricsPage | undefined;
  close(): void;
}

export function createGatewayMetrics(options: GatewayMetricsOptions): GatewayMetrics {
  const { access, authenticate, siblings } = options;
  if (access === 'off') return { page: undefined, close() {} };
  const own = createProcessMetrics();
  const read = () => [...toGatewayFamilies(options.read()), ...own.read()];
  siblings?.metrics.onRead(read);
  const write = async () =>
    toExposition(siblings ? await siblings.metrics.collect() : combineFamilies([read()]));
  return { page: createMetricsPage({ access, authenticate, write }), close: own.close };
}
