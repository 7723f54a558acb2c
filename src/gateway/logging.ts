/** Creates the logger: one JSON line per message on standard error. Standard output has the startup banner, or one line off a terminal. */
import { pino } from 'pino';
import { AccessLog } from '../http/requests/accessLog.js';
import type { Clock } from '../lib/clock.js';
import { createLimitedLogger, type Logger, type LogLevel } from '../lib/logger.js';
import { LogDestination } from './logDestination.js';

let standardError: LogDestination | undefined;

/** Every line contains the fields of `common`. */
export function createLogger(level: LogLevel, common: object | null = null): Logger {
  const serializers = { cause: pino.stdSerializers.err };
  const base = common as Record<string, unknown> | null;
  const formatters = { level: (name: string) => ({ level: name }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, serializers, formatters, base, timestamp }, openStandardError());
}

/** One for all loggers of the process. */
function openStandardError(): LogDestination {
  if (standardError !== undefined) return standardError;
  // Node makes a pipe non-blocking when its stream is created. A write to a blocking pipe without a reader would never end.
  void process.stderr;
  const opened = new LogDestination(2);
  process.once('exit', () => opened.flush());
  standardError = opened;
  return opened;
}

/** Limit of the access log: many more lines in ten seconds than of other messages that callers cause. */
const ACCESS_LIMIT = { lines: 10_000, windowMs: 10_000 };

export interface AccessLogSettings {
  /** Part of the operations that get a line in the log, from 0 (the default) to 1. */
  accessLog?: number | undefined;
  /** Milliseconds from which an operation gets a warning in the log. 0, the default: none does. */
  slowOperationMs?: number | undefined;
}

export function createAccessLog(settings: AccessLogSettings & { logger: Logger; clock: Clock }): AccessLog {
  const { accessLog: part = 0, slowOperationMs: slowMs = 0, clock } = settings;
  return new AccessLog({ part, slowMs, logger: createLimitedLogger(settings.logger, clock, ACCESS_LIMIT) });
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
