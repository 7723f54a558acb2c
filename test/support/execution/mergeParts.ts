/** Merges the results of a response in parts (`incrementalSpec=v0.2`), and checks the rules of their sequence. */
import type { JsonResult } from './incrementalReference.js';

type Path = readonly (string | number)[];

interface Announced {
  id: string;
  path: Path;
  label?: string;
}

interface ResultError {
  path?: Path;
}

export interface MergedResponse {
  data: unknown;
  /** The path and the names of fields that were delivered together, and the path of each streamed list; sorted. */
  delivered: string[];
  /** The sorted paths of the nulls that errors have left, except for the errors of failed parts. */
  nullPaths: string[];
}

/**
 * `mergeParts` adds to these numbers. The parts themselves are not compared: if several fragments share fields, any one of
 * them may come first and deliver the fields, or fail.
 */
interface SequenceCounts {
  announced: number;
  failed: number;
}

/** Throws if a result breaks a rule. */
export function mergeParts(
  results: readonly JsonResult[],
  counts: SequenceCounts = { announced: 0, failed: 0 },
): MergedResponse {
  const [initial = {}, ...later] = results;
  const merger = new Merger(initial, counts);
  if (!('hasNext' in initial)) {
    check(later.length === 0 && !('pending' in initial), 'a complete result is the only one');
    return merger.finish();
  }
  check(initial['hasNext'] === true, 'the initial result has hasNext: true');
  later.forEach((result, index) => {
    check(result['hasNext'] === index < later.length - 1, 'hasNext is false in the last result alone');
    merger.add(result);
  });
  check(later.length > 0, 'something follows');
  return merger.finish();
}

class Merger {
  readonly #data: unknown;
  readonly #announced = new Map<string, Announced>();
  readonly #open = new Map<string, Announced>();
  readonly #delivered = new Set<string>();
  readonly #counts: SequenceCounts;
  readonly #errors: ResultError[] = [];

  constructor(initial: JsonResult, counts: SequenceCounts) {
    this.#counts = counts;
    this.#data = initial['data'];
    this.#errors.push(...((initial['errors'] as ResultError[]) ?? []));
    this.#announce(initial);
  }

  add(result: JsonResult): void {
    this.#announce(result);
    const incremental = (result['incremental'] ?? []) as JsonResult[];
    const completed = (result['completed'] ?? []) as { id: string; errors?: ResultError[] }[];
    check(incremental.length + completed.length > 0, 'a later result has parts');
    for (const part of incremental) this.#merge(part);
    for (const { id, errors } of completed) {
      const announced = this.#open.get(id);
      if (!announced) throw new Error(`The part ${id} was completed before it was announced, or twice.`);
      this.#open.delete(id);
      if (errors) this.#counts.failed += 1;
    }
  }

  finish(): MergedResponse {
    check(this.#open.size === 0, 'all parts are completed');
    return {
      data: this.#data,
      delivered: [...this.#delivered].sort(),
      nullPaths: [...new Set(this.#errors.map(({ path = [] }) => this.#nullPathOf(path)))].sort(),
    };
  }

  #announce({ pending = [] }: JsonResult): void {
    for (const announced of pending as Announced[]) {
      check(!this.#announced.has(announced.id), 'ids are unique');
      this.#counts.announced += 1;
      this.#announced.set(announced.id, announced);
      this.#open.set(announced.id, announced);
    }
  }

  #merge(part: JsonResult): void {
    const announced = this.#open.get(part['id'] as string);
    if (!announced) throw new Error(`Nothing is announced for ${JSON.stringify(part)}.`);
    this.#errors.push(...((part['errors'] as ResultError[]) ?? []));
    const path = [...announced.path, ...((part['subPath'] as Path) ?? [])];
    const target = this.#find(path);
    const names = Array.isArray(part['items']) ? 'items' : Object.keys(part['data'] as object).join();
    this.#delivered.add(`${path.join('.')}: ${names}`);
    if (Array.isArray(part['items'])) (target as unknown[]).push(...(part['items'] as unknown[]));
    else {
      for (const [name, value] of Object.entries(part['data'] as object)) {
        check(!(name in (target as object)), `${name} is delivered once`);
        (target as Record<string, unknown>)[name] = value;
      }
    }
  }

  #find(path: Path): object {
    let value: unknown = this.#data;
    for (const key of path) value = (value as Record<string | number, unknown>)[key];
    if (typeof value !== 'object' || value === null)
      throw new Error(`There is nothing at ${path.join('.')}.`);
    return value;
  }

  #nullPathOf(path: Path): string {
    let value: unknown = this.#data;
    const walked: (string | number)[] = [];
    for (const key of path) {
      if (value === null || value === undefined) break;
      value = (value as Record<string | number, unknown>)[key];
      walked.push(key);
    }
    return walked.join('.');
  }
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`Broken rule: ${rule}.`);
}
