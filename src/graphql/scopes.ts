/**
 * Decides, for all transports and pages, which actions a caller may take. `sources/access` decides which data it
 * can see.
 */
import { GraphQLError, Kind, type OperationDefinitionNode, type OperationTypeNode } from 'graphql';

export const allScopes = ['read', 'write'] as const;

export type Scope = (typeof allScopes)[number];

export interface Authorization {
  scopes: ReadonlySet<Scope>;
  /** The organizations that the caller is restricted to; undefined for the whole account. */
  organizationIds: ReadonlySet<number> | undefined;
}

type CallerAction = `${OperationTypeNode}` | 'metrics' | 'explanation';

interface Requirement {
  scope?: Scope;
  /** For data of all callers together: calls, bytes and counts of the whole account. */
  needsWholeAccount?: true;
}

const requirements: Readonly<Record<CallerAction, Requirement>> = {
  query: { scope: 'read' },
  subscription: { scope: 'read' },
  mutation: { scope: 'write' },
  metrics: { scope: 'read', needsWholeAccount: true },
  explanation: { needsWholeAccount: true },
};

/** Returns the reason why the caller may not take the action; undefined if it may. */
export function findRefusal(
  action: CallerAction,
  { scopes, organizationIds }: Authorization,
): string | undefined {
  const { scope, needsWholeAccount = false } = requirements[action];
  const isInScope = scope === undefined || scopes.has(scope);
  if (isInScope && !(needsWholeAccount && organizationIds !== undefined)) return undefined;
  return needsWholeAccount
    ? `Access to the ${action} needs ${scope === undefined ? '' : `the scope "${scope}" over `}all organizations.`
    : `A ${action} needs the scope "${scope}", which this credential lacks.`;
}

/** Throws FORBIDDEN if the caller may not run the operation. `logRefused` receives the log fields of a mutation. */
export function authorizeOperation(
  operation: OperationDefinitionNode,
  caller: Authorization,
  logRefused: (fields: object) => void,
): void {
  const refusal = findRefusal(operation.operation, caller);
  if (refusal === undefined) return;
  if (operation.operation === 'mutation') logRefused(describeRefusal(operation));
  throw new GraphQLError(refusal, {
    extensions: { code: 'FORBIDDEN', retryable: false, http: { status: 403 } },
  });
}

/** Further fields are left out of the log line. */
const MAX_LOGGED_FIELDS = 20;

function describeRefusal({ selectionSet }: OperationDefinitionNode): object {
  const fields = selectionSet.selections.slice(0, MAX_LOGGED_FIELDS);
  const mutations = fields.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []));
  return { mutation: mutations.join(', '), code: 'FORBIDDEN' };
}
