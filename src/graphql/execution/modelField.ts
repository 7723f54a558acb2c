/** Marks resolvers that answer the same for the same object: in every operation, or as long as the same is read. */
import { type GraphQLSchema, isObjectType } from 'graphql';

/** What decides on an answer besides the object itself: `more` is arguments, the clock, or who asks. */
export type Decides = 'nothing' | 'readings' | 'more';

const marked = new WeakMap<object, Decides>();

/** Nothing but the first argument, which never changes, may decide what `resolve` answers. */
export function ofModel<Resolve extends object>(resolve: Resolve): Resolve {
  marked.set(resolve, 'nothing');
  return resolve;
}

/** The same, but for what is read from the sources: no other argument, no clock, no caller. */
export function ofReadings<Resolve extends object>(resolve: Resolve): Resolve {
  marked.set(resolve, 'readings');
  return resolve;
}

/** Carries the marks over to the schema, whose making binds each resolver to a function of its own. */
export function markModelFields(schema: GraphQLSchema, resolvers: Readonly<Record<string, object>>): void {
  for (const [typename, resolversOfType] of Object.entries(resolvers)) {
    const type = schema.getType(typename);
    if (!isObjectType(type)) continue;
    for (const [name, { resolve }] of Object.entries(type.getFields())) {
      const given: unknown = (resolversOfType as Record<string, unknown>)[name];
      const decides = typeof given === 'function' ? marked.get(given) : undefined;
      if (resolve && decides) marked.set(resolve, decides);
    }
  }
}

export function whatDecides(resolve: object): Decides {
  return marked.get(resolve) ?? 'more';
}
