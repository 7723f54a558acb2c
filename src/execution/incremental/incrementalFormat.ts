/**
 * Writes the results of an incremental response as JSON, in both formats that clients support. Pure, except for
 * the ids that it assigns.
 */
import { type GraphQLError, type GraphQLFormattedError, responsePathAsArray } from 'graphql';
import type { PartNode } from './partGraph.js';
import { DeferredFragment } from './partRecords.js';
import type { DataPart, ItemsPart, PartBatch } from './subsequentResults.js';

/**
 * `v0.2`: parts are announced with ids, and no field is sent twice (`incrementalSpec=v0.2`, graphql-js 17). `20220824`:
 * each fragment is sent whole, with its path and label (`deferSpec=20220824`; Apollo Client 3, Relay).
 */
export type IncrementalFormat = 'v0.2' | '20220824';

export type FormatErrors = (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[];

/** Properties that are added to a result, for example `extensions`. */
type Additions = Readonly<Record<string, unknown>>;

export interface IncrementalWriter {
  /** The properties of the initial result besides data and errors. */
  initial(announced: readonly PartNode[]): Additions;
  /** The JSON of a later result; undefined if the batch has nothing for the client. */
  later(batch: PartBatch, additions: Additions): string | undefined;
  /** The JSON of a last result that ends all open parts with an error. */
  failed(error: GraphQLFormattedError): string;
}

export function createIncrementalWriter(
  format: IncrementalFormat,
  formatErrors: FormatErrors,
): IncrementalWriter {
  return format === 'v0.2' ? new CurrentWriter(formatErrors) : createEarlierWriter(formatErrors);
}

/** `incrementalSpec=v0.2` */
class CurrentWriter implements IncrementalWriter {
  readonly #formatErrors: FormatErrors;
  readonly #ids = new Map<PartNode, string>();
  #nextId = 0;

  constructor(formatErrors: FormatErrors) {
    this.#formatErrors = formatErrors;
  }

  initial(announced: readonly PartNode[]): Additions {
    return { pending: this.#announce(announced), hasNext: true };
  }

  later({ announced, added, completed, hasNext }: PartBatch, additions: Additions): string {
    const pending = this.#announce(announced);
    const incremental = added.map((part) => ('list' in part ? this.#toItems(part) : this.#toData(part)));
    const ended = completed.map(({ node, errors }) => ({
      id: this.#takeId(node),
      ...(errors && { errors: this.#formatErrors(errors) }),
    }));
    return writeObject({
      hasNext: String(hasNext),
      ...(pending.length > 0 && { pending: JSON.stringify(pending) }),
      ...(incremental.length > 0 && { incremental: `[${incremental.join(',')}]` }),
      ...(ended.length > 0 && { completed: JSON.stringify(ended) }),
      ...toTexts(additions),
    });
  }

  failed(error: GraphQLFormattedError): string {
    const completed = [...this.#ids.values()].map((id) => ({ id, errors: [error] }));
    return JSON.stringify({ hasNext: false, completed });
  }

  #announce(nodes: readonly PartNode[]): readonly object[] {
    return nodes.map((node) => {
      const id = String(this.#nextId);
      this.#nextId += 1;
      this.#ids.set(node, id);
      return {
        id,
        path: responsePathAsArray(node.path),
        ...(node.label !== undefined && { label: node.label }),
      };
    });
  }

  #takeId(node: PartNode): string {
    const id = this.#ids.get(node) ?? '';
    this.#ids.delete(node);
    return id;
  }

  /**
   * Fields of several fragments are delivered with the fragment that has the longest path. Their path is relative to
   * it.
   */
  #toData({ fragment, group, text, errors }: DataPart): string {
    let best: DeferredFragment = fragment;
    for (const other of group.fragments) {
      const isLonger = responsePathAsArray(other.path).length > responsePathAsArray(best.path).length;
      if (this.#ids.has(other) && isLonger) best = other;
    }
    const subPath = responsePathAsArray(group.path).slice(responsePathAsArray(best.path).length);
    return writeObject({
      ...this.#errorTexts(errors),
      data: text,
      id: JSON.stringify(this.#ids.get(best)),
      ...(subPath.length > 0 && { subPath: JSON.stringify(subPath) }),
    });
  }

  #toItems({ list, texts, errors }: ItemsPart): string {
    const id = JSON.stringify(this.#ids.get(list));
    return writeObject({ id, items: `[${texts.join(',')}]`, ...this.#errorTexts(errors) });
  }

  #errorTexts(errors: readonly GraphQLError[]): { errors?: string } {
    return errors.length === 0 ? {} : { errors: JSON.stringify(this.#formatErrors(errors)) };
  }
}

/** `deferSpec=20220824` */
function createEarlierWriter(formatErrors: FormatErrors): IncrementalWriter {
  const write = (
    node: PartNode,
    index: number | undefined,
    result: string,
    errors: readonly GraphQLError[],
  ) => {
    const path = [...responsePathAsArray(node.path), ...(index === undefined ? [] : [index])];
    return writeObject({
      [node instanceof DeferredFragment ? 'data' : 'items']: result,
      path: JSON.stringify(path),
      ...(node.label !== undefined && { label: JSON.stringify(node.label) }),
      ...(errors.length > 0 && { errors: JSON.stringify(formatErrors(errors)) }),
    });
  };
  return {
    initial: () => ({ hasNext: true }),
    failed: (error) => JSON.stringify({ hasNext: false, errors: [error] }),
    later({ added, completed, hasNext }, additions) {
      const results = added.map((part) =>
        'list' in part
          ? write(part.list, part.index, `[${part.texts.join(',')}]`, part.errors)
          : write(part.fragment, undefined, part.text, part.errors),
      );
      const failures = completed.map(
        ({ node, index, errors }) => errors && write(node, index, 'null', errors),
      );
      const incremental = [...results, ...failures.filter((failure) => failure !== undefined)];
      if (incremental.length === 0 && hasNext) return undefined;
      return writeObject({
        ...(incremental.length > 0 && { incremental: `[${incremental.join(',')}]` }),
        hasNext: String(hasNext),
        ...toTexts(additions),
      });
    },
  };
}

function toTexts(additions: Additions): Record<string, string> {
  return Object.fromEntries(Object.entries(additions).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Writes an object from property names and the JSON of their values. */
function writeObject(texts: Readonly<Record<string, string>>): string {
  return `{${Object.entries(texts)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;
}
