/** Executes operations with compiled queries where possible, and with graphql-js otherwise. */
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
  /** A document that has been validated against the schema. */
  document: DocumentNode;
  operationName?: string | null | undefined;
  /** Values as received, not yet coerced. */
  variableValues?: { readonly [name: string]: unknown } | null | undefined;
  contextValue: unknown;
}

/** Never rejects. `data` is a `SerializedJson` from a compiled query, or an object from graphql-js. */
export type Executor = (request: ExecutionRequest) => ExecutionResult | PromiseLike<ExecutionResult>;

/** The default of graphql-js. */
const MAX_VARIABLE_ERRORS = 50;

export interface ExecutorOptions {
  /** Returns the dependencies that a context records. Without it, only text that depends on its object alone is cached. */
  dependenciesOf?: (contextValue: unknown) => RecordedDependencies | undefined;
  /** Removes suggestions from errors about variables, because suggestions reveal names of the schema. */
  hideSuggestions?: boolean;
  compiledQueries?: CompiledQueries;
}

export function createExecutor(
  schema: GraphQLSchema,
  {
    dependenciesOf = () => undefined,
    hideSuggestions = false,
    compiledQueries = createCompiledQueries(schema),
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
    const compiled = compiledQueries.get(document, operation, coerced);
    if (!compiled) return execute({ schema, hideSuggestions, ...request });
    return executeCompiled(compiled, {
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

function executeCompiled(compiled: ExecuteSelection, context: ExecutionContext): ReturnType<Executor> {
  const { rootValue, errors } = context;
  const succeed = (text: string) => toResult(new SerializedJson(text), errors.list);
  const fail = (error: unknown) => {
    // `handleFieldError` has already located every error that reaches the root.
    errors.add(error as GraphQLError, undefined);
    return toResult(null, errors.list);
  };
  try {
    const output = compiled(rootValue, context, undefined);
    return typeof output === 'string' ? succeed(output) : output.then(succeed, fail);
  } catch (error) {
    return fail(error);
  }
}

/** Properties are in the same order as in results of graphql-js. */
function toResult(data: SerializedJson | null, errors: readonly GraphQLError[]): ExecutionResult {
  // The result type allows only plain objects; `SerializedJson` becomes one through `toJSON`.
  const typed = data as Record<string, unknown> | null;
  return errors.length === 0 ? { data: typed } : { errors, data: typed };
}
