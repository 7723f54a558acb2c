/**
 * Reads the JSON of a long batch piece by piece: ten thousand rows that are parsed at once hold the event loop, and
 * the garbage collector with them; those of a piece are gone before the next one is read.
 */

/** Characters of a piece, about: a millisecond's work, and several in a process that has just begun. */
const CHUNK_LENGTH = 48 * 1024;
/** What stands between two rows in JSON as machines write it; the next piece begins with its last character. */
const ROW_SEPARATOR = '},{';

/**
 * Gives the items of the text's only list, some at a time, and answers the text with that list empty. Throws a
 * SyntaxError where the text is no JSON, but also where it has another list, or a row that looks like the end of
 * one: `JSON.parse` knows better. Where it does not throw, pieces and answer are what `JSON.parse` makes of the text:
 * no part of a row is a whole list.
 */
export function* readJsonChunks(
  text: string,
  chunkLength = CHUNK_LENGTH,
): Generator<unknown[], unknown, undefined> {
  const [open, close] = [text.indexOf('['), text.lastIndexOf(']')];
  const around: unknown = JSON.parse(text.slice(0, open + 1) + text.slice(close));
  for (let at = open + 1; at < close; ) {
    const end = endOfChunk(text, at + chunkLength, close);
    yield JSON.parse(`[${text.slice(at, end)}]`) as unknown[];
    at = end + 1;
  }
  return around;
}

/** Behind the first row that ends at this place or later. */
function endOfChunk(text: string, from: number, close: number): number {
  const found = text.indexOf(ROW_SEPARATOR, from);
  return found === -1 || found > close ? close : found + 1;
}
