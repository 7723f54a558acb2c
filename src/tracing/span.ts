/** A span: a unit of work with a start and an end. The exporter encodes it after it ends. */
import { drawBits, type SpanId, type TraceId } from './traceContext.js';

export type AttributeValue = string | number | boolean;

/** Undefined values are left out. The names must be constants, because the encoders cache them. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** In the numbers of OTLP. */
export const SpanKind = { internal: 1, server: 2, client: 3 } as const;

export interface SpanEvent {
  name: string;
  timeMs: number;
  attributes: Attributes;
}

export const NO_ATTRIBUTES: Attributes = {};
export const NO_EVENTS: readonly SpanEvent[] = [];

/** The bytes of a span with empty ids and times, with room for the id of its parent and without. */
export interface EncodedShape {
  child: Uint8Array;
  root: Uint8Array;
}

/** The parts that many spans have in common. */
export class SpanShape {
  readonly name: string;
  readonly kind: (typeof SpanKind)[keyof typeof SpanKind];
  /** They come before the other attributes of a span. */
  readonly attributes: Attributes;
  /** The encoded form, set by the encoder of Protocol Buffers. */
  encoded: EncodedShape | undefined = undefined;

  constructor(name: string, kind: SpanShape['kind'], attributes: Attributes = NO_ATTRIBUTES) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
  }
}

export interface SpanTrace {
  traceId: TraceId;
  /** `tracestate`; empty if there is none. */
  state: string;
}

/** The id is stored in the span itself, because tracing allocates five spans for each request. */
export class Span implements SpanId {
  readonly high = drawBits();
  readonly low = drawBits();
  readonly trace: SpanTrace;
  /** Undefined for the first span of a trace. */
  readonly parent: SpanId | undefined;
  shape: SpanShape;
  /**
   * Replaces `shape` when the span is encoded, so that a request does not wait for it. It must not reference a
   * document.
   */
  findShape: (() => SpanShape) | undefined = undefined;
  /** Milliseconds since the Unix epoch, with fractions. */
  readonly startMs: number;
  endMs: number;
  attributes = NO_ATTRIBUTES;
  events = NO_EVENTS;
  hasFailed = false;

  constructor(trace: SpanTrace, parent: SpanId | undefined, shape: SpanShape, startMs: number) {
    this.trace = trace;
    this.parent = parent;
    this.shape = shape;
    this.startMs = startMs;
    this.endMs = startMs;
  }
}

const MAX_STRING_CHARACTERS = 256;

export function truncate(text: string): string {
  return text.length <= MAX_STRING_CHARACTERS ? text : `${text.slice(0, MAX_STRING_CHARACTERS - 1)}…`;
}

/** Names of operations come from callers. Beyond this number of shapes, all are discarded. */
const MAX_SHAPES = 1000;

/** One shape for each combination of common parts, so that an encoder encodes it once. */
export class SpanShapes {
  readonly #byKey = new Map<string, SpanShape>();

  /**
   * `create` is called if the combination is new, with a copy of the key. The key must be short; it is copied
   * because it may be a slice of a document, which would otherwise stay in memory.
   */
  get(key: string, create: (key: string) => SpanShape): SpanShape {
    const cached = this.#byKey.get(key);
    if (cached !== undefined) return cached;
    if (this.#byKey.size >= MAX_SHAPES) this.#byKey.clear();
    const copy = ` ${key}`.slice(1);
    const created = create(copy);
    this.#byKey.set(copy, created);
    return created;
  }
}
