/** Executes operations: by code that is compiled once for each, where that can be; else by graphql-js. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
} from 'graphql';
import { type CompiledQueries, createCompiledQueries } from './compiledQueries.js';
import { CollectedErrors, type ExecutionContext, type RecordedDependencies } from './executionContext.js';
import type { ExecuteSelection } from './selection.js';
import { SerializedJson } from './text/serializedJson.js';

export interface ExecutionRequest {
  /** Valid for the schema. */
  document: DocumentNode;
  operationName?: string | null | undefined;
  /** As they came. */
  variableValues?: { readonly [name: string]: unknown } | null | undefined;
  contextValue: unknown;
}

/** Never rejects. `data` is a `SerializedJson` where compiled code wrote it, an object where graphql-js made it. */
export type Executor = (request: ExecutionRequest) => ExecutionResult | PromiseLike<ExecutionResult>;

/** As graphql-js. */
const MAX_VARIABLE_ERRORS = 50;

export interface ExecutorOptions {
  /** What the run of a context reads; without it, no more is remembered than what objects alone decide. */
  readingsOf?: (contextValue: unknown) => RecordedDependencies | undefined;
  /** Makes errors about variables without suggestions, which would give names of the schema away. */
  hideSuggestions?: boolean;
  /** Where compiled forms are kept. */
  plans?: CompiledQueries;
}

export function createExecutor(
  schema: GraphQLSchema,
  {
    readingsOf: dependenciesOf = () => undefined,
    hideSuggestions = false,
    plans = createCompiledQueries(schema),
  }: ExecutorOptions = {},
): Executor {
  return (request) => {
    const { document, operationName, variableValues, contextValue } = request;
    const operation = getOperationAST(document, operationName);
    if (!operation) return execute({ schema, hideSuggestions, ...request });
    const { errors, coerced } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      variableValues ?? {},
      { maxErrors: MAX_VARIABLE_ERRORS, hideSuggestions },
    );
    if (!coerced) return { errors };
    const form = plans.get(document, operation, coerced);
    if (!form) return execute({ schema, hideSuggestions, ...request });
    return executeCompiled(form, {
      contextValue,
      dependencies: dependenciesOf(contextValue),
      rootValue: undefined,
      variables: coerced,
      errors: new CollectedErrors(),
      argumentValues: new Map(),
      nonRepeatableCount: 0,
    });
  };
}

function executeCompiled(compiled: ExecuteSelection, started: ExecutionContext): ReturnType<Executor> {
  const { rootValue, errors } = started;
  const succeed = (text: string) => toResult(new SerializedJson(text), errors.list);
  const failWhole = (error: unknown) => {
    // What is thrown up to here has been located.
    errors.add(error as GraphQLError, undefined);
    return toResult(null, errors.list);
  };
  try {
    const text = compiled(rootValue, started, undefined);
    return typeof text === 'string' ? succeed(text) : text.then(succeed, failWhole);
  } catch (error) {
    return failWhole(error);
  }
}

/** The names in the order of graphql-js. */
function toResult(data: SerializedJson | null, errors: readonly GraphQLError[]): ExecutionResult {
  // The type of results knows objects only, which is what `toJSON` makes of it.
  const typed = data as Record<string, unknown> | null;
  return errors.length === 0 ? { data: typed } : { errors, data: typed };
}
