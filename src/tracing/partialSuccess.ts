/** Reads from the response of a collector how many spans of a batch it has rejected (OTLP specification, "Partial Success"). */

/** Field of the response, and of the message in it. */
const PARTIAL_SUCCESS = 1;
const REJECTED_SPANS = 1;
const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;

/** 0 without a readable number: most collectors send an empty message. */
export function readRejectedSpans(body: Buffer, contentType: string): number {
  try {
    if (contentType.startsWith('application/x-protobuf')) return readProtobuf(body);
    return contentType.startsWith('application/json') ? readJson(body) : 0;
  } catch {
    return 0;
  }
}

function readJson(body: Buffer): number {
  const { partialSuccess } = JSON.parse(body.toString()) as { partialSuccess?: { rejectedSpans?: unknown } };
  return Number(partialSuccess?.rejectedSpans ?? 0);
}

function readProtobuf(body: Buffer): number {
  const partialSuccess = findField(body, PARTIAL_SUCCESS);
  return Buffer.isBuffer(partialSuccess) ? Number(findField(partialSuccess, REJECTED_SPANS) ?? 0) : 0;
}

/** The value of a field of Protocol Buffers: bytes or a number. Throws if the message is cut off. */
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
    if (at > message.length) throw new RangeError('The message is cut off.');
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = readVarint();
    const wireType = tag & 7;
    const fixedLength = wireType === WIRE_FIXED64 ? 8 : 4;
    const value =
      wireType === WIRE_VARINT ? readVarint() : skip(wireType === WIRE_BYTES ? readVarint() : fixedLength);
    if (tag >> 3 === wanted) return value;
  }
  return undefined;
}
