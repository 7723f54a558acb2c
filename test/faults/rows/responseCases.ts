/** Runs the fault rows of single responses, with an empty cache and with a stale entry. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectFailure,
  type FaultGateway,
  type FaultPlatform,
  type FaultResult,
  startFaultPlatform,
  TOKENS,
  withFaultGateway,
} from '../../support/rest/faultGateway.js';
import type { Fault } from '../../support/sandbox/testSandbox.js';
import { expectReturnTo, holdings } from './resources.js';
import type { ResponseRow } from './responseRows.js';
import type { Calls, FieldResult } from './row.js';

/** For the failure of one endpoint, its call follows a call that succeeds. */
const operations = {
  one: '{ devices(first: 1) { nodes { name lastLog { message } } } }',
  all: '{ devices(first: 1) { nodes { name } } }',
};
const DEVICES = '/v2.0/device';
const LAST_LOG = '/v2.0/device/{deviceId}/lastLog';

interface Device {
  name: string;
  lastLog?: object | null;
}

type DeviceResult = FaultResult<{ devices: { nodes: Device[] } | null }>;

/** After two hours every cached response is unusable; after seven minutes it is stale. */
const TWO_HOURS = 7_200_000;
const SEVEN_MINUTES = 420_000;

type Place = 'one' | 'all';

const failing = { one: LAST_LOG, all: DEVICES };
const matchOf = { one: { match: LAST_LOG }, all: {} };

function placeOf({ data }: DeviceResult, place: Place): unknown {
  return place === 'all' ? data?.devices : data?.devices?.nodes[0]?.lastLog;
}

/** The empty value of the part that needed the failing call. */
const emptyParts = { one: null, all: { nodes: [] } };

function expectResult(response: DeviceResult, sound: DeviceResult, place: Place, result: FieldResult): void {
  expect(response.httpStatus).toBe(200);
  if (place === 'one')
    expect(response.data?.devices?.nodes[0]?.name).toBe(sound.data?.devices?.nodes[0]?.name);
  if (result === 'stale') {
    expect(response).toEqual(sound);
  } else if (result === 'nothing') {
    expect(response.errors).toBeUndefined();
    expect(placeOf(response, place)).toEqual(emptyParts[place]);
  } else {
    expect(placeOf(response, place)).toBeNull();
    expect(response.errors?.map(({ path }) => path?.at(-1))).toEqual([
      place === 'all' ? 'devices' : 'lastLog',
    ]);
    expectFailure(response, result);
  }
}

function expectCalls({ sandbox: { calls } }: FaultGateway, place: Place, expected: Calls): void {
  const { data, tokens, probes = 0 } = expected;
  expect({ data: calls.countOf(failing[place]), tokens: calls.countOf(TOKENS) }).toEqual({ data, tokens });
  expect(calls.total()).toBe(data + probes + tokens + (place === 'one' ? 1 : 0));
}

interface Case {
  platform: FaultPlatform;
  row: ResponseRow;
  fault: Fault;
  place: Place;
  ageMs: number;
  result: FieldResult;
}

async function runCase({ platform, row, fault, place, ageMs, result }: Case): Promise<void> {
  await withFaultGateway({ platform }, async (gateway) => {
    const { sandbox, clock } = gateway;
    const ask = (headers = {}) =>
      gateway.ask<{ devices: { nodes: Device[] } | null }>(operations[place], { headers });
    const sound = await ask();
    expect(placeOf(sound, place)).toMatchObject(
      place === 'all' ? { nodes: [{}] } : { message: expect.any(String) },
    );
    const before = holdings();

    clock.skip(ageMs);
    const mend = sandbox.faults.add({ ...fault, ...matchOf[place] });
    sandbox.calls.reset();
    if (row.waits) clock.run();
    expectResult(await ask(), sound, place, result);
    expectCalls(gateway, place, row.calls);
    clock.hold();

    mend();
    clock.skip(row.backAfterMs);
    expect(await ask({ 'Cache-Control': 'no-cache' })).toEqual(sound);
    await expectReturnTo(before);
  });
}

/** Called once per file, because all rows of a file share one sandbox. */
export function describeResponseRows(rows: readonly ResponseRow[]): void {
  let platform: FaultPlatform;

  beforeAll(async () => {
    platform = await startFaultPlatform();
  });

  afterAll(() => platform.sandbox.close());

  describe.each(rows)('$fault, on $on', (row) => {
    const cases = row.on.flatMap((place) => row.faults.map((fault) => ({ row, fault, place })));

    it.each(cases)('returns the documented result for $place with an empty cache: $fault', async (one) => {
      await runCase({ ...one, platform, ageMs: TWO_HOURS, result: row.uncached });
    });

    it.each(cases)(
      'returns the documented result for $place with a stale entry in the cache: $fault',
      async (one) => {
        await runCase({ ...one, platform, ageMs: SEVEN_MINUTES, result: row.cached });
      },
    );
  });
}
