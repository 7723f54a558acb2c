/** What belongs to one run of a compiled operation, and what its parts know of each other. */
import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import {
  type GraphQLError,
  type GraphQLOutputType,
  isNonNullType,
  locatedError,
  responsePathAsArray,
} from 'graphql';

export type ResponsePath = GraphQLResolveInfo['path'];

/** JSON text, or the promise of it where a resolver answered a promise. */
export type JsonOutput = string | PromiseLike<string>;

export interface RecordedReadSet {
  /** Of how many things. */
  size(): number;
}

/** What a run has read so far, by which texts of others are known to be still true. */
export interface RecordedDependencies {
  /** All that is read in the end; undefined where more than that decides on what is written. */
  readSet(): RecordedReadSet | undefined;
  /** Whether this run reads the same as another that took this. */
  matches(readSet: RecordedReadSet): boolean;
}

export interface ExecutionContext {
  readonly contextValue: unknown;
  /** Undefined where it can't be told. */
  readonly dependencies: RecordedDependencies | undefined;
  readonly rootValue: unknown;
  /** Coerced. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly errors: CollectedErrors;
  /** Arguments in which variables occur, by the plan of their field: coerced once for all objects of a list. */
  readonly argumentValues: Map<object, Readonly<Record<string, unknown>>>;
  /** How often something happened that is not the same in every run: an error, a method called. */
  nonRepeatableCount: number;
}

/** A field's or list item's error where it may be null; thrown on where it may not. */
export interface ErrorLocation {
  readonly nodes: readonly FieldNode[];
  readonly type: GraphQLOutputType;
}

/** The errors of an answer, without those below a place that is null already. */
export class CollectedErrors {
  readonly list: GraphQLError[] = [];
  readonly #places = new Set<ResponsePath | undefined>();

  add(error: GraphQLError, path: ResponsePath | undefined): void {
    if (this.#places.size > 0 && this.#isBelowNull(path)) return;
    this.#places.add(path);
    this.list.push(error);
  }

  #isBelowNull(path: ResponsePath | undefined): boolean {
    for (let place = path; place !== undefined; place = place.prev) {
      if (this.#places.has(place)) return true;
    }
    return this.#places.has(undefined);
  }
}

/** Answers null and keeps the error, or throws it located for the next place above that may be null. */
export function handleFieldError(
  rawError: unknown,
  { nodes, type }: ErrorLocation,
  context: ExecutionContext,
  path: ResponsePath,
): string {
  context.nonRepeatableCount += 1;
  const error = locatedError(rawError, [...nodes], responsePathAsArray(path));
  if (isNonNullType(type)) throw error;
  context.errors.add(error, path);
  return 'null';
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isObjectLike(value) && typeof value['then'] === 'function';
}

/** Whether it can have properties of its own: objects, and functions too. */
export function isObjectLike(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
