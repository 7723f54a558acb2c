/** Encodes spans as OTLP in JSON. Writes the text directly: objects for each attribute would double its CPU time. */
import type { AttributeValue, Span, SpanEvent } from './span.js';

/** Names the code that records the spans. */
export const SCOPE = 'fieldgraph';
/** In OTLP: 2 is an error, 0 is unset. */
export const STATUS_ERROR = 2;

export function encodeJson(spans: readonly Span[], resource: Readonly<Record<string, string>>): string {
  const texts = spans.map(toSpan).join(',');
  const scope = `{"scope":{"name":"${SCOPE}"},"spans":[${texts}]}`;
  return `{"resourceSpans":[{"resource":{"attributes":${toAttributes(resource)}},"scopeSpans":[${scope}]}]}`;
}

function toSpan(span: Span): string {
  const { traceId, spanId, parentSpanId, state, name, kind, startMs, endMs, attributes, events } = span;
  const parent = parentSpanId === '' ? '' : `,"parentSpanId":"${parentSpanId}"`;
  const traceState = state === '' ? '' : `,"traceState":${JSON.stringify(state)}`;
  const happened = events.length === 0 ? '' : `,"events":[${events.map(toEvent).join(',')}]`;
  const status = span.hasFailed ? `,"status":{"code":${STATUS_ERROR}}` : '';
  const times = `"startTimeUnixNano":"${toNano(startMs)}","endTimeUnixNano":"${toNano(endMs)}"`;
  return `{"traceId":"${traceId}","spanId":"${spanId}"${parent}${traceState},"name":${JSON.stringify(name)},"kind":${kind},${times},"attributes":${toAttributes(attributes)}${happened}${status}}`;
}

function toEvent({ name, timeMs, attributes }: SpanEvent): string {
  return `{"timeUnixNano":"${toNano(timeMs)}","name":${JSON.stringify(name)},"attributes":${toAttributes(attributes)}}`;
}

function toAttributes(attributes: Readonly<Record<string, AttributeValue | undefined>>): string {
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
  return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`;
}

/** Nanoseconds with the precision of microseconds: more digits do not fit into a number. */
export function toNano(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}
