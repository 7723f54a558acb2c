/** Where log lines go: to standard error, a JSON line each, since standard output is for whoever started the process. */
import { destination, pino } from 'pino';
import type { LogLevel } from '../config/gatewaySettings.js';
import type { Logger } from '../lib/logger.js';

/** Each line bears the fields of `common`. */
export function createLogger(level: LogLevel, common: object | null = null): Logger {
  const serializers = { cause: pino.stdSerializers.err };
  const base = common as Record<string, unknown> | null;
  return pino({ level, serializers, base, timestamp: pino.stdTimeFunctions.isoTime }, destination(2));
}
