/** OTLP in JSON. Writes the text of spans directly: objects for each attribute would double its CPU time. */
import type { ByteWriter } from './byteWriter.js';
import type { Attributes, AttributeValue, Span, SpanEvent } from './span.js';
import { formatSpanId, formatTraceId } from './traceContext.js';

/** Names the code that records the spans. */
export const INSTRUMENTATION_SCOPE = 'fieldgraph';
/** In OTLP: 2 is an error, 0 is unset. */
export const STATUS_ERROR = 2;

export interface OtlpFormat {
  contentType: string;
  append(span: Span, batch: ByteWriter): void;
  /** The body of the request: the spans of a batch and the text around them. */
  frame(spans: Buffer, resource: Readonly<Record<string, string>>): readonly Buffer[];
  /**
   * The number of spans that the collector has rejected, by the body of its response (OTLP specification, "Partial
   * Success"). Throws if the body is not in this format.
   */
  readRejectedSpans(response: Buffer): number;
}

export const jsonFormat: OtlpFormat = {
  contentType: 'application/json',
  append(span, batch) {
    batch.text(batch.length === 0 ? toSpan(span) : `,${toSpan(span)}`);
  },
  frame(spans, resource) {
    const scope = `{"scope":{"name":"${INSTRUMENTATION_SCOPE}"},"spans":[`;
    const head = `{"resourceSpans":[{"resource":{"attributes":${toAttributes(resource)}},"scopeSpans":[${scope}`;
    return [Buffer.from(head), spans, Buffer.from(']}]}]}')];
  },
  readRejectedSpans(response) {
    const { partialSuccess } = JSON.parse(response.toString()) as JsonResponse;
    return Number(partialSuccess?.rejectedSpans ?? 0);
  },
};

interface JsonResponse {
  partialSuccess?: { rejectedSpans?: number | string };
}

function toSpan(span: Span): string {
  const { traceId, state } = span.trace;
  const { name, kind, attributes } = span.shape;
  const parent = span.parent === undefined ? '' : `,"parentSpanId":"${formatSpanId(span.parent)}"`;
  const ids = `"traceId":"${formatTraceId(traceId)}","spanId":"${formatSpanId(span)}"${parent}`;
  const traceState = state === '' ? '' : `,"traceState":${JSON.stringify(state)}`;
  const happened = span.events.length === 0 ? '' : `,"events":[${span.events.map(toEvent).join(',')}]`;
  const status = span.hasFailed ? `,"status":{"code":${STATUS_ERROR}}` : '';
  const times = `"startTimeUnixNano":"${toNano(span.startMs)}","endTimeUnixNano":"${toNano(span.endMs)}"`;
  return `{${ids}${traceState},"name":${JSON.stringify(name)},"kind":${kind},${times},"attributes":${toAttributes({ ...attributes, ...span.attributes })}${happened}${status}}`;
}

function toEvent({ name, timeMs, attributes }: SpanEvent): string {
  return `{"timeUnixNano":"${toNano(timeMs)}","name":${JSON.stringify(name)},"attributes":${toAttributes(attributes)}}`;
}

function toAttributes(attributes: Attributes): string {
  let text = '';
  for (const key in attributes) {
    const value = attributes[key];
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}{"key":${JSON.stringify(key)},"value":${toValue(value)}}`;
  }
  return `[${text}]`;
}

function toValue(value: AttributeValue): string {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`;
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (Number.isInteger(value)) return `{"intValue":"${value}"}`;
  // The JSON form of Protocol Buffers represents NaN, Infinity and -Infinity as strings.
  return Number.isFinite(value) ? `{"doubleValue":${value}}` : `{"doubleValue":"${value}"}`;
}

/** Nanoseconds with the precision of microseconds: more digits do not fit into a number. */
function toNano(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}
