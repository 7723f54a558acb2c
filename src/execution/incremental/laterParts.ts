/** Executes the later parts of a response and yields their results, in batches, as they complete. */
import type { GraphQLError } from 'graphql';
import type { JsonOutput, StreamedList } from '../executionContext.js';
import { type DeliveredFragment, PartGraph, type PartNode } from './partGraph.js';
import type {
  DeferredFragment,
  ExecutionGroup,
  FinishedGroup,
  PartContext,
  PartRecord,
  PartResult,
} from './partRecords.js';
import { StreamRun } from './streamRun.js';

/** The fields that a fragment adds. */
export interface DataPart {
  fragment: DeferredFragment;
  group: FinishedGroup['group'];
  /** JSON of an object. */
  text: string;
  errors: readonly GraphQLError[];
}

/** Consecutive items that a streamed list adds. */
export interface ItemsPart {
  list: StreamedList;
  /** The index of the first item. */
  index: number;
  /** JSON of each item. */
  texts: readonly string[];
  errors: readonly GraphQLError[];
}

/** The parts that have completed since the last batch. */
export interface PartBatch {
  /** Parts that later batches complete. */
  announced: PartNode[];
  added: (DataPart | ItemsPart)[];
  /** With an error if nothing further of this part can be delivered. `index` of a list: the item that failed. */
  completed: { node: PartNode; errors?: readonly GraphQLError[]; index?: number }[];
  hasNext: boolean;
}

/** A batch with more text leaves the other complete parts to the next one, so that responses are sent in small pieces. */
const MAX_BATCH_CHARACTERS = 256 * 1024;

export class LaterParts {
  /** Parts that the initial result announces. */
  readonly announced: readonly PartNode[];
  readonly #context: PartContext;
  readonly #graph = new PartGraph();
  readonly #runs = new Set<StreamRun>();
  #finished: { group: ExecutionGroup; outcome: PartResult | GraphQLError }[] = [];
  #wake: () => void = () => undefined;

  constructor(records: readonly PartRecord[], context: PartContext) {
    this.#context = context;
    this.announced = this.#graph.addRoots(records);
  }

  /**
   * Executes what is announced, and resolves with everything that is complete as soon as something is. Undefined when all
   * parts have been delivered. Nothing is executed between two calls that has not begun, so a slow reader slows it down.
   */
  async next(): Promise<PartBatch | undefined> {
    while (this.#graph.hasNext()) {
      this.#begin();
      const batch = this.#take();
      if (batch.added.length + batch.completed.length > 0) return batch;
      // What has completed may have left more to begin.
      if (!this.#graph.hasWaiting()) await this.#nextCompletion();
    }
    return undefined;
  }

  /** Everything that completes in one turn of the event loop comes in one batch. */
  async #nextCompletion(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await new Promise((resolve) => setImmediate(resolve));
  }

  #begin(): void {
    for (const group of this.#graph.takeGroups()) this.#execute(group);
    for (const list of this.#graph.takeLists()) {
      this.#runs.add(new StreamRun(list, this.#context, () => this.#wake()));
    }
    for (const run of this.#runs) run.begin();
  }

  #execute(group: ExecutionGroup): void {
    const { source, path, execute, fragments } = group;
    const context = this.#context.part.createContext(this.#context, fragments[0]);
    const settle = (outcome: PartResult | GraphQLError) => {
      this.#finished.push({ group, outcome });
      this.#wake();
    };
    const succeed = (text: string) => {
      const { errors } = context;
      settle({ text, errors: errors.list, records: context.part.close(errors) });
    };
    let output: JsonOutput;
    try {
      output = execute(source, context, path);
    } catch (error) {
      // `handleFieldError` has located every error that reaches the root of a part.
      settle(error as GraphQLError);
      return;
    }
    if (typeof output === 'string') succeed(output);
    else output.then(succeed, settle);
  }

  #take(): PartBatch {
    const batch: PartBatch = { announced: [], added: [], completed: [], hasNext: true };
    let characters = 0;
    for (let one = this.#finished.shift(); one !== undefined; one = this.#finished.shift()) {
      characters += 'text' in one.outcome ? one.outcome.text.length : 0;
      this.#takeGroup(one.group, one.outcome, batch);
      if (characters > MAX_BATCH_CHARACTERS) break;
    }
    for (const run of this.#runs) {
      if (characters <= MAX_BATCH_CHARACTERS) characters += this.#takeItems(run, batch);
    }
    batch.hasNext = this.#graph.hasNext();
    return batch;
  }

  #takeGroup(group: ExecutionGroup, outcome: PartResult | GraphQLError, batch: PartBatch): void {
    if (!('text' in outcome)) {
      for (const node of this.#graph.fail(group)) batch.completed.push({ node, errors: [outcome] });
      return;
    }
    for (const delivered of this.#graph.finish(group, outcome)) addDelivered(delivered, batch);
  }

  /** Returns the number of characters. */
  #takeItems(run: StreamRun, batch: PartBatch): number {
    const { list } = run;
    const { index, results, failure, isDone } = run.take();
    if (results.length > 0) {
      const [texts, errors] = [results.map(({ text }) => text), results.flatMap((result) => result.errors)];
      batch.added.push({ list, index, texts, errors });
      batch.announced.push(...this.#graph.addRoots(results.flatMap(({ records }) => records)));
    }
    if (isDone) {
      this.#runs.delete(run);
      this.#graph.endList(list);
      const failed = failure && { errors: [failure], index: index + results.length };
      batch.completed.push({ node: list, ...failed });
    }
    return results.reduce((sum, { text }) => sum + text.length, 0);
  }
}

function addDelivered({ fragment, groups, announced }: DeliveredFragment, batch: PartBatch): void {
  batch.announced.push(...announced);
  for (const { group, result } of groups) {
    batch.added.push({ fragment, group, text: result.text, errors: result.errors });
  }
  batch.completed.push({ node: fragment });
}
