/** Lists put together of pieces: read as one, and turned round without new pieces being made each time. */
import { describe, expect, it } from 'vitest';
import { PiecedList } from '../../src/lib/piecedList.js';

const list = new PiecedList([[], [1, 2], [], [3], []]);

describe('a list of pieces', () => {
  it('reads as one', () => {
    expect([...list]).toEqual([1, 2, 3]);
    expect(list.toArray()).toEqual([1, 2, 3]);
    expect([list.length, list.first(), list.last()]).toEqual([3, 1, 3]);
  });

  it('may hold nothing', () => {
    const empty = new PiecedList<number>([[]]);
    expect([[...empty], empty.length, empty.first(), empty.last()]).toEqual([[], 0, undefined, undefined]);
  });

  it('is turned round with the same pieces each time, and back to its own', () => {
    expect([...list.reversed()]).toEqual([3, 2, 1]);
    expect(list.reversed().pieces[1]).toBe(list.reversed().pieces[1]);
    expect(list.reversed().reversed().pieces[1]).toBe(list.pieces[1]);
    expect([...list]).toEqual([1, 2, 3]);
  });
});
