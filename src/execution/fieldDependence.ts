/** Marks resolvers whose results can be reused, because they depend only on their object or only on it and the sources. */

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

/** Gives a resolver the mark of another one. */
export function copyDependence(from: object, to: object): void {
  const dependence = markedResolvers.get(from);
  if (dependence) markedResolvers.set(to, dependence);
}

/** The mark of a resolver; `request` if it has none. */
export function dependenceOf(resolve: object): FieldDependence {
  return markedResolvers.get(resolve) ?? 'request';
}
