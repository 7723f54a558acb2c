/** Marks resolvers that read the model alone: what they answer of it is the same in every operation. */
import { type GraphQLSchema, isObjectType } from 'graphql';

const marked = new WeakSet<object>();

/** Nothing but the first argument, which never changes, may decide what `resolve` answers. */
export function ofModel<Resolve extends object>(resolve: Resolve): Resolve {
  marked.add(resolve);
  return resolve;
}

/** Carries the marks over to the schema, whose making binds each resolver to a function of its own. */
export function markModelFields(schema: GraphQLSchema, resolvers: Readonly<Record<string, object>>): void {
  for (const [typename, resolversOfType] of Object.entries(resolvers)) {
    const type = schema.getType(typename);
    if (!isObjectType(type)) continue;
    for (const [name, { resolve }] of Object.entries(type.getFields())) {
      const given: unknown = (resolversOfType as Record<string, unknown>)[name];
      if (resolve && typeof given === 'function' && marked.has(given)) marked.add(resolve);
    }
  }
}

export function isOfModel(resolve: object): boolean {
  return marked.has(resolve);
}
