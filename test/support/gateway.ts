/** Starts a sandbox and a gateway in front of it, and sends operations to the gateway over HTTP like a front-end. */
import { readFile } from 'node:fs/promises';
import { type Gateway, startGateway } from '../../src/gateway/gateway.js';
import type { GatewayOptions } from '../../src/gateway/gatewayOptions.js';
import { silentLogger } from '../../src/lib/logger.js';
import { createQueries, type SqlValue } from '../../src/sandbox/database/queries.js';
import type { SandboxOptions } from '../../src/sandbox/sandbox.js';
import { cleanUpAfterFile } from './cleanUp.js';
import { runningClock } from './runningClock.js';
import { type CallRecord, createTestSandbox, type TestSandbox } from './sandbox/testSandbox.js';

export interface GraphqlError {
  message: string;
  path?: (string | number)[];
  locations?: { line: number; column: number }[];
  extensions: {
    code: string;
    retryable: boolean;
    requestId: string;
    retryAfterMs?: number;
    platform?: { status: number; requestId?: string };
  };
}

export interface GraphqlBody<Data> {
  data?: Data | null;
  errors?: GraphqlError[];
}

interface GraphqlResponse<Data> {
  status: number;
  headers: Headers;
  body: GraphqlBody<Data>;
}

interface TestGatewayOptions {
  /**
   * Overrides the defaults: 8 sites, a day of samples up to the clock's start, none after, the clock of the gateway.
   */
  sandbox?: SandboxOptions;
  /** Overrides the defaults, among them `runningClock`. */
  gateway?: Partial<GatewayOptions>;
  /** The API client of the gateway: the first account's, with several organizations, or the second's, with one. */
  account?: 0 | 1;
}

export interface TestGateway {
  url: string;
  sandbox: TestSandbox;
  /** The account that the gateway reads from, for conditions in SQL. */
  accountId: number;
  query<Data = unknown>(
    operation: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<GraphqlResponse<Data>>;
  /** The data of an operation that must succeed. */
  ask<Data>(operation: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
  /** The REST calls since the last reset of the log; token requests only on request. */
  restCalls(options?: { withToken: boolean }): CallRecord[];
  /** Runs an operation that must succeed, without caches; returns its data and its REST calls. */
  count<Data>(
    operation: string,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<{ data: Data; calls: string[] }>;
  /** Rows of the sandbox's database. */
  sql<Row>(text: string, ...values: SqlValue[]): Row[];
  stop(): Promise<void>;
}

export const TOKEN_PATH = '/auth/token';

/** When the samples of `startStillGateway` end, at any shift of the clock: its tests count calls for these data. */
export const STILL_NOW_MS = Date.UTC(2026, 2, 14, 9, 30);

/** A loaded machine may read a request seconds after its connection, which the default timeouts would cut. */
const LONG_TIMEOUTS = { headersMs: 120_000, requestMs: 120_000, idleMarginMs: 120_000 };
/** Likewise for the responses of the platform: an attempt that times out would be repeated. */
const LONG_CALL_TIMEOUTS = { attemptTimeoutMs: 90_000, operationTimeoutMs: 120_000 };

const open = new Set<TestGateway>();

cleanUpAfterFile(async () => {
  await Promise.all([...open].map((gateway) => gateway.stop()));
});

/** A gateway on a free port, with the usual options of tests. The test has to stop it. */
export function startGatewayFor(
  platform: GatewayOptions['platform'],
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  return startGateway({
    host: '127.0.0.1',
    port: 0,
    platform,
    channelAttribute: 'channel_id',
    livePollMs: 1000,
    logger: silentLogger,
    clock: runningClock,
    ...options,
  });
}

/** Both listen on free ports; stopped after the file's tests, or earlier by `stop()`. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = options.gateway?.clock ?? runningClock;
  const small = { siteCount: 8, historyDays: 1, simulatorIntervalMs: false as const, clock };
  const sandbox = await createTestSandbox({ ...small, ...options.sandbox });
  const credential = sandbox.credentials[options.account ?? 0];
  const isOwn = options.gateway?.callerAuth?.kind !== 'platform';
  const { key, secret } = isOwn ? credential : { key: '', secret: '' };
  const gateway = await startGatewayFor(
    { url: sandbox.url, key, secret },
    {
      livePollMs: 250,
      clock,
      timeouts: LONG_TIMEOUTS,
      resilience: LONG_CALL_TIMEOUTS,
      ...options.gateway,
    },
  );

  const testGateway = describeGateway(gateway.url, sandbox, credential.key, async () => {
    open.delete(testGateway);
    await gateway.stop();
    await sandbox.close();
  });
  open.add(testGateway);
  return testGateway;
}

/**
 * The same with clocks that stand still: the sandbox has the same data on every run, and the gateway measures no
 * latency, so that its fetch plans do not depend on the load of the machine.
 */
export function startStillGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = { now: () => STILL_NOW_MS };
  return startTestGateway({
    ...options,
    sandbox: { clock, ...options.sandbox },
    gateway: { clock, ...options.gateway },
  });
}

function describeGateway(
  url: string,
  sandbox: TestSandbox,
  key: string,
  stop: () => Promise<void>,
): TestGateway {
  const { all } = createQueries(sandbox.database);
  const [client] = all<{ account_id: number }>('SELECT account_id FROM client WHERE key = ?', key);

  async function ask<Data>(
    operation: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ) {
    const { body } = await queryGateway<Data>(url, operation, variables, headers);
    if (body.errors || !body.data) throw new Error(`The operation failed: ${JSON.stringify(body.errors)}`);
    return body.data;
  }
  function restCalls({ withToken } = { withToken: false }) {
    return sandbox.calls.list().filter(({ path }) => withToken || path !== TOKEN_PATH);
  }

  return {
    url,
    sandbox,
    accountId: client?.account_id ?? 0,
    query: (operation, variables, headers) => queryGateway(url, operation, variables, headers),
    ask: (operation, variables) => ask(operation, variables),
    restCalls,
    async count<Data>(operation: string, variables?: Readonly<Record<string, unknown>>) {
      sandbox.calls.reset();
      const data = await ask<Data>(operation, variables, { 'Cache-Control': 'no-cache' });
      return { data, calls: restCalls().map(({ pathTemplate }) => pathTemplate) };
    },
    sql: all,
    stop,
  };
}

export async function queryGateway<Data>(
  url: string,
  operation: string,
  variables: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlResponse<Data>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query: operation, variables }),
  });
  const body = (await response.json()) as GraphqlBody<Data>;
  return { status: response.status, headers: response.headers, body };
}

/** One of the operations of the explorer, from its file. */
export function readOperation(name: string): Promise<string> {
  return readFile(new URL(`../../explorer/operations/${name}.graphql`, import.meta.url), 'utf8');
}

/** The item, which must exist. */
export function required<Value>(value: Value | null | undefined, what = 'value'): Value {
  if (value === null || value === undefined) throw new Error(`The ${what} is missing.`);
  return value;
}

/** Unix seconds in the form of the platform and the graph. */
export function toText(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The stream of the gateway's account with the most samples of a kind. */
export function fullestStream({ sql, accountId }: TestGateway, kind: 'scalar' | 'image' | 'rfid'): number {
  const [row] = sql<{ id: number }>(
    `SELECT stream_id AS id FROM ${kind}_sample JOIN stream s ON s.id = stream_id WHERE account_id = ?
     GROUP BY stream_id ORDER BY count(*) DESC, stream_id LIMIT 1`,
    accountId,
  );
  return required(row, `stream of ${kind} samples`).id;
}

export interface LastSample {
  value: number | null;
  sampledAt: string;
}

/** A stream's newest number in the form of the graph, from the sandbox's rows. */
export function lastSample({ sql }: TestGateway, streamId: number): LastSample | null {
  const [row] = sql<{ value: number | string; sample_date: number }>(
    'SELECT value, sample_date FROM scalar_sample WHERE stream_id = ? ORDER BY sample_date DESC, id DESC LIMIT 1',
    streamId,
  );
  if (!row) return null;
  const value = typeof row.value === 'number' ? Number(row.value.toFixed(4)) : null;
  return { value, sampledAt: toText(row.sample_date) };
}
