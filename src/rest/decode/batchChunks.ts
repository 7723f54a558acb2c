/** Decodes a long batch or list in chunks, yielding to other work in between, without keeping all rows in memory. */
import { toRecord } from '../../lib/records.js';
import { OperationTurns, TurnBudget } from '../../lib/turnBudget.js';
import type { QueryValue } from '../path.js';
import { createBadResponseError, parseResponseJson } from './responseErrors.js';
import { type DecodedBody, decodeRows, type RowDecoder, toBoolean } from './rowDecoder.js';

interface BatchChunks<Chunk> {
  /** In the order of the rows. */
  chunks: Chunk[];
  /** Whether the platform has more after the last one. */
  hasMore: boolean;
}

export interface RowConverter<Row, Chunk> {
  /**
   * Must have no side effects: it is called with several rows at a time, and again with all rows if the text turns out
   * to be indivisible.
   */
  convert(rows: readonly Row[]): Chunk;
  /** The number of unreadable rows that a chunk lacks; none by default. */
  countSkipped?(chunk: Chunk): number;
}

export interface ChunkConverter<Row, Chunk> extends RowConverter<Row, Chunk> {
  decode: RowDecoder<Row>;
}

/** The call whose response is a batch: its path template and its query. */
interface BatchCall {
  template: string;
  query?: Readonly<Record<string, QueryValue>>;
}

/**
 * Milliseconds that all batches together may take of one turn. Polls, resumed subscriptions and long ranges read
 * many of them, which should not delay short operations. With 1 ms, a batch of 1 MB took nine turns: 60 ms in a
 * gateway at its limit.
 */
const MAX_BATCH_TURN_MS = 2;
const batchTurns = new TurnBudget({ maxTurnMs: MAX_BATCH_TURN_MS });

/** If there is no text, the batch is empty. Throws PLATFORM_BAD_RESPONSE if the text is not a batch. */
export async function readBatchChunks<Row, Chunk>(
  call: BatchCall,
  converter: ChunkConverter<Row, Chunk>,
  text: string | undefined,
  budget = batchTurns,
): Promise<DecodedBody<BatchChunks<Chunk>>> {
  // A short batch is decoded in one chunk, so that it does not wait for the turns of long ones.
  const isLong = text !== undefined && text.length > CHUNK_LENGTH;
  const chunked = isLong ? await readInChunks(text, converter, budget) : undefined;
  if (chunked) {
    return toDecodedBody(chunked.decoded, toBatch(call, chunked.remainder, chunked.rowCount).hasMore);
  }
  const { rows, hasMore } = toBatch(
    call,
    text === undefined ? undefined : parseResponseJson(call.template, text),
  );
  return toDecodedBody([readRows(rows, converter)], hasMore);
}

/** A long list, decoded in the same way. Undefined if it has to be parsed as a whole. `budget`: of all turns by default. */
export async function readLongList<Row>(
  decode: RowDecoder<Row>,
  text: string,
  budget?: TurnBudget,
): Promise<DecodedBody<Row[]> | undefined> {
  const chunked = await readInChunks(text, { decode, convert: (rows: readonly Row[]) => rows }, budget);
  if (!Array.isArray(chunked?.remainder)) return undefined;
  const { value, skippedRows, undatedRows } = toDecodedBody(chunked.decoded, false);
  return { value: value.chunks.flat(), skippedRows, undatedRows };
}

/** Undefined if the text can't be split into chunks and has to be parsed as a whole. */
async function readInChunks<Row, Chunk>(
  text: string,
  converter: ChunkConverter<Row, Chunk>,
  budget?: TurnBudget,
) {
  const turns = new OperationTurns(budget);
  const decoded: DecodedBody<Chunk>[] = [];
  let rowCount = 0;
  try {
    const chunks = readJsonChunks(text);
    for (;;) {
      if (turns.measure()) await turns.later(() => undefined);
      const step = chunks.next();
      if (step.done) return { decoded, rowCount, remainder: step.value };
      rowCount += step.value.length;
      decoded.push(readRows(step.value, converter));
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readRows<Row, Chunk>(
  raw: readonly unknown[],
  { decode, convert, countSkipped = () => 0 }: ChunkConverter<Row, Chunk>,
): DecodedBody<Chunk> {
  const { value: rows, skippedRows, undatedRows } = decodeRows(raw, decode);
  const value = convert(rows);
  return { value, skippedRows: skippedRows + countSkipped(value), undatedRows };
}

function toDecodedBody<Chunk>(
  decoded: readonly DecodedBody<Chunk>[],
  hasMore: boolean,
): DecodedBody<BatchChunks<Chunk>> {
  const chunks = decoded.map(({ value }) => value);
  return {
    value: { chunks, hasMore },
    skippedRows: decoded.reduce((total, { skippedRows }) => total + skippedRows, 0),
    undatedRows: decoded.reduce((total, { undatedRows }) => total + undatedRows, 0),
  };
}

/** The casing of the platform's names varies. */
const SAMPLES_SPELLINGS = ['samples', 'Samples'];
const HAS_MORE_SPELLINGS = ['hasMore', 'hasmore', 'has_more', 'HasMore'];
/** The maximum number of rows in a batch without a `limit` in its query. */
const MAX_BATCH_LENGTH = 10_000;

/**
 * The rows of a batch; an absent body has none. `rowCount`: the number of rows that the platform sent, if they were taken
 * out of the body. If the platform does not send the flag, a full batch counts as having more rows after it. Throws
 * PLATFORM_BAD_RESPONSE if the body is not a batch.
 */
export function toBatch(
  { template, query }: BatchCall,
  body: unknown,
  rowCount?: number,
): { rows: unknown[]; hasMore: boolean } {
  const batch = toRecord(body ?? { samples: [] });
  const flag = HAS_MORE_SPELLINGS.map((name) => toBoolean(batch[name])).find((value) => value !== undefined);
  const lists = SAMPLES_SPELLINGS.map((name) => batch[name]);
  // Some servers write an empty list as null, or leave it out.
  const isEmpty = lists.includes(null) || (flag === false && lists.every((list) => list === undefined));
  const rows = lists.find(Array.isArray) ?? (isEmpty ? [] : undefined);
  if (!rows) throw createBadResponseError(template, 'a body that is not a batch');
  const isFull = (rowCount ?? rows.length) >= Number(query?.['limit'] ?? MAX_BATCH_LENGTH);
  return { rows, hasMore: flag ?? isFull };
}

/**
 * Approximate characters in a chunk. Decoding one takes a third of a millisecond, or several milliseconds in a
 * process that has just started.
 */
export const CHUNK_LENGTH = 16 * 1024;
/** Separates two rows in JSON without spaces; the next chunk begins with its last character. */
const ROW_SEPARATOR = '},{';

/**
 * Yields the items of the text's only list in chunks, and returns the parsed text with that list empty. Parsing ten
 * thousand rows at once blocks the event loop and fills the heap. Throws a SyntaxError if the text is not JSON, and also
 * if it has another list or a row that looks like the end of one; then use `JSON.parse`. Otherwise the items and the
 * returned value equal the result of `JSON.parse`, because no part of a row is a whole list.
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
