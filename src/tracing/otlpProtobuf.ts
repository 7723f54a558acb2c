/** Encodes spans as OTLP in Protocol Buffers (opentelemetry/proto/trace/v1/trace.proto). Numbers are those of its fields. */
import { ByteWriter } from './byteWriter.js';
import { type OtlpEncoder, SCOPE, STATUS_ERROR } from './otlpJson.js';
import {
  type Attributes,
  type AttributeValue,
  NO_ATTRIBUTES,
  type Span,
  type SpanEvent,
  type SpanShape,
} from './span.js';

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

/** The ids and times of a span: fields of fixed lengths, filled in later. The parent comes last, since it may be absent. */
const HEAD = Uint8Array.of(
  ...[tag(1, WIRE_BYTES), 16, ...Array<number>(16).fill(0)],
  ...[tag(2, WIRE_BYTES), 8, ...Array<number>(8).fill(0)],
  ...[tag(7, WIRE_FIXED64), ...Array<number>(8).fill(0)],
  ...[tag(8, WIRE_FIXED64), ...Array<number>(8).fill(0)],
  ...[tag(4, WIRE_BYTES), 8, ...Array<number>(8).fill(0)],
);
const ROOT_HEAD = HEAD.subarray(0, HEAD.length - 10);

function appendSpan(span: Span, to: ByteWriter): void {
  const { shape, parentSpanId, spanId } = span;
  const { traceId, state } = span.trace;
  const at = to.length;
  to.append(parentSpanId === undefined ? ROOT_HEAD : HEAD);
  to.setBits32(at + 2, traceId.first);
  to.setBits32(at + 6, traceId.second);
  to.setBits32(at + 10, traceId.third);
  to.setBits32(at + 14, traceId.fourth);
  to.setBits32(at + 20, spanId.high);
  to.setBits32(at + 24, spanId.low);
  setTime(at + 29, span.startMs, to);
  setTime(at + 38, span.endMs, to);
  if (parentSpanId !== undefined) {
    to.setBits32(at + 48, parentSpanId.high);
    to.setBits32(at + 52, parentSpanId.low);
  }
  shape.encoded ??= encodeShape(shape);
  to.append(shape.encoded);
  if (span.attributes !== NO_ATTRIBUTES) appendAttributes(ATTRIBUTES, span.attributes, to);
  if (state !== '') appendText(3, state, to);
  for (const event of span.events) appendEvent(event, to);
  if (!span.hasFailed) return;
  to.byte(tag(15, WIRE_BYTES));
  to.byte(2);
  to.byte(tag(3, WIRE_VARINT));
  to.byte(STATUS_ERROR);
}

function encodeShape({ name, kind, attributes }: SpanShape): Uint8Array {
  const writer = new ByteWriter(256);
  appendText(5, name, writer);
  writer.byte(tag(6, WIRE_VARINT));
  writer.byte(kind);
  appendAttributes(ATTRIBUTES, attributes, writer);
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

/** The time of an event, filled in later. */
const TIME = Uint8Array.of(tag(1, WIRE_FIXED64), ...Array<number>(8).fill(0));

function appendEvent({ name, timeMs, attributes }: SpanEvent, to: ByteWriter): void {
  to.byte(tag(11, WIRE_BYTES));
  const start = to.beginMessage(2);
  const at = to.length;
  to.append(TIME);
  setTime(at + 1, timeMs, to);
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
    to.byte(tag(4, WIRE_FIXED64));
    to.append(new Uint8Array(Float64Array.of(value).buffer));
  }
}

function appendText(field: number, value: string, to: ByteWriter): void {
  to.byte(tag(field, WIRE_BYTES));
  const start = to.beginMessage(1);
  to.text(value);
  to.endMessage(start, 1);
}

/** Sets the nanoseconds since the Unix epoch, in halves, since they do not fit into a number. */
function setTime(at: number, unixMs: number, to: ByteWriter): void {
  const micros = Math.round(unixMs * 1000);
  const high = Math.floor(micros / TWO_TO_32);
  const low = (micros - high * TWO_TO_32) * 1000;
  const carry = Math.floor(low / TWO_TO_32);
  to.setUint32(at, low - carry * TWO_TO_32);
  to.setUint32(at + 4, high * 1000 + carry);
}
