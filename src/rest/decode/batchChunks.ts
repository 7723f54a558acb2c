/** Decodes a long batch in chunks, yielding to other work in between, without keeping all rows in memory. */
import { nextTurn } from '../../lib/slicedComputation.js';
import { readJsonChunks } from './jsonChunks.js';
import { createBadResponseError, parseJson } from './responseErrors.js';
import { isRecord, type RowDecoder } from './rowDecoder.js';

/** A decoded body and the number of rows without usable ids. */
export interface DecodedBody<Value> {
  value: Value;
  skippedRows: number;
}

export interface BatchChunks<Chunk> {
  /** In the order of the rows. */
  chunks: Chunk[];
  /** Whether the platform has more after the last one. */
  hasMore: boolean;
}

export interface ChunkConverter<Row, Chunk> {
  decode: RowDecoder<Row>;
  convert(rows: readonly Row[]): Chunk;
}

/** Without a text the batch is empty. Throws PLATFORM_BAD_RESPONSE if the text is not a batch. */
export async function readBatchChunks<Row, Chunk>(
  template: string,
  converter: ChunkConverter<Row, Chunk>,
  text: string | undefined,
): Promise<DecodedBody<BatchChunks<Chunk>>> {
  const chunked = text === undefined ? undefined : await readInChunks(text, converter);
  if (chunked) return toDecodedBody(chunked.decoded, toBatch(template, chunked.remainder).hasMore);
  const { rows, hasMore } = toBatch(template, text === undefined ? undefined : parseJson(template, text));
  return toDecodedBody([readRows(rows, converter)], hasMore);
}

/** Undefined if the text can't be split into chunks and has to be parsed as a whole. */
async function readInChunks<Row, Chunk>(text: string, converter: ChunkConverter<Row, Chunk>) {
  const decoded: DecodedBody<Chunk>[] = [];
  try {
    const chunks = readJsonChunks(text);
    for (;;) {
      const step = chunks.next();
      if (step.done) return { decoded, remainder: step.value };
      if (decoded.length > 0) await nextTurn();
      decoded.push(readRows(step.value, converter));
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readRows<Row, Chunk>(raw: readonly unknown[], { decode, convert }: ChunkConverter<Row, Chunk>) {
  const rows = raw.map(decode).filter((row) => row !== undefined);
  return { value: convert(rows), skippedRows: raw.length - rows.length };
}

function toDecodedBody<Chunk>(
  decoded: readonly DecodedBody<Chunk>[],
  hasMore: boolean,
): DecodedBody<BatchChunks<Chunk>> {
  const chunks = decoded.map(({ value }) => value);
  return {
    value: { chunks, hasMore },
    skippedRows: decoded.reduce((total, { skippedRows }) => total + skippedRows, 0),
  };
}

/** The rows of a batch; an absent body has none. */
export function toBatch(template: string, body: unknown): { rows: unknown[]; hasMore: boolean } {
  const batch = body ?? { samples: [] };
  if (!isRecord(batch) || !Array.isArray(batch['samples'])) {
    throw createBadResponseError(template, 'a body that is not a batch');
  }
  return { rows: batch['samples'], hasMore: batch['hasMore'] === true };
}
