/** Batches that are parsed in chunks: the result equals `JSON.parse`, or there is none. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TurnBudget } from '../../../../src/lib/turnBudget.js';
import {
  CHUNK_LENGTH,
  readBatchChunks,
  readJsonChunks,
  readLongList,
} from '../../../../src/rest/decode/batchChunks.js';

/** All chunks with the surrounding text; undefined if the text is left to `JSON.parse`. */
function read(text: string, pieceLength: number) {
  const pieces: unknown[][] = [];
  const reading = readJsonChunks(text, pieceLength);
  try {
    for (;;) {
      const step = reading.next();
      if (step.done) return { pieces, around: step.value };
      pieces.push(step.value);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return undefined;
  }
}

const pieceLength = fc.integer({ min: 0, max: 200 });

/** Texts that resemble the end of a row or of a list. */
const misleading = fc.constantFrom('},{', ']', '[', '}', '"', '{"a":[{}', 'a\\},{b', '],"samples":[');
const scalar = fc.oneof(misleading, fc.string(), fc.integer(), fc.constant(null), fc.boolean());
const row = fc.oneof(
  fc.dictionary(fc.oneof(misleading, fc.string()), scalar, { maxKeys: 4 }),
  fc.dictionary(fc.string(), fc.oneof(scalar, fc.array(fc.object()), fc.object()), { maxKeys: 3 }),
);
const batch = fc.oneof(
  fc.record({ hasMore: fc.boolean(), samples: fc.array(row) }),
  fc.record({ samples: fc.array(row), hasMore: fc.boolean(), note: scalar }),
  fc.record({
    note: scalar,
    samples: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
    more: fc.jsonValue(),
  }),
);

describe('a chunked batch', () => {
  it('equals the parsed text, wherever it is cut', () => {
    fc.assert(
      fc.property(batch, pieceLength, fc.constantFrom(0, 1), (value, length, indent) => {
        const text = JSON.stringify(value, null, indent);
        const found = read(text, length);
        const { samples, ...around } = JSON.parse(text) as { samples: unknown };
        if (found === undefined || !isEmptied(found.around)) return;
        expect(found.pieces.flat()).toEqual(samples);
        expect(found.around).toEqual({ ...around, samples: [] });
      }),
      { numRuns: 2000 },
    );
  });

  it('is undefined where the text is not JSON', () => {
    fc.assert(
      fc.property(batch, pieceLength, fc.nat(), misleading, (value, length, at, extra) => {
        const sound = JSON.stringify(value);
        const place = at % sound.length;
        const text = sound.slice(0, place) + extra + sound.slice(place + (at % 3));
        fc.pre(!isJson(text));
        expect(read(text, length)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('of plain rows has about as many rows in each chunk', () => {
    const samples = Array.from({ length: 1000 }, (_, id) => ({ id, value: 'a],{[b', position: { x: id } }));
    const found = read(JSON.stringify({ hasMore: true, samples }), 1000);
    expect(found?.around).toEqual({ hasMore: true, samples: [] });
    expect(found?.pieces.flat()).toEqual(samples);
    const allButLast = found?.pieces.slice(0, -1) ?? [];
    expect(allButLast.length).toBeGreaterThan(30);
    expect(allButLast.every(({ length }) => length >= 10 && length <= 30)).toBe(true);
  });
});

/** If the list is not that of the samples, the surrounding text differs, and it is not treated as a batch. */
function isEmptied(around: unknown): boolean {
  return Array.isArray((around as { samples?: unknown }).samples);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('readLongList', () => {
  const keepObjects = (raw: unknown) => (typeof raw === 'object' && raw !== null ? raw : undefined);

  it('has the rows of `JSON.parse` and counts the others, or leaves the text to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(fc.oneof(row, scalar)), batch), async (value) => {
        const decoded = await readLongList(keepObjects, JSON.stringify(value));
        if (decoded === undefined) return;
        const rows = (value as unknown[]).filter((raw) => keepObjects(raw) !== undefined);
        const skippedRows = (value as unknown[]).length - rows.length;
        expect(decoded).toEqual({ value: JSON.parse(JSON.stringify(rows)), skippedRows, undatedRows: 0 });
      }),
      { numRuns: 200 },
    );
  });

  /** Decodes with a clock that advances 1 ms at each reading, and counts the turns of the event loop. */
  async function readInTurns(text: string, maxTurnMs: number) {
    let [nowMs, turns] = [0, 0];
    const count = () => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const budget = new TurnBudget({ maxTurnMs, nowMs: () => nowMs++ });
    const decoded = await readLongList(keepObjects, text, budget);
    clearImmediate(immediate);
    return { decoded, turns };
  }

  it('leaves the rest to a later turn whenever the time of a turn is used up, with the same result', async () => {
    const paddedRow = fc.record({ name: fc.string(), length: fc.nat({ max: 60_000 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(paddedRow, { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (padded, maxTurnMs) => {
          const rows = padded.map(({ name, length }) => ({ name, padding: 'x'.repeat(length) }));
          const text = JSON.stringify(rows);
          const { decoded, turns } = await readInTurns(text, maxTurnMs);
          const chunks = read(text, CHUNK_LENGTH)?.pieces.length;
          if (decoded === undefined || chunks === undefined) return;
          expect(decoded).toEqual({ value: JSON.parse(text), skippedRows: 0, undatedRows: 0 });
          // The clock is read before each chunk and at the end.
          expect(turns).toBe(Math.floor(chunks / maxTurnMs));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('reads a list of 10,000 rows in turns', async () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({
      id,
      display_name: `Site ${id}`,
      status: 'Active',
    }));
    const { decoded, turns } = await readInTurns(JSON.stringify(rows), 1);
    expect(decoded).toEqual({ value: rows, skippedRows: 0, undatedRows: 0 });
    expect(turns).toBeGreaterThan(5);
  });
});

describe('readBatchChunks', () => {
  it('converts each chunk in the turn in which it is decoded, and leaves the next one to a later turn', async () => {
    const samples = Array.from({ length: 3000 }, (_, id) => ({ id, padding: 'x'.repeat(100) }));
    const text = JSON.stringify({ hasMore: true, samples });
    let [nowMs, turn] = [0, 0];
    const turns: number[] = [];
    const count = () => {
      turn += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const convert = (rows: readonly unknown[]) => {
      turns.push(turn);
      return rows;
    };
    // A clock that advances 1 ms at each reading.
    const budget = new TurnBudget({ maxTurnMs: 1, nowMs: () => nowMs++ });
    const { value } = await readBatchChunks(
      { template: '/batch' },
      { decode: (raw) => raw, convert },
      text,
      budget,
    );
    clearImmediate(immediate);
    expect(value.chunks.flat()).toEqual(samples);
    expect(value.hasMore).toBe(true);
    expect(turns.length).toBeGreaterThan(5);
    expect(new Set(turns).size).toBe(turns.length);
  });
});
