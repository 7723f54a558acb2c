/** Remembers what was written of objects that come again: models in the cache are the same from request to request. */

/** How much is remembered in all; shared by everything that is compiled. */
export interface TextBudget {
  characters: number;
  /** Counts how often all was forgotten. */
  generation: number;
}

export interface TextMemory {
  find(source: unknown): string | undefined;
  /** Of an object that `find` does not know. */
  add(source: unknown, text: string): void;
}

/** About 16 MB with what maps need besides. Objects that are gone count until all is forgotten. */
const MOST_CHARACTERS = 8_000_000;
const ENTRY_CHARACTERS = 100;
/** So many objects in a row that are not known, and it gives up: these are made anew for each operation. */
const PATIENCE = 1000;

/** Nothing is kept of objects that come once: it begins with the first that is seen to come again. */
export function createTextMemory(budget: TextBudget): TextMemory {
  let texts: WeakMap<object, string> | undefined;
  let samples = new WeakSet<object>();
  let left = 0;
  let generation = budget.generation;

  function keep(source: object, text: string, kept: WeakMap<object, string>): void {
    kept.set(source, flatten(text));
    budget.characters += text.length + ENTRY_CHARACTERS;
    if (budget.characters > MOST_CHARACTERS)
      Object.assign(budget, { characters: 0, generation: generation + 1 });
  }

  return {
    find(source) {
      if (texts === undefined) return undefined;
      if (generation !== budget.generation) {
        generation = budget.generation;
        texts = new WeakMap();
      }
      const text = texts.get(source as object);
      if (text !== undefined) left = PATIENCE;
      return text;
    },
    add(source, text) {
      if (typeof source !== 'object' || source === null) return;
      if (texts !== undefined) keep(source, text, texts);
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
