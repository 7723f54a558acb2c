/** The arguments of a field: coerced once for all runs where no variable is in them, else once in each run. */
import { type FieldNode, getArgumentValues, Kind, visit } from 'graphql';
import type { ExecutionContext } from './executionContext.js';
import type { FieldDetails } from './resolveInfo.js';

export type FieldArguments = Readonly<Record<string, unknown>>;

const noArguments: FieldArguments = Object.freeze({});

/** Throws what is wrong with them, each time. They are shared: resolvers can't write to them. */
export function compileArguments(field: FieldDetails): (context: ExecutionContext) => FieldArguments {
  const { definition, nodes } = field;
  const [node] = nodes;
  if (definition.args.length === 0 || node === undefined) return () => noArguments;
  const read = (variables: FieldArguments) => Object.freeze(getArgumentValues(definition, node, variables));
  if (hasVariable(node)) {
    return (context) => {
      const known = context.argumentValues.get(field);
      if (known !== undefined) return known;
      const values = read(context.variables);
      context.argumentValues.set(field, values);
      return values;
    };
  }
  let values: FieldArguments | undefined;
  return () => {
    values ??= read(noArguments);
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
