/** Builds the spans of one request: the request, its operation, the phases of the operation, and its REST calls. */
import { type Attributes, limitText, Span, type SpanEvent, SpanKind } from './span.js';
import { createSpanId } from './traceContext.js';
import type { TraceParts } from './traceParts.js';

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
export type Phase =
  | 'graphql.validate'
  | 'graphql.execute'
  | 'graphql.serialize'
  | 'graphql.subscribe'
  /** Executing and sending the later parts of `@defer` and `@stream`. */
  | 'graphql.parts';

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

const NO_ATTRIBUTES: Attributes = {};

/** One operation. Without sampling it passes the context on and builds no span. */
export class OperationTrace {
  readonly #parts: TraceParts;
  readonly #isRoot: boolean;
  readonly #span: Span;
  #kind: string | undefined;
  #name: string | undefined;
  #phase: Span | undefined;
  #events: SpanEvent[] = [];
  #hasEnded = false;

  /** `isRoot` if it ends the trace when it ends. */
  constructor(
    parts: TraceParts,
    parentSpanId: string,
    { isRoot, startMs }: { isRoot: boolean; startMs: number },
  ) {
    this.#parts = parts;
    this.#isRoot = isRoot;
    this.#span = this.#open('operation', parentSpanId, SpanKind.internal, startMs);
  }

  get traceId(): string {
    return this.#parts.traceId;
  }

  /** The result has errors, or the operation was refused. */
  fail(): void {
    this.#span.hasFailed = true;
  }

  /** Ends the spans of an operation that is not executed. */
  refuse(): void {
    this.fail();
    this.end({ cost: undefined, reads: undefined });
  }

  /** Ends the phase before. The first phase begins with the operation. */
  beginPhase(name: Phase): void {
    if (!this.#parts.isSampled || this.#hasEnded) return;
    const nowMs = this.#phase === undefined ? this.#span.startMs : this.#parts.now();
    this.#endPhase(nowMs);
    this.#phase = this.#open(name, this.#span.spanId, SpanKind.internal, nowMs);
  }

  /** Names the operation, when it is known. The name of the span has few values, as the conventions demand. */
  describe({ kind, name }: OperationFacts): void {
    this.#kind = kind;
    if (kind === undefined) return;
    this.#span.name = kind;
    this.#name = name === undefined ? undefined : limitText(name);
  }

  addPlan({ relation, keys, strategy, reason }: FinishedPlan): void {
    if (!this.#parts.isSampled || this.#events.length >= MAX_EVENTS) return;
    const attributes = { relation, keys, strategy, reason: limitText(reason) };
    this.#events.push({ name: 'fieldgraph.plan', timeMs: this.#parts.now(), attributes });
  }

  /** May outlive the operation: loads are shared. */
  beginCall(): TracedCall {
    const parts = this.#parts;
    const parent = (this.#phase ?? this.#span).spanId;
    if (!parts.isSampled) return { headers: parts.toHeaders(parent), end() {} };
    const span = this.#open('', parent, SpanKind.client, parts.now());
    return {
      headers: parts.toHeaders(span.spanId),
      end(call) {
        span.name = `${call.method} ${call.template}`;
        span.hasFailed = call.errorCode !== undefined || call.status === 0 || call.status >= 400;
        parts.add(span, parts.now(), toCallAttributes(call, parts.server));
      },
    };
  }

  end({ cost, reads }: OperationEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#isRoot) this.#parts.end();
    if (!this.#parts.isSampled) return;
    const nowMs = this.#parts.now();
    this.#endPhase(nowMs);
    this.#parts.add(this.#span, nowMs, {
      'graphql.operation.type': this.#kind,
      'graphql.operation.name': this.#name,
      'fieldgraph.operation.cost': cost,
      'fieldgraph.reads.network': reads?.network,
      'fieldgraph.reads.memory': reads?.memory,
      'fieldgraph.reads.redis': reads?.redis,
      'fieldgraph.reads.stale': reads?.stale,
      'fieldgraph.reads.joined': reads?.joined,
    });
  }

  #endPhase(nowMs: number): void {
    if (this.#phase === undefined) return;
    this.#phase.events = this.#events;
    this.#parts.add(this.#phase, nowMs, NO_ATTRIBUTES);
    if (this.#events.length > 0) this.#events = [];
    this.#phase = undefined;
  }

  #open(name: string, parentSpanId: string, kind: Span['kind'], startMs: number): Span {
    return new Span(this.#parts, { spanId: createSpanId(), parentSpanId }, name, kind, startMs);
  }
}

/** Plans of one phase; further ones are left out. */
const MAX_EVENTS = 32;

function toCallAttributes(
  { method, template, status, bytes, attempts, cacheState, batchSize, breaker, errorCode }: FinishedCall,
  server: TraceParts['server'],
): Attributes {
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
  readonly #span: Span;

  constructor(parts: TraceParts, parentSpanId: string) {
    this.#parts = parts;
    this.#span = new Span(
      parts,
      { spanId: createSpanId(), parentSpanId },
      ROUTE,
      SpanKind.server,
      parts.now(),
    );
  }

  /** Unix milliseconds, for an operation that is known to be traced only later. */
  now(): number {
    return this.#parts.now();
  }

  beginOperation(startMs = this.#parts.now()): OperationTrace {
    return new OperationTrace(this.#parts, this.#span.spanId, { isRoot: false, startMs });
  }

  end({ method, isSecure, status, source }: RequestEnd): void {
    this.#parts.end();
    if (!this.#parts.isSampled) return;
    this.#span.name = `${method} ${ROUTE}`;
    this.#span.hasFailed = status >= 500;
    this.#parts.add(this.#span, this.#parts.now(), {
      'http.request.method': method,
      'http.route': ROUTE,
      'url.path': ROUTE,
      'url.scheme': isSecure ? 'https' : 'http',
      'http.response.status_code': status,
      'fieldgraph.response.source': source,
      'error.type': status >= 500 ? String(status) : undefined,
    });
  }
}

const ROUTE = '/graphql';
