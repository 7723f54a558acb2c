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
import { JsonText } from './jsonText.js';
import { createPlans, type Plans } from './plans.js';
import { CollectedErrors, type Run, type RunReadings } from './run.js';
import type { ExecuteSelection } from './selection.js';

export interface ExecutionRequest {
  /** Valid for the schema. */
  document: DocumentNode;
  operationName?: string | null | undefined;
  /** As they came. */
  variableValues?: { readonly [name: string]: unknown } | null | undefined;
  contextValue: unknown;
}

/** Never rejects. `data` is a `JsonText` where compiled code wrote it, an object where graphql-js made it. */
export type Executor = (request: ExecutionRequest) => ExecutionResult | PromiseLike<ExecutionResult>;

/** As graphql-js. */
const MOST_VARIABLE_ERRORS = 50;

export interface ExecutorOptions {
  /** What the run of a context reads; without it, no more is remembered than what objects alone decide. */
  readingsOf?: (contextValue: unknown) => RunReadings | undefined;
  /** Makes errors about variables without suggestions, which would give names of the schema away. */
  hideSuggestions?: boolean;
  /** Where compiled forms are kept. */
  plans?: Plans;
}

export function createExecutor(
  schema: GraphQLSchema,
  {
    readingsOf = () => undefined,
    hideSuggestions = false,
    plans = createPlans(schema),
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
      { maxErrors: MOST_VARIABLE_ERRORS, hideSuggestions },
    );
    if (!coerced) return { errors };
    const form = plans.find(document, operation, coerced);
    if (!form) return execute({ schema, hideSuggestions, ...request });
    return run(form, {
      contextValue,
      readings: readingsOf(contextValue),
      rootValue: undefined,
      variables: coerced,
      errors: new CollectedErrors(),
      argumentValues: new Map(),
      unrepeatable: 0,
    });
  };
}

function run(form: ExecuteSelection, started: Run): ReturnType<Executor> {
  const { rootValue, errors } = started;
  const succeed = (text: string) => toResult(new JsonText(text), errors.list);
  const failWhole = (error: unknown) => {
    // What is thrown up to here has been located.
    errors.add(error as GraphQLError, undefined);
    return toResult(null, errors.list);
  };
  try {
    const text = form(rootValue, started, undefined);
    return typeof text === 'string' ? succeed(text) : text.then(succeed, failWhole);
  } catch (error) {
    return failWhole(error);
  }
}

/** The names in the order of graphql-js. */
function toResult(data: JsonText | null, errors: readonly GraphQLError[]): ExecutionResult {
  // The type of results knows objects only, which is what `toJSON` makes of it.
  const typed = data as Record<string, unknown> | null;
  return errors.length === 0 ? { data: typed } : { errors, data: typed };
}
