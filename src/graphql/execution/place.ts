/** Completes the value at one place of an answer, a field or an item of a list: text, or null and an error. */
import { type GraphQLOutputType, isLeafType, isNonNullType } from 'graphql';
import { createLeafText } from './leafText.js';
import type { FieldFacts } from './resolveInfo.js';
import { type Failing, fail, isPromise, type Path, type Run, type Text } from './run.js';

/** Throws only where the place may not be null. */
export type CompletePlace = (
  value: unknown,
  run: Run,
  parent: Path | undefined,
  key: string | number,
) => Text;

/** Completes a value that is there, of a type with fields or items. Throws what is wrong with it. */
export type CompleteComposite = (value: unknown, run: Run, path: Path) => Text;

export interface PlaceParts {
  field: FieldFacts;
  type: GraphQLOutputType;
  /** The type whose field it is; undefined for an item of a list. */
  typename: string | undefined;
  /** Not called for scalars and enums. */
  compileComposite(field: FieldFacts, type: GraphQLOutputType): CompleteComposite;
}

export function compilePlace(parts: PlaceParts): CompletePlace {
  const { type } = parts;
  const named = isNonNullType(type) ? type.ofType : type;
  if (!isLeafType(named)) return compositePlace(parts, named);
  return leafPlace(parts, createLeafText(named, whenNull(parts)));
}

/** What is written for null; throws where it may not be. */
export function whenNull({ type, field }: Pick<PlaceParts, 'type' | 'field'>): () => string {
  if (!isNonNullType(type)) return () => 'null';
  const { parentType, definition } = field;
  return () => {
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`);
  };
}

function leafPlace({ field, type, typename }: PlaceParts, toText: (value: unknown) => string): CompletePlace {
  const failing: Failing = { nodes: field.nodes, type };
  return (value, run, prev, key) => {
    try {
      if (!isPromise(value)) return toText(value);
      return value
        .then(toText)
        .then(undefined, (error) => fail(error, failing, run, { prev, key, typename }));
    } catch (error) {
      return fail(error, failing, run, { prev, key, typename });
    }
  };
}

function compositePlace(parts: PlaceParts, named: GraphQLOutputType): CompletePlace {
  const { field, type, typename } = parts;
  const failing: Failing = { nodes: field.nodes, type };
  const nothing = whenNull(parts);
  const completeThere = parts.compileComposite(field, named);
  const complete: CompleteComposite = (value, run, path) => {
    if (value instanceof Error) throw value;
    return value == null ? nothing() : completeThere(value, run, path);
  };
  return (value, run, prev, key) => {
    const path: Path = { prev, key, typename };
    try {
      const text = isPromise(value)
        ? value.then((settled) => complete(settled, run, path))
        : complete(value, run, path);
      if (typeof text === 'string') return text;
      return text.then(undefined, (error) => fail(error, failing, run, path));
    } catch (error) {
      return fail(error, failing, run, path);
    }
  };
}
