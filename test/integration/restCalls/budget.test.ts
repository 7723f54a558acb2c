/** The maximum of REST calls for whole operations, token included, uncached and within the time to live. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../../src/gateway/gateway.js';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { queryGateway, startGatewayFor } from '../../support/gateway.js';
import { runningClock } from '../../support/runningClock.js';
import { createTestSandbox, type TestSandbox } from '../../support/sandbox/testSandbox.js';

let sandbox: TestSandbox;
let gateway: Gateway | undefined;

/** 50 sites, 100 devices, 400 channels, 200 scalar streams. */
beforeAll(async () => {
  sandbox = await createTestSandbox({
    siteCount: 50,
    historyDays: 1,
    simulatorIntervalMs: false,
    clock: runningClock,
    shape: { devicesPerSite: 2, channelsPerDevice: 4, scalarStreamsPerSite: 4 },
  });
  return () => sandbox.close();
});

afterEach(() => gateway?.stop());

/** A gateway with empty caches and without a token. */
async function startCold(): Promise<Gateway> {
  const [{ key, secret }] = sandbox.credentials;
  const operation = { ...defaultOperationLimits, maxAliases: 100, maxRootFields: 100 };
  return startGatewayFor({ url: sandbox.url, key, secret }, { callerLimits: { operation } });
}

async function ask(url: string, operation: string): Promise<{ calls: number; data: unknown }> {
  sandbox.calls.reset();
  const { body } = await queryGateway(url, operation);
  expect(body.errors).toBeUndefined();
  return { calls: sandbox.calls.total(), data: body.data };
}

const wholeFleet = (stream: string) => `{
  sites(first: 1000) { nodes {
    name organization { name } devices { name channels { name } } streams { name ${stream} }
  } }
}`;

const sitePage = `{
  site(id: "16801") {
    name organization { name } customAttributes { name value }
    devices { name channels { name streams { name } } }
    streams { name lastSample { value sampledAt } customAttributes { name value } }
  }
}`;

const aliases = (count: number, field: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field(index)} { name }`).join('\n')} }`;

function deviceIds(): number[] {
  const rows = sandbox.database.prepare('SELECT id FROM device ORDER BY id LIMIT 100').all();
  return rows.map((row) => (row as { id: number }).id);
}

/** Streams without a number in the last hour, of which each costs a call of its own: at some hours a site is offline. */
function silentStreams(): number {
  const since = Math.floor(runningClock.now() / 1000) - 3600;
  const [row] = sandbox.database
    .prepare(
      `SELECT count(*) AS count FROM stream s WHERE NOT EXISTS
        (SELECT 1 FROM scalar_sample p WHERE p.stream_id = s.id AND p.sample_date > ?)
        AND account_id = (SELECT account_id FROM client ORDER BY rowid LIMIT 1)`,
    )
    .all(since) as { count: number }[];
  return row?.count ?? 0;
}

describe('with 50 sites, 100 devices, 400 channels and 200 streams', () => {
  it.each([
    ['all sites, flat', 2, () => '{ sites(first: 1000) { nodes { name } } }'],
    ['all sites with organization, devices, channels, streams', 6, () => wholeFleet('')],
    ['the same with the last sample of every stream', 10, () => wholeFleet('lastSample { value }')],
    ["one site's page", 10, () => sitePage],
    ['14 aliases of the same device by id', 2, () => aliases(14, () => `device(id: "${deviceIds()[0]}")`)],
    ['100 devices by id', 3, () => aliases(100, (index) => `device(id: "${deviceIds()[index]}")`)],
  ])('%s: at most %i calls uncached, none cached', async (_, most, operation) => {
    gateway = await startCold();
    const cold = await ask(gateway.url, operation());
    const silent = operation().includes('lastSample') ? silentStreams() : 0;
    expect(cold.calls).toBeLessThanOrEqual(most + silent);
    const again = await ask(gateway.url, operation());
    expect(again).toEqual({ calls: 0, data: cold.data });
  });

  it('the counts match the shape', () => {
    const ofFirst = '(SELECT min(account_id) FROM client)';
    const count = (table: string) =>
      sandbox.database.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ${ofFirst}`).get() as {
        n: number;
      };
    expect(['site', 'device', 'channel', 'stream'].map((table) => count(table).n)).toEqual([
      50, 100, 400, 200,
    ]);
  });
});
