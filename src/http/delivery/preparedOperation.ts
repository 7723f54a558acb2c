/** Parses, validates and authorizes the operations of long-lived connections. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { IncrementalFormat } from '../../execution/incremental/incrementalFormat.js';
import type { ParsedDocuments } from '../../graphql/documents/documentStore.js';
import { validationRules } from '../../graphql/documents/incrementalRules.js';
import type { OperationSummary } from '../../graphql/limits/admitOperation.js';
import { MAX_VALIDATION_ERRORS } from '../../graphql/limits/operationLimits.js';
import { authorizeOperation } from '../../graphql/scopes.js';
import type { OperationTrace } from '../../tracing/operationTrace.js';
import type { CallerSession } from '../auth/callerSession.js';
import { withCode } from './resultFormatter.js';

/** A valid operation that its caller may run. */
export interface PreparedOperation {
  requestId: string;
  source: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  operationName: string | undefined;
  summary: OperationSummary;
  /** As received. */
  variables: Readonly<Record<string, unknown>>;
  /** The format that `extensions` request. Undefined for a single result. */
  format: IncrementalFormat | undefined;
  trace: OperationTrace | undefined;
}

interface DocumentOptions {
  schema: GraphQLSchema;
  hidesSuggestions: boolean;
  parsedDocuments: ParsedDocuments;
}

/** Contains all errors of a document. */
export class InvalidOperation extends Error {
  readonly problems: readonly GraphQLError[];

  constructor(problems: readonly GraphQLError[]) {
    super('The operation does not match the schema.');
    this.problems = problems;
  }
}

/** Throws an `InvalidOperation` if the document does not match the schema. */
export function readDocument(
  source: string,
  { schema, hidesSuggestions: hideSuggestions, parsedDocuments }: DocumentOptions,
): DocumentNode {
  const cached = parsedDocuments.lookup(source);
  if (cached !== undefined) return cached;
  const document = parse(source);
  const problems = validate(schema, document, validationRules, {
    maxErrors: MAX_VALIDATION_ERRORS,
    hideSuggestions,
  });
  if (problems.length > 0) {
    throw new InvalidOperation(problems.map((problem) => withCode(problem, 'GRAPHQL_VALIDATION_FAILED')));
  }
  parsedDocuments.add(source, document);
  return document;
}

/** Throws OPERATION_RESOLUTION_FAILURE, or FORBIDDEN without the needed scope. */
export function findOperation(
  document: DocumentNode,
  operationName: string | undefined,
  session: CallerSession,
  requestId: string,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (!operation) {
    throw withCode(
      new GraphQLError('Set operationName to the name of an operation in the document.'),
      'OPERATION_RESOLUTION_FAILURE',
    );
  }
  authorizeOperation(operation, session.caller, (fields) =>
    session.createContext({ requestId }).logRefusedWrite(fields),
  );
  return operation;
}
