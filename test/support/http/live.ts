/** Subscribes to the gateway over a real websocket as front-ends do, and adds samples on the platform behind it. */
import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { cleanUpAfterFile } from '../cleanUp.js';
import { type GraphqlError, required, startTestGateway, type TestGateway, toText } from '../gateway.js';
import { createTestClock } from '../sandbox/sandbox.js';
import { WAIT_MS } from '../waiting.js';

export const SCALARS = '/v2.0/sample/batch';
export const READS = '/v2.0/sample/rfid/batch';
export const IMAGES = '/v2.0/sample/image/batch';

export const POLL_MS = 25;
/** Many polls: a subscriber that still polled would have done so by then. */
export const MANY_POLLS_MS = 10 * POLL_MS;

/** Longer than any test advances the clock: a larger jump would skip a token's renewal. */
const TOKEN_SECONDS = 30 * 86_400;

export const LISTEN = `subscription ($streams: [ID!], $sites: [ID!], $kinds: [SampleKind!], $after: ID) {
  sampleReceived(streamIds: $streams, siteIds: $sites, kinds: $kinds, after: $after) {
    __typename id sampledAt stream { id name } ... on ScalarSample { value } ... on ImageSample { url }
    ... on RfidSample { tagIds }
  } }`;

/** Like `LISTEN`, without the fields that cost a call for each stream. */
export const LISTEN_BARE = `subscription ($streams: [ID!], $kinds: [SampleKind!], $after: ID) {
  sampleReceived(streamIds: $streams, kinds: $kinds, after: $after) { id } }`;

interface LiveSample {
  __typename: string;
  id: string;
  sampledAt: string;
  stream: { id: string; name: string };
  value?: number | null;
  url?: string;
  tagIds?: string[];
}

export interface Listener {
  samples: LiveSample[];
  errors: GraphqlError[];
  ids(): string[];
  /** Resolves when the gateway has ended the subscription. */
  ended: Promise<void>;
  /** Ends the subscription and closes its websocket; resolves when it is closed. */
  leave(): Promise<void>;
}

export type Variables = Readonly<Record<string, unknown>>;

const leaves = new Set<() => Promise<void>>();

cleanUpAfterFile(async () => {
  await Promise.all([...leaves].map((leave) => leave()));
});

/** A subscription on a separate websocket. It may not be active yet: see `untilListening`. */
export function listen(
  url: string,
  variables: Variables = {},
  query: string = LISTEN,
  connectionParams: Record<string, string> = {},
): Listener {
  const samples: LiveSample[] = [];
  const errors: GraphqlError[] = [];
  const client = createClient({
    url: socketUrl(url),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams,
  });
  const closed = new Promise<void>((resolve) => client.on('closed', () => resolve()));
  let unsubscribe = () => {};
  const ended = new Promise<void>((resolve) => {
    const note = (failure: unknown) => {
      errors.push(...((Array.isArray(failure) ? failure : []) as GraphqlError[]));
      resolve();
    };
    const sink = {
      next: ({ data, errors: received = [] }: { data?: unknown; errors?: readonly unknown[] }) => {
        if (data) samples.push((data as { sampleReceived: LiveSample }).sampleReceived);
        errors.push(...(received as GraphqlError[]));
      },
      error: note,
      complete: resolve,
    };
    unsubscribe = client.subscribe({ query, variables }, sink as Parameters<typeof client.subscribe>[1]);
  });
  const leave = async () => {
    leaves.delete(leave);
    unsubscribe();
    await client.dispose();
    await closed;
  };
  leaves.add(leave);
  return { samples, errors, ids: () => samples.map(({ id }) => id), ended, leave };
}

export function socketUrl(url: string): string {
  return `${url.replace(/^http/, 'ws')}/graphql`;
}

type StoredKind = 'scalar' | 'image' | 'rfid';

export interface LiveGateway extends TestGateway {
  clock: ReturnType<typeof createTestClock>;
  /** Advances the platform by this number of minutes, with the samples of its devices. */
  pass(minutes: number): void;
  /** Adds scalar samples of one stream now; returns their ids in the form of the graph. */
  append(streamId: number, values: readonly number[]): string[];
  /** The account's scalar samples above an id, in the order of arrival, in the form of `LISTEN`. */
  scalarsAfter(id: number): LiveSample[];
  /** The ids of images or reads of the account above an id. */
  imagesAfter(id: number): string[];
  readsAfter(id: number): string[];
  /** The newest id of the account: a cursor. */
  newestId(kind?: StoredKind): number;
  /** The first id that is not in use, for a row that the test inserts. */
  nextId(kind?: StoredKind): number;
  /** Runs a write on the sandbox's database. */
  run(sql: string, ...values: (number | string | null)[]): void;
}

/**
 * For a file whose tests share a gateway: starts subscriptions that end after each test; then waits for `untilDone`, if
 * there were any.
 */
export function shareGateway(gateway: LiveGateway, untilDone: () => Promise<void> = async () => {}) {
  const listeners: Listener[] = [];
  beforeEach(() => gateway.sandbox.calls.reset());
  afterEach(async () => {
    gateway.sandbox.faults.clear();
    await Promise.all(listeners.splice(0).map((listener) => listener.leave()));
    await untilDone();
  });
  return (variables: Variables = {}, query?: string): Listener => {
    const listener = listen(gateway.url, variables, query);
    listeners.push(listener);
    return listener;
  };
}

/** The platform and the gateway share one clock, which the test moves. */
export async function startLiveGateway(
  options: { sandbox?: SandboxOptions; gateway?: Partial<GatewayOptions> } = {},
): Promise<LiveGateway> {
  const clock = createTestClock();
  const gateway = await startTestGateway({
    sandbox: { clock, tokenLifetimeSeconds: TOKEN_SECONDS, ...options.sandbox },
    gateway: { clock, livePollMs: POLL_MS, ...options.gateway },
  });
  const { sandbox, sql, accountId } = gateway;
  const db = createQueries(sandbox.database);
  const maxId = (kind: StoredKind, condition: string) =>
    sql<{ id: number | null }>(`SELECT max(id) AS id FROM ${kind}_sample WHERE ${condition}`)[0]?.id ?? 0;
  const newestId = (kind: StoredKind = 'scalar') =>
    maxId(kind, `stream_id IN (SELECT id FROM stream WHERE account_id = ${accountId})`);
  const nextId = (kind: StoredKind = 'scalar') => maxId(kind, 'true') + 1;
  const idsAfter = (id: number, kind: string, type: string) =>
    sql<{ id: number; stream_id: number }>(
      `SELECT id, stream_id FROM ${kind}_sample WHERE id > ? AND stream_id IN (SELECT id FROM stream WHERE account_id = ?)
       ORDER BY id`,
      id,
      accountId,
    ).map((row) => (kind === 'image' ? `${type}:${row.id}` : `${type}:${row.stream_id}:${row.id}`));
  return {
    ...gateway,
    clock,
    pass(minutes) {
      clock.advance(minutes * 60_000);
      sandbox.simulator.step();
    },
    append(streamId, values) {
      const first = nextId();
      const at = Math.floor(clock.now() / 1000);
      db.transaction(() => {
        for (const [index, value] of values.entries())
          db.run('INSERT INTO scalar_sample VALUES (?, ?, ?, ?)', first + index, streamId, at, value);
      });
      return values.map((_, index) => `ScalarSample:${streamId}:${first + index}`);
    },
    scalarsAfter: (id) => sql<ScalarRow>(SCALARS_SQL, accountId, id).map(toLiveSample),
    imagesAfter: (id) => idsAfter(id, 'image', 'ImageSample'),
    readsAfter: (id) => idsAfter(id, 'rfid', 'RfidSample'),
    newestId,
    nextId,
    run: (text, ...values) => void db.run(text, ...values),
  };
}

const SCALARS_SQL = `SELECT p.id, p.stream_id, p.sample_date, p.value, s.display_name AS name
  FROM scalar_sample p JOIN stream s ON s.id = p.stream_id WHERE s.account_id = ? AND p.id > ? ORDER BY p.id`;

interface ScalarRow {
  id: number;
  stream_id: number;
  sample_date: number;
  value: number | string;
  name: string;
}

function toLiveSample({ id, stream_id, sample_date, value, name }: ScalarRow): LiveSample {
  return {
    __typename: 'ScalarSample',
    id: `ScalarSample:${stream_id}:${id}`,
    sampledAt: toText(sample_date),
    stream: { id: `Stream:${stream_id}`, name },
    value: typeof value === 'number' ? Number(value.toFixed(4)) : null,
  };
}

/** A scalar stream of the gateway's account. */
export function anyStream({ sql, accountId }: TestGateway, index = 0): number {
  const text = `SELECT DISTINCT stream_id AS id FROM scalar_sample WHERE stream_id IN
    (SELECT id FROM stream WHERE account_id = ?) ORDER BY 1 LIMIT 1 OFFSET ?`;
  return required(sql<{ id: number }>(text, accountId, index)[0], 'stream').id;
}

/** The first site of the gateway's account. */
export function firstSite({ sql, accountId }: TestGateway): number {
  const [site] = sql<{ id: number }>('SELECT min(id) AS id FROM site WHERE account_id = ?', accountId);
  return required(site, 'site').id;
}

/** Polls of an endpoint since the last reset of the log: calls that continue where the last one ended. */
export function polls({ sandbox }: TestGateway, template: string): number {
  const isPoll = ({ sampleID, sampleId, sampleDate }: Readonly<Record<string, string>>) =>
    (sampleID ?? sampleId ?? sampleDate) !== undefined;
  return sandbox.calls.list().filter((call) => call.pathTemplate === template && isPoll(call.query)).length;
}

/**
 * Waits until the first subscriber since the reset of the log is active: the first such call searches for the start.
 */
export async function untilListening(gateway: TestGateway, template: string = SCALARS): Promise<void> {
  await vi.waitFor(() => expect(polls(gateway, template)).toBeGreaterThan(1), WAIT);
}

/** Long, because slowness is not a failure. */
export const WAIT = { timeout: WAIT_MS, interval: 10 };

export const received = (listener: Listener, count: number) =>
  vi.waitFor(() => expect(listener.samples.length).toBeGreaterThanOrEqual(count), WAIT);

const EVENTS = 3;
/** Much shorter than last samples and pages of today are fresh, and much longer than a step takes to another process. */
const STEP_WAIT = { timeout: 5000, interval: 20 };

/**
 * Sends queries through other processes than the one of a subscription, before and after each of its events, and expects
 * the sample of the event in their responses. Each of `ask` queries one process.
 */
export async function expectSamplesBesideEvents(
  asks: readonly ((query: string) => Promise<{ data?: unknown }>)[],
  append: () => string | undefined,
  listener: Listener,
): Promise<void> {
  const range = { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000 };
  const next = () => required(append(), 'sample');
  const newest = next();
  await vi.waitFor(() => expect(listener.ids().at(-1)).toBe(newest), WAIT);
  const [, streamId] = newest.split(':');
  const query = `{ stream(id: "Stream:${streamId}") { lastSample { id }
    series(range: { from: ${range.from}, to: ${range.to} }, maxPoints: 1000) { sourceCount } } }`;
  const load = async () => (await Promise.all(asks.map((ask) => ask(query)))).map(({ data }) => data);
  const toState = ({ stream }: Page) => ({ id: stream.lastSample.id, count: stream.series.sourceCount });
  const states = async () => (await load()).map((data) => toState(data as Page));
  // From the second equal request on, the response is cached.
  const loadCached = async () => {
    for (let round = 0; round < 3; round++) await states();
    return states();
  };
  for (let event = 0; event < EVENTS; event++) {
    const before = await loadCached();
    const id = next();
    await vi.waitFor(() => expect(listener.ids().at(-1)).toBe(id), WAIT);
    const after = before.map(({ count }) => ({ id, count: count + 1 }));
    await vi.waitFor(async () => expect(await states()).toEqual(after), STEP_WAIT);
  }
}

interface Page {
  stream: { lastSample: { id: string }; series: { sourceCount: number } };
}

const UNDISTURBED_ROUNDS = 3;
const MAX_ROUNDS = 12;

/**
 * Expects one poll in each of three rounds; `countPolls` runs a round. Without sharing, each round has several. On a
 * busy machine some rounds have several all the same, and are repeated: the poll passes to another process, or a
 * process that is late reads the samples itself.
 */
export async function expectSharedPoll(countPolls: () => Promise<number>): Promise<void> {
  let undisturbed = 0;
  for (let rounds = 0; undisturbed < UNDISTURBED_ROUNDS && rounds < MAX_ROUNDS; rounds += 1) {
    if ((await countPolls()) === 1) undisturbed += 1;
  }
  expect(undisturbed).toBe(UNDISTURBED_ROUNDS);
}
