/** Scopes: each kind of operation requires one, which is checked before execution. */
import { GraphQLError, Kind, type OperationDefinitionNode, type OperationTypeNode } from 'graphql';

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

/** Further fields are left out of the log line. */
const MAX_LOGGED_FIELDS = 20;

/** The part of a log line that says which mutations were refused by `toScopeError`. */
export function describeRefusal({ selectionSet }: OperationDefinitionNode): object {
  const fields = selectionSet.selections.slice(0, MAX_LOGGED_FIELDS);
  const mutations = fields.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []));
  return { mutation: mutations.join(', '), code: 'FORBIDDEN' };
}
