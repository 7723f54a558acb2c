/**
 * A list put together of pieces, some of which are parts of other lists too: what is known of such a piece, its text
 * for instance, need not be found out again. Nothing in it changes.
 */
export class ChunkedList<Item> implements Iterable<Item> {
  readonly chunks: readonly (readonly Item[])[];
  readonly length: number;

  constructor(pieces: readonly (readonly Item[])[]) {
    this.chunks = pieces;
    this.length = pieces.reduce((length, piece) => length + piece.length, 0);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.toArray().values();
  }

  toArray(): readonly Item[] {
    const [only] = this.chunks;
    return only && this.chunks.length === 1 ? only : this.chunks.flat();
  }

  first(): Item | undefined {
    return this.chunks.find((piece) => piece.length > 0)?.[0];
  }

  last(): Item | undefined {
    return this.chunks.findLast((piece) => piece.length > 0)?.at(-1);
  }

  reversed(): ChunkedList<Item> {
    return new ChunkedList(this.chunks.map(reversedOf).reverse());
  }
}

const reversals = new WeakMap<readonly unknown[], readonly unknown[]>();

/** The same array for the same array, there and back. */
function reversedOf<Item>(piece: readonly Item[]): readonly Item[] {
  const known = reversals.get(piece);
  if (known) return known as readonly Item[];
  const reversed = piece.toReversed();
  reversals.set(piece, reversed);
  reversals.set(reversed, piece);
  return reversed;
}
