/**
 * An immutable list made of chunks. Several lists can share a chunk, so values derived from a chunk, such as its
 * serialized text, are computed once.
 */
export class ChunkedList<Item> implements Iterable<Item> {
  readonly chunks: readonly (readonly Item[])[];
  readonly length: number;

  constructor(chunks: readonly (readonly Item[])[]) {
    this.chunks = chunks;
    this.length = chunks.reduce((length, chunk) => length + chunk.length, 0);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.toArray().values();
  }

  toArray(): readonly Item[] {
    const [only] = this.chunks;
    return only && this.chunks.length === 1 ? only : this.chunks.flat();
  }

  reversed(): ChunkedList<Item> {
    return new ChunkedList(this.chunks.map(reversedOf).reverse());
  }
}

const reversals = new WeakMap<readonly unknown[], readonly unknown[]>();

/** Returns the same reversed array for the same array, so that reversed lists share chunks too. */
function reversedOf<Item>(chunk: readonly Item[]): readonly Item[] {
  const cached = reversals.get(chunk);
  if (cached) return cached as readonly Item[];
  const reversed = chunk.toReversed();
  reversals.set(chunk, reversed);
  reversals.set(reversed, chunk);
  return reversed;
}
