/**
 * Declares each field that a function resolves, once and beside its resolver: what it loads, what its result depends
 * on, and its prefetches. The marks for the fragment cache and the prefetch plan derive from these declarations.
 *
 * The arguments of `load` enforce the dependence: an object field receives only its object, a source relation also
 * receives recorded sources and arguments (if a query sets an argument with a variable, the result is not reused),
 * and only an operation relation receives all sources. The sources decide who may see a result: for a restricted
 * caller, `sources/access` replaces each source by one with a rule for every method.
 */
import type { GraphQLResolveInfo } from 'graphql';
import { dependsOnObject, dependsOnSources } from '../../execution/fieldDependence.js';
import type { Sources } from '../../sources/sources.js';
import type { Context, ReadSources } from '../context.js';
import { declarePrefetch, type RelationPrefetch } from '../prefetch.js';

/** Sources that record each cached value that they return as a cache dependency of the operation. */
type RecordedSources = Pick<
  Sources,
  | 'organizations'
  | 'users'
  | 'sites'
  | 'siteAttributes'
  | 'devices'
  | 'channels'
  | 'streams'
  | 'streamAttributes'
  | 'channelLinks'
  | 'thresholds'
> & {
  deviceRecords: Pick<Sources['deviceRecords'], 'findCounterProblem' | 'lastHealth' | 'lastLog'>;
  samples: Pick<Sources['samples'], 'last' | 'lastImage' | 'lastRfidRead'>;
};

const NO_PREFETCH: RelationPrefetch = {};

/** The result depends only on the parent object. */
export function objectField<Parent, Result>(load: (parent: Parent) => Result): (parent: Parent) => Result {
  declarePrefetch(load, NO_PREFETCH);
  return dependsOnObject(load);
}

/** The result depends on the parent object, on recorded sources and on arguments. */
export function sourceRelation<Parent, Result, Args = unknown>(
  load: (parent: Parent, sources: RecordedSources, args: Args) => Result,
  prefetch = NO_PREFETCH,
) {
  const resolve = dependsOnSources((parent: Parent, args: Args, { sources }: Context) =>
    load(parent, sources, args),
  );
  declarePrefetch(resolve, prefetch);
  return resolve;
}

/** The result also depends on something else, such as the clock, and is not reused. */
export function operationRelation<Parent, Args, Result>(
  load: (parent: Parent, args: Args, sources: ReadSources, info: GraphQLResolveInfo) => Result,
  prefetch = NO_PREFETCH,
) {
  const resolve = (parent: Parent, args: Args, { sources }: Context, info: GraphQLResolveInfo) =>
    load(parent, args, sources, info);
  declarePrefetch(resolve, prefetch);
  return resolve;
}
