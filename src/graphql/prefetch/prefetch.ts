/**
 * Foresees from an operation what it will be answered from, so that it is loaded side by side and not one after another
 * as its levels are reached. Below a long list without a filter that is collections: there the fetch plan would choose
 * them anyway, unless the account has far fewer things than the list may hold. Of one site it is what is at it, which
 * begins with its id: where there is no such site, or nothing at it, two or three calls are made in vain.
 */
import type { GraphQLRequestContextResponseForOperation } from '@apollo/server';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { allReady, whenReady } from '../../lib/maybePromise.js';
import type { Sources } from '../../sources/sources.js';
import { MAX_FIRST } from '../connections/listConnection.js';
import type { Context } from '../context.js';
import { collectFragments, type Fragments } from '../limits/fragments.js';
import {
  certainFieldsOf,
  hasNarrowingArguments,
  maxItemsOf,
  prefetchesBelow,
  siteIdOf,
  type TypedField,
  withVariableDefaults,
} from './certainFields.js';

/** Resolves when it is there or has failed. */
type PrefetchForMany = (sources: Sources, count: number) => Promise<unknown> | undefined;

const prefetchLinks: PrefetchForMany = ({ devices, channels, streams, streamAttributes }, count) =>
  waitForAll([
    devices.prefetch(count),
    channels.prefetch(count),
    streams.prefetch(count),
    streamAttributes.prefetchForLinks(count),
  ]);

/** What a field of many things will be answered from. */
const prefetchByField: Readonly<Record<string, PrefetchForMany>> = {
  'Organization.sites': ({ sites }, count) => sites.prefetch(count),
  'Site.organization': ({ organizations }, count) => organizations.prefetch(count),
  'Site.devices': ({ devices }, count) => devices.prefetch(count),
  'Site.streams': ({ streams }, count) => streams.prefetch(count),
  'Site.customAttributes': ({ siteAttributes }, count) => siteAttributes.prefetch(count),
  'Device.site': ({ sites }, count) => sites.prefetch(count),
  'Device.channels': ({ channels }, count) => channels.prefetch(count),
  'Channel.device': ({ devices }, count) => devices.prefetch(count),
  'Channel.streams': prefetchLinks,
  'Stream.site': ({ sites }, count) => sites.prefetch(count),
  'Stream.channel': prefetchLinks,
  'Stream.channelLink': prefetchLinks,
  'Stream.customAttributes': ({ streamAttributes }, count) => streamAttributes.prefetch(count),
  'Stream.lastSample': ({ samples }, count) => samples.prefetchLast(count),
};

/** Begins to load what a field of one site, or of something at it, will be answered from. */
type PrefetchAtSite = (sources: Sources, siteId: number) => unknown;

const prefetchLinksAtSite: PrefetchAtSite = ({ channelLinks }, siteId) => channelLinks.prefetchAtSite(siteId);

/** Below a site these lead to nothing that is not at it; what other fields lead to is not foreseen. */
const prefetchAtSiteByField: Readonly<Record<string, PrefetchAtSite>> = {
  'Site.devices': ({ devices }, siteId) => devices.ofSite(siteId),
  'Site.streams': ({ streams }, siteId) => streams.ofSite(siteId),
  'Site.customAttributes': ({ siteAttributes }, siteId) => siteAttributes.ofSite(siteId),
  'Device.channels': ({ devices, channels }, siteId) =>
    whenReady(devices.ofSite(siteId), (atSite) =>
      allReady<readonly unknown[]>(atSite.map(({ id }) => channels.ofDevice(id))),
    ),
  'Channel.streams': prefetchLinksAtSite,
  'Stream.channel': prefetchLinksAtSite,
  'Stream.channelLink': prefetchLinksAtSite,
};

/** Each begins to load the list itself. */
const rootListLoaders: Readonly<Record<string, (sources: Sources) => unknown>> = {
  organizations: ({ organizations }) => organizations.all(),
  sites: ({ sites }) => sites.all(),
  devices: ({ devices }) => devices.all(),
  channels: ({ channels }) => channels.all(),
  streams: ({ streams }) => streams.all(),
};
/** The most milliseconds that are waited: what hangs shall hold up its own fields only. */
const MAX_PREFETCH_WAIT_MS = 2000;
/** What a shorter list leads to is better decided when it is there. */
const MIN_LIST_LENGTH = 10;

/** A field at the root of an operation: begins to load all that it leads to. */
type RootPrefetch = (
  sources: Sources,
  variables: Readonly<Record<string, unknown>>,
) => Promise<unknown> | undefined;

/** Begins to load what an operation is foreseen to need. Answers what to wait for, undefined where nothing is. */
export type Prefetch = (
  operation: GraphQLRequestContextResponseForOperation<Context>,
) => Promise<void> | undefined;

export function createPrefetch(schema: GraphQLSchema): Prefetch {
  const known = new WeakMap<OperationDefinitionNode, readonly RootPrefetch[]>();
  return ({ document, operation, request, contextValue }) => {
    // Whoever executes it says that there is no operation of the name; the type knows no such case.
    if (!(operation as OperationDefinitionNode | undefined)) return undefined;
    const foreseen = known.get(operation) ?? planPrefetch(schema, operation, collectFragments(document));
    if (!known.has(operation)) known.set(operation, foreseen);
    if (foreseen.length === 0) return undefined;
    const variables = withVariableDefaults(operation, request.variables ?? {});
    const expected = waitForAll(foreseen.map((begin) => begin(contextValue.sources, variables)));
    return expected && waitUpToLimit(expected);
  };
}

/** What is there is answered without a promise: to wait for all of it at once takes less than for each thing apart. */
function planListPrefetch({ field, type }: TypedField, fragments: Fragments): RootPrefetch | undefined {
  const load = hasNarrowingArguments(field) ? undefined : rootListLoaders[field.name.value];
  const expects = new Set(prefetchesBelow(field, type, fragments, prefetchByField));
  if (load === undefined || expects.size === 0) return undefined;
  return (sources, variables) => {
    const count = maxItemsOf(field, variables);
    if (count < MIN_LIST_LENGTH || count > MAX_FIRST) return undefined;
    const below = [...expects].map((expect) => expect(sources, count));
    return waitForAll([...below, toSettled(load(sources))]);
  };
}

/** A site that is known not to be there is not asked for what is at it. */
function planSitePrefetch(
  { field, type }: TypedField,
  fragments: Fragments,
  isAlone: boolean,
): RootPrefetch | undefined {
  if (field.name.value !== 'site') return undefined;
  const expects = new Set(prefetchesBelow(field, type, fragments, prefetchAtSiteByField, true));
  if (expects.size === 0) return undefined;
  return (sources, variables) => {
    const siteId = siteIdOf(field, variables);
    const site = siteId === undefined ? null : sources.sites.byId(siteId);
    if (siteId === undefined || site === null) return undefined;
    const below = waitForAll([...expects].map((expect) => toSettled(expect(sources, siteId))));
    // What else is asked for need not wait for this.
    if (!isAlone) return undefined;
    return toSettled(whenReady(site, (found) => (found === null ? undefined : below)));
  };
}

/** Undefined where there is nothing to wait for. What fails here fails again for whoever needs it. */
function toSettled(begun: unknown): Promise<unknown> | undefined {
  return begun instanceof Promise ? begun.catch(() => undefined) : undefined;
}

async function waitUpToLimit(expected: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, MAX_PREFETCH_WAIT_MS);
  });
  await Promise.race([expected, patience]);
  clearTimeout(timer);
}

/** Undefined where there is nothing to wait for. */
function waitForAll(expected: readonly (Promise<unknown> | undefined)[]): Promise<unknown> | undefined {
  const pending = expected.filter((one) => one !== undefined);
  return pending.length === 0 ? undefined : Promise.all(pending);
}

/** Fragments may not be circular. */
function planPrefetch(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): readonly RootPrefetch[] {
  const query = schema.getQueryType();
  if (operation !== 'query' || !query) return [];
  const fields = [...certainFieldsOf(selectionSet, query, fragments)];
  return fields.flatMap((field) => {
    const foreseen =
      planSitePrefetch(field, fragments, fields.length === 1) ?? planListPrefetch(field, fragments);
    return foreseen ? [foreseen] : [];
  });
}
