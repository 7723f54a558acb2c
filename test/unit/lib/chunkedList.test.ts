/** Lists of several chunks: read as one list, and reversed without copying the chunks. */
import { describe, expect, it } from 'vitest';
import { ChunkedList } from '../../../src/lib/chunkedList.js';

const list = new ChunkedList([[], [1, 2], [], [3], []]);

describe('a chunked list', () => {
  it('reads as one list', () => {
    expect([...list]).toEqual([1, 2, 3]);
    expect(list.toArray()).toEqual([1, 2, 3]);
    expect(list.length).toBe(3);
  });

  it('can be empty', () => {
    const empty = new ChunkedList<number>([[]]);
    expect([[...empty], empty.length]).toEqual([[], 0]);
  });

  it('reverses each chunk once, and reverses back to the original chunks', () => {
    expect([...list.reversed()]).toEqual([3, 2, 1]);
    expect(list.reversed().chunks[1]).toBe(list.reversed().chunks[1]);
    expect(list.reversed().reversed().chunks[1]).toBe(list.chunks[1]);
    expect([...list]).toEqual([1, 2, 3]);
  });
});
