/** The state of one execution of a compiled query, and the types that its steps share. */
import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import {
  GraphQLError,
  type GraphQLOutputType,
  isNonNullType,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import type { DeferUsage } from './collectFields.js';
import type { ListSlices } from './listSlices.js';

export type ResponsePath = GraphQLResolveInfo['path'];

/** JSON text, or a promise of it if a resolver returned a promise. */
export type JsonOutput = string | PromiseLike<string>;

/** The cache entries that an execution has read. */
interface RecordedReadSet {
  size(): number;
}

/** Records the cache entries that an execution reads. They decide whether it may reuse JSON text of another execution. */
export interface RecordedDependencies {
  /** The complete read set; undefined if the results depend on more than cache entries. */
  readSet(): RecordedReadSet | undefined;
  /** Whether this execution would read the same versions of the entries in another execution's read set. */
  matches(readSet: RecordedReadSet): boolean;
}

export interface ExecutionContext {
  readonly contextValue: unknown;
  /** Undefined if dependencies are not recorded. */
  readonly dependencies: RecordedDependencies | undefined;
  readonly rootValue: unknown;
  /** Coerced values. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly errors: CollectedErrors;
  /** Arguments that contain variables, by `FieldDetails`: coerced once for all objects of a list. */
  readonly argumentValues: Map<object, Readonly<Record<string, unknown>>>;
  /** Counts events that other executions need not repeat: errors and method calls. They prevent fragment caching. */
  nonRepeatableCount: number;
  /** The characters of this part of the response in items of lists and in loaded values. */
  characters: number;
  readonly slices: ListSlices;
  /**
   * Records the work that this part of the response leaves to later parts. Undefined if the response is not
   * delivered incrementally.
   */
  readonly part: PartRecorder | undefined;
}

/** Deferred fields of one object that are executed together, for all fragments that select them. */
export interface DeferredGroup {
  readonly usages: readonly DeferUsage[];
  readonly source: unknown;
  readonly path: ResponsePath | undefined;
  execute(source: unknown, context: ExecutionContext, path: ResponsePath | undefined): JsonOutput;
}

/** The items of a list with `@stream` that are not in the part of the list. */
export interface StreamedList {
  readonly label: string | undefined;
  readonly path: ResponsePath;
  readonly location: ErrorLocation;
  readonly items: Iterator<unknown>;
  /** The index of the next item. */
  index: number;
  /** Throws only if the type of the items is non-null. */
  complete(value: unknown, context: ExecutionContext, parent: ResponsePath, index: number): JsonOutput;
}

/** Records the work that a part of a response leaves to later parts. */
export interface PartRecorder {
  /** Records the fragments that are deferred at an object. Call it before `defer`. */
  open(usages: readonly DeferUsage[], path: ResponsePath | undefined): void;
  defer(group: DeferredGroup): void;
  stream(list: StreamedList): void;
}

/** The nodes and the type of a field or list item, for its errors. */
export interface ErrorLocation {
  readonly nodes: readonly FieldNode[];
  readonly type: GraphQLOutputType;
}

/** The errors that a response lists. Typos in one argument can fail a field of every item. */
export const MAX_ERRORS = 1000;

/** The error that stands for all errors beyond `MAX_ERRORS`. Takes the first of them. */
export function createTooManyErrorsError({ originalError }: GraphQLError): GraphQLError {
  const message = `The operation has more than ${MAX_ERRORS} errors. Further fields that failed are null without an error.`;
  const retryable = isObjectLike(originalError) && originalError['retryable'] === true;
  return new GraphQLError(message, { extensions: { code: 'TOO_MANY_ERRORS', retryable } });
}

/** The error of a result that is longer than the memory of its caller. */
export function createTooLargeError(maxCharacters: number): GraphQLError {
  const message = `The result has more than ${maxCharacters} characters. Request fewer items, or fewer fields of each.`;
  return new GraphQLError(message, { extensions: { code: 'COST_TOO_HIGH', retryable: false } });
}

/** The errors of a part of a response, except those below a path that another error already set to null. */
export class CollectedErrors {
  readonly list: GraphQLError[] = [];
  readonly #nullPaths = new Set<ResponsePath | undefined>();
  /** The errors that all parts of the response list. */
  readonly #listed: { count: number };

  constructor(listed = { count: 0 }) {
    this.#listed = listed;
  }

  /** Returns the collector for another part of the same response. */
  forPart(): CollectedErrors {
    return new CollectedErrors(this.#listed);
  }

  /** Discards the errors of a part that is not delivered, and those that its fields add later. */
  discard(): void {
    this.#listed.count -= this.list.length;
    this.list.length = 0;
    this.#nullPaths.add(undefined);
  }

  add(toError: () => GraphQLError, path: ResponsePath | undefined): void {
    if (this.isBelowNull(path)) return;
    this.#nullPaths.add(path);
    if (this.#listed.count > MAX_ERRORS) return;
    this.list.push(this.#listed.count === MAX_ERRORS ? createTooManyErrorsError(toError()) : toError());
    this.#listed.count += 1;
  }

  /** Whether an error has set the value at the path, or an enclosing value, to null. */
  isBelowNull(path: ResponsePath | undefined): boolean {
    if (this.#nullPaths.size === 0) return false;
    for (let ancestor = path; ancestor !== undefined; ancestor = ancestor.prev) {
      if (this.#nullPaths.has(ancestor)) return true;
    }
    return this.#nullPaths.has(undefined);
  }
}

/** Collects the error and returns null for a nullable type; throws the located error for a non-null type. */
export function handleFieldError(
  rawError: unknown,
  { nodes, type }: ErrorLocation,
  context: ExecutionContext,
  path: ResponsePath,
): string {
  context.nonRepeatableCount += 1;
  const locate = () => locatedError(rawError, [...nodes], responsePathAsArray(path));
  if (isNonNullType(type)) throw locate();
  context.errors.add(locate, path);
  return 'null';
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return isObjectLike(value) && typeof value['then'] === 'function';
}

/** True for objects and functions: values that can have properties. */
export function isObjectLike(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
