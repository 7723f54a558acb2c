/** Coerces the arguments of a field: once for all executions if they contain no variables, else once per execution. */
import { type FieldNode, getArgumentValues, Kind, visit } from 'graphql';
import type { ExecutionContext } from './executionContext.js';
import type { FieldDetails } from './resolveInfo.js';

export type FieldArguments = Readonly<Record<string, unknown>>;

const noArguments: FieldArguments = Object.freeze({});

/** The returned function throws if an argument is invalid. Values are frozen, because objects and executions share them. */
export function compileArguments(field: FieldDetails): (context: ExecutionContext) => FieldArguments {
  const { definition, nodes } = field;
  const [node] = nodes;
  if (definition.args.length === 0 || node === undefined) return () => noArguments;
  const coerce = (variables: FieldArguments) => Object.freeze(getArgumentValues(definition, node, variables));
  if (hasVariable(node)) {
    return (context) => {
      const coerced = context.argumentValues.get(field);
      if (coerced !== undefined) return coerced;
      const values = coerce(context.variables);
      context.argumentValues.set(field, values);
      return values;
    };
  }
  let values: FieldArguments | undefined;
  return () => {
    values ??= coerce(noArguments);
    return values;
  };
}

function hasVariable(node: FieldNode): boolean {
  let found = false;
  for (const argument of node.arguments ?? []) {
    visit(argument, {
      [Kind.VARIABLE]() {
        found = true;
      },
    });
  }
  return found;
}
