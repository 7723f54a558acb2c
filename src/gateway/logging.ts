/** Creates the logger: one JSON line per message on standard error. Standard output is for the startup banner. */
import { write, writeSync } from 'node:fs';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { pino } from 'pino';
import type { Logger, LogLevel } from '../lib/logger.js';

let standardError: LogDestination | undefined;

/** Every line contains the fields of `common`. */
export function createLogger(level: LogLevel, common: object | null = null): Logger {
  const serializers = { cause: pino.stdSerializers.err };
  const base = common as Record<string, unknown> | null;
  const formatters = { level: (name: string) => ({ level: name }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, serializers, formatters, base, timestamp }, openStandardError());
}

/** The destination that all loggers of the process share. */
function openStandardError(): LogDestination {
  if (standardError !== undefined) return standardError;
  // Node makes a pipe non-blocking when its stream is created. A write to a blocking pipe that nobody reads would
  // never return.
  void process.stderr;
  const opened = new LogDestination(2);
  process.once('exit', () => opened.flush());
  standardError = opened;
  return opened;
}

/**
 * Waits until the lines so far are written, for half a second at most. Call it before an orderly exit: the lines that the
 * exit itself writes could otherwise overtake those that are being written.
 */
export async function finishLog(): Promise<void> {
  await standardError?.untilIdle();
}

/** The number of lines of this process that standard error has not accepted. */
export function countDroppedLines(): number {
  return standardError?.droppedLines ?? 0;
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

interface LogDestinationOptions {
  /** Maximum bytes of lines that wait to be written. Further lines are dropped. */
  maxBytes?: number;
  /** At exit, writing to a descriptor that temporarily accepts nothing is retried for this many milliseconds. */
  maxFlushMs?: number;
}

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FLUSH_MS = 500;
const RETRY_MS = 100;
const FLUSH_RETRY_MS = 10;
const LINE_FEED = 10;
/** JSON does not escape these characters. Callers can send them, and they change how a terminal shows a line. */
const TERMINAL_CHARACTERS = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
const escapeCharacter = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Writes log lines in the background. Lines that can't be written are dropped and counted: a log never stops the
 * process.
 */
export class LogDestination {
  readonly #fd: number;
  readonly #maxBytes: number;
  readonly #maxFlushMs: number;
  /** The bytes that the last write did not accept. They are written before the lines. */
  #unwritten: Uint8Array = Buffer.alloc(0);
  #lines: string[] = [];
  /** Waiting bytes, including those that are being written. */
  #bytes = 0;
  /** True while a write is in flight or the descriptor temporarily accepts nothing. */
  #isBusy = false;
  #droppedLines = 0;

  constructor(fd: number, { maxBytes = MAX_BYTES, maxFlushMs = MAX_FLUSH_MS }: LogDestinationOptions = {}) {
    this.#fd = fd;
    this.#maxBytes = maxBytes;
    this.#maxFlushMs = maxFlushMs;
  }

  /** Lines that did not fit into `maxBytes`, or whose write failed. A line that was written in part counts. */
  get droppedLines(): number {
    return this.#droppedLines;
  }

  write(text: string): void {
    const line = text.replace(TERMINAL_CHARACTERS, escapeCharacter);
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#maxBytes) {
      this.#droppedLines += 1;
      return;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    if (!this.#isBusy) this.#writeWaiting();
  }

  /** Resolves when nothing is being written, or after `maxFlushMs`. */
  async untilIdle(): Promise<void> {
    const endMs = performance.now() + this.#maxFlushMs;
    while (this.#isBusy && performance.now() < endMs) await sleepFor(1);
  }

  /** Writes the waiting lines synchronously, when the process exits. */
  flush(): void {
    const chunk = this.#takeWaiting();
    const endMs = performance.now() + this.#maxFlushMs;
    let offset = 0;
    while (offset < chunk.length) {
      try {
        offset += writeSync(this.#fd, chunk, offset);
      } catch (error) {
        if (!isTemporary(error) || performance.now() >= endMs) break;
        sleep(FLUSH_RETRY_MS);
      }
    }
    this.#droppedLines += countLines(chunk.subarray(offset));
    this.#bytes -= chunk.length;
  }

  #takeWaiting(): Uint8Array {
    const chunk = Buffer.concat([this.#unwritten, Buffer.from(this.#lines.join(''))]);
    this.#unwritten = Buffer.alloc(0);
    this.#lines = [];
    return chunk;
  }

  #writeWaiting(): void {
    const chunk = this.#takeWaiting();
    this.#isBusy = chunk.length > 0;
    if (chunk.length === 0) return;
    write(this.#fd, chunk, (error, written) => this.#onWritten(chunk, error, written));
  }

  #onWritten(chunk: Uint8Array, error: Error | null, written: number): void {
    const isRefused = error !== null && isTemporary(error);
    if (isRefused) this.#unwritten = chunk;
    else if (error === null) this.#unwritten = chunk.subarray(written);
    // After any other error, such as a full disk, these lines are lost, but later lines are still written.
    else this.#droppedLines += countLines(chunk);
    this.#bytes -= chunk.length - this.#unwritten.length;
    if (isRefused) setTimeout(() => this.#writeWaiting(), RETRY_MS).unref();
    else this.#writeWaiting();
  }
}

/** Whether the error only means that the reader of a pipe is slow. */
function isTemporary(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}

function countLines(chunk: Uint8Array): number {
  let count = 0;
  for (const byte of chunk) if (byte === LINE_FEED) count += 1;
  return count;
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The work in progress when a stop begins. */
export interface OpenWork {
  /** HTTP responses that are not complete, streams included. */
  requests: number;
  websockets: number;
}

/** Called once, when new requests are refused. */
export type OnDrain = (open: OpenWork) => void;

/**
 * Logs the beginning and the end of a stop. With several workers, the primary logs it once for all.
 * @param stop resolves with the number of responses that were cut off.
 */
export async function logDrain(
  logger: Logger,
  signal: NodeJS.Signals | undefined,
  stop: (onDrain: OnDrain) => Promise<number>,
): Promise<void> {
  const startedAtMs = performance.now();
  const reason = signal === undefined ? {} : { signal };
  const cutOff = await stop((open) => logger.info({ ...reason, ...open }, 'Stopping'));
  logger.info({ drainMs: Math.round(performance.now() - startedAtMs), cutOff }, 'Stopped');
}
