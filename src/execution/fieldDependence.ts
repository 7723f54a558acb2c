/** Marks resolvers whose results can be reused, because they depend only on their object or only on it and the sources. */
import { type GraphQLSchema, isObjectType } from 'graphql';

/**
 * The inputs that determine a resolver's result. `object`: its source object alone. `sources`: also the data that it
 * reads from the sources, and its arguments. `request`: anything else, such as the clock or the caller.
 */
export type FieldDependence = 'object' | 'sources' | 'request';

const markedResolvers = new WeakMap<object, FieldDependence>();

/** Marks a resolver whose result depends only on its first argument, which must be immutable. */
export function dependsOnObject<Resolve extends object>(resolve: Resolve): Resolve {
  markedResolvers.set(resolve, 'object');
  return resolve;
}

/** Marks a resolver whose result depends only on its object, its arguments and the data that it reads from the sources. */
export function dependsOnSources<Resolve extends object>(resolve: Resolve): Resolve {
  markedResolvers.set(resolve, 'sources');
  return resolve;
}

/** Copies the marks to the resolvers of the schema. `makeExecutableSchema` binds each resolver to a new function. */
export function markSchemaFields(schema: GraphQLSchema, resolvers: Readonly<Record<string, object>>): void {
  for (const [typename, resolversOfType] of Object.entries(resolvers)) {
    const type = schema.getType(typename);
    if (!isObjectType(type)) continue;
    for (const [name, { resolve }] of Object.entries(type.getFields())) {
      const resolver: unknown = (resolversOfType as Record<string, unknown>)[name];
      const dependence = typeof resolver === 'function' ? markedResolvers.get(resolver) : undefined;
      if (resolve && dependence) markedResolvers.set(resolve, dependence);
    }
  }
}

/** The mark of a resolver; `request` if it has none. */
export function dependenceOf(resolve: object): FieldDependence {
  return markedResolvers.get(resolve) ?? 'request';
}
