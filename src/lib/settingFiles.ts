/** Reads the files that settings name, and follows their changes. Every read ends, and its size is bounded. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { codeOf, messageOf } from './errorMessage.js';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_PIPE_MS = 30_000;
const PIPE_POLL_MS = 10;
const CHUNK_BYTES = 65_536;

/** Opening a named pipe without a writer would otherwise wait for one. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * The text of a regular file, without the byte order mark that editors on Windows add. Rejects with an error that names
 * the file. Refuses pipes: the readers of this function read a file more than once, or in several processes.
 */
export async function readTextFile(file: string): Promise<string> {
  const handle = await open(file, READ_WITHOUT_WAITING);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notReadable(file, stats);
    // The size of a file such as those in /proc is 0, so the bytes that are read count.
    const bytes = await buffer(handle.createReadStream({ end: MAX_FILE_BYTES, autoClose: false }));
    return toText(file, bytes);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a file once. It may be a pipe, such as `<(pass show platform)` in a shell, which must end in time. Throws an error
 * that names the file.
 */
export function readFileOnce(file: string, maxPipeMs = MAX_PIPE_MS): string {
  const descriptor = openSync(file, READ_WITHOUT_WAITING);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() && !stats.isFIFO()) throw notReadable(file, stats);
    return toText(file, readToEnd(file, descriptor, performance.now() + maxPipeMs));
  } finally {
    closeSync(descriptor);
  }
}

/** A pipe can't be read a second time. */
export function isPipe(file: string): boolean {
  try {
    return statSync(file).isFIFO();
  } catch {
    return false;
  }
}

function readToEnd(file: string, descriptor: number, endMs: number): Buffer {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MAX_FILE_BYTES; ) {
    const chunk = readChunk(descriptor);
    if (chunk?.length === 0) break;
    if (chunk) {
      chunks.push(chunk);
      size += chunk.length;
      continue;
    }
    if (performance.now() > endMs) throw new Error(`${file} is a pipe that does not end`);
    // The process has nothing else to do: it reads its configuration.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_POLL_MS);
  }
  return Buffer.concat(chunks);
}

/** Empty at the end; undefined while the writer of a pipe has not written more. */
function readChunk(descriptor: number): Buffer | undefined {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    return chunk.subarray(0, readSync(descriptor, chunk));
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

function toText(file: string, bytes: Buffer): string {
  if (bytes.length > MAX_FILE_BYTES)
    throw new Error(`${file} has more than ${MAX_FILE_BYTES / 1024 / 1024} MB`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Creates an error with a code, like other errors about files. */
function notReadable(file: string, stats: Stats): Error {
  if (stats.isDirectory()) return Object.assign(new Error(`${file} is a directory`), { code: 'EISDIR' });
  const kind = stats.isFIFO() ? 'a pipe' : 'a device';
  return Object.assign(new Error(`${file} is ${kind}, not a regular file`), { code: 'EINVAL' });
}

interface WatchedFilesOptions<Content> {
  read(): Promise<Content>;
  /** Throws or rejects if the content is unusable. Called again after a change or a failure. */
  apply(content: Content): void | Promise<void>;
  /** Called after each `apply` that succeeded, except the first one of `watchFiles`. */
  onReload?(): void;
  /** Called once for each reason while changed files are not usable; the former content stays in use. */
  onFailure(cause: unknown): void;
  /**
   * Set it for a directory, whose files are not all written at once: a change is applied only after two equal reads.
   */
  isDirectory?: boolean;
}

/** A file watcher would miss changes to mounted volumes, which replace folders and keep modification times. */
const RELOAD_INTERVAL_MS = 1000;
/** The pause after reading a directory, as a multiple of the duration: hundreds of files take a tenth of a second. */
const PAUSE_FACTOR = 50;
/** A busy event loop delays each file, so that a read takes many seconds but little work. */
const MAX_PAUSE_MS = 10_000;

/** Resolves after the first `apply`. Rejects with its error, or with that of reading. */
export async function watchFiles<Content>(options: WatchedFilesOptions<Content>): Promise<{ close(): void }> {
  const content = await options.read();
  await options.apply(content);
  return rereadFiles(options, content);
}

/** `first`: content that has already been applied. Without it, the first content is applied after an interval. */
export function rereadFiles<Content>(
  { read, apply, onReload, onFailure, isDirectory = false }: WatchedFilesOptions<Content>,
  first?: Content,
): { close(): void } {
  let applied = first;
  let lastRead = first;
  let lastReason = '';
  let isReading = false;
  let notBeforeMs = 0;

  /** Whether the content equals that of the previous read. No file of a directory is then being written. */
  function isSettled(content: Content, startMs: number): boolean {
    const nowMs = performance.now();
    notBeforeMs = nowMs + Math.min(PAUSE_FACTOR * (nowMs - startMs), MAX_PAUSE_MS);
    if (isDeepStrictEqual(content, lastRead)) return true;
    lastRead = content;
    return false;
  }

  async function reload(): Promise<void> {
    const startMs = performance.now();
    // Reads of a volume that hangs must not occupy all threads of the pool, which other work needs.
    if (isReading || startMs < notBeforeMs) return;
    isReading = true;
    try {
      const current = await read();
      if (isDirectory && !isSettled(current, startMs)) return;
      if (lastReason === '' && isDeepStrictEqual(current, applied)) return;
      await apply(current);
      applied = current;
      lastRead = current;
      lastReason = '';
      onReload?.();
    } catch (cause) {
      const reason = messageOf(cause);
      if (reason !== lastReason) onFailure(cause);
      lastReason = reason;
    } finally {
      isReading = false;
    }
  }

  const timer = setInterval(() => void reload(), RELOAD_INTERVAL_MS).unref();
  return { close: () => clearInterval(timer) };
}

export function readTextFiles(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map(readTextFile));
}
