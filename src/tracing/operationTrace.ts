/** Builds the spans of one request: the request, its operation, the phases of the operation, and its REST calls. */
import { type Attributes, NO_EVENTS, Span, SpanKind, SpanShape, SpanShapes, truncate } from './span.js';
import { createSpanId, formatTraceId, type SpanId } from './traceContext.js';
import type { TraceParts } from './traceParts.js';

/** A finished REST call: the record that explanations also use. */
interface FinishedCall {
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
  errorCode?: string | undefined;
}

/** A fetch plan: the record that explanations also use. */
interface FinishedPlan {
  relation: string;
  keys: number;
  strategy: string;
  reason: string;
}

interface TracedCall {
  /** Continue the trace on the platform. */
  headers: Readonly<Record<string, string>>;
  end(call: FinishedCall): void;
}

interface OperationEnd {
  cost: number | undefined;
  /** Values read by origin. Origins of no value are left out of the span. */
  reads: Readonly<Record<'network' | 'memory' | 'redis' | 'stale' | 'shared', number>> | undefined;
}

/** One operation. Without sampling it passes the context on and builds no span. */
export class OperationTrace {
  readonly #parts: TraceParts;
  /** Whether the operation ends the trace when it ends. */
  isRoot: boolean;
  /** Undefined without sampling. */
  readonly #span: Span | undefined;
  #phase: Span | undefined;
  #events = NO_EVENTS;
  #hasEnded = false;

  constructor(parts: TraceParts, parent: SpanId | undefined, { isRoot }: { isRoot: boolean }) {
    this.#parts = parts;
    this.isRoot = isRoot;
    if (parts.isSampled) this.#span = new Span(parts, parent, UNKNOWN_OPERATION, parts.now());
  }

  get traceId(): string {
    return formatTraceId(this.#parts.traceId);
  }

  /** The result has errors, or the operation was refused. */
  fail(): void {
    if (this.#span !== undefined && !this.#hasEnded) this.#span.hasFailed = true;
  }

  /** Ends the spans of an operation that is not executed. */
  refuse(): void {
    this.fail();
    this.end({ cost: undefined, reads: undefined });
  }

  /** Ends the previous phase, unless it is the same. The first phase begins with the operation. */
  beginPhase(name: keyof typeof phaseShapes): void {
    const span = this.#span;
    if (span === undefined || this.#hasEnded || this.#phase?.shape === phaseShapes[name]) return;
    const nowMs = this.#phase === undefined ? span.startMs : this.#parts.now();
    this.#endPhase(nowMs);
    this.#phase = new Span(this.#parts, span, phaseShapes[name], nowMs);
  }

  /** The span name takes few values, as the OpenTelemetry conventions require. `kind`: undefined without an operation. */
  describe({ kind, name }: { kind: string | undefined; name: string | undefined }): void {
    const span = this.#span;
    if (span === undefined || kind === undefined || this.#hasEnded) return;
    // Looked up now: the name may be a slice of the document, which would otherwise stay in memory until the span
    // is encoded.
    span.shape = findOperationShape(kind, name);
  }

  addPlan({ relation, keys, strategy, reason }: FinishedPlan): void {
    if (this.#span === undefined || this.#events.length >= MAX_EVENTS) return;
    const attributes = { relation, keys, strategy, reason: truncate(reason) };
    this.#events = [...this.#events, { name: 'fieldgraph.plan', timeMs: this.#parts.now(), attributes }];
  }

  /** May outlive the operation: loads are shared. */
  beginCall(): TracedCall {
    const parts = this.#parts;
    const parent = this.#phase ?? this.#span;
    if (parent === undefined) return { headers: parts.toHeaders(createSpanId()), end() {} };
    const span = new Span(parts, parent, UNKNOWN_CALL, parts.now());
    return {
      headers: parts.toHeaders(span),
      end(call) {
        span.shape = parts.callShapes.get(call);
        span.hasFailed = call.errorCode !== undefined || call.status === 0 || call.status >= 400;
        span.attributes = toCallAttributes(call);
        parts.add(span, parts.now());
      },
    };
  }

  end({ cost, reads }: OperationEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const span = this.#span;
    if (span !== undefined) {
      const nowMs = this.#parts.now();
      this.#endPhase(nowMs);
      span.attributes = {
        'fieldgraph.operation.cost': cost,
        'fieldgraph.reads.network': reads?.network || undefined,
        'fieldgraph.reads.memory': reads?.memory || undefined,
        'fieldgraph.reads.redis': reads?.redis || undefined,
        'fieldgraph.reads.stale': reads?.stale || undefined,
        'fieldgraph.reads.shared': reads?.shared || undefined,
      };
      this.#parts.add(span, nowMs);
    }
    if (this.isRoot) this.#parts.end();
  }

  #endPhase(nowMs: number): void {
    if (this.#phase === undefined) return;
    this.#phase.events = this.#events;
    this.#parts.add(this.#phase, nowMs);
    this.#events = NO_EVENTS;
    this.#phase = undefined;
  }
}

const UNKNOWN_OPERATION = new SpanShape('operation', SpanKind.internal);
const UNKNOWN_CALL = new SpanShape('call', SpanKind.client);
/** By kind, then by name. A combined key would create a new string for each operation. */
const operationShapes = new Map<string, SpanShapes>();
/** No name in GraphQL is empty. */
const NO_NAME = '';

/** In chronological order. */
const phaseShapes = {
  'graphql.validate': new SpanShape('graphql.validate', SpanKind.internal),
  'graphql.execute': new SpanShape('graphql.execute', SpanKind.internal),
  'graphql.serialize': new SpanShape('graphql.serialize', SpanKind.internal),
  'graphql.subscribe': new SpanShape('graphql.subscribe', SpanKind.internal),
  /** Executing and sending the later parts of `@defer` and `@stream`. */
  'graphql.parts': new SpanShape('graphql.parts', SpanKind.internal),
};

function findOperationShape(kind: string, name = NO_NAME): SpanShape {
  const shapes = operationShapes.get(kind) ?? new SpanShapes();
  operationShapes.set(kind, shapes);
  return shapes.get(truncate(name), (known) => {
    const named = { 'graphql.operation.name': known === NO_NAME ? undefined : known };
    return new SpanShape(kind, SpanKind.internal, { 'graphql.operation.type': kind, ...named });
  });
}

/** Maximum number of fetch plans that one phase records as span events. */
const MAX_EVENTS = 32;

function toCallAttributes(call: FinishedCall): Attributes {
  const { status, attempts } = call;
  const hasResponse = status !== 0;
  return {
    'http.response.status_code': hasResponse ? status : undefined,
    'http.response.body.size': hasResponse ? call.bytes : undefined,
    'http.request.resend_count': attempts > 1 ? attempts - 1 : undefined,
    'error.type': status >= 400 ? String(status) : call.errorCode,
    'fieldgraph.attempts': attempts,
    'fieldgraph.cache.state': call.cacheState,
    'fieldgraph.batch.size': call.batchSize,
    'fieldgraph.breaker.state': call.breaker,
  };
}

interface RequestEnd {
  method: string;
  isSecure: boolean;
  status: number;
  /** How the response was obtained: `executed`, `shared`, `cached`; undefined if the request was refused. */
  source: string | undefined;
  /** An unexpected error. It may have occurred after the response with `status` had begun. */
  hasFailed: boolean;
}

/** One HTTP request at `/graphql`. */
export class RequestTrace {
  readonly #parts: TraceParts;
  /** Undefined without sampling. */
  readonly #span: Span | undefined;
  #operation: OperationTrace | undefined;
  #isRoot = true;

  constructor(parts: TraceParts, parent: SpanId | undefined) {
    this.#parts = parts;
    if (parts.isSampled) this.#span = new Span(parts, parent, UNKNOWN_REQUEST, parts.now());
  }

  /** Called again, it returns the same operation: one that cannot be sent in parts continues on the ordinary path. */
  beginOperation(): OperationTrace {
    this.#operation ??= new OperationTrace(this.#parts, this.#span, { isRoot: false });
    return this.#operation;
  }

  /** The operation may end after the request, such as over a stream. It ends the trace instead of the request. */
  endWith(operation: OperationTrace): void {
    this.#isRoot = false;
    operation.isRoot = true;
  }

  end(end: RequestEnd): void {
    const span = this.#span;
    if (span !== undefined) {
      span.hasFailed = end.hasFailed || end.status >= 500;
      span.findShape = () => findRequestShape(end);
      this.#parts.add(span, this.#parts.now());
    }
    if (this.#isRoot) this.#parts.end();
  }
}

const ROUTE = '/graphql';
const UNKNOWN_REQUEST = new SpanShape(ROUTE, SpanKind.server);
const requestShapes = new SpanShapes();

/** Called when the span is encoded, not while the request is served. */
function findRequestShape({ method, isSecure, status, source, hasFailed }: RequestEnd): SpanShape {
  const error = hasFailed ? 'INTERNAL_SERVER_ERROR' : undefined;
  return requestShapes.get(
    `${method} ${isSecure} ${status} ${source} ${hasFailed}`,
    () =>
      new SpanShape(`${method} ${ROUTE}`, SpanKind.server, {
        'http.request.method': method,
        'http.route': ROUTE,
        'url.path': ROUTE,
        'url.scheme': isSecure ? 'https' : 'http',
        'http.response.status_code': status,
        'fieldgraph.response.source': source,
        'error.type': status >= 500 ? String(status) : error,
      }),
  );
}
