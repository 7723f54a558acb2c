/** The parts that all spans of a trace share. */
import { type Span, SpanKind, SpanShape, SpanShapes, type SpanTrace } from './span.js';
import type { SpanExporter } from './spanExporter.js';
import { type SpanId, type TraceContext, type TraceId, toTraceHeaders } from './traceContext.js';

export class CallShapes {
  readonly #shapes = new SpanShapes();
  readonly #server: { address: string; port: number };

  constructor(server: { address: string; port: number }) {
    this.#server = server;
  }

  get({ method, template }: { method: string; template: string }): SpanShape {
    return this.#shapes.get(`${method} ${template}`, (name) => {
      return new SpanShape(name, SpanKind.client, {
        'http.request.method': method,
        'url.template': template,
        'server.address': this.#server.address,
        'server.port': this.#server.port,
      });
    });
  }
}

interface TracePartsOptions {
  exporter: SpanExporter;
  context: Pick<TraceContext, 'traceId' | 'isSampled' | 'state'>;
  callShapes: CallShapes;
  onEnd: () => void;
}

export class TraceParts implements SpanTrace {
  readonly traceId: TraceId;
  readonly state: string;
  readonly isSampled: boolean;
  readonly #exporter: SpanExporter;
  readonly callShapes: CallShapes;
  readonly end: TracePartsOptions['onEnd'];
  /** One anchor for each trace: the process may run for months, in which the two clocks drift apart. */
  readonly #anchorMs = Date.now() - performance.now();

  constructor({ exporter, context, callShapes, onEnd }: TracePartsOptions) {
    this.traceId = context.traceId;
    this.state = context.state;
    this.isSampled = context.isSampled;
    this.#exporter = exporter;
    this.callShapes = callShapes;
    this.end = onEnd;
  }

  /** Unix milliseconds with fractions; never goes back within a trace. */
  now(): number {
    return this.#anchorMs + performance.now();
  }

  /** The headers that continue the trace below a span. */
  toHeaders(spanId: SpanId): Record<string, string> {
    return toTraceHeaders({ traceId: this.traceId, spanId, isSampled: this.isSampled, state: this.state });
  }

  add(span: Span, endMs: number): void {
    span.endMs = endMs;
    this.#exporter.add(span);
  }
}
