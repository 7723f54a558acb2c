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
  /** Lines of one message with different keys have separate limits. Default: all have the same key. */
  keyOf?(fields: object): string;
}

const DEFAULT_LIMIT: LogLimit = { lines: 20, windowMs: 10_000 };
/** Messages and keys beyond this number in one window share one count, because they may contain variable text. */
const MAX_MESSAGES = 200;

interface MessageCount {
  sinceMs: number;
  lines: number;
  leftOut: number;
}

/**
 * Writes a few lines per message and window, and omits further ones. The first line of the next window has the number of
 * omitted lines in `leftOut`.
 */
export function createLimitedLogger(logger: Logger, clock: Clock, limit: LogLimit = DEFAULT_LIMIT): Logger {
  const counts = new Map<string, MessageCount>();

  function countOf(key: string): MessageCount {
    const existing = counts.get(key);
    if (existing) return existing;
    if (counts.size >= MAX_MESSAGES && key !== '') {
      deleteEnded();
      if (counts.size >= MAX_MESSAGES) return countOf('');
    }
    const count: MessageCount = { sinceMs: clock.now(), lines: 0, leftOut: 0 };
    counts.set(key, count);
    return count;
  }

  /** Makes room for other messages. The shared count reports the omitted lines of those whose window has ended. */
  function deleteEnded(): void {
    const shared = countOf('');
    for (const [key, count] of counts) {
      if (count === shared || isWithinWindow(count)) continue;
      shared.leftOut += count.leftOut;
      counts.delete(key);
    }
  }

  /** A clock that was set back starts a new window. */
  function isWithinWindow({ sinceMs }: MessageCount): boolean {
    const ageMs = clock.now() - sinceMs;
    return ageMs >= 0 && ageMs < limit.windowMs;
  }

  const at = (level: keyof Logger) => (fields: object, message: string) => {
    const count = countOf(`${level} ${message} ${limit.keyOf?.(fields) ?? ''}`);
    const leftOut = count.leftOut;
    if (!isWithinWindow(count)) {
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
