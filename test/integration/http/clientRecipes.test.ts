/**
 * The recipes of docs/clients.md and docs/incremental-delivery.md compile, and run against a gateway. Needs a build,
 * for the files of the package.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gql, HttpLink } from '@apollo/client';
import { buildSchema, isInterfaceType, isObjectType, print } from 'graphql';
import { type Client, createClient } from 'graphql-ws';
import { build, createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import * as example from '../../../examples/react/cachePolicies.js';
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import { required, startGatewayFor } from '../../support/gateway.js';
import { createKeysFile, startIssuer } from '../../support/http/callers.js';
import {
  anyStream,
  type LiveGateway,
  POLL_MS,
  SCALARS,
  socketUrl,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const command = (name: string) => path.join(project, 'node_modules', '.bin', name);

let gateway: LiveGateway;
let names: string[];
let folder: string;

/** Inside the project, where `fieldgraph/…` means this package. */
beforeAll(async () => {
  gateway = await startLiveGateway();
  const { sites } = await gateway.ask<{ sites: { nodes: { name: string }[] } }>(
    '{ sites(first: 3) { nodes { name } } }',
  );
  names = sites.nodes.map(({ name }) => name);
  folder = await mkdtemp(path.join(project, 'dist', 'recipes-'));
  const readPage = (name: string) => readFile(path.join(project, 'docs', name), 'utf8');
  const pages = [await readPage('clients.md'), await readPage('incremental-delivery.md')].join('\n');
  const blocks = [...pages.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)];
  await Promise.all(blocks.map(([, name = '', text = '']) => writeFile(path.join(folder, name), text)));
  const sdl = await (await fetch(`${gateway.url}/schema.graphql`)).text();
  await writeFile(path.join(folder, 'schema.graphql'), sdl);
  const run = promisify(execFile);
  await run(command('graphql-codegen'), ['--config', 'codegen.ts'], { cwd: folder });
  await run(command('graphql-codegen'), ['--config', 'codegen.trusted.ts'], { cwd: folder });
  const installed = path.join(folder, 'node_modules', 'other');
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, 'other.ts'), 'graphql`query otherQuery { notInThisSchema }`;');
  await run(command('relay-compiler'), ['relay.config.json'], { cwd: folder });
  const sources = blocks.map(([, name = '']) => name).filter((name) => name.endsWith('.ts'));
  const options = [
    ...['--ignoreConfig', '--strict', '--skipLibCheck', '--noUncheckedIndexedAccess', '--types', 'node'],
    // Set by `tsc --init`.
    ...['--exactOptionalPropertyTypes', '--verbatimModuleSyntax', '--isolatedModules'],
    ...[
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2023,dom',
      '--rootDir',
      '.',
      '--outDir',
      'out',
    ],
  ];
  await run(command('tsc'), [...options, ...sources], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(`The recipes do not compile:\n${stdout}`);
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** It has no types of its own. */
interface Babel {
  transformSync(code: string, options: object): { code: string } | null;
}

/** Replaces the documents, as the plugin does in any bundler, and loads the bundle. */
async function loadRelayRecipe() {
  const { transformSync } = createRequire(import.meta.url)('@babel/core') as Babel;
  const relay = {
    name: 'babel-plugin-relay',
    transform: (code: string, id: string) =>
      id.endsWith('relay.ts')
        ? transformSync(code, {
            filename: id,
            cwd: folder,
            configFile: false,
            parserOpts: { plugins: ['typescript'] },
            plugins: [['relay', { eagerEsModules: true }]],
          })?.code
        : undefined,
  };
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [{ enforce: 'pre', ...relay }],
    ssr: { noExternal: true },
    build: { ssr: 'relay.ts', outDir: 'relay' },
  });
  return import(pathToFileURL(path.join(folder, 'relay', 'relay.js')).href);
}

/** The names of the object types without `id`, apart from the root types. */
async function listTypes(): Promise<string[]> {
  const schema = buildSchema(await readFile(path.join(folder, 'schema.graphql'), 'utf8'));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return types
    .filter((type) => !roots.includes(type) && !type.name.startsWith('__') && !type.getFields()['id'])
    .map(({ name }) => name);
}

/** Whether a promise is settled within some milliseconds; calls back otherwise. */
async function isSettled(promise: Promise<unknown>, onPending: () => void): Promise<boolean> {
  const pending = new Promise<false>((resolve) => setTimeout(resolve, POLL_MS, false));
  const isDone = await Promise.race([promise.then(() => true), pending]);
  if (!isDone) onPending();
  return isDone;
}

function getData({ data, error }: { data?: unknown; error?: unknown }): unknown {
  if (error) throw error;
  return data;
}

const httpLink = () => new HttpLink({ uri: `${gateway.url}/graphql` });

const load = (name: string) => import(pathToFileURL(path.join(folder, 'out', `${name}.js`)).href);

/** The returned function appends a sample, and counts those that have been received. */
function countWithNewSample(received: readonly unknown[]): () => number {
  return () => {
    gateway.append(anyStream(gateway), [1]);
    return received.length;
  };
}

/** Another gateway in front of the same sandbox. */
function startAnother(options: Partial<GatewayOptions> = {}) {
  const { sandbox, clock } = gateway;
  const [{ key, secret }] = sandbox.credentials;
  return startGatewayFor({ url: sandbox.url, key, secret }, { livePollMs: POLL_MS, clock, ...options });
}

const ORGANIZATIONS = '/v2.0/account/organization';

describe('the recipe', () => {
  // First, before a cache has the organizations.
  it.each([
    ['Apollo Client', 'apollo', 'fetchWithApollo'],
    ['urql', 'urql', 'fetchWithUrql'],
  ])('of %s fetches names of sites whose organizations cannot be read', async (_, file, name) => {
    const recipe = await load(file);
    gateway.sandbox.calls.reset();
    gateway.sandbox.faults.add({ match: ({ path }) => path.startsWith(ORGANIZATIONS), status: 500 });
    expect(await recipe[name](`${gateway.url}/graphql`)).toEqual(names);
    expect(gateway.restCalls().some(({ path }) => path.startsWith(ORGANIZATIONS))).toBe(true);
    gateway.sandbox.faults.clear();
  });

  it.each([
    ['Apollo Client', 'apollo', 'fetchWithApollo'],
    ['urql', 'urql', 'fetchWithUrql'],
  ])('of %s throws if no site can be read', async (_, file, name) => {
    const recipe = await load(file);
    await expect(recipe[name]('http://127.0.0.1:9/graphql')).rejects.toThrow();
  });

  it.each([
    ['of the client preset', 'preset', 'fetchNames'],
    ['of Apollo Client', 'apollo', 'fetchWithApollo'],
    ['of urql', 'urql', 'fetchWithUrql'],
  ])('%s fetches names of sites', async (_, file, name) => {
    const recipe = await load(file);
    expect(await recipe[name](`${gateway.url}/graphql`)).toEqual(names);
  });

  it('of the client preset takes dates as numbers', async () => {
    const { dayQuery, lastDay } = await load('preset');
    const { stream } = await gateway.ask<{ stream: { aggregates: unknown[] } }>(
      print(dayQuery),
      lastDay(anyStream(gateway)),
    );
    expect(stream.aggregates).toBeInstanceOf(Array);
  });

  it('of gql.tada queries aggregates', async () => {
    const { aggregatesQuery, listDays } = await load('tada');
    const to = gateway.clock.now();
    const { streams } = await gateway.ask<{ streams: { nodes: { id: string }[] } }>(
      '{ streams(first: 1) { nodes { id } } }',
    );
    const variables = { id: required(streams.nodes[0]).id, from: to - 86_400_000, to };
    const days = listDays(await gateway.ask(print(aggregatesQuery), variables));
    expect(days.length).toBeGreaterThan(0);
    expect(days[0]).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z /);
  });

  it('of Relay is compiled by relay-compiler, and fetches names of sites', async () => {
    const { fetchWithRelay } = await loadRelayRecipe();
    expect(await fetchWithRelay(`${gateway.url}/graphql`)).toEqual(names);
    const written = await readdir(path.join(folder, '__generated__'));
    expect(written).toContain('relaySiteRefetchQuery.graphql.ts');
    expect(written).toContain('relaySitesPageQuery.graphql.ts');
  });

  it('of Apollo Client reads from an error when to retry', async () => {
    const { createApolloClient, retryAfterMs } = await load('apollo');
    const refused = createApolloClient(httpLink()).query({
      query: gql`{ site(id: "Stream:1") { name } }`,
    });
    const { error } = await refused;
    expect(error).toBeInstanceOf(Error);
    expect(retryAfterMs(error)).toBeUndefined();
  });

  it('of Apollo Client caches different fields of one threshold without a type policy', async () => {
    const { createApolloClient } = await load('apollo');
    const client = createApolloClient(httpLink());
    const variables = { id: anyStream(gateway) };
    const warnings = vi.spyOn(console, 'warn');
    const levels = gql`query Levels($id: ID!) { stream(id: $id) { id threshold { id levels { name } } } }`;
    const state = gql`query State($id: ID!) { stream(id: $id) { id threshold { id alarmLevel } } }`;
    const { data } = await client.query({ query: levels, variables });
    await client.query({ query: state, variables });
    expect(client.readQuery({ query: levels, variables })).toEqual(data);
    expect(required(client.readQuery({ query: state, variables }))).toHaveProperty(
      'stream.threshold.alarmLevel',
    );
    expect(warnings).not.toHaveBeenCalled();
    warnings.mockRestore();
  });

  it('of Apollo Client merges connections, facets, and other types whose fields complete each other', async () => {
    const { typePolicies } = await load('apollo');
    const types = (await listTypes()).filter((name) => /Connection$|Facets$/.test(name));
    const others = ['Classification', 'GpsPosition', 'Location', 'SearchResult', 'UiPreferences'];
    expect(Object.keys(typePolicies).toSorted()).toEqual([...others, ...types].toSorted());
  });

  it('of Apollo Client has the policies of the React example', async () => {
    const { possibleTypes, typePolicies } = await load('apollo');
    expect({ ...example }).toEqual({ possibleTypes, typePolicies });
  });

  it('of Apollo Client names the types of each interface, so that fragments on interfaces keep their fields', async () => {
    const { createApolloClient, possibleTypes } = await load('apollo');
    const schema = buildSchema(await readFile(path.join(folder, 'schema.graphql'), 'utf8'));
    const interfaces = Object.values(schema.getTypeMap()).filter(isInterfaceType);
    const implementations = interfaces.map((type) => [
      type.name,
      new Set(schema.getPossibleTypes(type).map(({ name }) => name)),
    ]);
    const named = Object.entries(possibleTypes).map(([name, types]) => [name, new Set(types as string[])]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(implementations));
    const query = gql`query Last($id: ID!) { stream(id: $id) { id lastSample { ...Taken } } }
      fragment Taken on Sample { sampledAt }`;
    const client = createApolloClient(httpLink());
    const { data } = await client.query({ query, variables: { id: anyStream(gateway) } });
    expect(data).toHaveProperty('stream.lastSample.sampledAt');
  });

  it('of incremental delivery shows what the response has before the later parts', async () => {
    const { createIncrementalClient } = await load('incremental');
    const query = gql`query Later($id: ID!) { stream(id: $id) { id name ... @defer { lastSample { id } } } }`;
    const list = createIncrementalClient(`${gateway.url}/graphql`).watchQuery({
      query,
      variables: { id: anyStream(gateway) },
    });
    const shown: boolean[] = [];
    const subscription = list.subscribe(({ data }: { data?: { stream: object } }) => {
      if (data) shown.push('lastSample' in data.stream);
    });
    await expect.poll(() => shown, WAIT).toEqual([false, true]);
    subscription.unsubscribe();
  });

  it('of incremental delivery gives Relay each fragment and each streamed item as its own payload', async () => {
    const { toRelayPayloads } = await load('relayPayloads');
    const query = `{ sites(first: 3) { nodes @stream(initialCount: 1, label: "more") {
      name ... @defer(label: "id") { id } } } }`;
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'multipart/mixed;deferSpec=20220824' },
      body: JSON.stringify({ query }),
    });
    const parts = [...(await response.text()).matchAll(/^\{.*\}/gm)].map(([part]) => JSON.parse(part));
    const payloads: { label?: string; path: number[]; data: object }[] = parts.flatMap(toRelayPayloads);
    const [initial, ...later] = payloads;
    expect(initial?.data).toEqual({ sites: { nodes: [{ name: names[0] }] } });
    const select = (label: string) => later.filter((payload) => payload.label === label);
    expect(select('more')).toEqual(
      [1, 2].map((index) => ({
        label: 'more',
        path: ['sites', 'nodes', index],
        data: { name: names[index] },
      })),
    );
    expect(select('id').map(({ path }) => path.at(-1))).toEqual([0, 1, 2]);
    expect(later).toHaveLength(5);
  });

  it('of development servers forwards websockets', async () => {
    const { default: config } = await load('vite.config');
    const forward = { ...config.server.proxy['/graphql'], target: gateway.url };
    const server = await createServer({
      configFile: false,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0, proxy: { '/graphql': forward } },
    });
    await server.listen();
    try {
      const origin = required(server.resolvedUrls?.local[0]).replace(/\/$/, '');
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        origin,
      });
      socket.once('open', () => socket.send('{"type":"connection_init"}'));
      const [message] = await once(socket, 'message');
      expect(JSON.parse(String(message))).toMatchObject({ type: 'connection_ack' });
      socket.terminate();
    } finally {
      await server.close();
    }
  });

  it('of Graphcache has a key for each type without `id`, apart from those that Graphcache does not warn of', async () => {
    const { keys } = await load('graphcache');
    const types = (await listTypes()).filter((name) => !/^PageInfo$|(Connection|Edge|Payload)$/.test(name));
    expect(Object.keys(keys).toSorted()).toEqual(types.toSorted());
    expect(keys.Location()).toBeNull();
  });

  it('of Apollo Client appends pages to a list, and continues after a page that failed', async () => {
    const { createApolloClient } = await load('apollo');
    const { pageQuery, showMore } = await load('paging');
    const { sites } = await gateway.ask<{ sites: { nodes: { id: string }[] } }>('{ sites { nodes { id } } }');
    const ids = sites.nodes.map(({ id }) => id);
    const list = createApolloClient(httpLink()).watchQuery({ query: pageQuery, variables: { first: 3 } });
    const subscription = list.subscribe(() => {});
    const shown = (): string[] =>
      (list.getCurrentResult().data?.sites?.nodes ?? []).map(({ id }: { id: string }) => id);
    const more = () => showMore(list.getCurrentResult().data, list.fetchMore.bind(list));
    await expect.poll(shown, WAIT).toEqual(ids.slice(0, 3));
    await Promise.all([more(), more()]);
    await expect.poll(shown, WAIT).toEqual(ids.slice(0, 6));
    const failures: (() => Promise<Response>)[] = [
      async () =>
        Response.json({ data: { sites: null }, errors: [{ message: 'No sites.', path: ['sites'] }] }),
      () => Promise.reject(new TypeError('fetch failed')),
    ];
    for (const failure of failures) {
      const failing = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(failure);
      await expect(more()).rejects.toThrow();
      failing.mockRestore();
      expect(shown()).toEqual(ids.slice(0, 6));
    }
    await more();
    await expect.poll(shown, WAIT).toEqual(ids);
    await more();
    expect(shown()).toEqual(ids);
    subscription.unsubscribe();
  });

  it('of Apollo Client shows a change at once, and takes it back only if it was not written', async () => {
    const { createApolloClient } = await load('apollo');
    const { setAttribute } = await load('writing');
    const { faults } = gateway.sandbox;
    const uri = `${gateway.url}/graphql`;
    const client = createApolloClient(
      new HttpLink({
        uri,
        async fetch(...request) {
          const response = await fetch(...request);
          // Faults are for one operation.
          faults.clear();
          return response;
        },
      }),
    );
    const query = gql`query Owner($id: ID!) { site(id: $id) { id customAttributes { platformId name value } } }`;
    const variables = { id: 'Site:16801' };
    const { site } = (await client.query({ query, variables })).data;
    const [{ platformId, value: before }] = site.customAttributes;
    const shown: string[] = [];
    const subscription = client
      .watchQuery({ query, variables })
      .subscribe(({ data }: { data: typeof site }) => {
        const value = data.site.customAttributes?.[0].value ?? 'nothing';
        if (shown.at(-1) !== value) shown.push(value);
      });
    const set = (value: string) => setAttribute(client, site, platformId, value);
    const untilShown = (...values: string[]) => expect.poll(() => shown, WAIT).toEqual(values);
    await untilShown(before);
    faults.add({ match: 'POST /v2.0/site/customAttributes', status: 400 });
    await expect(set('refused')).rejects.toThrow('The platform refused');
    await untilShown(before, 'refused', before);
    const long = 'x'.repeat(300);
    await expect(set(long)).rejects.toThrow('at most 256');
    await untilShown(before, 'refused', before, long, before);
    for (const path of ['/v2.0/site/{siteId}/customAttributes', '/v2.0/site/customAttributes']) {
      faults.add({ match: `GET ${path}`, status: 400 });
    }
    await set('written');
    await untilShown(before, 'refused', before, long, before, 'written', 'nothing', 'written');
    subscription.unsubscribe();
  });

  it('of Apollo Client sends one request for each query of different fields of the same sites', async () => {
    const { createApolloClient } = await load('apollo');
    const client = createApolloClient(httpLink());
    const warnings = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
    const requests = vi.spyOn(globalThis, 'fetch');
    const queries = [
      'totalCount',
      'nodes { id location { latitude } }',
      'nodes { id location { longitude } }',
    ];
    const subscriptions = [];
    for (const [index, fields] of queries.entries()) {
      const query = gql`query Part${index} { sites(first: 5) { ${fields} } }`;
      const observer = client.watchQuery({ query });
      subscriptions.push(observer.subscribe(() => {}));
      await expect.poll(() => observer.getCurrentResult().loading, WAIT).toBe(false);
      // Queries that replace each other's data request it again.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(requests).toHaveBeenCalledTimes(queries.length);
    for (const warning of warnings) expect(warning).not.toHaveBeenCalled();
    for (const subscription of subscriptions) subscription.unsubscribe();
    vi.restoreAllMocks();
  });

  it('of GET receives responses that browsers cache, with urql and Apollo Client', async () => {
    const { createGetClient } = await load('urqlGet');
    const { createApolloClient } = await load('apollo');
    const query = gql`query Closed($id: ID!, $range: TimeRange!) {
      stream(id: $id) { id series(range: $range) { times values } }
    }`;
    const day = 86_400_000;
    const to = gateway.clock.now() - 5 * day;
    const variables = { id: `${anyStream(gateway)}`, range: { from: to - day, to } };
    const url = `${gateway.url}/graphql`;
    const requests = vi.spyOn(globalThis, 'fetch');
    for (const send of [
      () => createGetClient(url).query(query, variables).toPromise(),
      () =>
        createApolloClient(new HttpLink({ uri: url, useGETForQueries: true })).query({ query, variables }),
    ]) {
      expect(getData(await send())).toHaveProperty('stream.series');
      expect(requests.mock.lastCall?.[1]?.method).toBe('GET');
      const response = await required(requests.mock.results.at(-1)).value;
      expect(response.headers.get('Cache-Control')).toMatch(/^private, max-age=\d{6}, immutable$/);
    }
    requests.mockRestore();
  });

  it('of credentials sends the current API key over each transport', async () => {
    const keys = await createKeysFile();
    const current = await keys.add({});
    const closed = await startAnother({ callerAuth: { kind: 'api-key', file: keys.file } });
    const { createApolloLink, createUrqlClient, createSocketClient, createSseClient } =
      await load('credentials');
    const { createApolloClient } = await load('apollo');
    vi.stubGlobal('WebSocket', WebSocket);
    const url = `${closed.url}/graphql`;
    const text = '{ sites(first: 3) { nodes { id name } } }';
    const firstOf = async (client: Client) => {
      for await (const { data } of client.iterate({ query: text })) return data;
      return undefined;
    };
    /** Each has its own caches. */
    const createAll = (getKey: () => string) => {
      const later = async () => getKey();
      return [
        () =>
          createApolloClient(createApolloLink(url, later))
            .query({ query: gql(text) })
            .then(getData),
        () => createUrqlClient(url, getKey).query(text, {}).toPromise().then(getData),
        () => firstOf(createSocketClient(socketUrl(closed.url), later)),
        () => firstOf(createSseClient(url, later)),
      ];
    };
    try {
      let key = 'fg_wrong';
      for (const request of createAll(() => key)) {
        key = 'fg_wrong';
        await expect(request()).rejects.toBeDefined();
        key = current;
        expect(await request()).toMatchObject({ sites: { nodes: names.map((name) => ({ name })) } });
      }
    } finally {
      vi.unstubAllGlobals();
      await closed.stop();
    }
  });

  it('of trusted documents sends hashes that a gateway for trusted documents only knows', async () => {
    const documents = path.join(folder, 'documents');
    await mkdir(documents);
    await copyFile(
      path.join(folder, 'trusted', 'persisted-documents.json'),
      path.join(documents, 'persisted-documents.json'),
    );
    const callerLimits = { trustedDocuments: documents, trustedDocumentsOnly: true };
    const closed = await startAnother({ callerLimits });
    const url = `${closed.url}/graphql`;
    const { createTrustedClient, fetchById, fetchTrusted, generateHash, samplesSubscription } =
      await load('trusted');
    const requests = vi.spyOn(globalThis, 'fetch');
    const stops: (() => unknown)[] = [];
    try {
      expect(await fetchTrusted(url)).toEqual(names);
      expect(String(required(requests.mock.lastCall)[1]?.body)).not.toContain('nodes');
      expect(await fetchById(url)).toEqual(names);
      expect(generateHash({ __meta__: { hash: 'sha256:0a1b' } })).toBe('0a1b');
      const received: unknown[] = [];
      const subscription = createTrustedClient(url)
        .subscribe({ query: samplesSubscription })
        .subscribe(({ data }: { data: unknown }) => received.push(data));
      stops.push(() => subscription.unsubscribe());
      const samplesArrive = countWithNewSample(received);
      await expect.poll(samplesArrive, WAIT).toBeGreaterThan(0);
      expect(received[0]).toHaveProperty('sampleReceived.sampledAt');
      const socket = createClient({ url: socketUrl(closed.url), webSocketImpl: WebSocket, retryAttempts: 0 });
      stops.push(() => socket.dispose());
      const persistedQuery = { version: 1, sha256Hash: generateHash(samplesSubscription) };
      const results = socket.iterate({ query: '', extensions: { persistedQuery } });
      const first = results.next();
      await expect.poll(() => isSettled(first, samplesArrive), WAIT).toBe(true);
      expect((await first).value).toHaveProperty('data.sampleReceived.sampledAt');
    } finally {
      for (const stop of stops) await stop();
      requests.mockRestore();
      await closed.stop();
    }
  });

  const endless = new AbortController().signal;

  /** Runs the recipe until `stop()`, which needs no further sample. `begun` has the time of each subscription. */
  async function startFollowing(url: string) {
    const { follow } = await load('resume');
    const client = createClient({ url: socketUrl(url), webSocketImpl: WebSocket, retryAttempts: 0 });
    const [received, begun]: [number[], number[]] = [[], []];
    const iterate: typeof client.iterate = (payload) => {
      begun.push(performance.now());
      return client.iterate(payload);
    };
    const stopping = new AbortController();
    const onSample = ({ value }: { value: number }) => received.push(value);
    const following: Promise<void> = follow({ ...client, iterate }, onSample, stopping.signal);
    const stop = () => {
      stopping.abort();
      return following;
    };
    return { received, begun, stop };
  }

  it.each([
    ['an invalid document', { query: 'subscription { weather }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a stream that does not exist',
      { query: 'subscription { sampleReceived(streamIds: ["Stream:1"]) { id } }' },
      'BAD_USER_INPUT',
    ],
  ])('of cursors rejects with the errors of %s', async (_, payload, code) => {
    const { follow } = await load('resume');
    const client = createClient({ url: socketUrl(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
    const iterate: typeof client.iterate = () => client.iterate(payload);
    await expect(follow({ ...client, iterate }, () => {}, endless)).rejects.toMatchObject([
      { extensions: { code } },
    ]);
  });

  it('of cursors rejects with an exception of the application', async () => {
    const { follow } = await load('resume');
    const client = createClient({ url: socketUrl(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
    gateway.sandbox.calls.reset();
    const defect = new Error('A defect.');
    const onSample = () => {
      throw defect;
    };
    const following = follow(client, onSample, endless).catch((error: unknown) => error);
    await untilListening(gateway);
    gateway.append(anyStream(gateway), [1]);
    expect(await following).toBe(defect);
  });

  it('of cursors connects again with another credential, and rejects with the close event of a refused one', async () => {
    const keys = await createKeysFile();
    const shown: string[] = [];
    let current = await keys.add({ name: 'first' });
    const getToken = async () => {
      shown.push(current);
      return current;
    };
    const closed = await startAnother({
      callerAuth: { kind: 'api-key', file: keys.file },
      recheckIntervalMs: 50,
    });
    vi.stubGlobal('WebSocket', WebSocket);
    try {
      const { createSocketClient } = await load('credentials');
      const { follow } = await load('resume');
      const client = createSocketClient(socketUrl(closed.url), getToken, 0);
      const received: number[] = [];
      const onSample = ({ value }: { value: number }) => received.push(value);
      const following = follow(client, onSample, endless).catch((error: unknown) => error);
      const samplesArrive = countWithNewSample(received);
      await expect.poll(samplesArrive, WAIT).toBeGreaterThan(0);
      const first = current;
      current = await keys.add({ name: 'second' });
      await keys.remove('first');
      await expect.poll(() => shown, WAIT).toEqual([first, current]);
      const before = received.length;
      await expect.poll(samplesArrive, WAIT).toBeGreaterThan(before);
      await keys.remove('second');
      expect(await following).toMatchObject({ code: 4401 });
      expect(shown).toEqual([first, current, current]);
    } finally {
      vi.unstubAllGlobals();
      await closed.stop();
    }
  });

  it('of cursors rejects with the close event of a token without organizations', async () => {
    const { settings, sign } = await startIssuer();
    const closed = await startAnother({ callerAuth: settings });
    vi.stubGlobal('WebSocket', WebSocket);
    try {
      const { createSocketClient } = await load('credentials');
      const { follow } = await load('resume');
      const getToken = () => sign({ organizations: undefined }, {}, gateway.clock.now());
      const client = createSocketClient(socketUrl(closed.url), getToken, 0);
      await expect(follow(client, () => {}, endless)).rejects.toMatchObject({ code: 4403 });
    } finally {
      vi.unstubAllGlobals();
      await closed.stop();
    }
  });

  it('of cursors waits before it subscribes again while the platform fails', async () => {
    const { received, begun, stop } = await startFollowing(gateway.url);
    gateway.sandbox.faults.add({ match: SCALARS, status: 500 });
    await expect.poll(() => begun.length, WAIT).toBeGreaterThan(3);
    gateway.sandbox.faults.clear();
    const samplesArrive = countWithNewSample(received);
    await expect.poll(samplesArrive, WAIT).toBeGreaterThan(0);
    await stop();
    const [first = 0, , , fourth = 0] = begun;
    expect(fourth - first).toBeGreaterThan(1000);
  });

  it('of cursors receives what arrives while a gateway restarts, also without an earlier sample', async () => {
    const first = await startAnother();
    gateway.sandbox.calls.reset();
    const { received, stop } = await startFollowing(first.url);
    await untilListening(gateway);
    await first.stop();
    gateway.append(anyStream(gateway), [47.11]);
    const second = await startAnother({ port: Number(new URL(first.url).port) });
    await expect.poll(() => received, WAIT).toEqual([47.11]);
    await stop();
    await second.stop();
  });

  it('of cursors receives what arrives while the connection is lost, also before the first sample', async () => {
    const { follow } = await load('resume');
    const streamId = anyStream(gateway);
    const client = createClient({ url: socketUrl(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
    const pinged = new Promise((resolve) => client.on('ping', resolve));
    const received: number[] = [];
    const stopping = new AbortController();
    const following = follow(client, ({ value }: { value: number }) => received.push(value), stopping.signal);
    await pinged;
    client.terminate();
    gateway.append(streamId, [47.12]);
    await expect.poll(() => received, WAIT).toEqual([47.12]);
    stopping.abort();
    await following;
  });

  it('of cursors begins anew when the platform does not have the sample of its cursor', async () => {
    const { follow } = await load('resume');
    const client = createClient({ url: socketUrl(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
    const [received, cursors]: [number[], unknown[]] = [[], []];
    const iterate: typeof client.iterate = (payload) => {
      const after = payload.variables?.['after'];
      const isSecond = cursors.push(after) === 2;
      return client.iterate({
        ...payload,
        variables: { after: isSecond ? 'ScalarSample:99999999999' : after },
      });
    };
    const stopping = new AbortController();
    const onSample = ({ value }: { value: number }) => received.push(value);
    const following: Promise<void> = follow({ ...client, iterate }, onSample, stopping.signal);
    const samplesArrive = countWithNewSample(received);
    await expect.poll(samplesArrive, WAIT).toBeGreaterThan(0);
    client.terminate();
    await expect.poll(() => cursors.length, WAIT).toBe(3);
    const before = received.length;
    await expect.poll(samplesArrive, WAIT).toBeGreaterThan(before);
    expect(cursors).toEqual([null, expect.stringMatching(/^ScalarSample:/), null]);
    stopping.abort();
    await following;
  });

  it('of cursors receives each sample once over a lost connection', async () => {
    const { follow } = await load('resume');
    const streamId = anyStream(gateway);
    const client = createClient({ url: socketUrl(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
    const received: number[] = [];
    const stopping = new AbortController();
    const following = follow(client, ({ value }: { value: number }) => received.push(value), stopping.signal);
    let next = 1;
    const append = () => gateway.append(streamId, [next++]);
    await expect
      .poll(() => {
        if (received.length === 0) append();
        return received.length;
      }, WAIT)
      .toBeGreaterThan(0);
    client.terminate();
    append();
    const first = required(received[0]);
    await expect.poll(() => received.at(-1), WAIT).toBe(next - 1);
    stopping.abort();
    await following;
    expect(received).toEqual(received.map((_, index) => first + index));
  });
});
