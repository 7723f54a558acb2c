/** Completes lists, item by item. */
import { GraphQLError, type GraphQLList, type GraphQLOutputType } from 'graphql';
import { PiecedList } from '../../lib/piecedList.js';
import { gather } from './gather.js';
import { type CompleteComposite, type CompletePlace, compilePlace, type PlaceParts } from './place.js';
import type { FieldFacts } from './resolveInfo.js';
import type { Path, Run, Text } from './run.js';
import type { TextMemory } from './textMemory.js';

export interface ListParts {
  compileComposite: PlaceParts['compileComposite'];
  /** Of pieces that lists have in common; undefined where the items alone do not decide on their text. */
  memory: TextMemory | undefined;
}

export function compileList(
  field: FieldFacts,
  { ofType }: GraphQLList<GraphQLOutputType>,
  { compileComposite, memory }: ListParts,
): CompleteComposite {
  const completeItem = compilePlace({ field, type: ofType, typename: undefined, compileComposite });
  const completeItems = createItemWriter(completeItem);
  const completePieces = memory && createPieceWriter(completeItems, memory);
  return (value, run, path) => {
    if (completePieces && value instanceof PiecedList) return completePieces(value, run, path);
    if (isIterable(value)) return completeItems(value, WHOLE, run, path);
    const name = `${field.parentType.name}.${field.definition.name}`;
    throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
  };
}

/** Which items of a list are written, and what around them. */
interface Extent {
  /** Where the first of them stands. */
  start: number;
  lead: string;
  end: string;
}

const WHOLE: Extent = { start: 0, lead: '[', end: ']' };

/** Writes items with commas between them. */
type WriteItems = (items: Iterable<unknown>, extent: Extent, run: Run, path: Path) => Text;

function createItemWriter(completeItem: CompletePlace): WriteItems {
  return (items, { start, lead, end }, run, path) => {
    let text = lead;
    let index = start;
    const later: Text[] = [];
    try {
      for (const item of items) {
        if (index > start) text += ',';
        const piece = completeItem(item, run, path, index);
        index += 1;
        if (typeof piece === 'string') text += piece;
        else {
          later.push(text, piece);
          text = '';
        }
      }
    } catch (error) {
      ignore(later);
      throw error;
    }
    return later.length === 0 ? text + end : gather([...later, text + end]);
  };
}

/** Writes each piece once for all lists that it is part of. */
function createPieceWriter(writeItems: WriteItems, memory: TextMemory) {
  function writePiece(piece: readonly unknown[], start: number, run: Run, path: Path): Text {
    const known = memory.find(piece, run);
    if (known !== undefined) return known;
    const unrepeatable = run.unrepeatable;
    const text = writeItems(piece, { start, lead: '', end: '' }, run, path);
    if (typeof text === 'string' && run.unrepeatable === unrepeatable) memory.add(piece, text, run);
    return text;
  }

  return ({ pieces }: PiecedList<unknown>, run: Run, path: Path): Text => {
    const texts: Text[] = [];
    let start = 0;
    try {
      for (const piece of pieces) {
        if (piece.length === 0) continue;
        texts.push(start === 0 ? '[' : ',', writePiece(piece, start, run, path));
        start += piece.length;
      }
    } catch (error) {
      ignore(texts);
      throw error;
    }
    if (start === 0) return '[]';
    texts.push(']');
    return texts.every((text) => typeof text === 'string') ? texts.join('') : gather(texts);
  };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.iterator in value &&
    typeof value[Symbol.iterator] === 'function'
  );
}

/** The list has failed: how those under way end is nobody's any more, and must not end the process. */
function ignore(pieces: readonly Text[]): void {
  for (const piece of pieces) if (typeof piece !== 'string') piece.then(undefined, () => undefined);
}
