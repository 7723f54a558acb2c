/** What a caller may do: each operation needs the scope of its kind, checked before anything of it runs. */
import { GraphQLError, type OperationTypeNode } from 'graphql';

/** Every scope there is. */
export const allScopes = ['read', 'write'] as const;

export type Scope = (typeof allScopes)[number];

const requiredScopes: Readonly<Record<`${OperationTypeNode}`, Scope>> = {
  query: 'read',
  subscription: 'read',
  mutation: 'write',
};

/** The error that refuses the operation, or undefined where the caller may run it. */
export function toScopeError(
  scopes: ReadonlySet<Scope>,
  operation: `${OperationTypeNode}`,
): GraphQLError | undefined {
  const needed = requiredScopes[operation];
  if (scopes.has(needed)) return undefined;
  const message = `A ${operation} needs the scope "${needed}", which this credential lacks.`;
  return new GraphQLError(message, {
    extensions: { code: 'FORBIDDEN', retryable: false, http: { status: 403 } },
  });
}
