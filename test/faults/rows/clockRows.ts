/** The rows of a gateway whose clock is changed, while the platform's clock is not. */
import { expect } from 'vitest';
import {
  expectFailure,
  type FaultGateway,
  TOKENS,
  withFaultGateway,
} from '../../support/rest/faultGateway.js';
import { expectReturnTo, holdings } from './resources.js';
import type { Scenario } from './row.js';

const SITES = '{ sites { totalCount } }';
const NESTED = '{ devices(first: 1) { nodes { name lastLog { message } } } }';
const noCache = { 'Cache-Control': 'no-cache' };
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

const alone = { sharesClock: false, sandbox: { tokenLifetimeSeconds: 3600 } };

function expectCalls({ sandbox: { calls } }: FaultGateway, sites: number, tokens: number): void {
  expect([calls.countOf('/v2.0/site'), calls.countOf(TOKENS)]).toEqual([sites, tokens]);
  calls.reset();
}

/** After each change of the clock the sites take one call, and this number of token requests. */
async function expectCallsAfterChanges(jumpsMs: readonly number[], tokenCalls: number): Promise<void> {
  await withFaultGateway(alone, async (gateway) => {
    const { clock, ask } = gateway;
    const sound = await ask(SITES);
    const before = holdings();
    expectCalls(gateway, 1, 1);
    for (const jumpMs of jumpsMs) {
      clock.skip(jumpMs);
      expect(await ask(SITES)).toEqual(sound);
      expect(await ask(SITES)).toEqual(sound);
      expectCalls(gateway, 1, tokenCalls);
    }
    await expectReturnTo(before);
  });
}

const ahead = () => expectCallsAfterChanges([2 * HOUR, YEAR], 1);
const back = () => expectCallsAfterChanges([-2 * HOUR, -YEAR], 0);

async function backDuringPause(): Promise<void> {
  await withFaultGateway(alone, async (gateway) => {
    const { sandbox, clock, ask } = gateway;
    const sound = await ask(SITES);
    const before = holdings();
    sandbox.calls.reset();
    const limited = { code: 'PLATFORM_RATE_LIMITED', retryable: true, retryAfterMs: 60_000 };
    sandbox.faults.add({ match: '/v2.0/site', status: 429, retryAfter: 60, times: 1 });
    expectFailure(await ask(SITES, { headers: noCache }), limited);
    clock.skip(-2 * HOUR);
    expectFailure(await ask(SITES, { headers: noCache }), limited);
    expectCalls(gateway, 1, 0);
    clock.skip(60_000);
    expect(await ask(SITES, { headers: noCache })).toEqual(sound);
    await expectReturnTo(before);
  });
}

/** Sets the clock during the request for the devices. */
async function askDuringClockChange(jumpMs: number, { sandbox, clock, ask }: FaultGateway) {
  const remove = sandbox.faults.add({
    match({ pathTemplate }) {
      if (pathTemplate === '/v2.0/device') clock.set(jumpMs);
      return false;
    },
  });
  const result = await ask(NESTED, { headers: noCache });
  remove();
  return result;
}

async function aheadInTheMiddle(): Promise<void> {
  await withFaultGateway(alone, async (gateway) => {
    const { sandbox, ask } = gateway;
    const sound = await ask(NESTED);
    const before = holdings();
    sandbox.calls.reset();
    expect(await askDuringClockChange(HOUR, gateway)).toEqual(sound);
    expect(sandbox.calls.countOf(TOKENS)).toBe(1);
    expect(sandbox.calls.total()).toBe(3);
    expect(await ask(NESTED)).toEqual(sound);
    await expectReturnTo(before);
  });
}

async function backInTheMiddle(): Promise<void> {
  await withFaultGateway(alone, async (gateway) => {
    const { sandbox, ask } = gateway;
    const sound = await ask(NESTED);
    const before = holdings();
    sandbox.calls.reset();
    expect(await askDuringClockChange(-HOUR, gateway)).toEqual(sound);
    expect(sandbox.calls.total()).toBe(2);
    await expectReturnTo(before);
  });
}

export const clockRows: readonly Scenario[] = [
  {
    fault: 'The clock jumps ahead, by hours or a year',
    sees: 'the response',
    calls: '1 and 1 token request, because cache and token have expired',
    back: 'at once',
    run: ahead,
  },
  {
    fault: 'The clock is set back, by hours or a year',
    sees: 'the response',
    calls: '1: the cached data is discarded, the token stays in use',
    back: 'at once',
    run: back,
  },
  {
    fault: 'The clock is set back during a rate limit',
    sees: '`PLATFORM_RATE_LIMITED`, retryable, with the usual `retryAfterMs`',
    calls: '0',
    back: 'after the stated time',
    run: backDuringPause,
  },
  {
    fault: 'The clock jumps ahead during an operation',
    sees: 'the response',
    calls: '1 and 1 token request, because the token has expired',
    back: 'at once',
    run: aheadInTheMiddle,
  },
  {
    fault: 'The clock is set back during an operation',
    sees: 'the response',
    calls: '1',
    back: 'at once',
    run: backInTheMiddle,
  },
];
