/** Executes the later parts of a response and yields their results, in batches, as they complete. */
import type { GraphQLError } from 'graphql';
import { nextTurn } from '../../lib/slicedComputation.js';
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
import { type IncrementalProgress, StreamRun, toPartResult, trackCompletion } from './streamedList.js';

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
  /** `errors`: this part failed and delivers nothing further. `index`: the item of a list that failed. */
  completed: { node: PartNode; errors?: readonly GraphQLError[]; index?: number }[];
  hasNext: boolean;
}

/**
 * A batch that exceeds this leaves the remaining complete parts to the next batch, so that results are sent in
 * small pieces.
 */
const MAX_BATCH_CHARACTERS = 256 * 1024;

/**
 * Maximum number of groups and streamed items that have begun and are not yet delivered. Their results wait in
 * memory while a slow client reads. The objects of one page fit within it, so that their loads share batches.
 */
const MAX_UNDELIVERED_PARTS = 1000;

/**
 * Minimum time between two batches, unless nothing is being executed. Browsers do not redraw more often, and each
 * message takes a system call and wakes the client.
 */
const MIN_BATCH_INTERVAL_MS = 16;

interface ResultLimits {
  minBatchIntervalMs?: number | undefined;
  /** Maximum characters of the parts that wait to be sent. */
  maxResultCharacters?: number | undefined;
}

export class SubsequentResults {
  readonly announced: readonly PartNode[];
  readonly #context: PartContext;
  readonly #graph = new PartGraph();
  readonly #runs = new Set<StreamRun>();
  readonly #minIntervalMs: number;
  readonly #progress: IncrementalProgress;
  #finished: { group: ExecutionGroup; outcome: PartResult | GraphQLError }[] = [];
  #lastBatchMs = Number.NEGATIVE_INFINITY;

  constructor(
    records: readonly PartRecord[],
    context: PartContext,
    {
      minBatchIntervalMs = MIN_BATCH_INTERVAL_MS,
      maxResultCharacters = Number.POSITIVE_INFINITY,
    }: ResultLimits,
  ) {
    this.#context = context;
    this.#minIntervalMs = minBatchIntervalMs;
    const maxCharacters = maxResultCharacters;
    this.#progress = { running: 0, begun: 0, characters: 0, maxCharacters, wake: () => undefined };
    this.announced = this.#graph.addRoots(records);
  }

  /**
   * Executes the announced parts. Resolves as soon as one is complete, with all that are complete. Undefined when all parts
   * have been delivered. No part begins between two calls, so a slow reader delays the execution.
   */
  async next(): Promise<PartBatch | undefined> {
    while (this.#graph.hasNext()) {
      this.#begin();
      if (!this.#hasCompleted()) await this.#nextCompletion();
      await this.#waitForBatchInterval();
      const batch = this.#take();
      if (batch.added.length + batch.completed.length > 0) {
        this.#lastBatchMs = performance.now();
        return batch;
      }
    }
    return undefined;
  }

  #hasCompleted(): boolean {
    if (this.#finished.length > 0) return true;
    for (const run of this.#runs) if (run.hasCompleted()) return true;
    return false;
  }

  /** Everything that completes in one turn of the event loop is delivered in one batch. */
  async #nextCompletion(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#progress.wake = resolve;
    });
    await nextTurn();
  }

  /** Waits for the interval of batches to pass, or for everything that is being executed. */
  async #waitForBatchInterval(): Promise<void> {
    const progress = this.#progress;
    const pauseMs = this.#lastBatchMs + this.#minIntervalMs - performance.now();
    if (pauseMs <= 0 || progress.running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      progress.wake = () => {
        if (progress.running > 0) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #begin(): void {
    for (const list of this.#graph.takeLists()) {
      this.#runs.add(new StreamRun(list, this.#context, this.#progress));
    }
    const progress = this.#progress;
    // Starting only a few at a time would split their loads into small batches.
    if (progress.begun > MAX_UNDELIVERED_PARTS / 2) return;
    for (const group of this.#graph.takeGroups(MAX_UNDELIVERED_PARTS - progress.begun)) this.#execute(group);
    for (const run of this.#runs) if (progress.begun < MAX_UNDELIVERED_PARTS) run.begin();
  }

  #execute(group: ExecutionGroup): void {
    const { source, path, execute, fragments } = group;
    this.#progress.begun += 1;
    const context = this.#context.part.createContext(this.#context, fragments[0]);
    const settle = (outcome: PartResult | GraphQLError) => {
      this.#finished.push({ group, outcome });
    };
    // `handleFieldError` has located every error that reaches the root of a part.
    const fail = (error: GraphQLError) => {
      context.errors.discard();
      settle(error);
    };
    const succeed = (text: string) => {
      const outcome = toPartResult(text, context, path, this.#progress);
      if ('text' in outcome) settle(outcome);
      else fail(outcome);
    };
    let output: JsonOutput;
    try {
      output = execute(source, context, path);
    } catch (error) {
      fail(error as GraphQLError);
      return;
    }
    if (typeof output === 'string') succeed(output);
    else trackCompletion(output.then(succeed, fail), this.#progress);
  }

  #take(): PartBatch {
    const batch: PartBatch = { announced: [], added: [], completed: [], hasNext: true };
    let characters = 0;
    for (let one = this.#finished.shift(); one !== undefined; one = this.#finished.shift()) {
      this.#progress.begun -= 1;
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
      const texts = results.map(({ text }) => text);
      const errors = results.flatMap((result) => result.errors.list);
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
    result.release();
    batch.added.push({ fragment, group, text: result.text, errors: result.errors.list });
  }
  batch.completed.push({ node: fragment });
}
