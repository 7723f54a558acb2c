/** Finds the operation of a document, and the errors that refuse it. */
import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { authorizeOperation } from '../../graphql/scopes.js';
import type { CallerSession } from '../auth/callerSession.js';

/** Contains all errors of a document. */
export class InvalidOperation extends Error {
  readonly problems: readonly GraphQLError[];

  constructor(problems: readonly GraphQLError[]) {
    super('The operation does not match the schema.');
    this.problems = problems;
  }
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
    throw withCode(new GraphQLError('Name the operation to execute.'), 'OPERATION_RESOLUTION_FAILURE');
  }
  authorizeOperation(operation, session.caller, (fields) =>
    session.createContext({ requestId }).logRefusedWrite(fields),
  );
  return operation;
}

export function withCode(error: GraphQLError, code: string): GraphQLError {
  Object.assign(error.extensions, { code, retryable: false });
  return error;
}

/** The error of an invalid variable names its definition and has no response path. */
export function isAboutVariable({ path, nodes = [] }: GraphQLError): boolean {
  return path === undefined && nodes[0]?.kind === Kind.VARIABLE_DEFINITION;
}
