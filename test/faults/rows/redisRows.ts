/** The rows of a Redis that is down, hangs, is full or restarts, between two gateways that share it. */
import { expect, vi } from 'vitest';
import { isRedisAvailable, type RedisServer, startRedisServer } from '../../support/cache/redisServer.js';
import { findFreePort } from '../../support/freePort.js';
import {
  type FaultGateway,
  type FaultPlatform,
  startFaultPlatform,
  TOKENS,
  withFaultGateway,
} from '../../support/rest/faultGateway.js';
import { WAIT_MS } from '../../support/waiting.js';
import { expectReturnTo, holdings } from './resources.js';
import type { Scenario } from './row.js';

const SITES = '{ sites { totalCount } }';
const USERS = '{ users { totalCount } }';
const noCache = { headers: { 'Cache-Control': 'no-cache' } };
const skip = isRedisAvailable ? undefined : 'redis-server is not on the PATH';

async function absent(): Promise<void> {
  const redisUrl = `redis://127.0.0.1:${await findFreePort()}`;
  await withFaultGateway({ gateway: { redisUrl } }, async ({ sandbox, ask, lines }) => {
    expect((await ask(SITES)).errors).toBeUndefined();
    const before = holdings();
    for (let call = 0; call < 5; call++) expect((await ask(SITES)).errors).toBeUndefined();
    expect([sandbox.calls.countOf('/v2.0/site'), sandbox.calls.countOf(TOKENS)]).toEqual([1, 1]);
    await vi.waitFor(() => expect(linesAbout(lines)).toEqual(['warn Redis unavailable; retrying']), WAIT_MS);
    await expectReturnTo(before);
  });
}

function linesAbout(lines: FaultGateway['lines']): string[] {
  return lines
    .filter(({ message }) => message.startsWith('Redis'))
    .map(({ level, message }) => `${level} ${message}`);
}

type Pair = [FaultGateway, FaultGateway];

/** Two gateways with one platform and one Redis, and one token for both. */
async function withPair(
  run: (pair: Pair, server: RedisServer, platform: FaultPlatform) => Promise<void>,
): Promise<void> {
  const server = await startRedisServer();
  const platform = await startFaultPlatform();
  const options = { platform, gateway: { redisUrl: server.url } };
  try {
    await withFaultGateway(options, async (one) => {
      await untilConnected(one);
      // Opens the connection of this gateway before the sockets of the other one are counted.
      await one.ask(SITES);
      await withFaultGateway(options, async (other) => {
        await untilConnected(other);
        await other.ask(USERS);
        expect(platform.sandbox.calls.countOf(TOKENS)).toBe(1);
        await run([one, other], server, platform);
      });
    });
  } finally {
    await platform.sandbox.close();
    await server.stop();
  }
}

const untilConnected = ({ lines }: FaultGateway) =>
  vi.waitFor(() => expect(linesAbout(lines).at(-1)).toBe('info Redis connected'), WAIT_MS);

/** The other gateway responds from the entry that this one loaded, without a call. */
async function expectShared([one, other]: Pair, { sandbox, clock }: FaultPlatform): Promise<void> {
  clock.skip(7_200_000);
  sandbox.calls.reset();
  expect((await one.ask(SITES)).errors).toBeUndefined();
  await vi.waitFor(async () => {
    const { extensions } = await other.ask(SITES, { headers: { 'X-Explain': '1' } });
    expect(extensions?.explain.calls).toMatchObject([{ origin: 'cache' }]);
  }, WAIT_MS);
  expect(sandbox.calls.countOf(TOKENS)).toBe(0);
}

async function slow(): Promise<void> {
  await withPair(async (pair, server, platform) => {
    const [one, other] = pair;
    await expectShared(pair, platform);
    const before = holdings();
    server.pause();
    platform.sandbox.calls.reset();
    for (let call = 0; call < 5; call++) expect((await one.ask(USERS, noCache)).errors).toBeUndefined();
    expect((await other.ask(USERS)).errors).toBeUndefined();
    expect([platform.sandbox.calls.countOf('/v2.0/user'), platform.sandbox.calls.countOf(TOKENS)]).toEqual([
      6, 0,
    ]);
    server.resume();
    await untilConnected(one);
    await untilConnected(other);
    await expectReturnTo(before);
  });
}

async function full(): Promise<void> {
  await withPair(async (pair, server, platform) => {
    const [one, other] = pair;
    await expectShared(pair, platform);
    const before = holdings();
    await server.limitMemory(1);
    platform.sandbox.calls.reset();
    expect((await one.ask(USERS)).errors).toBeUndefined();
    expect((await other.ask(USERS)).errors).toBeUndefined();
    expect([platform.sandbox.calls.countOf('/v2.0/user'), platform.sandbox.calls.countOf(TOKENS)]).toEqual([
      2, 0,
    ]);
    platform.sandbox.revokeTokens();
    expect((await one.ask(USERS, noCache)).errors).toBeUndefined();
    expect(platform.sandbox.calls.countOf(TOKENS)).toBe(1);
    await server.limitMemory(0);
    await expectReturnTo(before);
  });
}

async function restarted(): Promise<void> {
  await withPair(async (pair, server, platform) => {
    const [one, other] = pair;
    await expectShared(pair, platform);
    const before = holdings();
    await server.kill();
    platform.sandbox.calls.reset();
    expect((await one.ask(USERS)).errors).toBeUndefined();
    expect((await other.ask(USERS)).errors).toBeUndefined();
    expect([platform.sandbox.calls.countOf('/v2.0/user'), platform.sandbox.calls.countOf(TOKENS)]).toEqual([
      2, 0,
    ]);
    await server.restart();
    await Promise.all(pair.map(untilConnected));
    await expectShared(pair, platform);
    await expectReturnTo(before);
  });
}

const unshared = 'each process makes its own calls, and a token request if it has no token';

export const redisRows: readonly Scenario[] = [
  {
    fault: 'Redis is down',
    sees: 'the response',
    calls: unshared,
    back: '—',
    run: absent,
  },
  {
    fault: 'Redis is slow, or hangs',
    sees: 'the response, at most 50 ms later for each lookup; after 3 late replies Redis is bypassed',
    calls: unshared,
    back: 'automatically, within 5 s',
    run: slow,
    skip,
  },
  { fault: 'Redis is full', sees: 'the response', calls: unshared, back: 'at once', run: full, skip },
  {
    fault: 'Redis restarts, empty',
    sees: 'the response',
    calls: unshared,
    back: 'automatically, within 5 s',
    run: restarted,
    skip,
  },
];
