/** Marks resolvers that answer the same for the same object: in every operation, or as long as the same is read. */
import { type GraphQLSchema, isObjectType } from 'graphql';

/** What decides on an answer besides the object itself: `more` is arguments, the clock, or who asks. */
export type FieldDependence = 'nothing' | 'readings' | 'more';

const markedResolvers = new WeakMap<object, FieldDependence>();

/** Nothing but the first argument, which never changes, may decide what `resolve` answers. */
export function dependsOnObject<Resolve extends object>(resolve: Resolve): Resolve {
  markedResolvers.set(resolve, 'nothing');
  return resolve;
}

/** The same, but for what is read from the sources: no other argument, no clock, no caller. */
export function dependsOnSources<Resolve extends object>(resolve: Resolve): Resolve {
  markedResolvers.set(resolve, 'readings');
  return resolve;
}

/** Carries the marks over to the schema, whose making binds each resolver to a function of its own. */
export function markSchemaFields(schema: GraphQLSchema, resolvers: Readonly<Record<string, object>>): void {
  for (const [typename, resolversOfType] of Object.entries(resolvers)) {
    const type = schema.getType(typename);
    if (!isObjectType(type)) continue;
    for (const [name, { resolve }] of Object.entries(type.getFields())) {
      const given: unknown = (resolversOfType as Record<string, unknown>)[name];
      const decides = typeof given === 'function' ? markedResolvers.get(given) : undefined;
      if (resolve && decides) markedResolvers.set(resolve, decides);
    }
  }
}

export function dependenceOf(resolve: object): FieldDependence {
  return markedResolvers.get(resolve) ?? 'more';
}
