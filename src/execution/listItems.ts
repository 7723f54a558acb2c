/** Writes the items of lists: in slices if they are many, and with cached text for chunks that lists share. */
import type { ChunkedList } from '../lib/chunkedList.js';
import { ignoreRejections } from '../lib/maybePromise.js';
import type { CompleteValue } from './completeValue.js';
import type { ExecutionContext, JsonOutput, ResponsePath } from './executionContext.js';
import type { FragmentCache } from './text/fragmentCache.js';
import { joinPromisedText } from './text/serializedJson.js';

/** The position of consecutive items in their list, and the text around them. */
interface ListPart {
  /** The index of the first item. */
  start: number;
  prefix: string;
  end: string;
  /** Whether the items may be written in several turns of the event loop. */
  isDivisible: boolean;
}

export const WHOLE_LIST: ListPart = { start: 0, prefix: '[', end: ']', isDivisible: true };

/** Writes items separated by commas. */
export type WriteItems<Items = Iterable<unknown>> = (
  items: Items,
  part: ListPart,
  context: ExecutionContext,
  path: ResponsePath,
) => JsonOutput;

/**
 * Returns the output for the whole list if the rest of it is written in a later turn of the event loop. `pending`:
 * the output before `text`.
 */
type Divide = (index: number, text: string, pending: JsonOutput[]) => JsonOutput | undefined;

/** With `hasObjects` the items are objects or lists of objects. */
export function createItemWriter(completeItem: CompleteValue, hasObjects: boolean): WriteItems {
  const write: WriteItems = (items, part, context, path) => {
    const { slices } = context;
    if (!hasObjects || !part.isDivisible || !slices.beginDividing(items)) {
      return writeItems(items, part, context, path);
    }
    const divide: Divide = (index, text, pending) => {
      const done = index - part.start;
      if (done === 0 || !slices.isFull(done)) return undefined;
      slices.countObjects(done);
      const later = items.slice(done);
      // Only for the first division, which includes the later ones.
      if (part.start === 0) ignoreRejections(later);
      const rest = { ...part, start: index, prefix: text };
      const output = slices.continueLater(context, () => write(later, rest, context, path));
      return pending.length === 0 ? output : joinSlices(pending, output);
    };
    try {
      return writeItems(items, part, context, path, divide);
    } finally {
      slices.endDividing();
    }
  };

  function writeItems(
    items: Iterable<unknown>,
    { start, prefix, end }: ListPart,
    context: ExecutionContext,
    path: ResponsePath,
    divide?: Divide,
  ): JsonOutput {
    let text = prefix;
    let index = start;
    const pending: JsonOutput[] = [];
    try {
      for (const item of items) {
        if (index > start) text += ',';
        const divided = divide?.(index, text, pending);
        if (divided !== undefined) return divided;
        const { characters } = context;
        const output = completeItem(item, context, path, index);
        index += 1;
        if (typeof output === 'string') {
          text += output;
          // Includes the lists in the item, which have counted their own items.
          context.characters = characters + output.length;
        } else {
          pending.push(text, output);
          text = '';
        }
      }
    } catch (error) {
      // The list has failed, so nobody awaits its other items.
      ignoreRejections(pending);
      ignoreRejections(items);
      throw error;
    }
    if (hasObjects) context.slices.countObjects(index - start);
    return joinPending(pending, text + end);
  }

  return write;
}

/** Concatenates the strings, which V8 does without copying: a long list has many slices. */
function joinSlices(pending: JsonOutput[], rest: JsonOutput): JsonOutput {
  return Promise.all([joinPromisedText(pending), rest]).then(([text, restText]) => text + restText);
}

function joinPending(pending: readonly JsonOutput[], rest: string): JsonOutput {
  return pending.length === 0 ? rest : joinPromisedText([...pending, rest]);
}

/**
 * Caches the text of items when they occur as the same array for the second time, because many arrays occur only
 * once.
 */
export function createCachedWriter(
  writeItems: WriteItems<readonly unknown[]>,
  fragmentCache: FragmentCache,
): WriteItems<readonly unknown[]> {
  const seen = new WeakSet<readonly unknown[]>();
  return (items, part, context, path) => {
    const cached = fragmentCache.get(items, context);
    if (cached !== undefined) {
      context.characters += cached.length;
      return cached;
    }
    const { nonRepeatableCount } = context;
    const output = writeItems(items, part, context, path);
    if (!seen.has(items)) seen.add(items);
    else if (typeof output === 'string' && context.nonRepeatableCount === nonRepeatableCount)
      fragmentCache.set(items, output, context);
    return output;
  };
}

/** Caches the text of each chunk, so that lists with common chunks write them once. */
export function createChunkWriter(writeItems: WriteItems, fragmentCache: FragmentCache) {
  const writeChunk = createCachedWriter(writeItems, fragmentCache);
  return ({ chunks }: ChunkedList<unknown>, context: ExecutionContext, path: ResponsePath): JsonOutput => {
    const outputs: JsonOutput[] = [];
    let start = 0;
    try {
      for (const chunk of chunks) {
        if (chunk.length === 0) continue;
        const part = { start, prefix: '', end: '', isDivisible: false };
        outputs.push(start === 0 ? '[' : ',', writeChunk(chunk, part, context, path));
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
