/** Websocket frames of one batch for clients with different ids. */
import { describe, expect, it } from 'vitest';
import { createNextFrames, fillId } from '../../../../../src/http/delivery/sockets/frames.js';

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

describe('Frames of a batch', () => {
  it.each([
    ['small', [small, small]],
    ['large', [large, large]],
    ['small and large', [small, large, small]],
  ])('of %s results have the id of each client', (_, payloads) => {
    const template = createNextFrames(payloads, 3);
    for (const id of ['"a"', '"b"']) {
      const expected = payloads.map(({ text }) => ({
        id: JSON.parse(id),
        type: 'next',
        payload: JSON.parse(text),
      }));
      expect(readMessages(Buffer.concat(fillId(template, id)))).toEqual(expected);
    }
  });

  it('share the bytes of large results', () => {
    const template = createNextFrames([large], 3);
    const own = fillId(template, '"a"').filter(({ buffer }) => buffer !== template.bytes.buffer);
    expect(own.reduce((sum, { length }) => sum + length, 0)).toBe(3);
  });
});
