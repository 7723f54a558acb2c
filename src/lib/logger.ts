/**
 * The logging port, and a limit for the log lines that callers can cause. Only the composition root knows which library
 * implements the port.
 */
import type { Clock } from './clock.js';

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The lowest level that is logged. */
export type LogLevel = keyof Logger | 'silent';

/** Discards everything; for tests and tools. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

interface LogLimit {
  /** Lines of one level and message per window. */
  lines: number;
  windowMs: number;
}

const DEFAULT_LIMIT: LogLimit = { lines: 20, windowMs: 10_000 };
/** Messages beyond this number share one count, because a message may contain variable text. */
const MAX_MESSAGES = 200;

interface MessageCount {
  sinceMs: number;
  lines: number;
  leftOut: number;
}

/** Omits lines beyond the limit: a few lines per message and window, then a count of the omitted ones. The first line of the next window has their number in `leftOut`. */
export function createLimitedLogger(logger: Logger, clock: Clock, limit: LogLimit = DEFAULT_LIMIT): Logger {
  const counts = new Map<string, MessageCount>();

  function countOf(key: string): MessageCount {
    const existing = counts.get(key);
    if (existing) return existing;
    if (counts.size >= MAX_MESSAGES && key !== '') return countOf('');
    const count: MessageCount = { sinceMs: clock.now(), lines: 0, leftOut: 0 };
    counts.set(key, count);
    return count;
  }

  const at = (level: keyof Logger) => (fields: object, message: string) => {
    const count = countOf(`${level} ${message}`);
    const ageMs = clock.now() - count.sinceMs;
    const leftOut = count.leftOut;
    // A clock that was set back starts a new window.
    if (ageMs < 0 || ageMs >= limit.windowMs) {
      Object.assign(count, { sinceMs: clock.now(), lines: 0, leftOut: 0 });
    }
    if (count.lines >= limit.lines) {
      count.leftOut += 1;
      return;
    }
    count.lines += 1;
    const isFirst = count.lines === 1 && leftOut > 0;
    logger[level](isFirst ? { ...fields, leftOut } : fields, message);
  };

  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
