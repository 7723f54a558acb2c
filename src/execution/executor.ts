/** Executes operations with compiled queries if possible, and with graphql-js otherwise. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
} from 'graphql';
import type { OperationTurns } from '../lib/turnBudget.js';
import type { DeferMode } from './collectFields.js';
import { type CompiledQueries, createCompiledQueries } from './compiledQueries.js';
import {
  CollectedErrors,
  createTooLargeError,
  createTooManyErrorsError,
  type ExecutionContext,
  isPromiseLike,
  MAX_ERRORS,
  type RecordedDependencies,
} from './executionContext.js';
import type { IncrementalFormat } from './incremental/incrementalFormat.js';
import { PartRecords } from './incremental/partRecords.js';
import { SubsequentResults } from './incremental/subsequentResults.js';
import { ListSlices } from './listSlices.js';
import type { ExecuteSelection } from './selection.js';
import { SerializedJson } from './text/serializedJson.js';

export interface ExecutionRequest {
  /** A document that has been validated against the schema. */
  document: DocumentNode;
  operationName?: string | null | undefined;
  /** Values as received, not yet coerced. */
  variableValues?: { readonly [name: string]: unknown } | null | undefined;
  contextValue: unknown;
  /** The event of a subscription. */
  rootValue?: unknown;
}

/** Never rejects. `data` is a `SerializedJson` from a compiled query, or an object from graphql-js. */
export type Executor = (request: ExecutionRequest) => ExecutionResult | PromiseLike<ExecutionResult>;

/** The initial result, and the parts that follow it. */
export interface IncrementalResult {
  result: ExecutionResult;
  /** Undefined if the result is complete. */
  later: SubsequentResults | undefined;
}

/**
 * Executes a query or mutation for incremental delivery. Never rejects. Undefined if it must be executed in one
 * piece: for introspection and for invalid variables. Later parts are executed only when they are read.
 */
export type IncrementalExecutor = (
  request: ExecutionRequest,
  format: IncrementalFormat,
) => IncrementalResult | PromiseLike<IncrementalResult> | undefined;

interface ExecutorOptions {
  /**
   * Returns the dependencies that a context records. Without it, text is cached only if it depends on nothing but
   * its object.
   */
  dependenciesOf?: (contextValue: unknown) => RecordedDependencies | undefined;
  /** Removes suggestions from errors about variables, because suggestions reveal names of the schema. */
  hideSuggestions?: boolean;
  compiledQueries?: CompiledQueries;
  /** Throws if the client has disconnected. Called between the slices of long lists. */
  checkCancelled?: (contextValue: unknown) => void;
  /** The turns of the event loop among which the work for a context is divided. Without it, nothing is divided. */
  turnsOf?: (contextValue: unknown) => OperationTurns | undefined;
  /**
   * Maximum characters of a result in one piece, and of the parts of a response that wait to be sent. An error replaces
   * what is longer.
   */
  maxResultCharacters?: number | undefined;
  /** Milliseconds between two batches of later parts while others are being executed. */
  minBatchIntervalMs?: number | undefined;
}

interface PreparedExecution {
  compiled: ExecuteSelection;
  context: ExecutionContext;
}

export function createExecutor(schema: GraphQLSchema, options: ExecutorOptions = {}): Executor {
  const { hideSuggestions = false, maxResultCharacters } = options;
  const prepare = createPreparation(schema, options);
  return (request) => {
    const prepared = prepare(request, 'none');
    if (prepared === undefined) {
      const result = execute({ schema, hideSuggestions, ...request });
      return isPromiseLike(result) ? result.then(limitErrors) : limitErrors(result);
    }
    return 'errors' in prepared ? prepared : executeCompiled(prepared, maxResultCharacters);
  };
}

export function createIncrementalExecutor(
  schema: GraphQLSchema,
  options: ExecutorOptions = {},
): IncrementalExecutor {
  const prepare = createPreparation(schema, options);
  return (request, format) => {
    const prepared = prepare(request, format === 'v0.2' ? 'shared' : 'separate');
    if (prepared === undefined || 'errors' in prepared) return undefined;
    const part = new PartRecords();
    const context = { ...prepared.context, part };
    const toIncremental = (result: ExecutionResult): IncrementalResult => {
      const records = part.close(context.errors);
      const later = records.length > 0 ? new SubsequentResults(records, context, options) : undefined;
      return { result, later };
    };
    const result = executeCompiled({ ...prepared, context }, options.maxResultCharacters);
    return 'then' in result ? result.then(toIncremental) : toIncremental(result);
  };
}

/** The returned function returns undefined if graphql-js has to execute the operation. */
function createPreparation(
  schema: GraphQLSchema,
  {
    dependenciesOf = () => undefined,
    hideSuggestions = false,
    compiledQueries = createCompiledQueries(schema),
    checkCancelled = () => {},
    turnsOf = () => undefined,
    maxResultCharacters = Number.POSITIVE_INFINITY,
  }: ExecutorOptions,
) {
  return (
    { document, operationName, variableValues, contextValue, rootValue }: ExecutionRequest,
    mode: DeferMode,
  ): PreparedExecution | { errors: readonly GraphQLError[] } | undefined => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return undefined;
    const { errors, coerced } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      variableValues ?? {},
      { maxErrors: MAX_VARIABLE_ERRORS, hideSuggestions },
    );
    if (!coerced) return { errors };
    const compiled = compiledQueries.get(document, operation, coerced, mode);
    if (!compiled) return undefined;
    const context = {
      contextValue,
      dependencies: dependenciesOf(contextValue),
      rootValue,
      variables: coerced,
      errors: new CollectedErrors(),
      argumentValues: new Map(),
      nonRepeatableCount: 0,
      characters: 0,
      slices: new ListSlices(turnsOf(contextValue), ({ characters }) => {
        checkCancelled(contextValue);
        if (characters > maxResultCharacters) throw createTooLargeError(maxResultCharacters);
      }),
      part: undefined,
    };
    return { compiled, context };
  };
}

function executeCompiled(
  { compiled, context }: PreparedExecution,
  maxCharacters = Number.POSITIVE_INFINITY,
): ReturnType<Executor> {
  const { rootValue, errors } = context;
  const isTooLarge = (characters: number) => Math.max(context.characters, characters) > maxCharacters;
  const refuse = () => {
    // The errors of fields, and the parts that would follow, belong to data that the client does not get.
    errors.discard();
    return toResult(null, [createTooLargeError(maxCharacters)]);
  };
  const succeed = (text: string) =>
    isTooLarge(text.length) ? refuse() : toResult(new SerializedJson(text), errors.list);
  const fail = (error: unknown) => {
    // A long list ends early, at a place that depends on the time that its items take.
    if (isTooLarge(0)) return refuse();
    // `handleFieldError` has already located every error that reaches the root.
    errors.add(() => error as GraphQLError, undefined);
    return toResult(null, errors.list);
  };
  try {
    const output = compiled(rootValue, context, undefined);
    return typeof output === 'string' ? succeed(output) : output.then(succeed, fail);
  } catch (error) {
    return fail(error);
  }
}

function limitErrors(result: ExecutionResult): ExecutionResult {
  const { errors = [] } = result;
  const unlisted = errors[MAX_ERRORS];
  if (unlisted === undefined) return result;
  return { ...result, errors: [...errors.slice(0, MAX_ERRORS), createTooManyErrorsError(unlisted)] };
}

/** Properties are in the same order as in results of graphql-js. */
function toResult(data: SerializedJson | null, errors: readonly GraphQLError[]): ExecutionResult {
  // The result type allows only plain objects; `SerializedJson` becomes one through `toJSON`.
  const typed = data as Record<string, unknown> | null;
  return errors.length === 0 ? { data: typed } : { errors, data: typed };
}

/**
 * Each message of graphql-js contains the whole value of the variable: 10 errors take 80 ms at the body limit, and its
 * default of 50 takes 300 ms.
 */
const MAX_VARIABLE_ERRORS = 10;
