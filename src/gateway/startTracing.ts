/** Starts tracing if it is configured. */
import type { Tracing } from '../tracing/tracing.js';
import type { GatewayOptions } from './gatewayOptions.js';

/** Loaded on demand: a gateway without tracing stays small. */
export async function startTracing({
  tracing,
  platform,
  logger,
}: GatewayOptions): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { Tracing } = await import('../tracing/tracing.js');
  const onFailure = (reason: string) => logger.warn({ reason }, 'Exporting spans failed');
  return new Tracing({ settings: tracing, platformUrl: platform.url, onFailure });
}
