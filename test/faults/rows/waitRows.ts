/** The rows of a platform that is slow, and of clients that disconnect. */
import { expect } from 'vitest';
import { until } from '../../support/http/edgeGateway.js';
import { expectFailure, type FaultGateway, withFaultGateway } from '../../support/rest/faultGateway.js';
import type { Fault, FaultTarget } from '../../support/sandbox/testSandbox.js';
import { expectReturnTo, holdings } from './resources.js';
import type { Scenario } from './row.js';

const OPERATION = '{ devices(first: 1) { nodes { name lastLog { message } } } }';
const LAST_LOG = '/v2.0/device/{deviceId}/lastLog';
const TWO_HOURS = 7_200_000;
const SEVEN_MINUTES = 420_000;
/** The part of the operation's 30 s that remains when the second call begins. */
const TIME_LEFT_MS = 500;

/** Matches the last log, and advances the gateway's clock during the request for the devices. */
function afterTime({ clock }: FaultGateway, passedMs: number) {
  return ({ pathTemplate }: FaultTarget) => {
    if (pathTemplate === '/v2.0/device') clock.skip(passedMs);
    return pathTemplate === LAST_LOG;
  };
}

async function hangs(fault: Fault): Promise<void> {
  await withFaultGateway({}, async (gateway) => {
    const { sandbox, clock, ask } = gateway;
    const sound = await ask(OPERATION);
    const before = holdings();
    const match = afterTime(gateway, 30_000 - TIME_LEFT_MS);
    const mend = sandbox.faults.add({ ...fault, match });
    clock.skip(TWO_HOURS);
    sandbox.calls.reset();
    const result = await ask(OPERATION);
    expect(result.data).toMatchObject({ devices: { nodes: [{ name: expect.any(String), lastLog: null }] } });
    expectFailure(result, { code: 'PLATFORM_TIMEOUT', retryable: true });
    expect([1, 2]).toContain(sandbox.calls.countOf(LAST_LOG));
    mend();
    expect(await ask(OPERATION)).toEqual(sound);
    await expectReturnTo(before);

    sandbox.faults.add({ ...fault, match });
    clock.skip(SEVEN_MINUTES);
    expect(await ask(OPERATION)).toEqual(sound);
    sandbox.faults.clear();
    await ask(OPERATION);
    await expectReturnTo(before);
  });
}

async function isSlow(): Promise<void> {
  await withFaultGateway({}, async (gateway) => {
    const { sandbox, clock, ask } = gateway;
    const sound = await ask(OPERATION);
    const before = holdings();
    const match = afterTime(gateway, 10_000);
    sandbox.faults.add({ match, latencyMs: 300 });
    clock.skip(TWO_HOURS);
    sandbox.calls.reset();
    expect(await ask(OPERATION)).toEqual(sound);
    expect([sandbox.calls.total(), sandbox.calls.countOf(LAST_LOG)]).toEqual([2, 1]);
    await expectReturnTo(before);
  });
}

async function callerLeaves(): Promise<void> {
  await withFaultGateway({}, async ({ sandbox, ask }) => {
    const sound = await ask(OPERATION);
    const before = holdings();
    const mend = sandbox.faults.add({ match: LAST_LOG, hangBeforeHeaders: true });
    const leaving = new AbortController();
    sandbox.calls.reset();
    const headers = { 'Cache-Control': 'no-cache' };
    const left = ask(OPERATION, { headers, signal: leaving.signal });
    await until(() => sandbox.calls.countOf(LAST_LOG) === 1);
    expect(holdings().sockets).toBeGreaterThan(before.sockets);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expectReturnTo(before);
    expect(sandbox.calls.countOf(LAST_LOG)).toBe(1);
    mend();
    expect(await ask(OPERATION, { headers })).toEqual(sound);
    await expectReturnTo(before);
  });
}

const timeout = '`PLATFORM_TIMEOUT`, retryable; the stale response if one is cached';
const withinTime = 'at most 2: an attempt ends after 15 s, the operation after 30 s';

export const waitRows: readonly Scenario[] = [
  {
    fault: 'A hang before the headers',
    sees: timeout,
    calls: withinTime,
    back: 'at once',
    run: () => hangs({ hangBeforeHeaders: true }),
  },
  {
    fault: 'A hang in the middle of the body',
    sees: timeout,
    calls: withinTime,
    back: 'at once',
    run: () => hangs({ hangAfterBytes: 10 }),
  },
  { fault: 'A latency of 10 s', sees: 'the response, 10 s later', calls: '1', back: 'at once', run: isSlow },
  {
    fault: 'The client disconnects',
    sees: 'no response',
    calls: '1, and its socket is closed',
    back: 'at once',
    run: callerLeaves,
  },
];
