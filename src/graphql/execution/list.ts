/** Completes lists, item by item. */
import { GraphQLError, type GraphQLList, type GraphQLOutputType } from 'graphql';
import { gather } from './gather.js';
import { type CompleteComposite, compilePlace, type PlaceParts } from './place.js';
import type { FieldFacts } from './resolveInfo.js';
import type { Path, Run, Text } from './run.js';

export function compileList(
  field: FieldFacts,
  { ofType }: GraphQLList<GraphQLOutputType>,
  compileComposite: PlaceParts['compileComposite'],
): CompleteComposite {
  const completeItem = compilePlace({ field, type: ofType, typename: undefined, compileComposite });
  const complete = (items: Iterable<unknown>, run: Run, path: Path): Text => {
    let text = '[';
    let index = 0;
    let later: Text[] | undefined;
    for (const item of items) {
      const piece = completeItem(item, run, path, index);
      const comma = index === 0 ? '' : ',';
      index += 1;
      if (typeof piece === 'string') text += comma + piece;
      else {
        later ??= [];
        later.push(text + comma, piece);
        text = '';
      }
    }
    return later === undefined ? `${text}]` : gather([...later, `${text}]`]);
  };
  return (value, run, path) => {
    if (isIterable(value)) return complete(value, run, path);
    const name = `${field.parentType.name}.${field.definition.name}`;
    throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`);
  };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.iterator in value &&
    typeof value[Symbol.iterator] === 'function'
  );
}
