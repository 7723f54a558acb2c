/** A resilient transport with a sandbox, for tests of its behaviour when the sandbox fails. */
import { afterEach, beforeAll, expect, vi } from 'vitest';
import { GatewayError } from '../../../src/errors.js';
import { silentLogger } from '../../../src/lib/logger.js';
import type { ResilienceLimits } from '../../../src/rest/resilience/resilienceLimits.js';
import { ResilientTransport } from '../../../src/rest/resilience/resilientTransport.js';
import type { PlatformRequest } from '../../../src/rest/transport/platformRequest.js';
import { createTransport } from '../../../src/rest/transport/transport.js';
import { createRandom } from '../random.js';
import { runningClock } from '../runningClock.js';
import { basic, startSandbox } from '../sandbox/sandbox.js';
import { WAIT_MS } from '../waiting.js';

export const SITES = '/v2.0/site';
export const DEVICES = '/v2.0/device';
export const SITE_ATTRIBUTES = '/v2.0/site/customAttributes';
const TOKENS = '/auth/token';

interface ResilienceOptions {
  limits?: Partial<ResilienceLimits>;
  maxBodyBytes?: number;
  /** The address of a server other than the sandbox. */
  url?: string;
  /** Really waits; otherwise waits are recorded and move the clock. */
  isWaiting?: boolean;
}

/** Sockets of this process, both ends, without idle ones of clients. */
export function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

export async function untilSocketsAreClosed(): Promise<void> {
  await vi.waitFor(() => expect(openSockets()).toBe(0), { timeout: WAIT_MS, interval: 5 });
}

/** The status of the response, or the code of the error. */
export async function send(platform: ResilientTransport, request: PlatformRequest): Promise<number | string> {
  return platform.send(request).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
  );
}

/** The error of a failed request. */
export async function failureOf(
  platform: ResilientTransport,
  request: PlatformRequest,
): Promise<GatewayError> {
  const result: unknown = await platform.send(request).catch((error: unknown) => error);
  if (result instanceof GatewayError) return result;
  throw new Error(`There was no error but ${JSON.stringify(result)}.`);
}

export function askToken(): PlatformRequest {
  const type = 'application/x-www-form-urlencoded';
  const headers = { Authorization: basic('sandbox', 'sandbox'), 'Content-Type': type };
  const body = 'grant_type=client_credentials';
  return { method: 'POST', template: TOKENS, path: TOKENS, headers, body };
}

/** One sandbox for a test file. After every test all is closed, and no socket may be open on either end. */
export async function startResilience() {
  const sandbox = await startSandbox({ siteCount: 3 });
  const open = new Set<ResilientTransport>();
  let token = '';

  function createPlatform(options: ResilienceOptions = {}) {
    const { limits, maxBodyBytes = 4_000_000, url = sandbox.url, isWaiting = false } = options;
    const sleptMs: number[] = [];
    let skippedMs = 0;
    const clock = { now: () => runningClock.now() + skippedMs };
    const skip = (ms: number) => {
      skippedMs += ms;
    };
    const sleep = async (ms: number) => {
      sleptMs.push(ms);
      skip(ms);
    };
    const platform = new ResilientTransport({
      transport: createTransport({ baseUrl: url, timeoutMs: 20_000, maxBodyBytes }),
      clock,
      random: createRandom(1).next,
      logger: silentLogger,
      ...(isWaiting ? {} : { sleep }),
      limits: { attemptTimeoutMs: 5_000, ...limits },
    });
    open.add(platform);
    sandbox.calls.reset();
    return { platform, clock, sleptMs, skip };
  }

  beforeAll(async () => {
    const { body } = await createPlatform().platform.send(askToken());
    token = JSON.parse(body.toString()).access_token;
  });

  afterEach(async () => {
    for (const platform of open) platform.close();
    open.clear();
    sandbox.faults.clear();
    await untilSocketsAreClosed();
  });

  function get(template: string, more: Partial<PlatformRequest> = {}): PlatformRequest {
    return {
      method: 'GET',
      template,
      path: template,
      headers: { Authorization: `Bearer ${token}` },
      ...more,
    };
  }

  function post(template: string): PlatformRequest {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    return { method: 'POST', template, path: template, headers, body: '{"attributes":[]}' };
  }

  return { sandbox, createPlatform, get, post };
}
