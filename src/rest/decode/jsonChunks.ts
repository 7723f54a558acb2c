/**
 * Parses the JSON of a long batch in chunks. Parsing ten thousand rows at once blocks the event loop and fills the heap;
 * the rows of one chunk can be collected before the next chunk is parsed.
 */

/** Approximate characters of a chunk: 1 ms of work, several in a process that has just started. */
const CHUNK_LENGTH = 48 * 1024;
/** Separates two rows in JSON without spaces; the next chunk begins with its last character. */
const ROW_SEPARATOR = '},{';

/**
 * Yields the items of the text's only list in chunks, and returns the parsed text with that list empty. Throws a
 * SyntaxError if the text is not JSON, and also if it has another list or a row that looks like the end of one; then use
 * `JSON.parse`. Otherwise the items and the returned value equal the result of `JSON.parse`, because no part of a row
 * is a whole list.
 */
export function* readJsonChunks(
  text: string,
  chunkLength = CHUNK_LENGTH,
): Generator<unknown[], unknown, undefined> {
  const [open, close] = [text.indexOf('['), text.lastIndexOf(']')];
  const remainder: unknown = JSON.parse(text.slice(0, open + 1) + text.slice(close));
  for (let at = open + 1; at < close; ) {
    const end = endOfChunk(text, at + chunkLength, close);
    yield JSON.parse(`[${text.slice(at, end)}]`) as unknown[];
    at = end + 1;
  }
  return remainder;
}

/** Index after the first row that ends at `from` or later. */
function endOfChunk(text: string, from: number, close: number): number {
  const found = text.indexOf(ROW_SEPARATOR, from);
  return found === -1 || found > close ? close : found + 1;
}
