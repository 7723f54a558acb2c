/** When the data of an operation are prefetched: before it is executed, or only if it has to wait. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/graphql/context.js';
import { createPrefetch } from '../../../src/graphql/prefetch.js';
import { createSchema } from '../../../src/graphql/schema.js';
import { chainFragments, countVisits } from '../../support/execution/countVisits.js';

const prefetch = createPrefetch(createSchema());

/** Returns what was read, in order: sources that are prefetched, and the execution. */
async function trace(query: string, run: () => object): Promise<string[]> {
  const events: string[] = [];
  const load = (event: string) => () => {
    events.push(event);
    return undefined;
  };
  const sources = {
    sites: { byId: load('site'), list: load('sites') },
    devices: { ofSite: load('devices'), prefetch: load('devices') },
  };
  start(query, sources, () => {
    events.push('execution');
    return run();
  });
  await nextTurn();
  return events;
}

function start(
  query: string,
  sources: object,
  run: () => object = () => ({ data: null }),
  document = parse(query),
): void {
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode;
  const contextValue = { sources } as unknown as Context;
  void prefetch.execute({ document, operation, variables: {}, contextValue }, run);
}

const SITE = '{ site(id: "Site:1") { devices { name } } }';
const SITES = '{ sites { nodes { devices { name } } } }';
const wait = () => new Promise(() => undefined);

describe('the prefetch', () => {
  it('is left out below one site if the execution waits for nothing', async () => {
    expect(await trace(SITE, () => ({ data: null }))).toEqual(['execution']);
  });

  it('begins below one site in the same turn as an execution that waits', async () => {
    expect(await trace(SITE, wait)).toEqual(['execution', 'site', 'devices']);
  });

  it('comes first below a list', async () => {
    expect(await trace(SITES, wait)).toEqual(['devices', 'sites', 'execution']);
  });

  it.each([
    ['below a list', '{ sites(first: 0) { nodes { ...F0 } } }'],
    ['below one site', '{ site(id: "Site:1") { ...F0 } }'],
  ])('visits each fragment once %s, however often it is spread', (_, root) => {
    const fragments = chainFragments('Site', 20, (next) => `${next} ${next}`, 'devices { name }');
    const document = parse(`${root} ${fragments}`);
    const visits = countVisits(document);
    const load = () => undefined;
    const sources = {
      sites: { byId: load, list: load },
      devices: { ofSite: load, prefetch: load },
    };
    start('', sources, undefined, document);
    expect(visits()).toBeGreaterThan(20);
    expect(visits()).toBeLessThan(100);
  });

  it('handles the failure of each of several sites', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    const fail = () => Promise.reject(new Error('The platform is down.'));
    const sources = { dependencies: undefined, sites: { byId: fail }, devices: { ofSite: fail } };
    start(
      '{ a: site(id: "Site:1") { devices { name } } b: site(id: "Site:2") { devices { name } } }',
      sources,
    );
    await nextTurn();
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
  });
});
