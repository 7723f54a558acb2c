/** Completes list values, item by item. */
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
  /** Caches the text of chunks that several lists share; undefined if the text of an item depends on more than the item. */
  fragmentCache: FragmentCache | undefined;
}

export function compileList(
  field: FieldDetails,
  { ofType }: GraphQLList<GraphQLOutputType>,
  { compileComposite, fragmentCache }: ListContext,
): CompleteComposite {
  const completeItem = compileCompleteValue({ field, type: ofType, typename: undefined, compileComposite });
  const completeItems = createItemWriter(completeItem);
  const completeChunks = fragmentCache && createChunkWriter(completeItems, fragmentCache);
  return (value, context, path) => {
    if (completeChunks && value instanceof ChunkedList) return completeChunks(value, context, path);
    if (isIterable(value)) return completeItems(value, WHOLE_LIST, context, path);
    const name = `${field.parentType.name}.${field.definition.name}`;
    throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
  };
}

/** The position of consecutive items in their list, and the text around them. */
interface ListSlice {
  /** The index of the first item. */
  start: number;
  prefix: string;
  end: string;
}

const WHOLE_LIST: ListSlice = { start: 0, prefix: '[', end: ']' };

/** Writes items separated by commas. */
type WriteItems = (
  items: Iterable<unknown>,
  slice: ListSlice,
  context: ExecutionContext,
  path: ResponsePath,
) => JsonOutput;

function createItemWriter(completeItem: CompleteValue): WriteItems {
  return (items, { start, prefix, end }, context, path) => {
    let text = prefix;
    let index = start;
    const pending: JsonOutput[] = [];
    try {
      for (const item of items) {
        if (index > start) text += ',';
        const output = completeItem(item, context, path, index);
        index += 1;
        if (typeof output === 'string') text += output;
        else {
          pending.push(text, output);
          text = '';
        }
      }
    } catch (error) {
      ignoreRejections(pending);
      throw error;
    }
    return pending.length === 0 ? text + end : joinPromisedText([...pending, text + end]);
  };
}

/** Caches the text of each chunk, so that lists with common chunks write them once. */
function createChunkWriter(writeItems: WriteItems, fragmentCache: FragmentCache) {
  function writeChunk(
    chunk: readonly unknown[],
    start: number,
    context: ExecutionContext,
    path: ResponsePath,
  ): JsonOutput {
    const cached = fragmentCache.get(chunk, context);
    if (cached !== undefined) return cached;
    const { nonRepeatableCount } = context;
    const output = writeItems(chunk, { start, prefix: '', end: '' }, context, path);
    if (typeof output === 'string' && context.nonRepeatableCount === nonRepeatableCount)
      fragmentCache.set(chunk, output, context);
    return output;
  }

  return ({ chunks }: ChunkedList<unknown>, context: ExecutionContext, path: ResponsePath): JsonOutput => {
    const outputs: JsonOutput[] = [];
    let start = 0;
    try {
      for (const chunk of chunks) {
        if (chunk.length === 0) continue;
        outputs.push(start === 0 ? '[' : ',', writeChunk(chunk, start, context, path));
        start += chunk.length;
      }
    } catch (error) {
      ignoreRejections(outputs);
      throw error;
    }
    if (start === 0) return '[]';
    outputs.push(']');
    return outputs.every((output) => typeof output === 'string')
      ? outputs.join('')
      : joinPromisedText(outputs);
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

/** Handles rejections of items whose list has already failed. Unhandled, they would end the process. */
function ignoreRejections(outputs: readonly JsonOutput[]): void {
  for (const output of outputs) if (typeof output !== 'string') output.then(undefined, () => undefined);
}
