/** A whole gateway with a failing sandbox, checked for leaked resources and leaked secrets. */
import http from 'node:http';
import { expect } from 'vitest';
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import type { Clock } from '../../../src/lib/clock.js';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { expectReturnTo, holdings } from '../../faults/rows/resources.js';
import { type GraphqlBody, startGatewayFor } from '../gateway.js';
import { createRecordingLogger, type LogLine } from '../http/edgeGateway.js';
import { runningClock } from '../runningClock.js';
import { createTestSandbox, type TestSandbox } from '../sandbox/testSandbox.js';

export const KEY = 'fault-matrix-key';
export const SECRET = 'fault-matrix-secret';
export const TOKENS = '/auth/token';

export interface FaultResult<Data> extends GraphqlBody<Data> {
  /** With `X-Explain: 1`. */
  extensions?: { explain: Explained };
  httpStatus: number;
}

interface Explained {
  calls: { endpoint: string; origin: string }[];
  token: { remainingMilliseconds: number | null; requestsLeft: number };
}

interface AskOptions {
  headers?: Readonly<Record<string, string>>;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
}

export interface FaultGateway {
  sandbox: TestSandbox;
  url: string;
  clock: SkippingClock;
  lines: LogLine[];
  /** Fails if the response contains an address, a credential, a token or a stack. */
  ask<Data = unknown>(operation: string, options?: AskOptions): Promise<FaultResult<Data>>;
  /** The response status of an address of the gateway. */
  statusOf(path: string): Promise<number>;
  stop(): Promise<void>;
}

/** A platform, and the clock that it shares with its gateways. */
export interface FaultPlatform {
  sandbox: TestSandbox;
  clock: SkippingClock;
}

interface FaultGatewayOptions {
  /** Uses this platform, and leaves it running; absent: a separate sandbox. */
  platform?: FaultPlatform;
  sandbox?: SandboxOptions;
  gateway?: Partial<GatewayOptions>;
  /** Uses a platform at this address; the sandbox that is started here gets no calls. */
  platformUrl?: string;
  /** Whether `skip` moves the sandbox's clock together with the gateway's; it does by default. */
  sharesClock?: boolean;
}

interface SkippingClock extends Clock {
  /** Lets time pass; a negative number sets the clock back. */
  skip(ms: number): void;
  /** Sets the clock ahead or back, while no time passes. */
  set(byMs: number): void;
  /** Time passes by itself from now on. */
  run(): void;
  /** Time no longer passes by itself. */
  hold(): void;
}

/** Stands still, however slow the machine is, and can be moved in both directions. */
function createSkippingClock(): SkippingClock {
  let skippedMs = 0;
  let passedMs = 0;
  let heldAtMs: number | undefined = runningClock.now();
  let heldForMs = 0;
  const runningMs = () => heldAtMs ?? runningClock.now() - heldForMs;
  return {
    now: () => runningMs() + skippedMs,
    monotonicNow: () => runningMs() + passedMs,
    skip(ms) {
      skippedMs += ms;
      passedMs += Math.max(0, ms);
    },
    set(byMs) {
      skippedMs += byMs;
    },
    run() {
      heldForMs = runningClock.now() - runningMs();
      heldAtMs = undefined;
    },
    hold() {
      heldAtMs = runningMs();
    },
  };
}

const A_DAY_OF_SECONDS = 86_400;

/** Tokens live a day, so that they outlast cached responses. */
async function startFaultGateway(options: FaultGatewayOptions = {}): Promise<FaultGateway> {
  const { sandbox, clock } = options.platform ?? (await startFaultPlatform(options));
  const logger = createRecordingLogger();
  const { lines } = logger;
  const gateway = await startGatewayFor(
    { url: options.platformUrl ?? sandbox.url, key: KEY, secret: SECRET },
    { livePollMs: 250, logger, clock, ...options.gateway },
  );
  const { hostname } = new URL(options.platformUrl ?? sandbox.url);
  return {
    sandbox,
    url: gateway.url,
    clock,
    lines,
    async ask(operation, { headers = {}, signal } = {}) {
      const { status, text } = await send(gateway.url, operation, headers, signal);
      expectNothingSecret(text);
      expect(text).not.toContain(hostname);
      return { ...JSON.parse(text), httpStatus: status };
    },
    statusOf: async (path) => (await fetchOnce({ url: gateway.url + path })).status,
    async stop() {
      await gateway.stop();
      if (options.platform) sandbox.faults.clear();
      else await sandbox.close();
      for (const line of lines) expectNothingSecret(textOf(line));
    },
  };
}

export async function startFaultPlatform({
  sharesClock = true,
  sandbox,
}: FaultGatewayOptions = {}): Promise<FaultPlatform> {
  const clock = createSkippingClock();
  return { clock, sandbox: await startFaultSandbox({ ...(sharesClock && { clock }), ...sandbox }) };
}

/** Three sites, a day of samples, none after. */
export function startFaultSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  return createTestSandbox({
    siteCount: 3,
    historyDays: 1,
    simulatorIntervalMs: false,
    tokenLifetimeSeconds: A_DAY_OF_SECONDS,
    key: KEY,
    secret: SECRET,
    clock: runningClock,
    ...options,
  });
}

function expectNothingSecret(text: string): void {
  expect(text).not.toContain(SECRET);
  // Basic credentials, JSON web tokens, bearer tokens, code locations.
  expect(text).not.toContain(Buffer.from(`${KEY}:${SECRET}`).toString('base64'));
  expect(text).not.toMatch(/eyJ[\w-]+\.|Bearer ./);
  expect(text).not.toMatch(/"[^"]* at [^"]*\.[jt]s:\d/);
}

/** With the message of an error, and without its stack, which belongs in the log alone. */
function textOf({ fields, message }: LogLine): string {
  return JSON.stringify({ fields, message }, (_, value: unknown) => {
    if (!(value instanceof Error)) return value;
    const { stack: _stack, ...own } = { ...value, stack: '' };
    return { ...own, message: value.message, cause: value.cause };
  });
}

function send(
  url: string,
  query: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string }> {
  return fetchOnce({
    url: `${url}/graphql`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
    signal,
  });
}

interface OneRequest {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal | undefined;
}

/** On a separate connection, so that the test holds no socket when it counts those of the gateway. */
export function fetchOnce({ url, body, signal, ...options }: OneRequest): Promise<{
  status: number;
  text: string;
}> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { ...options, agent: false, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The expected error of a failed call; its `retryAfterMs` is an upper bound, absent if the error has none. */
export function expectFailure(
  { errors }: GraphqlBody<unknown>,
  failure: { code: string; retryable: boolean; retryAfterMs?: number },
): void {
  const { code, retryable, retryAfterMs, requestId, platform } = errors?.[0]?.extensions ?? {};
  expect({ code, retryable }).toEqual({ code: failure.code, retryable: failure.retryable });
  expect(retryAfterMs !== undefined).toBe(failure.retryAfterMs !== undefined);
  expect(retryAfterMs ?? 0).toBeLessThanOrEqual(failure.retryAfterMs ?? 0);
  expect(requestId).toEqual(expect.stringMatching(/./));
  for (const name of Object.keys(platform ?? {})) expect(['status', 'requestId']).toContain(name);
}

/** Runs in a separate gateway, which must leave no resources in use. */
export async function withFaultGateway(
  options: FaultGatewayOptions,
  run: (gateway: FaultGateway) => Promise<void>,
): Promise<void> {
  const before = holdings();
  const gateway = await startFaultGateway(options);
  try {
    await run(gateway);
  } finally {
    await gateway.stop();
  }
  await expectReturnTo(before);
}
