/** Lists put together of pieces: read as one, and turned round without new pieces being made each time. */
import { describe, expect, it } from 'vitest';
import { ChunkedList } from '../../../src/lib/chunkedList.js';

const list = new ChunkedList([[], [1, 2], [], [3], []]);

describe('a list of pieces', () => {
  it('reads as one', () => {
    expect([...list]).toEqual([1, 2, 3]);
    expect(list.toArray()).toEqual([1, 2, 3]);
    expect([list.length, list.first(), list.last()]).toEqual([3, 1, 3]);
  });

  it('may hold nothing', () => {
    const empty = new ChunkedList<number>([[]]);
    expect([[...empty], empty.length, empty.first(), empty.last()]).toEqual([[], 0, undefined, undefined]);
  });

  it('is turned round with the same pieces each time, and back to its own', () => {
    expect([...list.reversed()]).toEqual([3, 2, 1]);
    expect(list.reversed().chunks[1]).toBe(list.reversed().chunks[1]);
    expect(list.reversed().reversed().chunks[1]).toBe(list.chunks[1]);
    expect([...list]).toEqual([1, 2, 3]);
  });
});
