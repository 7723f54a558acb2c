/** Writes log lines in the background. Lines that can't be written are dropped: a log never stops the process. */
import { write, writeSync } from 'node:fs';

interface LogDestinationOptions {
  /** Maximum bytes that wait. Further lines are dropped. */
  maxBytes?: number;
  /** At exit, a descriptor that accepts nothing for now is tried again for this long. Milliseconds. */
  maxFlushMs?: number;
}

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FLUSH_MS = 500;
const RETRY_MS = 100;
const FLUSH_RETRY_MS = 10;

export class LogDestination {
  readonly #fd: number;
  readonly #maxBytes: number;
  readonly #maxFlushMs: number;
  /** What a write did not take. It goes before the lines. */
  #rest: Uint8Array = Buffer.alloc(0);
  #lines: string[] = [];
  /** With those that are being written. */
  #bytes = 0;
  /** A write is in flight, or the descriptor accepts nothing for now. */
  #isBusy = false;

  constructor(fd: number, { maxBytes = MAX_BYTES, maxFlushMs = MAX_FLUSH_MS }: LogDestinationOptions = {}) {
    this.#fd = fd;
    this.#maxBytes = maxBytes;
    this.#maxFlushMs = maxFlushMs;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#maxBytes) return;
    this.#lines.push(line);
    this.#bytes += bytes;
    if (!this.#isBusy) this.#writeWaiting();
  }

  /** For the end of the process: writes what waits, synchronously. */
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
    this.#bytes -= chunk.length;
  }

  #takeWaiting(): Uint8Array {
    const chunk = Buffer.concat([this.#rest, Buffer.from(this.#lines.join(''))]);
    this.#rest = Buffer.alloc(0);
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
    if (isRefused) this.#rest = chunk;
    else if (error === null) this.#rest = chunk.subarray(written);
    // After another error, such as that of a full disk, these lines are lost. The next ones are tried again.
    this.#bytes -= chunk.length - this.#rest.length;
    if (isRefused) setTimeout(() => this.#writeWaiting(), RETRY_MS).unref();
    else this.#writeWaiting();
  }
}

/** A pipe whose reader is slow. */
function isTemporary(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
