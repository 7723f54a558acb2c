/**
 * Executes queries whose documents Apollo Server has validated before, without the rest of its pipeline: hashing the
 * document, choosing the media type, and a promise for each hook. Everything else goes through Apollo Server.
 */
import { HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Executor } from '../../execution/executor.js';
import { stringifyData } from '../../execution/text/serializedJson.js';
import { isRecord } from '../../lib/records.js';
import type { Context } from '../context.js';
import type { ParsedDocuments } from '../documents/documentStore.js';
import type { Prefetch } from '../prefetch.js';
import { findRefusal } from '../scopes.js';

/** The parts of an operation that its execution needs. */
interface ParsedOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  operationName?: string | undefined;
  variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Clients send few different values of this header. */
const MAX_ACCEPT_HEADERS = 100;
const MAX_ACCEPT_CHARACTERS = 256;

export class ValidatedQueries {
  readonly #execute: Executor;
  readonly #prefetch: Prefetch;
  readonly #documents: ParsedDocuments;
  /** Headers with the media type that Apollo Server chose, by the header `Accept`. Responses share them: do not change. */
  readonly #headers = new LRUCache<string, HeaderMap>({ max: MAX_ACCEPT_HEADERS });
  /** Results with errors, which Apollo Server formats. The key is an object that all copies of a context share. */
  readonly #failed = new WeakMap<Context['freshness'], ExecutionResult>();

  constructor(execute: Executor, prefetch: Prefetch, documents: ParsedDocuments) {
    this.#execute = execute;
    this.#prefetch = prefetch;
    this.#documents = documents;
  }

  addDocument(source: string, document: DocumentNode): void {
    if (this.#documents.lookup(source) === undefined) this.#documents.add(source, document);
  }

  /** Adds the media type of a successful response. */
  addContentType(accept = '', contentType: string | undefined): void {
    if (contentType === undefined || accept.length > MAX_ACCEPT_CHARACTERS) return;
    if (this.#headers.has(accept)) return;
    this.#headers.set(
      accept,
      new HeaderMap([['cache-control', 'no-store']]).set('content-type', contentType),
    );
  }

  /** Undefined if the result has errors; `failedResult` then returns it. */
  async execute(
    { document, operation, operationName, variables }: ParsedOperation,
    contextValue: Context,
  ): Promise<ExecutionResult | undefined> {
    const { trace, freshness } = contextValue;
    trace?.beginPhase('graphql.execute');
    const result = await this.#prefetch.execute({ document, operation, variables, contextValue }, () =>
      this.#execute({ document, operationName, variableValues: variables, contextValue }),
    );
    trace?.beginPhase('graphql.serialize');
    if (!result.errors) return result;
    this.#failed.set(freshness, result);
    return undefined;
  }

  /** The result with errors of an execution with this context. */
  failedResult({ freshness }: Context): ExecutionResult | undefined {
    return this.#failed.get(freshness);
  }

  /**
   * Executes the body of a POST. Undefined if Apollo Server has to: for all other operations and parameters, and to format
   * the errors of the result.
   */
  async respond(
    body: unknown,
    accept: string | undefined,
    context: Context,
  ): Promise<HTTPGraphQLResponse | undefined> {
    const headers = this.#headers.get(accept ?? '');
    if (headers === undefined || context.explain !== undefined) return undefined;
    const validated = this.#find(body);
    if (validated === undefined || findRefusal('query', context.caller) !== undefined) return undefined;
    const result = await this.execute(validated, context);
    return result && toResponse(result, headers);
  }

  #find(body: unknown): ParsedOperation | undefined {
    const request = toPlainRequest(body);
    if (request === undefined) return undefined;
    const document = this.#documents.lookup(request.query);
    if (document === undefined) return undefined;
    const operation = getOperationAST(document, request.operationName);
    return operation?.operation === OperationTypeNode.QUERY ? { document, operation, ...request } : undefined;
  }
}

function toResponse({ data }: ExecutionResult, headers: HeaderMap): HTTPGraphQLResponse {
  return { headers, body: { kind: 'complete', string: stringifyData(data) } };
}

/** The parameters of a request. Undefined for persisted documents, and for parameters that Apollo Server may refuse. */
function toPlainRequest(body: unknown) {
  if (!isRecord(body)) return undefined;
  const { query } = body;
  const operationName = body['operationName'] ?? undefined;
  const variables = body['variables'] ?? undefined;
  const extensions = body['extensions'] ?? undefined;
  if (typeof query !== 'string') return undefined;
  if (operationName !== undefined && typeof operationName !== 'string') return undefined;
  if (variables !== undefined && !isRecord(variables)) return undefined;
  if (extensions !== undefined && (!isRecord(extensions) || 'persistedQuery' in extensions)) return undefined;
  return { query, operationName, variables };
}
