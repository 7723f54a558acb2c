/** Encodes spans as OTLP in Protocol Buffers (opentelemetry/proto/trace/v1/trace.proto). Numbers are those of its fields. */
import { ByteWriter } from './byteWriter.js';
import { type OtlpEncoder, SCOPE, STATUS_ERROR } from './otlpJson.js';
import { type Attributes, type AttributeValue, NO_ATTRIBUTES, type Span, type SpanEvent } from './span.js';
import type { SpanId, TraceId } from './traceContext.js';

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;
/** Field of a span. */
const ATTRIBUTES = 9;
/** More than the code has names of attributes. */
const MAX_KEYS = 1000;
const TWO_TO_32 = 2 ** 32;

const tag = (field: number, wireType: number) => field * 8 + wireType;

export const protobufEncoder: OtlpEncoder = {
  contentType: 'application/x-protobuf',
  append(span, to) {
    to.byte(tag(2, WIRE_BYTES));
    const start = to.beginMessage(2);
    appendSpan(span, to);
    to.endMessage(start, 2);
  },
  frame(spans, resource) {
    const outer = new ByteWriter(256);
    outer.byte(tag(1, WIRE_BYTES));
    const start = outer.beginMessage(2);
    appendAttributes(1, resource, outer);
    outer.endMessage(start, 2);
    const scope = new ByteWriter(32);
    scope.byte(tag(1, WIRE_BYTES));
    scope.byte(SCOPE.length + 2);
    appendText(1, SCOPE, scope);
    outer.byte(tag(2, WIRE_BYTES));
    outer.varint(scope.length + spans.length);
    const head = new ByteWriter(16);
    head.byte(tag(1, WIRE_BYTES));
    head.varint(outer.length + scope.length + spans.length);
    return [head.view(), outer.view(), scope.view(), spans];
  },
};

function appendSpan(span: Span, to: ByteWriter): void {
  const { traceId, state } = span.trace;
  appendTraceId(traceId, to);
  appendSpanId(2, span.spanId, to);
  if (state !== '') appendText(3, state, to);
  if (span.parentSpanId !== undefined) appendSpanId(4, span.parentSpanId, to);
  appendText(5, span.name, to);
  to.byte(tag(6, WIRE_VARINT));
  to.byte(span.kind);
  appendTime(7, span.startMs, to);
  appendTime(8, span.endMs, to);
  if (span.commonAttributes !== NO_ATTRIBUTES) to.append(encodeCommon(span.commonAttributes));
  if (span.attributes !== NO_ATTRIBUTES) appendAttributes(ATTRIBUTES, span.attributes, to);
  for (const event of span.events) appendEvent(event, to);
  if (!span.hasFailed) return;
  to.byte(tag(15, WIRE_BYTES));
  to.byte(2);
  to.byte(tag(3, WIRE_VARINT));
  to.byte(STATUS_ERROR);
}

/** Attributes of a span, whose object is the same for many spans. */
const commons = new WeakMap<Attributes, Uint8Array>();

function encodeCommon(attributes: Attributes): Uint8Array {
  const known = commons.get(attributes);
  if (known !== undefined) return known;
  const writer = new ByteWriter(256);
  appendAttributes(ATTRIBUTES, attributes, writer);
  commons.set(attributes, writer.view());
  return writer.view();
}

/** The beginning of attributes, by their names: these are few, and most of their bytes. */
const keys = new Map<string, Uint8Array>();

function encodeKey(key: string): Uint8Array {
  const writer = new ByteWriter(64);
  appendText(1, key, writer);
  writer.byte(tag(2, WIRE_BYTES));
  if (keys.size < MAX_KEYS) keys.set(key, writer.view());
  return writer.view();
}

function appendEvent({ name, timeMs, attributes }: SpanEvent, to: ByteWriter): void {
  to.byte(tag(11, WIRE_BYTES));
  const start = to.beginMessage(2);
  appendTime(1, timeMs, to);
  appendText(2, name, to);
  appendAttributes(3, attributes, to);
  to.endMessage(start, 2);
}

/** A repeated field of keys and values. */
function appendAttributes(field: number, attributes: Attributes, to: ByteWriter): void {
  for (const key in attributes) {
    const value = attributes[key];
    if (value === undefined) continue;
    to.byte(tag(field, WIRE_BYTES));
    const start = to.beginMessage(1);
    to.append(keys.get(key) ?? encodeKey(key));
    const valueStart = to.beginMessage(1);
    appendValue(value, to);
    to.endMessage(valueStart, 1);
    to.endMessage(start, 1);
  }
}

function appendValue(value: AttributeValue, to: ByteWriter): void {
  if (typeof value === 'string') appendText(1, value, to);
  else if (typeof value === 'boolean') {
    to.byte(tag(2, WIRE_VARINT));
    to.byte(value ? 1 : 0);
  } else if (Number.isInteger(value) && value >= 0) {
    to.byte(tag(3, WIRE_VARINT));
    to.varint(value);
  } else {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setFloat64(0, value, true);
    to.byte(tag(4, WIRE_FIXED64));
    to.uint32(bytes.getUint32(0, true));
    to.uint32(bytes.getUint32(4, true));
  }
}

function appendText(field: number, value: string, to: ByteWriter): void {
  to.byte(tag(field, WIRE_BYTES));
  const start = to.beginMessage(1);
  to.text(value);
  to.endMessage(start, 1);
}

function appendTraceId({ first, second, third, fourth }: TraceId, to: ByteWriter): void {
  to.byte(tag(1, WIRE_BYTES));
  to.byte(16);
  to.bits32(first);
  to.bits32(second);
  to.bits32(third);
  to.bits32(fourth);
}

function appendSpanId(field: number, { high, low }: SpanId, to: ByteWriter): void {
  to.byte(tag(field, WIRE_BYTES));
  to.byte(8);
  to.bits32(high);
  to.bits32(low);
}

/** Nanoseconds since the Unix epoch, in halves, since they do not fit into a number. */
function appendTime(field: number, unixMs: number, to: ByteWriter): void {
  const micros = Math.round(unixMs * 1000);
  const high = Math.floor(micros / TWO_TO_32);
  const low = (micros - high * TWO_TO_32) * 1000;
  const carry = Math.floor(low / TWO_TO_32);
  to.byte(tag(field, WIRE_FIXED64));
  to.uint32(low - carry * TWO_TO_32);
  to.uint32(high * 1000 + carry);
}
