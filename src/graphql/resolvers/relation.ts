/**
 * Declares each field that a function resolves, once and beside its resolver: the sources that it reads, the dependence
 * of its result, and its prefetches. The marks for the fragment cache and the prefetch plan derive from these
 * declarations.
 *
 * The arguments of `load` enforce the dependence: an object field receives its object alone, a source relation also
 * receives recorded sources and arguments (where a query sets one by a variable, the result is not reused), and only an
 * operation relation receives all sources. The sources decide who may see a result:
 * for a restricted caller, `sources/access` replaces each source by one with a rule for every method.
 */
import { dependsOnObject, dependsOnSources } from '../../execution/fieldDependence.js';
import type { Sources } from '../../sources/sources.js';
import type { Context } from '../context.js';

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
  deviceRecords: Pick<Sources['deviceRecords'], 'lastHealth' | 'lastLog'>;
  samples: Pick<Sources['samples'], 'last' | 'lastImage' | 'lastRfidRead'>;
};

/** Names of sources. The access rule of a source has the same name in `createRestrictedSources`. */
export type SourceName = Exclude<keyof Sources, 'accessScope' | 'dependencies' | 'writes'>;

/** Each function begins to load, and returns the promise to wait for, if any. */
export interface RelationPrefetch {
  /** Below a long list: whole collections for about `count` objects. */
  many?(sources: Sources, count: number): Promise<unknown> | undefined;
  /** Below one site: the data of this site alone. */
  atSite?(sources: Sources, siteId: number): unknown;
  /** For a root list: loads the list itself. */
  list?(sources: Sources): unknown;
  /** For a root field that returns the site with the id in its argument `id`: null if there is no such site. */
  site?(sources: Sources, siteId: number): unknown;
}

export interface Relation {
  /** `object`: on the parent object alone. `sources`: on recorded sources too. `operation`: on arguments and the clock too. */
  dependsOn: 'object' | 'sources' | 'operation';
  reads: readonly SourceName[];
  prefetch: RelationPrefetch;
}

type Resolver<Parent, Args, Result> = (parent: Parent, args: Args, context: Context) => Result;

const relations = new WeakMap<object, Relation>();
const NO_PREFETCH: RelationPrefetch = {};

export function objectField<Parent, Result>(load: (parent: Parent) => Result): (parent: Parent) => Result {
  relations.set(load, { dependsOn: 'object', reads: [], prefetch: NO_PREFETCH });
  return dependsOnObject(load);
}

/** `reads`: names of the sources that `load` receives. */
export function sourceRelation<Parent, Result, Name extends keyof RecordedSources, Args = unknown>(
  reads: readonly Name[],
  load: (parent: Parent, sources: Pick<RecordedSources, Name>, args: Args) => Result,
  prefetch = NO_PREFETCH,
): Resolver<Parent, Args, Result> {
  const resolve = dependsOnSources((parent: Parent, args: Args, { sources }: Context) =>
    load(parent, sources, args),
  );
  relations.set(resolve, { dependsOn: 'sources', reads, prefetch });
  return resolve;
}

/** `reads`: names of the sources that `load` receives. */
export function operationRelation<Parent, Args, Result, Name extends SourceName>(
  reads: readonly Name[],
  load: (parent: Parent, args: Args, sources: Pick<Sources, Name>) => Result,
  prefetch = NO_PREFETCH,
): Resolver<Parent, Args, Result> {
  const resolve = (parent: Parent, args: Args, { sources }: Context) => load(parent, args, sources);
  relations.set(resolve, { dependsOn: 'operation', reads, prefetch });
  return resolve;
}

/** The declaration of a resolver; undefined for all other functions. */
export function relationOf(resolver: unknown): Relation | undefined {
  return typeof resolver === 'function' ? relations.get(resolver) : undefined;
}
