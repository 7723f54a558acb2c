/** Builds the spans of one request: the request, its operation, the phases of the operation, and its REST calls. */
import {
  type AttributeValue,
  limitText,
  type Span,
  type SpanEvent,
  SpanKind,
  type SpanSink,
} from './span.js';
import { createSpanId, createTraceId, type TraceContext, toTraceHeaders } from './traceContext.js';

/** A finished REST call: the record that explanations have too. */
export interface FinishedCall {
  method: string;
  template: string;
  /** HTTP status; 0 without a response. */
  status: number;
  /** Length of the response's body. */
  bytes: number;
  /** Times that the request was sent; 0 if a limit or an open circuit refused it. */
  attempts: number;
  cacheState: string;
  /** The number of keys that the call loads. */
  batchSize: number;
  breaker: string;
  /** The code of the failure. */
  errorCode?: string | undefined;
}

/** A plan of a fetch: the record that explanations have too. */
export interface FinishedPlan {
  relation: string;
  keys: number;
  strategy: string;
  reason: string;
}

/** A REST call that has begun. */
export interface TracedCall {
  /** Continue the trace on the platform. */
  headers: Readonly<Record<string, string>>;
  end(call: FinishedCall): void;
}

/** In the order in which they follow each other. */
export type Phase = 'graphql.validate' | 'graphql.execute' | 'graphql.serialize' | 'graphql.subscribe';

export interface OperationFacts {
  /** Undefined if the document has no operation to run. */
  kind: string | undefined;
  name: string | undefined;
}

export interface OperationEnd {
  /** Estimated cost. */
  cost: number | undefined;
  /** Reads of the operation by origin. */
  reads: Readonly<Record<'network' | 'memory' | 'redis' | 'stale' | 'joined', number>> | undefined;
}

/** What all spans of a trace share. */
export interface TraceParts {
  sink: SpanSink;
  context: Pick<TraceContext, 'traceId' | 'isSampled' | 'state'>;
  /** Unix milliseconds with fractions; never goes back within a trace. */
  now: () => number;
  /** Of the platform. */
  server: { address: string; port: number };
}

interface OpenSpan extends Omit<Span, 'traceId' | 'state' | 'endMs' | 'events' | 'hasFailed'> {
  attributes: Record<string, AttributeValue | undefined>;
}

const NO_EVENTS: readonly SpanEvent[] = [];

function finish(
  { sink, context: { traceId, state }, now }: TraceParts,
  { spanId, parentSpanId, name, kind, startMs, attributes }: OpenSpan,
  hasFailed: boolean,
  events = NO_EVENTS,
): void {
  const place = { traceId, spanId, parentSpanId, state };
  sink.add({ ...place, name, kind, startMs, endMs: now(), attributes, events, hasFailed });
}

/** One operation. Without sampling it passes the context on and builds no span. */
export class OperationTrace {
  readonly #parts: TraceParts;
  readonly #span: OpenSpan;
  readonly #onEnd: () => void;
  #phase: OpenSpan | undefined;
  #events: SpanEvent[] = [];
  #hasEnded = false;
  #hasFailed = false;

  /** `onEnd` is called once. */
  constructor(parts: TraceParts, parentSpanId: string, onEnd: () => void = () => {}) {
    this.#parts = parts;
    this.#onEnd = onEnd;
    this.#span = this.#open('operation', parentSpanId, SpanKind.internal);
  }

  get traceId(): string {
    return this.#parts.context.traceId;
  }

  /** The result has errors, or the operation was refused. */
  fail(): void {
    this.#hasFailed = true;
  }

  /** Ends the spans of an operation that is not executed. */
  refuse(): void {
    this.fail();
    this.end({ cost: undefined, reads: undefined });
  }

  /** Ends the phase before. */
  beginPhase(name: Phase): void {
    if (!this.#parts.context.isSampled || this.#hasEnded) return;
    this.#endPhase();
    this.#phase = this.#open(name, this.#span.spanId, SpanKind.internal);
  }

  /** Names the operation, when it is known. The name of the span has few values, as the conventions demand. */
  describe({ kind, name }: OperationFacts): void {
    if (kind === undefined) return;
    this.#span.name = kind;
    this.#span.attributes['graphql.operation.type'] = kind;
    if (name !== undefined) this.#span.attributes['graphql.operation.name'] = limitText(name);
  }

  addPlan({ relation, keys, strategy, reason }: FinishedPlan): void {
    if (!this.#parts.context.isSampled || this.#events.length >= MAX_EVENTS) return;
    const attributes = { relation, keys, strategy, reason: limitText(reason) };
    this.#events.push({ name: 'fieldgraph.plan', timeMs: this.#parts.now(), attributes });
  }

  /** May outlive the operation: loads are shared. */
  beginCall(): TracedCall {
    const parts = this.#parts;
    const { context } = parts;
    const parent = (this.#phase ?? this.#span).spanId;
    if (!context.isSampled) return { headers: toTraceHeaders({ ...context, spanId: parent }), end() {} };
    const span = this.#open('', parent, SpanKind.client);
    return {
      headers: toTraceHeaders({ ...context, spanId: span.spanId }),
      end(call) {
        span.name = `${call.method} ${call.template}`;
        span.attributes = toCallAttributes(call, parts.server);
        finish(parts, span, call.errorCode !== undefined || call.status === 0 || call.status >= 400);
      },
    };
  }

  end({ cost, reads }: OperationEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
    if (!this.#parts.context.isSampled) return;
    this.#endPhase();
    const { attributes } = this.#span;
    if (cost !== undefined) attributes['fieldgraph.operation.cost'] = cost;
    if (reads !== undefined) {
      attributes['fieldgraph.reads.network'] = reads.network;
      attributes['fieldgraph.reads.memory'] = reads.memory;
      attributes['fieldgraph.reads.redis'] = reads.redis;
      attributes['fieldgraph.reads.stale'] = reads.stale;
      attributes['fieldgraph.reads.joined'] = reads.joined;
    }
    finish(this.#parts, this.#span, this.#hasFailed);
  }

  #endPhase(): void {
    if (this.#phase === undefined) return;
    finish(this.#parts, this.#phase, false, this.#events);
    this.#events = [];
    this.#phase = undefined;
  }

  #open(name: string, parentSpanId: string, kind: Span['kind']): OpenSpan {
    return { spanId: createSpanId(), parentSpanId, name, kind, startMs: this.#parts.now(), attributes: {} };
  }
}

/** Plans of one phase; further ones are left out. */
const MAX_EVENTS = 32;

function toCallAttributes(
  { method, template, status, bytes, attempts, cacheState, batchSize, breaker, errorCode }: FinishedCall,
  server: TraceParts['server'],
): OpenSpan['attributes'] {
  const failure = errorCode ?? (status >= 400 ? String(status) : undefined);
  return {
    'http.request.method': method,
    'url.template': template,
    'server.address': server.address,
    'server.port': server.port,
    'http.response.status_code': status === 0 ? undefined : status,
    'http.response.body.size': bytes,
    'http.request.resend_count': attempts > 1 ? attempts - 1 : undefined,
    'error.type': failure,
    'fieldgraph.attempts': attempts,
    'fieldgraph.cache.state': cacheState,
    'fieldgraph.batch.size': batchSize,
    'fieldgraph.breaker.state': breaker,
  };
}

export interface RequestEnd {
  method: string;
  /** Whether it came by TLS. */
  isSecure: boolean;
  status: number;
  /** How the response was obtained: `executed`, `joined`, `cached`; undefined if the request was refused. */
  source: string | undefined;
}

/** One HTTP request at `/graphql`. */
export class RequestTrace {
  readonly #parts: TraceParts;
  readonly #onEnd: () => void;
  readonly #spanId = createSpanId();
  readonly #parentSpanId: string;
  readonly #startMs: number;
  constructor(parts: TraceParts, parentSpanId: string, onEnd: () => void) {
    this.#parts = parts;
    this.#parentSpanId = parentSpanId;
    this.#onEnd = onEnd;
    this.#startMs = parts.now();
  }

  beginOperation(): OperationTrace {
    return new OperationTrace(this.#parts, this.#spanId);
  }

  end({ method, isSecure, status, source }: RequestEnd): void {
    this.#onEnd();
    if (!this.#parts.context.isSampled) return;
    const attributes = {
      'http.request.method': method,
      'http.route': ROUTE,
      'url.path': ROUTE,
      'url.scheme': isSecure ? 'https' : 'http',
      'http.response.status_code': status,
      'fieldgraph.response.source': source,
      'error.type': status >= 500 ? String(status) : undefined,
    };
    const name = `${method} ${ROUTE}`;
    const place = { spanId: this.#spanId, parentSpanId: this.#parentSpanId, startMs: this.#startMs };
    finish(this.#parts, { ...place, name, kind: SpanKind.server, attributes }, status >= 500);
  }
}

const ROUTE = '/graphql';

/** The context of a new request: it continues the caller's trace, or begins one. */
export function toContext(
  parent: TraceContext | undefined,
  isSampled: (traceId: string, parent: boolean | undefined) => boolean,
): TraceParts['context'] {
  const traceId = parent?.traceId ?? createTraceId();
  return { traceId, isSampled: isSampled(traceId, parent?.isSampled), state: parent?.state ?? '' };
}
