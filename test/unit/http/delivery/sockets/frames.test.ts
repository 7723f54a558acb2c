/** Websocket frames of one batch for clients with different ids. */
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createNextFrames, writeFrames } from '../../../../../src/http/delivery/sockets/frames.js';

const toPayload = (text: string) => ({ text, cursor: undefined, position: undefined });
const small = toPayload('{"data":{"n":1}}');
const large = toPayload(JSON.stringify({ data: { text: 'ä'.repeat(40_000) } }));

/** The messages of unmasked text frames. */
function readMessages(bytes: Buffer): unknown[] {
  const messages: unknown[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    const short = bytes.readUInt8(at + 1);
    const [start, length] =
      short < 126
        ? [at + 2, short]
        : short === 126
          ? [at + 4, bytes.readUInt16BE(at + 2)]
          : [at + 10, Number(bytes.readBigUInt64BE(at + 2))];
    messages.push(JSON.parse(bytes.subarray(start, start + length).toString()));
    at = start + length;
  }
  return messages;
}

/** A socket that sends bytes at once, or one that buffers them because the client does not read. */
function createSocket(kind: 'reading' | 'unread') {
  const chunks: Buffer[] = [];
  const take = (taken: readonly Buffer[], done: () => void) => {
    chunks.push(...(kind === 'unread' ? taken : taken.map((chunk) => Buffer.from(chunk))));
    if (kind === 'reading') done();
  };
  const socket = new Writable({
    write: (chunk: Buffer, _, done) => take([chunk], done),
    writev: (writes, done) =>
      take(
        writes.map(({ chunk }) => chunk as Buffer),
        done,
      ),
  });
  return { socket, chunks };
}

describe('Frames of a batch', () => {
  it.each([
    ['small', [small, small]],
    ['large', [large, large]],
    ['small and large', [small, large, small]],
  ])('of %s results have the id of each client', (_, payloads) => {
    const template = createNextFrames(payloads, 3);
    const clients = ['reading', 'unread', 'unread', 'reading', 'unread'] as const;
    const written = clients.map((kind, index) => {
      const { socket, chunks } = createSocket(kind);
      writeFrames(socket, template, JSON.stringify(String(index)));
      return chunks;
    });
    for (const [index, chunks] of written.entries()) {
      const expected = payloads.map(({ text }) => ({
        id: String(index),
        type: 'next',
        payload: JSON.parse(text),
      }));
      expect(readMessages(Buffer.concat(chunks))).toEqual(expected);
    }
  });

  it('share the bytes of large results', () => {
    const template = createNextFrames([large], 3);
    const { socket, chunks } = createSocket('unread');
    writeFrames(socket, template, '"a"');
    socket.destroy();
    const own = chunks.filter(({ buffer }) => buffer !== template.bytes.buffer);
    expect(own.reduce((sum, { length }) => sum + length, 0)).toBe(3);
  });
});

it('frames of every length around the limits of a header are read as they were written', () => {
  for (const limit of [126, 0x1_0000]) {
    for (let length = limit - 60; length <= limit + 10; length++) {
      const text = JSON.stringify('x'.repeat(length - 2));
      const { socket, chunks } = createSocket('reading');
      writeFrames(socket, createNextFrames([toPayload(text)], 3), '"1"');
      expect(readMessages(Buffer.concat(chunks))).toEqual([
        { id: '1', type: 'next', payload: JSON.parse(text) },
      ]);
    }
  }
});
