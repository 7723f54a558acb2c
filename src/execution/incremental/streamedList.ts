/** Reads `@stream`, and divides a list into its initial items and those that are streamed. */
import { type DirectiveNode, Kind } from 'graphql';
import { readLabel } from '../collectFields.js';
import type { ValueContext } from '../completeValue.js';
import type { FieldDetails } from '../resolveInfo.js';

export interface StreamUsage {
  label: string | undefined;
  /** Takes the coerced variables. Throws if the number is negative. */
  readInitialCount(variables: Readonly<Record<string, unknown>>): number;
}

/** Compiles the streamed items of a list field. */
export type CompileStreamed = (field: FieldDetails) => {
  field: FieldDetails;
  stream: StreamUsage;
  compileComposite: ValueContext['compileComposite'];
};

export function readStream(directive: DirectiveNode | undefined): StreamUsage {
  const value = directive?.arguments?.find(({ name }) => name.value === 'initialCount')?.value;
  const literal = value?.kind === Kind.INT ? Number(value.value) : 0;
  return {
    label: directive && readLabel(directive),
    readInitialCount(variables) {
      const provided = value?.kind === Kind.VARIABLE ? variables[value.name.value] : literal;
      const count = typeof provided === 'number' ? provided : 0;
      if (count < 0) throw new Error('initialCount must be a positive integer');
      return count;
    },
  };
}

/** `rest` is undefined if there are no further items. It is read only when its items are executed. */
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

/** The same items. Undefined if there are none. An error of the first one fails the stream, not the list. */
function lookAhead(iterator: Iterator<unknown>): Iterator<unknown> | undefined {
  let readFirst: () => IteratorResult<unknown>;
  try {
    const first = iterator.next();
    if (first.done) return undefined;
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
