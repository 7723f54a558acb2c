/** Completes lists, item by item. */
import { GraphQLError, type GraphQLList, type GraphQLOutputType } from 'graphql';
import { ChunkedList } from '../lib/chunkedList.js';
import {
  type CompleteComposite,
  type CompleteValue,
  compileCompleteValue,
  type ValueContext,
} from './completeValue.js';
import type { ExecutionContext, JsonOutput, ResponsePath } from './executionContext.js';
import type { FieldDetails } from './resolveInfo.js';
import type { FragmentCache } from './text/fragmentCache.js';
import { joinPromisedText } from './text/joinPromisedText.js';

export interface ListContext {
  compileComposite: ValueContext['compileComposite'];
  /** Of pieces that lists have in common; undefined where the items alone do not decide on their text. */
  fragmentCache: FragmentCache | undefined;
}

export function compileList(
  field: FieldDetails,
  { ofType }: GraphQLList<GraphQLOutputType>,
  { compileComposite, fragmentCache }: ListContext,
): CompleteComposite {
  const completeItem = compileCompleteValue({ field, type: ofType, typename: undefined, compileComposite });
  const completeItems = createItemWriter(completeItem);
  const completePieces = fragmentCache && createChunkWriter(completeItems, fragmentCache);
  return (value, context, path) => {
    if (completePieces && value instanceof ChunkedList) return completePieces(value, context, path);
    if (isIterable(value)) return completeItems(value, WHOLE_LIST, context, path);
    const name = `${field.parentType.name}.${field.definition.name}`;
    throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
  };
}

/** Which items of a list are written, and what around them. */
interface ListSlice {
  /** Where the first of them stands. */
  start: number;
  prefix: string;
  end: string;
}

const WHOLE_LIST: ListSlice = { start: 0, prefix: '[', end: ']' };

/** Writes items with commas between them. */
type WriteItems = (
  items: Iterable<unknown>,
  extent: ListSlice,
  context: ExecutionContext,
  path: ResponsePath,
) => JsonOutput;

function createItemWriter(completeItem: CompleteValue): WriteItems {
  return (items, { start, prefix, end }, context, path) => {
    let text = prefix;
    let index = start;
    const later: JsonOutput[] = [];
    try {
      for (const item of items) {
        if (index > start) text += ',';
        const piece = completeItem(item, context, path, index);
        index += 1;
        if (typeof piece === 'string') text += piece;
        else {
          later.push(text, piece);
          text = '';
        }
      }
    } catch (error) {
      ignoreRejections(later);
      throw error;
    }
    return later.length === 0 ? text + end : joinPromisedText([...later, text + end]);
  };
}

/** Writes each piece once for all lists that it is part of. */
function createChunkWriter(writeItems: WriteItems, fragmentCache: FragmentCache) {
  function writePiece(
    piece: readonly unknown[],
    start: number,
    context: ExecutionContext,
    path: ResponsePath,
  ): JsonOutput {
    const known = fragmentCache.get(piece, context);
    if (known !== undefined) return known;
    const unrepeatable = context.nonRepeatableCount;
    const text = writeItems(piece, { start, prefix: '', end: '' }, context, path);
    if (typeof text === 'string' && context.nonRepeatableCount === unrepeatable)
      fragmentCache.set(piece, text, context);
    return text;
  }

  return ({ chunks }: ChunkedList<unknown>, context: ExecutionContext, path: ResponsePath): JsonOutput => {
    const texts: JsonOutput[] = [];
    let start = 0;
    try {
      for (const piece of chunks) {
        if (piece.length === 0) continue;
        texts.push(start === 0 ? '[' : ',', writePiece(piece, start, context, path));
        start += piece.length;
      }
    } catch (error) {
      ignoreRejections(texts);
      throw error;
    }
    if (start === 0) return '[]';
    texts.push(']');
    return texts.every((text) => typeof text === 'string') ? texts.join('') : joinPromisedText(texts);
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
function ignoreRejections(pieces: readonly JsonOutput[]): void {
  for (const piece of pieces) if (typeof piece !== 'string') piece.then(undefined, () => undefined);
}
