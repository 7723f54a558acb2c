/**
 * Foresees from an operation what it will be answered from, so that it is loaded side by side and not one after another
 * as its levels are reached. Below a long list without a filter that is collections: there the fetch plan would choose
 * them anyway, unless the account has far fewer things than the list may hold. Of one site it is what is at it, which
 * begins with its id: where there is no such site, or nothing at it, two or three calls are made in vain.
 */
import type { GraphQLRequestContextResponseForOperation } from '@apollo/server';
import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { allReady, whenReady } from '../lib/maybePromise.js';
import type { Sources } from '../sources/sources.js';
import {
  expectsBelow,
  fieldsOf,
  isNarrowed,
  lengthOf,
  siteIdOf,
  type TypedField,
  withDefaults,
} from './certainFields.js';
import { MOST_FIRST } from './connection.js';
import type { Context } from './context.js';
import { collectFragments, type Fragments } from './limits/fragments.js';

/** Resolves when it is there or has failed. */
type Expect = (sources: Sources, count: number) => Promise<unknown> | undefined;

const expectLinks: Expect = ({ devices, channels, streams, streamAttributes }, count) =>
  allOf([
    devices.expect(count),
    channels.expect(count),
    streams.expect(count),
    streamAttributes.expectForLinks(count),
  ]);

/** What a field of many things will be answered from. */
const expectations: Readonly<Record<string, Expect>> = {
  'Organization.sites': ({ sites }, count) => sites.expect(count),
  'Site.organization': ({ organizations }, count) => organizations.expect(count),
  'Site.devices': ({ devices }, count) => devices.expect(count),
  'Site.streams': ({ streams }, count) => streams.expect(count),
  'Site.customAttributes': ({ siteAttributes }, count) => siteAttributes.expect(count),
  'Device.site': ({ sites }, count) => sites.expect(count),
  'Device.channels': ({ channels }, count) => channels.expect(count),
  'Channel.device': ({ devices }, count) => devices.expect(count),
  'Channel.streams': expectLinks,
  'Stream.site': ({ sites }, count) => sites.expect(count),
  'Stream.channel': expectLinks,
  'Stream.channelLink': expectLinks,
  'Stream.customAttributes': ({ streamAttributes }, count) => streamAttributes.expect(count),
  'Stream.lastSample': ({ samples }, count) => samples.expectLast(count),
};

/** Begins to load what a field of one site, or of something at it, will be answered from. */
type ExpectAtSite = (sources: Sources, siteId: number) => unknown;

const expectLinksAtSite: ExpectAtSite = ({ channelLinks }, siteId) => channelLinks.expectAtSite(siteId);

/** Below a site these lead to nothing that is not at it; what other fields lead to is not foreseen. */
const expectationsAtSite: Readonly<Record<string, ExpectAtSite>> = {
  'Site.devices': ({ devices }, siteId) => devices.ofSite(siteId),
  'Site.streams': ({ streams }, siteId) => streams.ofSite(siteId),
  'Site.customAttributes': ({ siteAttributes }, siteId) => siteAttributes.ofSite(siteId),
  'Device.channels': ({ devices, channels }, siteId) =>
    whenReady(devices.ofSite(siteId), (atSite) =>
      allReady<readonly unknown[]>(atSite.map(({ id }) => channels.ofDevice(id))),
    ),
  'Channel.streams': expectLinksAtSite,
  'Stream.channel': expectLinksAtSite,
  'Stream.channelLink': expectLinksAtSite,
};

/** Each begins to load the list itself. */
const lists: Readonly<Record<string, (sources: Sources) => unknown>> = {
  organizations: ({ organizations }) => organizations.all(),
  sites: ({ sites }) => sites.all(),
  devices: ({ devices }) => devices.all(),
  channels: ({ channels }) => channels.all(),
  streams: ({ streams }) => streams.all(),
};
/** The most milliseconds that are waited: what hangs shall hold up its own fields only. */
const MOST_WAIT_MS = 2000;
/** What a shorter list leads to is better decided when it is there. */
const FEWEST = 10;

/** A field at the root of an operation: begins to load all that it leads to. */
type Foreseen = (
  sources: Sources,
  variables: Readonly<Record<string, unknown>>,
) => Promise<unknown> | undefined;

/** Begins to load what an operation is foreseen to need. Answers what to wait for, undefined where nothing is. */
export type Forecast = (
  operation: GraphQLRequestContextResponseForOperation<Context>,
) => Promise<void> | undefined;

export function createForecast(schema: GraphQLSchema): Forecast {
  const known = new WeakMap<OperationDefinitionNode, readonly Foreseen[]>();
  return ({ document, operation, request, contextValue }) => {
    // Whoever executes it says that there is no operation of the name; the type knows no such case.
    if (!(operation as OperationDefinitionNode | undefined)) return undefined;
    const foreseen = known.get(operation) ?? foresee(schema, operation, collectFragments(document));
    if (!known.has(operation)) known.set(operation, foreseen);
    if (foreseen.length === 0) return undefined;
    const variables = withDefaults(operation, request.variables ?? {});
    const expected = allOf(foreseen.map((begin) => begin(contextValue.sources, variables)));
    return expected && inTime(expected);
  };
}

/** What is there is answered without a promise: to wait for all of it at once takes less than for each thing apart. */
function foreseeList({ field, type }: TypedField, fragments: Fragments): Foreseen | undefined {
  const load = isNarrowed(field) ? undefined : lists[field.name.value];
  const expects = new Set(expectsBelow(field, type, fragments, expectations));
  if (load === undefined || expects.size === 0) return undefined;
  return (sources, variables) => {
    const count = lengthOf(field, variables);
    if (count < FEWEST || count > MOST_FIRST) return undefined;
    const below = [...expects].map((expect) => expect(sources, count));
    return allOf([...below, toSettled(load(sources))]);
  };
}

/** A site that is known not to be there is not asked for what is at it. */
function foreseeSite(
  { field, type }: TypedField,
  fragments: Fragments,
  isAlone: boolean,
): Foreseen | undefined {
  if (field.name.value !== 'site') return undefined;
  const expects = new Set(expectsBelow(field, type, fragments, expectationsAtSite, true));
  if (expects.size === 0) return undefined;
  return (sources, variables) => {
    const siteId = siteIdOf(field, variables);
    const site = siteId === undefined ? null : sources.sites.byId(siteId);
    if (siteId === undefined || site === null) return undefined;
    const below = allOf([...expects].map((expect) => toSettled(expect(sources, siteId))));
    // What else is asked for need not wait for this.
    if (!isAlone) return undefined;
    return toSettled(whenReady(site, (found) => (found === null ? undefined : below)));
  };
}

/** Undefined where there is nothing to wait for. What fails here fails again for whoever needs it. */
function toSettled(begun: unknown): Promise<unknown> | undefined {
  return begun instanceof Promise ? begun.catch(() => undefined) : undefined;
}

async function inTime(expected: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, MOST_WAIT_MS);
  });
  await Promise.race([expected, patience]);
  clearTimeout(timer);
}

/** Undefined where there is nothing to wait for. */
function allOf(expected: readonly (Promise<unknown> | undefined)[]): Promise<unknown> | undefined {
  const pending = expected.filter((one) => one !== undefined);
  return pending.length === 0 ? undefined : Promise.all(pending);
}

/** Fragments may not be circular. */
function foresee(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): readonly Foreseen[] {
  const query = schema.getQueryType();
  if (operation !== 'query' || !query) return [];
  const fields = [...fieldsOf(selectionSet, query, fragments)];
  return fields.flatMap((field) => {
    const foreseen = foreseeSite(field, fragments, fields.length === 1) ?? foreseeList(field, fragments);
    return foreseen ? [foreseen] : [];
  });
}
