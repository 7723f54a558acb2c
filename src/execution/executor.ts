/** Executes operations with compiled queries where possible, and with graphql-js otherwise. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { compileOperation } from './compileOperation.js';
import { estimateDocumentBytes, textBytes } from './documentBytes.js';
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
  /** The event of a subscription. */
  rootValue?: unknown;
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
    const { document, operationName, variableValues, contextValue, rootValue } = request;
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
      rootValue,
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

interface CompiledQueries {
  /** Returns undefined if graphql-js has to execute the operation. `variables` must be coerced. */
  get(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ): ExecuteSelection | undefined;
  /** The number of compiled operations and their estimated memory in bytes. */
  usage(): { operations: number; bytes: number };
}

/** The compiled variants of one operation, by the values of the variables in `@skip` and `@include`. */
interface CompiledVariants {
  conditions: readonly string[];
  variants: Map<string, ExecuteSelection | undefined>;
  /** The size of the document, which the variants refer to. */
  documentBytes: number;
  /** The number of compiled fields in all variants. */
  fields: number;
}

/** Per operation. Compiling one more variant discards the others. */
const MAX_VARIANTS = 16;
/** Caches compiled queries. The cache is bounded by an estimate of the heap used by the queries and their documents. */
export const MAX_COMPILED_BYTES = 32 * 1024 * 1024;
/** Measured size of the closures, texts and caches of one compiled field. */
const FIELD_BYTES = 1400;
const ENTRY_BYTES = 1024;

export function createCompiledQueries(schema: GraphQLSchema): CompiledQueries {
  const cacheBudget = { characters: 0, version: 0 };
  const cache = new LRUCache<OperationDefinitionNode, CompiledVariants>({ maxSize: MAX_COMPILED_BYTES });
  // graphql-js calls `isTypeOf` for every object, compiled queries do not. The schema of this gateway has none.
  const hasPredicates = Object.values(schema.getTypeMap()).some(
    (type) => isObjectType(type) && type.isTypeOf,
  );

  function variantsOf(document: DocumentNode, operation: OperationDefinitionNode): CompiledVariants {
    const cached = cache.get(operation);
    if (cached) return cached;
    const documentBytes = estimateDocumentBytes(document) + textBytes(document.loc?.source.body ?? '');
    return { conditions: findConditions(document), variants: new Map(), documentBytes, fields: 0 };
  }

  function updateSize(operation: OperationDefinitionNode, entry: CompiledVariants): void {
    // `set` with the same object keeps the old size, so delete the entry first.
    cache.delete(operation);
    cache.set(operation, entry, { size: ENTRY_BYTES + entry.documentBytes + entry.fields * FIELD_BYTES });
  }

  return {
    get(document, operation, variables) {
      if (hasPredicates) return undefined;
      const entry = variantsOf(document, operation);
      const { conditions, variants } = entry;
      const values = conditions.map((name) => variables[name]);
      // Other values than booleans fall through to graphql-js, which reports the error.
      if (!values.every((value) => typeof value === 'boolean')) return undefined;
      const key = values.join();
      if (variants.has(key)) return variants.get(key);
      if (variants.size >= MAX_VARIANTS) {
        variants.clear();
        entry.fields = 0;
      }
      const compiled = compileOperation({
        operation: { schema, operation, fragments: collectFragments(document) },
        conditions: Object.fromEntries(conditions.map((name, index) => [name, values[index]])),
        cacheBudget,
        onCompiled(fields) {
          entry.fields += fields;
          updateSize(operation, entry);
        },
      });
      variants.set(key, compiled);
      updateSize(operation, entry);
      return compiled;
    },
    usage: () => ({ operations: cache.size, bytes: cache.calculatedSize }),
  };
}

/** The names of the variables in directives (`@skip` and `@include`) anywhere in the document. */
function findConditions(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE](directive) {
      for (const { value } of directive.arguments ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
}

function collectFragments(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}
