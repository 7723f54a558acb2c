/**
 * OTLP in Protocol Buffers (opentelemetry/proto/trace/v1/trace.proto). The constants are field numbers of that file.
 */
import { ByteWriter } from './byteWriter.js';
import { INSTRUMENTATION_SCOPE, type OtlpFormat, STATUS_ERROR } from './otlpJson.js';
import {
  type Attributes,
  type AttributeValue,
  type EncodedShape,
  NO_ATTRIBUTES,
  type Span,
  type SpanEvent,
  type SpanShape,
} from './span.js';

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;
/** The number of the field `attributes` in the message `Span`. */
const ATTRIBUTES = 9;
/** More than there are attribute names in the code. */
const MAX_KEYS = 1000;
const TWO_TO_32 = 2 ** 32;
/** Reserves the bytes of a number, which is written later. */
const NUMBER_PLACEHOLDER = new Uint8Array(8);

const tag = (field: number, wireType: number) => field * 8 + wireType;

export const protobufFormat: OtlpFormat = {
  contentType: 'application/x-protobuf',
  append(span, to) {
    const { shape, parent } = span;
    shape.encoded ??= encodeShape(shape);
    const { child, root } = shape.encoded;
    const shared = parent === undefined ? root : child;
    to.byte(tag(2, WIRE_BYTES));
    if (isPlain(span)) {
      to.varint(shared.length);
      setHead(span, to.append(shared), to.numbers);
      return;
    }
    const start = to.beginMessage(2);
    setHead(span, to.append(shared), to.numbers);
    appendRest(span, to);
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
    scope.byte(INSTRUMENTATION_SCOPE.length + 2);
    appendText(1, INSTRUMENTATION_SCOPE, scope);
    outer.byte(tag(2, WIRE_BYTES));
    outer.varint(scope.length + spans.length);
    const head = new ByteWriter(16);
    head.byte(tag(1, WIRE_BYTES));
    head.varint(outer.length + scope.length + spans.length);
    return [head.view(), outer.view(), scope.view(), spans];
  },
  readRejectedSpans(response) {
    const partialSuccess = findField(response, 1);
    return Buffer.isBuffer(partialSuccess) ? Number(findField(partialSuccess, 1) ?? 0) : 0;
  },
};

/**
 * The ids and times of a span: fields of fixed lengths, which are written later. The parent comes first, since it may
 * be absent.
 */
const PARENT_BYTES = 10;
const HEAD = Uint8Array.of(
  ...[tag(4, WIRE_BYTES), 8, ...Array<number>(8).fill(0)],
  ...[tag(1, WIRE_BYTES), 16, ...Array<number>(16).fill(0)],
  ...[tag(2, WIRE_BYTES), 8, ...Array<number>(8).fill(0)],
  ...[tag(7, WIRE_FIXED64), ...Array<number>(8).fill(0)],
  ...[tag(8, WIRE_FIXED64), ...Array<number>(8).fill(0)],
);

function setHead({ trace, parent, high, low, startMs, endMs }: Span, start: number, numbers: DataView): void {
  const { first, second, third, fourth } = trace.traceId;
  const at = parent === undefined ? start - PARENT_BYTES : start;
  if (parent !== undefined) {
    numbers.setInt32(at + 2, parent.high);
    numbers.setInt32(at + 6, parent.low);
  }
  numbers.setInt32(at + 12, first);
  numbers.setInt32(at + 16, second);
  numbers.setInt32(at + 20, third);
  numbers.setInt32(at + 24, fourth);
  numbers.setInt32(at + 30, high);
  numbers.setInt32(at + 34, low);
  setTime(at + 39, startMs, numbers);
  setTime(at + 48, endMs, numbers);
}

/** Whether the shape has all parts of the span but its ids and times. */
function isPlain({ attributes, trace, events, hasFailed }: Span): boolean {
  return attributes === NO_ATTRIBUTES && trace.state === '' && events.length === 0 && !hasFailed;
}

function appendRest({ attributes, trace, events, hasFailed }: Span, to: ByteWriter): void {
  if (attributes !== NO_ATTRIBUTES) appendAttributes(ATTRIBUTES, attributes, to);
  if (trace.state !== '') appendText(3, trace.state, to);
  for (const event of events) appendEvent(event, to);
  if (!hasFailed) return;
  to.byte(tag(15, WIRE_BYTES));
  to.byte(2);
  to.byte(tag(3, WIRE_VARINT));
  to.byte(STATUS_ERROR);
}

function encodeShape({ name, kind, attributes }: SpanShape): EncodedShape {
  const writer = new ByteWriter(256);
  writer.append(HEAD);
  appendText(5, name, writer);
  writer.byte(tag(6, WIRE_VARINT));
  writer.byte(kind);
  appendAttributes(ATTRIBUTES, attributes, writer);
  const child = writer.view();
  return { child, root: child.subarray(PARENT_BYTES) };
}

/**
 * The bytes of attributes with small whole numbers, up to the number itself, by name. The first is for numbers of one byte,
 * the second for numbers of two bytes.
 */
const numberPrefixes = new Map<string, Uint8Array[]>();

function encodeNumberPrefixes(key: string): Uint8Array[] {
  const prefixes = [0, 128].map((value, index) => {
    const writer = new ByteWriter(64);
    appendAttribute(key, value, writer);
    return writer.view().subarray(0, -1 - index);
  });
  if (numberPrefixes.size < MAX_KEYS) numberPrefixes.set(key, prefixes);
  return prefixes;
}

/** Reserves the field with the time of an event, which is written later. */
const TIME_PLACEHOLDER = Uint8Array.of(tag(1, WIRE_FIXED64), ...Array<number>(8).fill(0));

function appendEvent({ name, timeMs, attributes }: SpanEvent, to: ByteWriter): void {
  to.byte(tag(11, WIRE_BYTES));
  const start = to.beginMessage(2);
  const at = to.append(TIME_PLACEHOLDER);
  setTime(at + 1, timeMs, to.numbers);
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
    if (typeof value === 'number' && (value & 0x3fff) === value) appendSmallNumber(key, value, to);
    else appendAttribute(key, value, to);
  }
}

function appendSmallNumber(key: string, value: number, to: ByteWriter): void {
  const prefixes = numberPrefixes.get(key) ?? encodeNumberPrefixes(key);
  to.append(prefixes[value < 128 ? 0 : 1] as Uint8Array);
  to.varint(value);
}

function appendAttribute(key: string, value: AttributeValue, to: ByteWriter): void {
  const start = to.beginMessage(1);
  appendText(1, key, to);
  to.byte(tag(2, WIRE_BYTES));
  const valueStart = to.beginMessage(1);
  appendValue(value, to);
  to.endMessage(valueStart, 1);
  to.endMessage(start, 1);
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
    const at = to.append(NUMBER_PLACEHOLDER);
    to.numbers.setFloat64(at, value, true);
  }
}

function appendText(field: number, value: string, to: ByteWriter): void {
  to.byte(tag(field, WIRE_BYTES));
  const start = to.beginMessage(1);
  to.text(value);
  to.endMessage(start, 1);
}

/** Writes the nanoseconds since the Unix epoch as two 32-bit halves, because they do not fit into a number. */
function setTime(at: number, unixMs: number, numbers: DataView): void {
  const micros = Math.round(unixMs * 1000);
  const high = Math.floor(micros / TWO_TO_32);
  const low = (micros - high * TWO_TO_32) * 1000;
  const carry = Math.floor(low / TWO_TO_32);
  numbers.setUint32(at, low - carry * TWO_TO_32, true);
  numbers.setUint32(at + 4, high * 1000 + carry, true);
}

/** The value of a field of Protocol Buffers: bytes or a number. Throws if the message is truncated. */
function findField(message: Buffer, wanted: number): Buffer | number | undefined {
  let at = 0;
  const readVarint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const skip = (length: number) => {
    at += length;
    if (at > message.length) throw new RangeError('The message is truncated.');
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = readVarint();
    const wireType = key & 7;
    const fixedLength = wireType === WIRE_FIXED64 ? 8 : 4;
    const value =
      wireType === WIRE_VARINT ? readVarint() : skip(wireType === WIRE_BYTES ? readVarint() : fixedLength);
    if (key >> 3 === wanted) return value;
  }
  return undefined;
}
