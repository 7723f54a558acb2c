/** Reads and completes one field of an object. */
import type { GraphQLFieldResolver } from 'graphql';
import { compileArguments } from './fieldArguments.js';
import { compilePlace, type PlaceParts } from './place.js';
import { type FieldFacts, ResolveInfo, toPath } from './resolveInfo.js';
import { type Failing, fail, isObjectLike, type Path, type Run, type Text } from './run.js';

/** Throws only where the field may not be null. */
export type ExecuteField = (source: unknown, run: Run, parent: Path | undefined) => Text;

/** What the resolver answers, or throws. */
type ReadField = (source: unknown, run: Run, parent: Path | undefined) => unknown;

export function compileField(
  field: FieldFacts,
  compileComposite: PlaceParts['compileComposite'],
): ExecuteField {
  const { definition, parentType, responseName, nodes } = field;
  const { type, resolve } = definition;
  const read = resolve ? resolved(field, resolve) : property(field);
  const complete = compilePlace({ field, type, typename: parentType.name, compileComposite });
  const failing: Failing = { nodes, type };
  return (source, run, parent) => {
    let value: unknown;
    try {
      value = read(source, run, parent);
    } catch (error) {
      return fail(error, failing, run, toPath(field, parent));
    }
    return complete(value, run, parent, responseName);
  };
}

function resolved(field: FieldFacts, resolve: GraphQLFieldResolver<unknown, unknown>): ReadField {
  const argumentsOf = compileArguments(field);
  return (source, run, parent) =>
    resolve(source, argumentsOf(run), run.contextValue, new ResolveInfo(field, run, parent));
}

/** As the default resolver of graphql-js: a property of the field's name, called where it is a function. */
function property(field: FieldFacts): ReadField {
  const { name } = field.definition;
  const argumentsOf = compileArguments(field);
  return (source, run, parent) => {
    const values = argumentsOf(run);
    if (!isObjectLike(source)) return undefined;
    const value = source[name];
    if (typeof value !== 'function') return value;
    run.unrepeatable += 1;
    return value.call(source, values, run.contextValue, new ResolveInfo(field, run, parent));
  };
}
