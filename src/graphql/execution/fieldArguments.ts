/** The arguments of a field: coerced once for all runs where no variable is in them, else once in each run. */
import { type FieldNode, getArgumentValues, Kind, visit } from 'graphql';
import type { FieldFacts } from './resolveInfo.js';
import type { Run } from './run.js';

export type Arguments = Readonly<Record<string, unknown>>;

const none: Arguments = Object.freeze({});

/** Throws what is wrong with them, each time. They are shared: resolvers can't write to them. */
export function compileArguments(field: FieldFacts): (run: Run) => Arguments {
  const { definition, nodes } = field;
  const [node] = nodes;
  if (definition.args.length === 0 || node === undefined) return () => none;
  const read = (variables: Arguments) => Object.freeze(getArgumentValues(definition, node, variables));
  if (hasVariable(node)) {
    return (run) => {
      const known = run.argumentValues.get(field);
      if (known !== undefined) return known;
      const values = read(run.variables);
      run.argumentValues.set(field, values);
      return values;
    };
  }
  let values: Arguments | undefined;
  return () => {
    values ??= read(none);
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
