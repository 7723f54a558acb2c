/**
 * Reads `@stream`, divides a list into its initial items and those that are streamed, and executes the streamed ones in
 * slices.
 */
import { type DirectiveNode, GraphQLError, Kind, locatedError, responsePathAsArray } from 'graphql';
import { ignoreRejections } from '../../lib/maybePromise.js';
import { readLabel } from '../collectFields.js';
import type { ValueContext } from '../completeValue.js';
import {
  type CollectedErrors,
  createTooLargeError,
  type ResponsePath,
  type StreamedList,
} from '../executionContext.js';
import type { FieldDetails } from '../resolveInfo.js';
import type { PartContext, PartResult } from './partRecords.js';

interface StreamUsage {
  label: string | undefined;
  /** Takes the coerced variables. Throws if the number is negative. */
  readInitialCount(variables: Readonly<Record<string, unknown>>): number;
}

/** How the streamed items of a list field are compiled. */
export interface StreamedItems {
  field: FieldDetails;
  stream: StreamUsage;
  compileComposite: ValueContext['compileComposite'];
}

export function readStream(directive: DirectiveNode): StreamUsage {
  const value = directive.arguments?.find(({ name }) => name.value === 'initialCount')?.value;
  const literal = value?.kind === Kind.INT ? Number(value.value) : 0;
  return {
    label: readLabel(directive),
    readInitialCount(variables) {
      const provided = value?.kind === Kind.VARIABLE ? variables[value.name.value] : literal;
      const count = typeof provided === 'number' ? provided : 0;
      if (count < 0) throw new GraphQLError('initialCount must not be negative.', { nodes: directive });
      return count;
    },
  };
}

/**
 * `rest` is undefined if there are no further items. It is read only when its items are executed, which never
 * happens if the client disconnects or an item fails: call `ignoreRejections` for a list of promises.
 */
export function splitList(
  list: Iterable<unknown>,
  initialCount: number,
): { initial: unknown[]; rest: Iterator<unknown> | undefined } {
  const iterator = list[Symbol.iterator]();
  const initial: unknown[] = [];
  while (initial.length < initialCount) {
    const next = iterator.next();
    if (next.done) return { initial, rest: undefined };
    initial.push(next.value);
  }
  return { initial, rest: lookAhead(iterator) };
}

/**
 * An iterator over the same items, or undefined if there are none. If the first item throws, the stream fails, not
 * the list.
 */
function lookAhead(iterator: Iterator<unknown>): Iterator<unknown> | undefined {
  let readFirst: () => IteratorResult<unknown>;
  try {
    const first = iterator.next();
    if (first.done) return undefined;
    ignoreRejections(first.value);
    readFirst = () => first;
  } catch (error) {
    readFirst = () => {
      throw error;
    };
  }
  let isFirst = true;
  return {
    next() {
      if (!isFirst) return iterator.next();
      isFirst = false;
      return readFirst();
    },
  };
}

/** Items that are executed together, so that their loads share batches. The next slice begins when these are delivered. */
const MAX_SLICE_ITEMS = 100;

/** State that all parts of a response share while they are executed. */
export interface IncrementalProgress {
  /** The number of groups and items that are not complete. */
  running: number;
  /** The number of groups and items that have begun and are not delivered. */
  begun: number;
  /** The characters of the results that are complete and not delivered. */
  characters: number;
  readonly maxCharacters: number;
  /** Called after each completion of a promise. */
  wake(): void;
}

/** Counts a group or an item as running until `completion` resolves, which must not reject. */
export function trackCompletion(completion: PromiseLike<void>, progress: IncrementalProgress): void {
  progress.running += 1;
  completion.then(() => {
    progress.running -= 1;
    progress.wake();
  });
}

/** Counts the result of a part until it is released. Returns an error instead of a result that does not fit. */
export function toPartResult(
  text: string,
  { part, errors, characters }: PartContext,
  path: ResponsePath | undefined,
  progress: IncrementalProgress,
): PartResult | GraphQLError {
  const { maxCharacters } = progress;
  if (progress.characters + Math.max(characters, text.length) > maxCharacters) {
    return locatedError(createTooLargeError(maxCharacters), undefined, responsePathAsArray(path));
  }
  let heldCharacters = text.length;
  progress.characters += heldCharacters;
  const release = () => {
    progress.characters -= heldCharacters;
    heldCharacters = 0;
  };
  return { text, errors, records: part.close(errors), release };
}

interface Slot {
  /** Undefined until the item is complete. */
  outcome: PartResult | GraphQLError | undefined;
  /** Undefined until the item is begun. */
  errors: CollectedErrors | undefined;
}

interface ReadyItems {
  /** The index of the first item. */
  index: number;
  results: readonly PartResult[];
  /** The error of the next item or of the iteration. Nothing follows it. */
  failure: GraphQLError | undefined;
  isDone: boolean;
}

/** Executes the streamed items of one list, and hands out their results in the order of the list. */
export class StreamRun {
  readonly list: StreamedList;
  readonly #context: PartContext;
  readonly #progress: IncrementalProgress;
  #slice: Slot[] = [];
  #isExhausted = false;
  #hasFailed = false;

  constructor(list: StreamedList, context: PartContext, progress: IncrementalProgress) {
    this.list = list;
    this.#context = context;
    this.#progress = progress;
  }

  /** Begins the next slice if the items of the last one have been taken. */
  begin(): void {
    if (this.#slice.length > 0) return;
    while (this.#slice.length < MAX_SLICE_ITEMS && !this.#isExhausted) this.#beginNext();
  }

  /** Whether `take` returns something. */
  hasCompleted(): boolean {
    return this.#slice.length === 0 ? this.#isExhausted : this.#slice[0]?.outcome !== undefined;
  }

  /** Takes the complete items that follow those taken so far. */
  take(): ReadyItems {
    const { index } = this.list;
    const results: PartResult[] = [];
    for (let outcome = this.#slice[0]?.outcome; outcome !== undefined; outcome = this.#slice[0]?.outcome) {
      if (!('text' in outcome)) {
        this.#fail(results.length);
        return { index, results, failure: outcome, isDone: true };
      }
      results.push(outcome);
      outcome.release();
      this.#slice.shift();
    }
    this.#progress.begun -= results.length;
    this.list.index += results.length;
    return { index, results, failure: undefined, isDone: this.#isExhausted && this.#slice.length === 0 };
  }

  /** Discards the items that are not taken. */
  #fail(takenCount: number): void {
    this.#hasFailed = true;
    this.#progress.begun -= takenCount + this.#slice.length;
    for (const { errors, outcome } of this.#slice) {
      errors?.discard();
      if (outcome !== undefined && 'text' in outcome) outcome.release();
    }
  }

  #beginNext(): void {
    const { items, path, location } = this.list;
    const slot: Slot = { outcome: undefined, errors: undefined };
    try {
      const next = items.next();
      if (next.done) {
        this.#isExhausted = true;
        return;
      }
      const position = this.list.index + this.#slice.length;
      this.#add(slot);
      this.#beginItem(next.value, position, slot);
    } catch (error) {
      this.#isExhausted = true;
      slot.outcome = locatedError(error, [...location.nodes], responsePathAsArray(path));
      if (!this.#slice.includes(slot)) this.#add(slot);
    }
  }

  #add(slot: Slot): void {
    this.#progress.begun += 1;
    this.#slice.push(slot);
  }

  /** Throws the error of a non-null item. */
  #beginItem(item: unknown, index: number, slot: Slot): void {
    const { path, complete } = this.list;
    const context = this.#context.part.createContext(this.#context);
    slot.errors = context.errors;
    const succeed = (text: string) => {
      if (this.#hasFailed) return;
      const itemPath = { prev: path, key: index, typename: undefined };
      slot.outcome = toPartResult(text, context, itemPath, this.#progress);
    };
    const output = complete(item, context, path, index);
    if (typeof output === 'string') {
      succeed(output);
      return;
    }
    const fail = (error: GraphQLError) => {
      slot.outcome = error;
    };
    trackCompletion(output.then(succeed, fail), this.#progress);
  }
}
