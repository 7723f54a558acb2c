/** Websocket frames of results. A batch is framed once for all ids of one length; only the ids differ between clients. */
import type { Writable } from 'node:stream';
import type { Payload } from '../../../live/payloads.js';

/** Frames of a batch, ready for an id. */
export interface FrameTemplate {
  /** These bytes may be overwritten: no socket will read them. */
  bytes: Buffer;
  /** Offsets in `bytes` at which the id is written. */
  idOffsets: readonly number[];
}

const TEXT_FRAME = 0x81;
const PAYLOAD_LENGTH_16 = 126;
const PAYLOAD_LENGTH_64 = 127;
const MAX_LENGTH_16 = 0xffff;

const BEFORE_ID = Buffer.from('{"id":');
const AFTER_ID = Buffer.from(',"type":"next","payload":');
const END = Buffer.from('}');

/** `idBytes` is the length of the id as JSON text in UTF-8. */
export function createNextFrames(payloads: readonly Payload[], idBytes: number): FrameTemplate {
  const parts: Buffer[] = [];
  const idOffsets: number[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const { text } of payloads) {
    const result = Buffer.from(text);
    add(createHeader(BEFORE_ID.length + idBytes + AFTER_ID.length + result.length + END.length));
    add(BEFORE_ID);
    idOffsets.push(length);
    add(Buffer.alloc(idBytes));
    add(AFTER_ID);
    add(result);
    add(END);
  }
  return { bytes: Buffer.concat(parts, length), idOffsets };
}

/**
 * Writes the frames with an id, which is JSON text of the length for which the template was created. Returns false as
 * `Writable.write` does. Small results are written from the template itself. Large ones are written in chunks, so
 * that all clients that do not read share one copy.
 */
export function writeFrames(socket: Writable, template: FrameTemplate, id: string): boolean {
  const { bytes, idOffsets } = template;
  if (bytes.length >= MIN_SHARED_BYTES * idOffsets.length)
    return writeChunks(socket, splitAtIds(bytes, idOffsets, Buffer.from(id)));
  for (const offset of idOffsets) bytes.write(id, offset);
  const isAccepted = socket.write(bytes);
  // Usually the operating system has accepted everything by now. Otherwise the socket still references the bytes,
  // so the next id needs a copy.
  if (socket.writableLength > 0) template.bytes = Buffer.from(bytes);
  return isAccepted;
}

function writeChunks(socket: Writable, chunks: readonly Buffer[]): boolean {
  socket.cork();
  const accepted = chunks.map((chunk) => socket.write(chunk));
  socket.uncork();
  return accepted.at(-1) ?? true;
}

/** Results of this size, on average, are written in chunks. Smaller ones would cost more CPU time in chunks. */
const MIN_SHARED_BYTES = 4096;

function splitAtIds(bytes: Buffer, idOffsets: readonly number[], id: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  let end = 0;
  for (const offset of idOffsets) {
    chunks.push(bytes.subarray(end, offset), id);
    end = offset + id.length;
  }
  chunks.push(bytes.subarray(end));
  return chunks;
}

/** A frame of a server has no mask (RFC 6455, 5.2). */
function createHeader(length: number): Buffer {
  if (length < PAYLOAD_LENGTH_16) return Buffer.from([TEXT_FRAME, length]);
  if (length <= MAX_LENGTH_16)
    return Buffer.from([TEXT_FRAME, PAYLOAD_LENGTH_16, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header.writeUInt16BE((TEXT_FRAME << 8) | PAYLOAD_LENGTH_64);
  header.writeUInt32BE(length, 6);
  return header;
}
