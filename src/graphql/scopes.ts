/** Scopes: each kind of operation requires one, which is checked before execution. */
import { GraphQLError, type OperationTypeNode } from 'graphql';

export const allScopes = ['read', 'write'] as const;

export type Scope = (typeof allScopes)[number];

const requiredScopes: Readonly<Record<`${OperationTypeNode}`, Scope>> = {
  query: 'read',
  subscription: 'read',
  mutation: 'write',
};

/** Returns an error if the caller lacks the required scope, or undefined. */
export function toScopeError(
  scopes: ReadonlySet<Scope>,
  operation: `${OperationTypeNode}`,
): GraphQLError | undefined {
  const required = requiredScopes[operation];
  if (scopes.has(required)) return undefined;
  const message = `A ${operation} needs the scope "${required}", which this credential lacks.`;
  return new GraphQLError(message, {
    extensions: { code: 'FORBIDDEN', retryable: false, http: { status: 403 } },
  });
}
