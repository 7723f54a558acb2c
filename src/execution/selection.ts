/** Executes a selection set: resolves the fields of an object and writes their JSON text in one pass. */
import type { DeferredFields, DeferUsage, SelectionPlan } from './collectFields.js';
import type { ExecutionContext, JsonOutput, ResponsePath } from './executionContext.js';
import {
  type InstructionList,
  type SelectedField,
  type SelectionSection,
  toInstructions,
  toSections,
} from './instructions.js';
import type { FragmentCacheBudget } from './text/fragmentCache.js';
import { joinPromisedText } from './text/serializedJson.js';

export type ExecuteSelection = (
  source: unknown,
  context: ExecutionContext,
  path: ResponsePath | undefined,
) => JsonOutput;

/** The state at the first promise. The rest of the selection set continues from here. */
interface Suspended {
  /** The text before the promised value. */
  text: string;
  value: JsonOutput;
  nextIndex: number;
}

export function createSelectionExecutor(
  fields: readonly SelectedField[],
  cacheBudget: FragmentCacheBudget,
): ExecuteSelection {
  const { instructions, end } = toInstructions(fields);
  const sections = toSections(instructions, cacheBudget);
  return (source, context, path) => {
    let text = '';
    for (const section of sections) {
      const output = executeSection(section, source, context, path);
      if (typeof output !== 'string') {
        const rest = { instructions: instructions.slice(output.nextIndex), end };
        return executeAsync([text + output.text, output.value], rest, source, context, path);
      }
      text += output;
    }
    return text + end;
  };
}

function executeSection(
  { instructions, fragmentCache }: SelectionSection,
  source: unknown,
  context: ExecutionContext,
  path: ResponsePath | undefined,
): string | Suspended {
  const cached = fragmentCache?.get(source, context);
  if (cached !== undefined) return cached;
  const { nonRepeatableCount } = context;
  let text = '';
  for (const { prefix, execute, nextIndex } of instructions) {
    const value = execute(source, context, path);
    if (typeof value !== 'string') return { text: text + prefix, value, nextIndex };
    text += prefix + value;
  }
  if (context.nonRepeatableCount === nonRepeatableCount) fragmentCache?.set(source, text, context);
  return text;
}

/** Starts all remaining fields before it awaits any of them, so that their loads share one batch. */
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

/** Adds one microtask, as graphql-js does. `joinPromisedText` explains why the number of microtasks matters. */
function identity(text: string): string {
  return text;
}

interface DeferringOptions {
  /** Executes the fields of the current part. */
  execute: ExecuteSelection;
  /** The fragments that are deferred here. */
  opened: readonly DeferUsage[];
  deferred: readonly DeferredFields[];
  /** Compiles deferred fields. Called when the first of their parts begins. */
  compile(usages: ReadonlySet<DeferUsage>, fields: SelectionPlan['fields']): ExecuteSelection;
}

export function createDeferringSelection(options: DeferringOptions): ExecuteSelection {
  const { execute, opened } = options;
  const groups = options.deferred.map(({ usages, fields }) => {
    let compiled: ExecuteSelection | undefined;
    const executeDeferred: ExecuteSelection = (source, context, path) => {
      compiled ??= options.compile(usages, fields);
      return compiled(source, context, path);
    };
    return { usages: [...usages], execute: executeDeferred };
  });
  return (source, context, path) => {
    context.part?.open(opened, path);
    for (const group of groups) context.part?.defer({ ...group, source, path });
    return execute(source, context, path);
  };
}
