/** Traces requests and operations, and exports their spans. Loaded only if tracing is on. */
import type { IncomingHttpHeaders } from 'node:http';
import { OperationTrace, RequestTrace } from './operationTrace.js';
import { createSampler, type SamplerSettings } from './sampler.js';
import { type ExportCounts, type ExporterSettings, SpanExporter } from './spanExporter.js';
import {
  createTraceId,
  formatTraceId,
  parseTraceContext,
  type TraceContext,
  type TraceId,
} from './traceContext.js';
import { CallShapes, TraceParts } from './traceParts.js';

/** Plain data, so that a primary process can send it to its workers. */
export interface TracingSettings extends ExporterSettings {
  sampler: SamplerSettings;
}

interface TracingOptions {
  settings: TracingSettings;
  platformUrl: string;
  /** Called with the reason when spans could not be exported, once a minute at most. */
  onFailure(reason: string): void;
}

export class Tracing {
  readonly #exporter: SpanExporter;
  readonly #isSampled: ReturnType<typeof createSampler>;
  readonly #callShapes: CallShapes;
  /** The traces of running requests, by the id of the request. Callers may send the same id with several requests. */
  readonly #traceIds = new Map<string, TraceId[]>();

  constructor({ settings, platformUrl, onFailure }: TracingOptions) {
    const { hostname, port, protocol } = new URL(platformUrl);
    this.#callShapes = new CallShapes({
      address: hostname,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    });
    this.#isSampled = createSampler(settings.sampler);
    this.#exporter = new SpanExporter(settings, onFailure);
  }

  /** Continues the trace of the headers, whose names are in lower case, or begins one. */
  beginRequest(headers: IncomingHttpHeaders, requestId: string): RequestTrace {
    const parent = parseTraceContext(headers['traceparent'], headers['tracestate']);
    return new RequestTrace(this.#begin(parent, requestId), parent?.spanId);
  }

  /** For an operation without a request of its own. `extensions` may hold the context of the client's trace. */
  beginOperation(extensions: unknown, requestId: string): OperationTrace {
    const { traceparent, tracestate } = (extensions ?? {}) as { traceparent?: unknown; tracestate?: unknown };
    const parent = parseTraceContext(toText(traceparent), toText(tracestate));
    return new OperationTrace(this.#begin(parent, requestId), parent?.spanId, { isRoot: true });
  }

  /** The trace of a running request, for its log lines. Undefined if requests of several traces have the same id. */
  traceIdOf(requestId: unknown): string | undefined {
    const running = typeof requestId === 'string' ? this.#traceIds.get(requestId) : undefined;
    const [id, ...others] = new Set(running?.map(formatTraceId));
    return others.length === 0 ? id : undefined;
  }

  counts(): ExportCounts {
    return this.#exporter.counts();
  }

  /** Exports the waiting spans, within a time limit. */
  close(maxMs: number): Promise<void> {
    return this.#exporter.close(maxMs);
  }

  #begin(parent: TraceContext | undefined, requestId: string): TraceParts {
    const traceId = parent?.traceId ?? createTraceId();
    const isSampled = this.#isSampled(traceId, parent?.isSampled);
    const running = this.#traceIds.get(requestId);
    if (running === undefined) this.#traceIds.set(requestId, [traceId]);
    else running.push(traceId);
    return new TraceParts({
      exporter: this.#exporter,
      context: { traceId, isSampled, state: parent?.state ?? '' },
      callShapes: this.#callShapes,
      onEnd: () => this.#delete(requestId, traceId),
    });
  }

  #delete(requestId: string, traceId: TraceId): void {
    const others = this.#traceIds.get(requestId)?.filter((id) => id !== traceId) ?? [];
    if (others.length === 0) this.#traceIds.delete(requestId);
    else this.#traceIds.set(requestId, others);
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
