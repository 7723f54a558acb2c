/** Creates the logger: one JSON line per message on standard error. Standard output is for the startup banner. */
import { destination, pino } from 'pino';
import type { LogLevel } from '../config/gatewaySettings.js';
import type { Logger } from '../lib/logger.js';

/** Every line contains the fields of `common`. */
export function createLogger(level: LogLevel, common: object | null = null): Logger {
  const serializers = { cause: pino.stdSerializers.err };
  const base = common as Record<string, unknown> | null;
  return pino({ level, serializers, base, timestamp: pino.stdTimeFunctions.isoTime }, destination(2));
}
