/** The rows of a platform that is down or keeps failing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findFreePort } from '../../support/freePort.js';
import {
  expectFailure,
  type FaultGateway,
  startFaultSandbox,
  TOKENS,
  withFaultGateway,
} from '../../support/rest/faultGateway.js';
import { expectReturnTo, holdings } from './resources.js';
import type { Scenario } from './row.js';

const SITES = '{ sites { totalCount } }';
const USERS = '{ users { totalCount } }';
const unavailable = { code: 'PLATFORM_UNAVAILABLE', retryable: true };
const SEVEN_MINUTES = 420_000;

async function requestsLeft({ ask }: FaultGateway): Promise<number> {
  const { extensions } = await ask(SITES, { headers: { 'X-Explain': '1' } });
  return extensions?.explain.token.requestsLeft ?? Number.NaN;
}

async function downAtStart(): Promise<void> {
  const port = await findFreePort();
  await withFaultGateway({ platformUrl: `http://127.0.0.1:${port}` }, async (gateway) => {
    const { ask, clock, statusOf } = gateway;
    expectFailure(await ask(SITES), { ...unavailable, retryAfterMs: 1000 });
    expect(await requestsLeft(gateway)).toBe(14);
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
    expect(await requestsLeft(gateway)).toBe(14);
    const platform = await startFaultSandbox({ port, clock });
    try {
      clock.skip(1000);
      expect(await ask(SITES)).toMatchObject({ data: { sites: { totalCount: 3 } } });
      expect(await statusOf('/readyz')).toBe(200);
      expect([platform.calls.countOf('/v2.0/site'), platform.calls.countOf(TOKENS)]).toEqual([1, 1]);
    } finally {
      await platform.close();
    }
  });
}

async function downLater(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'fault-'));
  const databaseFile = join(directory, 'platform.db');
  try {
    await withFaultGateway({ sandbox: { databaseFile } }, async ({ sandbox, clock, ask, lines }) => {
      const sites = await ask(SITES);
      const before = holdings();
      await sandbox.close();
      clock.skip(SEVEN_MINUTES);
      expect(await ask(SITES)).toEqual(sites);
      lines.splice(0);
      expectFailure(await ask(USERS), unavailable);
      expect(lines.filter(({ message }) => message === 'Retrying a REST call')).toHaveLength(2);
      const port = Number(new URL(sandbox.url).port);
      const again = await startFaultSandbox({ databaseFile, port, clock });
      try {
        expect(await ask(SITES)).toEqual(sites);
        expect(await ask(USERS)).toMatchObject({ data: { users: { totalCount: expect.any(Number) } } });
        expect(again.calls.countOf(TOKENS)).toBe(0);
        await expectReturnTo(before);
      } finally {
        await again.close();
      }
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function keepsFailing(): Promise<void> {
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    await ask(SITES);
    const before = holdings();
    const headers = { 'Cache-Control': 'no-cache' };
    const mend = sandbox.faults.add({ match: 'GET /v2.0/user', status: 500 });
    for (let call = 0; call < 20; call++) expectFailure(await ask(USERS, { headers }), unavailable);
    expect(sandbox.calls.countOf('/v2.0/user')).toBe(20);
    expectFailure(await ask(USERS, { headers }), { ...unavailable, retryAfterMs: 5000 });
    expect(sandbox.calls.countOf('/v2.0/user')).toBe(20);
    expect((await ask(SITES, { headers })).errors).toBeUndefined();
    mend();
    clock.skip(5000);
    expect((await ask(USERS, { headers })).errors).toBeUndefined();
    expect(sandbox.calls.countOf('/v2.0/user')).toBe(21);
    await expectReturnTo(before);
  });
}

export const outageRows: readonly Scenario[] = [
  {
    fault: 'The platform is down at the start',
    sees: '`PLATFORM_UNAVAILABLE`, retryable, with `retryAfterMs`; `/healthz` 200, `/readyz` 503',
    calls: '0; token requests 1 s, 2 s, 4 s, … 2 min apart',
    back: 'at the next token request',
    run: downAtStart,
  },
  {
    fault: 'The platform goes down later',
    sees: '`PLATFORM_UNAVAILABLE`, retryable; the stale response if one is cached',
    calls: '3 attempts, none arrives; no token request',
    back: 'at once',
    run: downLater,
  },
  {
    fault: 'An endpoint family keeps failing: half of at least 20 calls in 10 s',
    sees: '`PLATFORM_UNAVAILABLE`, retryable, with `retryAfterMs`; other families work',
    calls: '0 while its circuit is open, then 1 probe',
    back: 'after 5 s',
    run: keepsFailing,
  },
];
