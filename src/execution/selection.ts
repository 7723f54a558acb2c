/** Writes what is asked of one object: resolving and serialising are one pass. */

import type { ExecutionContext, JsonOutput, ResponsePath } from './executionContext.js';
import { type InstructionList, type SelectedField, toInstructions, toSections } from './instructions.js';
import type { FragmentCacheBudget } from './text/fragmentCache.js';
import { joinPromisedText } from './text/joinPromisedText.js';

export type ExecuteSelection = (
  source: unknown,
  context: ExecutionContext,
  path: ResponsePath | undefined,
) => JsonOutput;

/** All the short ways are in here at once, since calls are what it would spend its time on. */
export function createSelectionExecutor(
  fields: readonly SelectedField[],
  cacheBudget: FragmentCacheBudget,
): ExecuteSelection {
  const { instructions, end } = toInstructions(fields);
  const parts = toSections(instructions, cacheBudget);
  return (source, context, path) => {
    let text = '';
    for (const { groups, fragmentCache } of parts) {
      const known = fragmentCache?.get(source, context);
      if (known !== undefined) {
        text += known;
        continue;
      }
      const unrepeatable = context.nonRepeatableCount;
      let written = '';
      for (const stride of groups) {
        const short = stride.serializer?.(source);
        if (short !== undefined) {
          written += short;
          continue;
        }
        for (const { prefix, execute, nextIndex } of stride.instructions) {
          const value = execute(source, context, path);
          if (typeof value !== 'string') {
            const rest = { instructions: instructions.slice(nextIndex), end };
            return executeAsync([text + written + prefix, value], rest, source, context, path);
          }
          written += prefix + value;
        }
      }
      if (context.nonRepeatableCount === unrepeatable) fragmentCache?.set(source, written, context);
      text += written;
    }
    return text + end;
  };
}

/** From the first promise on. All fields are begun before any is waited for: their loads are one batch. */
function executeAsync(
  pieces: JsonOutput[],
  { instructions, end }: InstructionList,
  source: unknown,
  context: ExecutionContext,
  path: ResponsePath | undefined,
): JsonOutput {
  try {
    for (const { prefix, execute } of instructions) pieces.push(prefix, execute(source, context, path));
  } catch (error) {
    return joinPromisedText(pieces)
      .then(identity)
      .finally(() => {
        throw error;
      });
  }
  return joinPromisedText([...pieces, end]).then(identity);
}

/** A turn more, as graphql-js takes it: see `gather`. */
function identity(text: string): string {
  return text;
}
