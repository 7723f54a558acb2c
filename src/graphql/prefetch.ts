/**
 * Loads in parallel the data that an operation will certainly need, so that it does not wait once for each level of
 * the query. The relations declare how their data is prefetched.
 *
 * Below a long list without a filter, whole collections are loaded. The fetch plan would choose them anyway, unless the
 * account has far fewer objects than the list may hold. Below one site, the data of this site is loaded by the site's
 * id. If the site does not exist or is empty, this costs two or three unnecessary calls.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFragments, type Fragments } from '../execution/collectFields.js';
import type { Sources } from '../sources/sources.js';
import { DEFAULT_FIRST, MAX_FIRST } from './arguments/bounds.js';
import { parseId } from './arguments/nodeId.js';
import type { Context } from './context.js';
import { CertainFields, readArgument, type TypedField, withVariableDefaults } from './documents/fragments.js';

/** Give up waiting after this time, so that one slow endpoint delays only its own fields. */
const MAX_PREFETCH_WAIT_MS = 2000;
/** Nothing is prefetched for the items of a shorter list: the fetch plan decides better once the list is loaded. */
const MIN_LIST_LENGTH = 10;

/** Each function begins to load, and returns the promise to wait for, if any. */
export interface RelationPrefetch {
  /** Below a long list: whole collections for about `count` objects. */
  many?(sources: Sources, count: number): Promise<unknown> | undefined;
  /** Below one site: only the data of this site. */
  atSite?(sources: Sources, siteId: number): unknown;
  /** Below one site, if it is the only root field: with others, a fetch plan for all of them may need fewer calls. */
  atOnlySite?(sources: Sources, siteId: number): unknown;
  /** For a root list: loads the list itself. */
  list?(sources: Sources): unknown;
  /** For a root field that returns the site with the id in its argument `id`: null if there is no such site. */
  site?(sources: Sources, siteId: number): unknown;
}

const prefetches = new WeakMap<object, RelationPrefetch>();

export function declarePrefetch(resolver: object, prefetch: RelationPrefetch): void {
  prefetches.set(resolver, prefetch);
}

/** The prefetches of a field with a resolver; undefined for fields that are properties of their object. */
export function findPrefetch(type: GraphQLObjectType, fieldName: string): RelationPrefetch | undefined {
  const resolver = type.getFields()[fieldName]?.resolve;
  return resolver && prefetches.get(resolver);
}

/** Begins the loads of one root field. Resolves when they end; undefined if nothing is loading. */
type RootPrefetch = (
  sources: Sources,
  variables: Readonly<Record<string, unknown>>,
) => Promise<unknown> | undefined;

interface PrefetchedOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** As received. */
  variables: Readonly<Record<string, unknown>> | undefined;
  contextValue: Context;
}

export type Prefetch = ReturnType<typeof createPrefetch>;

export function createPrefetch(schema: GraphQLSchema) {
  const plans = new WeakMap<OperationDefinitionNode, PrefetchPlan>();

  function planOf({ document, operation }: PrefetchedOperation): PrefetchPlan {
    // An unknown operation name leaves this undefined, which the type does not say. The executor reports the error.
    if (!(operation as OperationDefinitionNode | undefined)) return NO_PLAN;
    const plan = plans.get(operation) ?? planPrefetch(schema, operation, collectFragments(document));
    if (!plans.has(operation)) plans.set(operation, plan);
    return plan;
  }

  function beginLoads(
    { roots }: PrefetchPlan,
    { operation, variables: provided = {}, contextValue }: PrefetchedOperation,
  ): Promise<unknown> | undefined {
    if (roots.length === 0) return undefined;
    const variables = withVariableDefaults(operation, provided);
    return waitForAll(roots.map((begin) => begin(contextValue.sources, variables)));
  }

  /** Begins to load the data that the operation needs. Resolves when the loads end or the wait is over. */
  function begin(prefetched: PrefetchedOperation): Promise<void> | undefined {
    const loading = beginLoads(planOf(prefetched), prefetched);
    return loading && waitUpToLimit(loading);
  }

  return {
    begin,
    /**
     * Executes the operation after the prefetch. If all prefetches are below single sites, the execution begins first:
     * if everything is cached, looking it up for the prefetch would take as long as the execution. Otherwise the loads
     * of the execution and those of the prefetch share batches.
     */
    async execute<Result extends object>(
      prefetched: PrefetchedOperation,
      run: () => Result | PromiseLike<Result>,
    ): Promise<Result> {
      const plan = planOf(prefetched);
      if (!plan.isOfSites) {
        await begin(prefetched);
        return run();
      }
      const result = run();
      // The execution reports its failures.
      if ('then' in result) void beginLoads(plan, prefetched);
      return result;
    },
  };
}

interface PrefetchPlan {
  roots: readonly RootPrefetch[];
  /** Whether all prefetched fields are below single sites. */
  isOfSites: boolean;
}

const NO_PLAN: PrefetchPlan = { roots: [], isOfSites: false };

function planPrefetch(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): PrefetchPlan {
  const query = schema.getQueryType();
  if (operation !== 'query' || !query) return NO_PLAN;
  const fields = [...new CertainFields(fragments).of(selectionSet, query)];
  let isOfSites = true;
  const roots = fields.map((root) => {
    const { list, site } = findPrefetch(query, root.field.name.value) ?? {};
    if (site) return planSitePrefetch(root, fragments, site, fields.length === 1);
    const planned = list && planListPrefetch(root, fragments, list);
    if (planned) isOfSites = false;
    return planned;
  });
  return { roots: roots.filter((plan) => plan !== undefined), isOfSites };
}

/** Waits once for all loads, because one promise costs less than one for each load. Cached data needs no promise. */
function planListPrefetch(
  root: TypedField,
  fragments: Fragments,
  loadList: NonNullable<RelationPrefetch['list']>,
): RootPrefetch | undefined {
  if (hasNarrowingArguments(root.field)) return undefined;
  const below = new Set(prefetchesBelow(root, new CertainFields(fragments), ({ many }) => many));
  if (below.size === 0) return undefined;
  return (sources, variables) => {
    const count = maxItemsOf(root.field, variables);
    if (count < MIN_LIST_LENGTH || count > MAX_FIRST) return undefined;
    const loading = [...below].map((prefetch) => prefetch(sources, count));
    return waitForAll([...loading, toSettled(loadList(sources))]);
  };
}

/** If the cached list of sites lacks the site, nothing else is loaded. */
function planSitePrefetch(
  root: TypedField,
  fragments: Fragments,
  loadSite: NonNullable<RelationPrefetch['site']>,
  isOnlyRoot: boolean,
): RootPrefetch | undefined {
  const select = ({ atSite, atOnlySite }: RelationPrefetch) =>
    atSite ?? (isOnlyRoot ? atOnlySite : undefined);
  const below = new Set(prefetchesBelow(root, new CertainFields(fragments), select, { isUnbroken: true }));
  if (below.size === 0) return undefined;
  return (sources, variables) => {
    const siteId = siteIdOf(root.field, variables);
    if (siteId === undefined) return undefined;
    const site = loadSite(sources, siteId);
    if (site === null) return undefined;
    const loading = waitForAll([...below].map((prefetch) => toSettled(prefetch(sources, siteId))));
    const whole =
      site instanceof Promise
        ? toSettled(site.then((found: unknown) => (found === null ? undefined : loading)))
        : loading;
    // Waits only if this is the only root field: other root fields need not wait for this site.
    return isOnlyRoot ? whole : undefined;
  };
}

/** Undefined if there is nothing to wait for. A load that fails here fails again in the resolver. */
function toSettled(begun: unknown): Promise<unknown> | undefined {
  return begun instanceof Promise ? begun.catch(() => undefined) : undefined;
}

/** Undefined if there is nothing to wait for. */
function waitForAll(loads: readonly (Promise<unknown> | undefined)[]): Promise<unknown> | undefined {
  const pending = loads.filter((one) => one !== undefined);
  return pending.length === 0 ? undefined : Promise.all(pending);
}

async function waitUpToLimit(loading: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, MAX_PREFETCH_WAIT_MS);
  });
  await Promise.race([loading, limit]);
  clearTimeout(timer);
}

/**
 * The prefetches of all fields below for which `select` returns one. With `isUnbroken`, a field without a prefetch
 * ends the descent.
 */
function* prefetchesBelow<Prefetch>(
  { field, type }: TypedField,
  certainFields: CertainFields,
  select: (declared: RelationPrefetch) => Prefetch | undefined,
  { isUnbroken }: { isUnbroken: boolean } = { isUnbroken: false },
): Generator<Prefetch> {
  const definition = type.getFields()[field.name.value];
  const fieldType = definition && getNamedType(definition.type);
  if (!field.selectionSet || !isObjectType(fieldType)) return;
  for (const inner of certainFields.of(field.selectionSet, fieldType)) {
    if (hasNarrowingArguments(inner.field)) continue;
    const declared = findPrefetch(fieldType, inner.field.name.value);
    const prefetch = declared && select(declared);
    if (prefetch) yield prefetch;
    if (prefetch || !isUnbroken) {
      yield* prefetchesBelow({ ...inner, type: fieldType }, certainFields, select, { isUnbroken });
    }
  }
}

/** Whether arguments select some of the items. The operation may then need little below the field. */
function hasNarrowingArguments({ arguments: args = [] }: FieldNode): boolean {
  return args.some(({ name }) => name.value === 'filter' || name.value === 'after');
}

/** Returns how many items a list may hold at most; 0 if that is unknown. */
function maxItemsOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): number {
  const isSet = field.arguments?.some(({ name }) => name.value === 'first');
  const first = isSet ? readArgument(field, 'first', variables) : DEFAULT_FIRST;
  // An absent variable means the default, and a value that is not a number means an error: both prefetch nothing.
  return typeof first === 'number' ? first : 0;
}

/** Reads the argument `id` of a field that returns a site. Undefined for an invalid id, which the resolver reports. */
function siteIdOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): number | undefined {
  const id = readArgument(field, 'id', variables);
  return typeof id === 'string' || typeof id === 'number' ? parseId('Site', String(id)) : undefined;
}
