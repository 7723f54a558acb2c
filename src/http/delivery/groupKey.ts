/** Decides which subscriptions are equal, and whether one takes a cursor. Pure. */
import { hash } from 'node:crypto';
import { Kind, visit } from 'graphql';
import { collectFragments, listSelections, withVariableDefaults } from '../../graphql/documents/fragments.js';
import type { PreparedOperation } from './operations.js';

/**
 * Names everything that the results of a subscription depend on: the feed, the authorization of the caller, the document,
 * and the variables without the cursor.
 */
export function toGroupKey(feedId: string, prepared: PreparedOperation, authorizationKey: string): string {
  const { source, operationName = '', variables } = prepared;
  const cursorVariable = findCursorVariable(prepared);
  const values = Object.entries(variables)
    .filter(([name]) => name !== cursorVariable)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return hash(
    'sha256',
    JSON.stringify([feedId, authorizationKey, operationName, values, source]),
    'base64url',
  );
}

/** The argument of every subscription field that takes a cursor. */
const CURSOR_ARGUMENT = 'after';

/** Whether the subscription resumes behind a cursor. `after` is the one of the transport. */
export function hasCursor(prepared: PreparedOperation, after: string | undefined): boolean {
  if (after !== undefined) return true;
  const variables = withVariableDefaults(prepared.operation, prepared.variables);
  return findCursorArguments(prepared).some(({ value }) =>
    value.kind === Kind.VARIABLE ? variables[value.name.value] != null : value.kind !== Kind.NULL,
  );
}

function findCursorArguments({ operation, document }: Pick<PreparedOperation, 'operation' | 'document'>) {
  return listSelections(operation, collectFragments(document))
    .flatMap((selection) => (selection.kind === Kind.FIELD ? (selection.arguments ?? []) : []))
    .filter(({ name }) => name.value === CURSOR_ARGUMENT);
}

/** The variable that is the cursor and nothing else. */
function findCursorVariable({ operation, document }: PreparedOperation): string | undefined {
  const [value] = findCursorArguments({ operation, document }).map((argument) => argument.value);
  if (value?.kind !== Kind.VARIABLE) return undefined;
  const name = value.name.value;
  let uses = 0;
  visit(document, {
    VariableDefinition: () => false,
    Variable(node) {
      if (node.name.value === name) uses += 1;
    },
  });
  return uses === 1 ? name : undefined;
}
