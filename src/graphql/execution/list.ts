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
    const later: Text[] = [];
    try {
      for (const item of items) {
        if (index > 0) text += ',';
        const piece = completeItem(item, run, path, index);
        index += 1;
        if (typeof piece === 'string') text += piece;
        else {
          later.push(text, piece);
          text = '';
        }
      }
    } catch (error) {
      ignore(later);
      throw error;
    }
    return later.length === 0 ? `${text}]` : gather([...later, `${text}]`]);
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

/** The list has failed: how those under way end is nobody's any more, and must not end the process. */
function ignore(pieces: readonly Text[]): void {
  for (const piece of pieces) if (typeof piece !== 'string') piece.then(undefined, () => undefined);
}
