/** Encodes finished spans into batches, bounded in number and bytes, and sends the batches to an OTLP collector. */
import { setTimeout as sleepFor } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ByteWriter } from './byteWriter.js';
import { CollectorConnection, type CollectorResponse } from './collectorConnection.js';
import { jsonFormat, type OtlpFormat } from './otlpJson.js';
import { protobufFormat } from './otlpProtobuf.js';
import type { Span } from './span.js';

export interface ExporterSettings {
  /** Address of the collector's traces, for example `http://localhost:4318/v1/traces`. */
  url: string;
  protocol: 'http/json' | 'http/protobuf';
  /** Sent with each batch. They may contain a credential. */
  headers: Readonly<Record<string, string>>;
  isCompressed: boolean;
  timeoutMs: number;
  /** Describes this gateway: `service.name` and others. */
  resource: Readonly<Record<string, string>>;
  /** Maximum number of spans that wait. Further ones are dropped. */
  maxQueuedSpans: number;
  /** Bytes of encoded spans that wait or are being sent; further spans are dropped. */
  maxQueuedBytes: number;
  maxBatchSpans: number;
  /** Maximum time that a span waits before it is sent, in milliseconds. */
  delayMs: number;
  /** A stop waits this long for the last batches, in milliseconds. */
  maxCloseMs: number;
}

export interface ExportCounts {
  exported: number;
  /** Spans that exceeded the queue, or that the collector did not accept. */
  dropped: number;
}

interface SpanBatch {
  spans: number;
  writer: ByteWriter;
}

/** Statuses after which the same batch may be accepted (OTLP specification, "Failures"). */
const RETRYABLE = new Set([429, 502, 503, 504]);
/** The time before the second attempt, unless the collector names another. */
const RETRY_DELAY_MS = 1000;
/** The longest pause that a collector can request. Meanwhile spans wait in the queue. */
const MAX_PAUSE_MS = 300_000;
const FAILURE_LOG_INTERVAL_MS = 60_000;
/** A batch of this size is sent without waiting for further spans: collectors limit the bodies of requests. */
const MAX_BATCH_BYTES = 1024 * 1024;
/**
 * Finished spans are encoded in groups of this size. Between two spans, the code of the encoder leaves the processor's
 * caches; loading it again takes longer than encoding. In larger groups V8 would copy more of the waiting objects.
 */
const MAX_GROUP_SPANS = 80;
const FIRST_CAPACITY_BYTES = 16 * 1024;
const compress = promisify(gzip);

export class SpanExporter {
  readonly #settings: ExporterSettings;
  readonly #onFailure: (reason: string) => void;
  readonly #counts: ExportCounts = { exported: 0, dropped: 0 };
  readonly #format: OtlpFormat;
  readonly #collector: CollectorConnection;
  #batch: SpanBatch = { spans: 0, writer: new ByteWriter(FIRST_CAPACITY_BYTES) };
  /** Finished spans that are not encoded yet. */
  readonly #group: Span[] = [];
  /** Batches that wait while another is being sent. */
  #full: SpanBatch[] = [];
  #waitingSpans = 0;
  /** Encoded bytes, including those of the batch that is being sent. */
  #bytes = 0;
  /** The buffer of the last batch, for the next one. */
  #spare: ByteWriter | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #lastFailureMs = Number.NEGATIVE_INFINITY;
  /** Time of `performance.now()` until which the collector wants no batch. */
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #isClosing = false;

  constructor(settings: ExporterSettings, onFailure: (reason: string) => void) {
    this.#settings = settings;
    this.#onFailure = onFailure;
    this.#format = settings.protocol === 'http/json' ? jsonFormat : protobufFormat;
    this.#collector = new CollectorConnection(settings.url);
  }

  /** The span must not change afterwards. */
  add(span: Span): void {
    const { maxQueuedSpans, maxQueuedBytes, maxBatchSpans } = this.#settings;
    if (this.#waitingSpans >= maxQueuedSpans || this.#bytes >= maxQueuedBytes) {
      this.#counts.dropped += 1;
      return;
    }
    this.#waitingSpans += 1;
    const group = this.#group;
    group.push(span);
    const isFull = group.length >= MAX_GROUP_SPANS || this.#batch.spans + group.length >= maxBatchSpans;
    if (isFull || span.events.length > 0) this.#encodeGroup();
    if (this.#timer === undefined) this.#startTimer();
  }

  counts(): ExportCounts {
    return { ...this.#counts };
  }

  async close(maxMs = Number.POSITIVE_INFINITY): Promise<void> {
    const endMs = performance.now() + Math.min(maxMs, this.#settings.maxCloseMs);
    this.#isClosing = true;
    while (this.#waitingSpans > 0 || this.#sending !== undefined) {
      this.#flush();
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
    this.#collector.close();
  }

  #encodeGroup(): void {
    const batch = this.#batch;
    const { writer } = batch;
    const before = writer.length;
    for (const span of this.#group) {
      if (span.findShape !== undefined) span.shape = span.findShape();
      this.#format.append(span, writer);
    }
    this.#bytes += writer.length - before;
    batch.spans += this.#group.length;
    this.#group.length = 0;
    if (batch.spans < this.#settings.maxBatchSpans && writer.length < MAX_BATCH_BYTES) return;
    this.#closeBatch();
    this.#begin();
  }

  #closeBatch(): void {
    this.#full.push(this.#batch);
    this.#batch = { spans: 0, writer: this.#spare ?? new ByteWriter(FIRST_CAPACITY_BYTES) };
    this.#spare = undefined;
  }

  #startTimer(): void {
    this.#timer = setTimeout(() => this.#flush(), this.#settings.delayMs).unref();
  }

  /** Sends the batch that is not full, after those that are. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#encodeGroup();
    if (this.#batch.spans > 0 && this.#sending === undefined && this.#full.length === 0) this.#closeBatch();
    this.#begin();
    if (this.#isPaused() && this.#waitingSpans > 0) this.#startTimer();
  }

  /** A stop always sends the last spans. */
  #isPaused(): boolean {
    return !this.#isClosing && performance.now() < this.#pausedUntilMs;
  }

  /** Sends one batch at a time. */
  #begin(): void {
    if (this.#sending !== undefined || this.#isPaused()) return;
    const batch = this.#full.shift();
    if (batch === undefined) return;
    this.#waitingSpans -= batch.spans;
    this.#sending = this.#send(batch).then(() => {
      this.#sending = undefined;
      this.#bytes -= batch.writer.length;
      batch.writer.clear();
      this.#spare = batch.writer;
      this.#begin();
      if (this.#waitingSpans > 0 && this.#timer === undefined) this.#startTimer();
    });
  }

  /** Never rejects: a collector that fails must not affect requests. */
  async #send({ spans, writer }: SpanBatch): Promise<void> {
    let rejected = spans;
    try {
      const count = await this.#post(writer.view());
      rejected = count > 0 ? Math.min(spans, count) : 0;
      if (rejected > 0) this.#report(`${rejected} of ${spans} spans rejected`);
    } catch (error) {
      this.#report(toReason(error));
    }
    this.#counts.exported += spans - rejected;
    this.#counts.dropped += rejected;
  }

  #report(reason: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastFailureMs < FAILURE_LOG_INTERVAL_MS) return;
    this.#lastFailureMs = nowMs;
    this.#onFailure(reason);
  }

  /** Resolves with the number of spans that the collector has rejected. */
  async #post(spans: Buffer): Promise<number> {
    const { headers, isCompressed, timeoutMs, resource } = this.#settings;
    const endMs = performance.now() + timeoutMs;
    // The buffers are not concatenated, because V8 collects garbage earlier for each large buffer that is allocated.
    const framed = this.#format.frame(spans, resource);
    const body = isCompressed ? [await compress(Buffer.concat(framed))] : framed;
    const all = {
      ...headers,
      'Content-Type': this.#format.contentType,
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    };
    const send = () => this.#collector.post(all, body, endMs);
    let response = await send();
    const delayMs = retryDelayMs(response);
    if (performance.now() + delayMs < endMs) {
      // A batch that waits keeps no process running.
      await sleepFor(delayMs, undefined, { ref: false });
      response = await send();
    }
    const pauseMs = Math.min(retryDelayMs(response), MAX_PAUSE_MS);
    if (RETRYABLE.has(response.status)) this.#pausedUntilMs = performance.now() + pauseMs;
    if (response.status < 200 || response.status > 299) throw new Error(`HTTP ${response.status}`);
    return rejectedSpansIn(response, this.#format);
  }
}

/** Milliseconds until a refused batch may be sent again. Infinity if the collector would not accept it later either. */
function retryDelayMs({ status, retryAfterMs }: CollectorResponse): number {
  if (!RETRYABLE.has(status)) return Number.POSITIVE_INFINITY;
  return Number.isNaN(retryAfterMs) ? RETRY_DELAY_MS : retryAfterMs;
}

/** 0 if the body does not contain the number. Most collectors send an empty message. */
function rejectedSpansIn({ contentType, body }: CollectorResponse, format: OtlpFormat): number {
  if (!contentType.startsWith(format.contentType)) return 0;
  try {
    return format.readRejectedSpans(body);
  } catch {
    return 0;
  }
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}
