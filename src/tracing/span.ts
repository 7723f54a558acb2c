/** A finished span, as the exporter takes it. */

export type AttributeValue = string | number | boolean;

/** In the numbers of OTLP. */
export const SpanKind = { internal: 1, server: 2, client: 3 } as const;

export interface Span {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  /** `tracestate`; empty if there is none. */
  state: string;
  name: string;
  kind: (typeof SpanKind)[keyof typeof SpanKind];
  /** Milliseconds since the Unix epoch, with fractions. */
  startMs: number;
  endMs: number;
  /** Undefined values are left out. */
  attributes: Readonly<Record<string, AttributeValue | undefined>>;
  events: readonly SpanEvent[];
  hasFailed: boolean;
}

export interface SpanEvent {
  name: string;
  timeMs: number;
  attributes: Readonly<Record<string, AttributeValue>>;
}

/** Takes finished spans. */
export interface SpanSink {
  add(span: Span): void;
}

/** Longer texts are cut off, so that a number of spans bounds their bytes. */
const MAX_TEXT_CHARACTERS = 256;

export function limitText(text: string): string {
  return text.length <= MAX_TEXT_CHARACTERS ? text : `${text.slice(0, MAX_TEXT_CHARACTERS - 1)}…`;
}
