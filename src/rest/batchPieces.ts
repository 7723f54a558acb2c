/** Reads a long batch a piece at a time, with turns for others in between, and keeps none of its rows. */
import { nextTurn } from '../lib/inSlices.js';
import { badResponse, parseJson } from './answers.js';
import { isRecord, type RowDecoder } from './rowDecoder.js';
import { readInPieces } from './textPieces.js';

/** What was made of a body, and how much of it was unusable. */
export interface Reading<Value> {
  value: Value;
  rowsLeftOut: number;
}

export interface Pieces<Piece> {
  /** In the order of the rows they are made of. */
  pieces: Piece[];
  /** Whether the platform holds more behind the last one. */
  hasMore: boolean;
}

export interface PieceMaker<Row, Piece> {
  decode: RowDecoder<Row>;
  /** What is kept of a piece's rows. */
  convert(rows: readonly Row[]): Piece;
}

/** No text is an empty batch. Throws PLATFORM_BAD_RESPONSE where the text is none. */
export async function readPieces<Row, Piece>(
  template: string,
  maker: PieceMaker<Row, Piece>,
  text: string | undefined,
): Promise<Reading<Pieces<Piece>>> {
  const inPieces = text === undefined ? undefined : await readSliced(text, maker);
  if (inPieces) return toReading(inPieces.readings, toBatch(template, inPieces.around).hasMore);
  const { rows, hasMore } = toBatch(template, text === undefined ? undefined : parseJson(template, text));
  return toReading([readRows(rows, maker)], hasMore);
}

/** Undefined where the text is not as machines write it: then it takes one long look. */
async function readSliced<Row, Piece>(text: string, maker: PieceMaker<Row, Piece>) {
  const readings: Reading<Piece>[] = [];
  try {
    const pieces = readInPieces(text);
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

function readRows<Row, Piece>(raw: readonly unknown[], { decode, convert }: PieceMaker<Row, Piece>) {
  const rows = raw.map(decode).filter((row) => row !== undefined);
  return { value: convert(rows), rowsLeftOut: raw.length - rows.length };
}

function toReading<Piece>(readings: readonly Reading<Piece>[], hasMore: boolean): Reading<Pieces<Piece>> {
  const pieces = readings.map(({ value }) => value);
  return {
    value: { pieces, hasMore },
    rowsLeftOut: readings.reduce((total, { rowsLeftOut }) => total + rowsLeftOut, 0),
  };
}

/** The rows of a batch; none where the platform says that there is nothing. */
export function toBatch(template: string, body: unknown): { rows: unknown[]; hasMore: boolean } {
  const batch = body ?? { samples: [] };
  if (!isRecord(batch) || !Array.isArray(batch['samples'])) {
    throw badResponse(template, 'something that is no batch');
  }
  return { rows: batch['samples'], hasMore: batch['hasMore'] === true };
}
