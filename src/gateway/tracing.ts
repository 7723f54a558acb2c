/** Connects tracing with the gateway: starts it where it is set up, and names the traces in the log. */
import type { Logger } from '../lib/logger.js';
import type { Tracing, TracingSettings } from '../tracing/tracing.js';

interface TracedGateway {
  /** Absent: no tracing. */
  tracing?: TracingSettings | undefined;
  platform: { url: string };
  logger: Logger;
}

/** Loaded on demand: a gateway without tracing stays small. */
export async function startTracing({
  tracing,
  platform,
  logger,
}: TracedGateway): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { Tracing } = await import('../tracing/tracing.js');
  const onFailure = (reason: string) => logger.warn({ reason }, 'Exporting spans failed');
  return new Tracing({ settings: tracing, platformUrl: platform.url, onFailure });
}

/** Adds `trace_id` to the lines of requests that are traced. */
export function withTraceIds(logger: Logger, traceIdOf: (requestId: unknown) => string | undefined): Logger {
  const at = (level: keyof Logger) => (fields: object, message: string) => {
    const { requestId } = fields as { requestId?: unknown };
    const traceId = traceIdOf(requestId);
    logger[level](traceId === undefined ? fields : { trace_id: traceId, ...fields }, message);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
