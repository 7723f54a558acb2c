/** Collects finished spans in a bounded queue, and sends them in batches to an OTLP collector. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { encodeJson } from './otlpJson.js';
import { encodeProtobuf } from './otlpProtobuf.js';
import type { Span, SpanSink } from './span.js';

export interface ExporterSettings {
  /** Address of the collector's traces, for example `http://localhost:4318/v1/traces`. */
  url: string;
  protocol: 'http/json' | 'http/protobuf';
  /** Sent with each batch. They may contain a credential. */
  headers: Readonly<Record<string, string>>;
  isCompressed: boolean;
  /** Of one batch, in milliseconds. */
  timeoutMs: number;
  /** Describes this gateway: `service.name` and others. */
  resource: Readonly<Record<string, string>>;
  /** Spans that wait; further ones are dropped. */
  maxQueuedSpans: number;
  maxBatchSpans: number;
  /** Longest wait of a span before it is sent, in milliseconds. */
  delayMs: number;
}

export interface ExportCounts {
  exported: number;
  /** Beyond the queue, or of a batch that the collector did not accept. */
  dropped: number;
}

/** Statuses after which the same batch may be accepted (OTLP specification, "Failures"). */
const RETRYABLE = new Set([429, 502, 503, 504]);
const FAILURE_LOG_INTERVAL_MS = 60_000;
/** A stop waits this long for the last batches. */
const MAX_CLOSE_MS = 2000;
const compress = promisify(gzip);

export class SpanExporter implements SpanSink {
  readonly #settings: ExporterSettings;
  readonly #onFailure: (reason: string) => void;
  readonly #counts: ExportCounts = { exported: 0, dropped: 0 };
  #queue: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #lastFailureMs = Number.NEGATIVE_INFINITY;

  constructor(settings: ExporterSettings, onFailure: (reason: string) => void) {
    this.#settings = settings;
    this.#onFailure = onFailure;
  }

  add(span: Span): void {
    const { maxQueuedSpans, maxBatchSpans, delayMs } = this.#settings;
    if (this.#queue.length >= maxQueuedSpans) {
      this.#counts.dropped += 1;
      return;
    }
    this.#queue.push(span);
    if (this.#queue.length >= maxBatchSpans) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), delayMs).unref();
  }

  counts(): ExportCounts {
    return { ...this.#counts };
  }

  async close(): Promise<void> {
    const endMs = performance.now() + MAX_CLOSE_MS;
    while (this.#queue.length > 0 || this.#sending !== undefined) {
      this.#begin();
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) break;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => {
        timer = setTimeout(resolve, leftMs);
      });
      await Promise.race([this.#sending, timeout]);
      clearTimeout(timer);
    }
    clearTimeout(this.#timer);
  }

  /** Sends one batch at a time. */
  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#queue.length === 0) return;
    const batch = this.#queue.splice(0, this.#settings.maxBatchSpans);
    this.#sending = this.#send(batch).then(() => {
      this.#sending = undefined;
      if (this.#queue.length >= this.#settings.maxBatchSpans) this.#begin();
      else if (this.#queue.length > 0) {
        this.#timer ??= setTimeout(() => this.#begin(), this.#settings.delayMs).unref();
      }
    });
  }

  /** Never rejects: a collector that fails must not affect requests. */
  async #send(batch: readonly Span[]): Promise<void> {
    try {
      await this.#post(batch);
      this.#counts.exported += batch.length;
    } catch (error) {
      this.#counts.dropped += batch.length;
      const nowMs = performance.now();
      if (nowMs - this.#lastFailureMs < FAILURE_LOG_INTERVAL_MS) return;
      this.#lastFailureMs = nowMs;
      this.#onFailure(toReason(error));
    }
  }

  async #post(batch: readonly Span[]): Promise<void> {
    const { url, protocol, headers, isCompressed, timeoutMs, resource } = this.#settings;
    const isJson = protocol === 'http/json';
    const plain = isJson ? Buffer.from(encodeJson(batch, resource)) : encodeProtobuf(batch, resource);
    const request = {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': isJson ? 'application/json' : 'application/x-protobuf',
        ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      },
      body: isCompressed ? await compress(plain) : plain,
      signal: AbortSignal.timeout(timeoutMs),
    };
    const first = await post(url, request);
    const status = RETRYABLE.has(first) ? await post(url, request) : first;
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}`);
  }
}

/** Resolves with the status. */
async function post(url: string, request: RequestInit): Promise<number> {
  const response = await fetch(url, { ...request, redirect: 'manual' });
  // The connection is free for the next batch when the body is read.
  await response.body?.cancel();
  return response.status;
}

/** `fetch` hides the code of the failure in the cause. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}
