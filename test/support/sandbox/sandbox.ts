/** Starts sandboxes for tests, and calls them with every response checked against their OpenAPI document. */
import type { SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { cleanUpAfterFile } from '../cleanUp.js';
import { runningClock, testStartMs } from '../runningClock.js';
import { createResponseCheck, type FoundOperation, listOperations, type OpenApiDocument } from './openapi.js';
import { createTestSandbox, type TestSandbox } from './testSandbox.js';

const open = new Set<TestSandbox>();

cleanUpAfterFile(async () => {
  await Promise.all([...open].map((sandbox) => sandbox.close()));
  open.clear();
});

/** A small sandbox on a free port, at `runningClock`, that appends no samples; closed after the file's tests. */
export async function startSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const small = { siteCount: 12, historyDays: 1, simulatorIntervalMs: false as const, clock: runningClock };
  const sandbox = await createTestSandbox({ ...small, ...options });
  open.add(sandbox);
  return sandbox;
}

/** A clock that the test moves; a negative number sets it back. */
export function createTestClock(startMs = testStartMs()) {
  let now = startMs;
  let monotonicNow = startMs;
  return {
    now: () => now,
    monotonicNow: () => monotonicNow,
    advance(ms: number) {
      now += ms;
      monotonicNow += Math.max(0, ms);
    },
  };
}

export function basic(key: string, secret: string): string {
  return `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
}

export function requestToken(url: string, key: string, secret: string): Promise<Response> {
  return fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: {
      Authorization: basic(key, secret),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
}

export async function tokenFor(url: string, key: string, secret: string): Promise<string> {
  const response = await requestToken(url, key, secret);
  return ((await response.json()) as { access_token: string }).access_token;
}

interface ApiResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Values = Record<string, string | number | boolean | undefined>;

interface ApiOptions {
  url: string;
  document: OpenApiDocument;
  key: string;
  secret: string;
  isStrict?: boolean;
}

/** The path and query of an operation's parameters. */
function addressOf({ path, parameters = [] }: FoundOperation, values: Values): string {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: place } of parameters) {
    const value = values[name];
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${address}?${query}` : address;
}

/** A client by operation id; it records its successful calls. */
export async function createApi({ url, document, key, secret, isStrict = true }: ApiOptions) {
  const operations = new Map(listOperations(document).map((one) => [one.operationId, one]));
  const check = createResponseCheck(document, isStrict);
  const exercised = new Set<string>();
  const token = await tokenFor(url, key, secret);

  async function call<Body>(
    operationId: string,
    values: Values = {},
    json?: unknown,
  ): Promise<ApiResponse<Body>> {
    const operation = operations.get(operationId);
    if (!operation) throw new Error(`There is no operation ${operationId}.`);
    const response = await fetch(url + addressOf(operation, values), {
      method: operation.method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: json === undefined ? null : JSON.stringify(json),
    });
    const text = await response.text();
    const body = text === '' ? undefined : JSON.parse(text);
    check(operation, response.status, body);
    if (response.ok) exercised.add(operationId);
    return { status: response.status, headers: response.headers, body };
  }

  /** The body of a call that must succeed. */
  async function get<Body>(operationId: string, values: Values = {}): Promise<Body> {
    const { status, body } = await call<Body>(operationId, values);
    if (status !== 200) throw new Error(`${operationId} responded with ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  return { call, get, exercised, operations, token, url };
}

export type Api = Awaited<ReturnType<typeof createApi>>;

export async function readDocument(url: string): Promise<OpenApiDocument> {
  const response = await fetch(`${url}/openapi.json`);
  return (await response.json()) as OpenApiDocument;
}

/** A sandbox with a client of each of its accounts. */
export async function startSandboxWithApis(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  const document = await readDocument(sandbox.url);
  const [first, second] = sandbox.credentials;
  const api = await createApi({ url: sandbox.url, document, ...first });
  const neighbour = await createApi({ url: sandbox.url, document, ...second });
  return { sandbox, document, api, neighbour };
}
