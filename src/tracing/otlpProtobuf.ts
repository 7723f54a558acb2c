/** Encodes spans as OTLP in Protocol Buffers (opentelemetry/proto/trace/v1/trace.proto). Numbers are those of its fields. */
import { SCOPE, STATUS_ERROR, toNano } from './otlpJson.js';
import type { AttributeValue, Span, SpanEvent } from './span.js';

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;
const EMPTY = Buffer.alloc(0);

export function encodeProtobuf(spans: readonly Span[], resource: Readonly<Record<string, string>>): Buffer {
  const scope = Buffer.concat([bytes(1, text(1, SCOPE)), ...spans.map((span) => bytes(2, toSpan(span)))]);
  const resourceSpans = Buffer.concat([bytes(1, toAttributes(1, resource)), bytes(2, scope)]);
  return bytes(1, resourceSpans);
}

function toSpan(span: Span): Buffer {
  const { traceId, spanId, parentSpanId, state, name, kind, startMs, endMs, attributes, events } = span;
  return Buffer.concat([
    bytes(1, Buffer.from(traceId, 'hex')),
    bytes(2, Buffer.from(spanId, 'hex')),
    state === '' ? EMPTY : text(3, state),
    parentSpanId === '' ? EMPTY : bytes(4, Buffer.from(parentSpanId, 'hex')),
    text(5, name),
    varint(6, kind),
    nano(7, startMs),
    nano(8, endMs),
    toAttributes(9, attributes),
    ...events.map((event) => bytes(11, toEvent(event))),
    span.hasFailed ? bytes(15, varint(3, STATUS_ERROR)) : EMPTY,
  ]);
}

function toEvent({ name, timeMs, attributes }: SpanEvent): Buffer {
  return Buffer.concat([nano(1, timeMs), text(2, name), toAttributes(3, attributes)]);
}

/** A repeated field of keys and values. */
function toAttributes(
  field: number,
  attributes: Readonly<Record<string, AttributeValue | undefined>>,
): Buffer {
  const pairs = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [bytes(field, Buffer.concat([text(1, key), bytes(2, toValue(value))]))],
  );
  return Buffer.concat(pairs);
}

function toValue(value: AttributeValue): Buffer {
  if (typeof value === 'string') return text(1, value);
  if (typeof value === 'boolean') return varint(2, value ? 1 : 0);
  return Number.isInteger(value) && value >= 0 ? varint(3, value) : double(4, value);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...tag(field, WIRE_BYTES), ...digits(value.length)]), value]);
}

function varint(field: number, value: number): Buffer {
  return Buffer.from([...tag(field, WIRE_VARINT), ...digits(value)]);
}

function double(field: number, value: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeDoubleLE(value);
  return Buffer.concat([Buffer.from(tag(field, WIRE_FIXED64)), body]);
}

/** Nanoseconds since the Unix epoch. */
function nano(field: number, unixMs: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeBigUInt64LE(BigInt(toNano(unixMs)));
  return Buffer.concat([Buffer.from(tag(field, WIRE_FIXED64)), body]);
}

function tag(field: number, wireType: number): number[] {
  return digits(field * 8 + wireType);
}

/** Seven bits in each byte, the lowest first. Whole numbers up to 2^53. */
function digits(value: number): number[] {
  const result: number[] = [];
  let rest = value;
  while (rest > 127) {
    result.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  result.push(rest);
  return result;
}
