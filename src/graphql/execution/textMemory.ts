/** Remembers what was written of objects that come again: models in the cache are the same from request to request. */
import type { Run, RunReadings } from './run.js';

/** How much is remembered in all; shared by everything that is compiled. */
export interface TextBudget {
  characters: number;
  /** Counts how often all was forgotten. */
  generation: number;
}

export interface TextMemory {
  find(source: unknown, run: Pick<Run, 'readings'>): string | undefined;
  /** Of an object that `find` does not know. */
  add(source: unknown, text: string, run: Pick<Run, 'readings'>): void;
}

interface Remembered {
  text: string;
  /** What was read for it; undefined where the object alone decides. */
  taken: Taken | undefined;
}

type Taken = NonNullable<ReturnType<RunReadings['taken']>>;

/** About 16 MB with what maps need besides. Objects that are gone count until all is forgotten. */
const MOST_CHARACTERS = 8_000_000;
const ENTRY_CHARACTERS = 100;
const READING_CHARACTERS = 500;
/** So many objects in a row that are not known, and it gives up: these are made anew for each operation. */
const PATIENCE = 1000;

/**
 * Nothing is kept of objects that come once: it begins with the first that is seen to come again. With `byReadings`,
 * a text is true only for runs that read the same as the one that wrote it.
 */
export function createTextMemory(budget: TextBudget, byReadings = false): TextMemory {
  let texts: WeakMap<object, Remembered> | undefined;
  let samples = new WeakSet<object>();
  let left = 0;
  let counted: { taken: Taken | undefined; size: number } = { taken: undefined, size: 0 };
  let generation = budget.generation;

  /** What was read is counted with the first text that it was read for. */
  function count(taken: Taken | undefined): number {
    if (taken === undefined) return 0;
    const size = taken.size();
    const more = taken === counted.taken ? size - counted.size : size;
    counted = { taken, size };
    return more * READING_CHARACTERS;
  }

  function keep(source: object, { text, taken }: Remembered, kept: WeakMap<object, Remembered>): void {
    const before = kept.get(source);
    kept.set(source, { text: flatten(text), taken });
    budget.characters += text.length - (before?.text.length ?? -ENTRY_CHARACTERS) + count(taken);
    if (budget.characters > MOST_CHARACTERS)
      Object.assign(budget, { characters: 0, generation: generation + 1 });
  }

  return {
    find(source, { readings }) {
      if (texts === undefined || (byReadings && readings === undefined)) return undefined;
      if (generation !== budget.generation) {
        generation = budget.generation;
        texts = new WeakMap();
      }
      const known = texts.get(source as object);
      if (known === undefined || (known.taken && !readings?.finds(known.taken))) return undefined;
      left = PATIENCE;
      return known.text;
    },
    add(source, text, { readings }) {
      const taken = byReadings ? readings?.taken() : undefined;
      if (typeof source !== 'object' || source === null || (byReadings && !taken)) return;
      if (texts !== undefined) keep(source, { text, taken }, texts);
      else if (samples.has(source)) texts = new WeakMap();
      left -= 1;
      if (left > 0) return;
      texts = undefined;
      samples = new WeakSet([source]);
      left = PATIENCE;
    },
  };
}

/** Text that was put together is a tree of its parts until somebody looks at a letter of it. */
function flatten(text: string): string {
  text.charCodeAt(0);
  return text;
}
