/** Appends bytes to a buffer that grows. Encoded spans wait as bytes, because V8 would copy waiting objects twice. */

/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const MAX_UNIT_BYTES = 3;

export class ByteWriter {
  #bytes: Buffer;
  #numbers: DataView;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
    this.#numbers = toNumbers(this.#bytes);
  }

  get length(): number {
    return this.#length;
  }

  /** For overwriting numbers, valid until the next write. V8 compiles each number to a single store. */
  get numbers(): DataView {
    return this.#numbers;
  }

  /** The bytes so far, valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Returns the position of the bytes. */
  append(source: Uint8Array): number {
    const at = this.#length;
    this.#reserve(source.length);
    this.#bytes.set(source, at);
    this.#length = at + source.length;
    return at;
  }

  /** In UTF-8. */
  text(value: string): void {
    this.#reserve(value.length * MAX_UNIT_BYTES);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** Seven bits in each byte, the lowest first. Whole numbers from 0 to 2^53. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Reserves `room` bytes for the length of the message that follows. Returns the position for `endMessage`. */
  beginMessage(room: 1 | 2): number {
    this.#reserve(room);
    this.#length += room;
    return this.#length;
  }

  /**
   * Writes the length of the message into the room before it. Moves the message if its length needs more or less room.
   */
  endMessage(start: number, room: 1 | 2): void {
    const length = this.#length - start;
    const needed = length < 128 ? 1 : length < 16_384 ? 2 : 3;
    if (needed !== room) {
      this.#reserve(needed);
      this.#bytes.copyWithin(start - room + needed, start, this.#length);
    }
    this.#length = start - room;
    this.varint(length);
    this.#length += length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
    this.#numbers = toNumbers(grown);
  }
}

function toNumbers({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
