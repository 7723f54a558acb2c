/** Reads a long batch a piece at a time, with turns for others in between, and keeps none of its rows. */
import { nextTurn } from '../../lib/slicedComputation.js';
import { readJsonChunks } from './jsonChunks.js';
import { createBadResponseError, parseJson } from './responseErrors.js';
import { isRecord, type RowDecoder } from './rowDecoder.js';

/** What was made of a body, and how much of it was unusable. */
export interface DecodedBody<Value> {
  value: Value;
  skippedRows: number;
}

export interface BatchChunks<Piece> {
  /** In the order of the rows they are made of. */
  chunks: Piece[];
  /** Whether the platform holds more behind the last one. */
  hasMore: boolean;
}

export interface ChunkConverter<Row, Piece> {
  decode: RowDecoder<Row>;
  /** What is kept of a piece's rows. */
  convert(rows: readonly Row[]): Piece;
}

/** No text is an empty batch. Throws PLATFORM_BAD_RESPONSE where the text is none. */
export async function readBatchChunks<Row, Piece>(
  template: string,
  maker: ChunkConverter<Row, Piece>,
  text: string | undefined,
): Promise<DecodedBody<BatchChunks<Piece>>> {
  const inPieces = text === undefined ? undefined : await readInChunks(text, maker);
  if (inPieces) return toDecodedBody(inPieces.readings, toBatch(template, inPieces.around).hasMore);
  const { rows, hasMore } = toBatch(template, text === undefined ? undefined : parseJson(template, text));
  return toDecodedBody([readRows(rows, maker)], hasMore);
}

/** Undefined where the text is not as machines write it: then it takes one long look. */
async function readInChunks<Row, Piece>(text: string, maker: ChunkConverter<Row, Piece>) {
  const readings: DecodedBody<Piece>[] = [];
  try {
    const pieces = readJsonChunks(text);
    for (;;) {
      const step = pieces.next();
      if (step.done) return { readings, around: step.value };
      if (readings.length > 0) await nextTurn();
      readings.push(readRows(step.value, maker));
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readRows<Row, Piece>(raw: readonly unknown[], { decode, convert }: ChunkConverter<Row, Piece>) {
  const rows = raw.map(decode).filter((row) => row !== undefined);
  return { value: convert(rows), skippedRows: raw.length - rows.length };
}

function toDecodedBody<Piece>(
  readings: readonly DecodedBody<Piece>[],
  hasMore: boolean,
): DecodedBody<BatchChunks<Piece>> {
  const chunks = readings.map(({ value }) => value);
  return {
    value: { chunks, hasMore },
    skippedRows: readings.reduce((total, { skippedRows }) => total + skippedRows, 0),
  };
}

/** The rows of a batch; none where the platform says that there is nothing. */
export function toBatch(template: string, body: unknown): { rows: unknown[]; hasMore: boolean } {
  const batch = body ?? { samples: [] };
  if (!isRecord(batch) || !Array.isArray(batch['samples'])) {
    throw createBadResponseError(template, 'something that is no batch');
  }
  return { rows: batch['samples'], hasMore: batch['hasMore'] === true };
}
