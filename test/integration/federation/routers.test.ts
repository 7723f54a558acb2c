/**
 * Routers in front of the gateway and a second subgraph: queries across both, writes, errors, restricted callers, and a
 * subscription.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { fullestStream, queryGateway, required, STILL_NOW_MS } from '../../support/gateway.js';
import {
  dataOf,
  type RestrictedGateway,
  startRestrictedGateway,
} from '../../support/http/restrictedGateway.js';
import { startTraceCollector, type TraceCollector, tracingTo } from '../../support/http/traceCollector.js';
import {
  startWarrantySubgraph,
  type WarrantySubgraph,
  warrantySdl,
} from '../../support/http/warrantySubgraph.js';
import { WAIT_MS } from '../../support/waiting.js';

const WAIT = { timeout: WAIT_MS, interval: 200 };

let gateway: RestrictedGateway;
let collector: TraceCollector;
let warranty: WarrantySubgraph;
let supergraphSdl: string;
let routers: Routers;
let repairs: string[];

beforeAll(async () => {
  collector = await startTraceCollector();
  gateway = await startRestrictedGateway({ isSubgraph: true, tracing: tracingTo(collector.url) });
  const rows = gateway.sql<{ serial_number: string }>(
    `SELECT serial_number FROM device WHERE site_id IN (SELECT id FROM site WHERE account_organization_id IN (310, 312))
     ORDER BY id LIMIT 6`,
  );
  repairs = rows.map(({ serial_number }) => serial_number);
  warranty = await startWarrantySubgraph(repairs, required(gateway.idsOf('Site')[0]));
  const { _service } = dataOf(
    await gateway.askAs<{ _service: { sdl: string } }>('*', '{ _service { sdl } }'),
  );
  const composed = composeServices([
    { name: 'fieldgraph', url: `${gateway.url}/graphql`, typeDefs: parse(_service.sdl) },
    { name: 'warranty', url: warranty.url, typeDefs: parse(warrantySdl) },
  ]);
  stops.push(warranty.stop);
  supergraphSdl = required(composed.supergraphSdl);
  routers = await startRouters();
});

const stops: (() => unknown)[] = [];

afterAll(() => {
  for (const stop of stops) stop();
});

/** The addresses of the routers. `hiveSocket`: Hive Gateway that receives subscriptions over a websocket. */
type Routers = Record<'hive' | 'hiveSocket' | 'apollo', string>;

async function startRouters(): Promise<Routers> {
  const script = fileURLToPath(new URL('../../support/http/routers.js', import.meta.url));
  const routers = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  stops.push(() => routers.kill('SIGKILL'));
  routers.stdin.end(supergraphSdl);
  const [line] = (await once(createInterface(routers.stdout), 'line')) as [string];
  return JSON.parse(line) as Routers;
}

const ACROSS = '{ devicesInRepair { serialNumber warrantyYears name site { id name inspections } } }';

interface InRepair {
  serialNumber: string;
  warrantyYears: number;
  name: string | null;
  site: { id: string; name: string; inspections: string[] } | null;
}

/** The expected response of the router: the gateway's own devices, each with the fields of the other subgraph. */
async function expectedRepairs(): Promise<InRepair[]> {
  const query = `query ($serialNumber: String!) {
    deviceBySerialNumber(serialNumber: $serialNumber) { name site { id name } } }`;
  return Promise.all(
    repairs.map(async (serialNumber) => {
      const body = await gateway.askAs<{ deviceBySerialNumber: InRepair }>('*', query, { serialNumber });
      const { name, site } = dataOf(body).deviceBySerialNumber;
      const inspections = [`Inspection of ${site?.id}`];
      return {
        serialNumber,
        warrantyYears: serialNumber.length,
        name,
        site: site && { ...site, inspections },
      };
    }),
  );
}

async function ask<Data>(url: string, query: string, authorization?: string) {
  const headers = { authorization: authorization ?? `Bearer ${await gateway.tokenOf('*')}` };
  return (await queryGateway<Data>(url, query, {}, headers)).body;
}

describe.each(['hive', 'apollo'] as const)('the router %s in front', (router) => {
  const askRouter = <Data>(query: string, authorization?: string) =>
    ask<Data>(routers[router], query, authorization);

  it('executes a query across both subgraphs, with one batch of representations for each', async () => {
    warranty.requests.length = 0;
    const { devicesInRepair } = dataOf(await askRouter<{ devicesInRepair: InRepair[] }>(ACROSS));
    expect(devicesInRepair).toEqual(await expectedRepairs());
    expect(warranty.requests).toHaveLength(1);
  });

  it('extends entities of the gateway with fields of the other subgraph', async () => {
    const { sites } = dataOf(
      await askRouter<{ sites: { nodes: { id: string; inspections: string[] }[] } }>(
        '{ sites(first: 5) { nodes { id inspections devices { serialNumber warrantyYears } } } }',
      ),
    );
    expect(sites.nodes).toHaveLength(5);
    for (const { id, inspections } of sites.nodes) expect(inspections).toEqual([`Inspection of ${id}`]);
  });

  it('writes', async () => {
    const token = await gateway.issuer.sign({ scope: 'read write' }, {}, STILL_NOW_MS);
    const [siteId] = gateway.idsOf('Site');
    const body = await askRouter<{ write: { userErrors: unknown[]; sites: unknown[] } }>(
      `mutation { write: setSiteCustomAttributes(
        input: { attributes: [{ siteId: "${siteId}", name: "Asset owner", value: "${router}" }] }
      ) { userErrors { code } sites { id inspections customAttributes { name value } } } }`,
      `Bearer ${token}`,
    );
    expect(dataOf(body).write).toMatchObject({
      userErrors: [],
      sites: [
        {
          id: siteId,
          inspections: [`Inspection of ${siteId}`],
          customAttributes: expect.arrayContaining([{ name: 'Asset owner', value: router }]) as unknown,
        },
      ],
    });
  });

  it('passes on errors with their codes, beside the data of the other subgraph', async () => {
    const query = '{ devicesInRepair { serialNumber site { id } } }';
    const { data, errors } = await askRouter<{ devicesInRepair: InRepair[] }>(query, 'Bearer wrong');
    expect(data?.devicesInRepair).toEqual(repairs.map((serialNumber) => ({ serialNumber, site: null })));
    expect(errors?.map(({ extensions }) => extensions.code)).toContain('UNAUTHENTICATED');
  });

  it('passes on the error of a refused operation', async () => {
    const samples = 'samples(first: 1000) { nodes { id } }';
    const fields = `${'site { streams { '.repeat(4)}${samples}${' } }'.repeat(4)}`;
    const { errors } = await askRouter(`{ streams(first: 1000) { nodes { ${fields} } } }`);
    const [extensions] = (errors ?? []).map((error): object => error.extensions);
    const refusal = { extensions: { code: 'COST_TOO_HIGH' } };
    expect(extensions).toMatchObject(
      router === 'hive' ? refusal.extensions : { response: { status: 400, body: { errors: [refusal] } } },
    );
  });

  it('shows restricted callers only their organizations', async () => {
    const token = await gateway.tokenOf([310]);
    const query = '{ devicesInRepair { serialNumber site { id } } }';
    const { devicesInRepair } = dataOf(
      await askRouter<{ devicesInRepair: InRepair[] }>(query, `Bearer ${token}`),
    );
    const all = await expectedRepairs();
    const isVisible = ({ site }: InRepair) => site !== null && gateway.ownerOf(site.id) === 310;
    const visible = all.filter(isVisible);
    expect(devicesInRepair).toEqual(
      all.map((device) => ({
        serialNumber: device.serialNumber,
        site: isVisible(device) ? { id: device.site?.id } : null,
      })),
    );
    expect(visible.length).toBeGreaterThan(0);
    expect(visible.length).toBeLessThan(all.length);
  });
});

it('Hive Gateway passes on the trace of the client', async () => {
  const traceId = 'c0ffee'.padEnd(32, '1');
  const headers = {
    authorization: `Bearer ${await gateway.tokenOf('*')}`,
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    tracestate: 'vendor=value',
  };
  dataOf((await queryGateway(routers.hive, '{ sites { totalCount } }', {}, headers)).body);
  const roots = await vi.waitFor(() => {
    const spans = collector.spans().filter((span) => span.traceId === traceId && span.kind === 2);
    expect(spans).not.toEqual([]);
    return spans;
  }, WAIT);
  expect(roots).toMatchObject([{ parentSpanId: '00f067aa0ba902b7', traceState: 'vendor=value' }]);
});

it('Hive Gateway delivers deferred fields of both subgraphs', async () => {
  const response = await fetch(`${routers.hive}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'multipart/mixed',
      Authorization: `Bearer ${await gateway.tokenOf('*')}`,
    },
    body: JSON.stringify({ query: '{ sites(first: 1) { nodes { id ... @defer { name inspections } } } }' }),
  });
  const parts = (await response.text()).match(/^\{.*\}$/gm) ?? [];
  const [id] = gateway.idsOf('Site');
  expect(parts.map((part): unknown => JSON.parse(part))).toEqual([
    { data: { sites: { nodes: [{ id }] } }, hasNext: true },
    {
      incremental: [
        {
          data: { name: expect.any(String) as string, inspections: [`Inspection of ${id}`] },
          path: ['sites', 'nodes', 0],
        },
      ],
      hasNext: false,
    },
  ]);
});

it.each([
  ['server-sent events', 'hive'],
  ['a websocket', 'hiveSocket'],
] as const)(
  'a subscription arrives through Hive Gateway by %s, with fields of both subgraphs',
  async (_, router) => {
    const response = await fetch(`${routers[router]}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
        Authorization: `Bearer ${await gateway.tokenOf('*')}`,
      },
      body: JSON.stringify({
        query: 'subscription { sampleReceived(kinds: [SCALAR]) { id stream { site { id inspections } } } }',
      }),
    });
    const reader = required(response.body).pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    const reading = (async () => {
      for (let isDone = false; !isDone && !received.includes('sampleReceived'); ) {
        const { value = '', done } = await reader.read();
        received += value;
        isDone = done;
      }
    })();
    await vi.waitFor(() => {
      appendSample();
      expect(received).toContain('sampleReceived');
    }, WAIT);
    await reading;
    await reader.cancel();
    const [, data = ''] = /data: (.*)/.exec(received) ?? [];
    const { id, stream } = (
      JSON.parse(data) as {
        data: { sampleReceived: { id: string; stream: { site: { id: string; inspections: string[] } } } };
      }
    ).data.sampleReceived;
    expect(id).toMatch(/^ScalarSample:/);
    expect(stream.site.inspections).toEqual([`Inspection of ${stream.site.id}`]);
  },
);

/** The platform gets one more sample of the stream with the most samples. */
function appendSample(): void {
  createQueries(gateway.sandbox.database).run(
    'INSERT INTO scalar_sample (stream_id, sample_date, value) VALUES (?, ?, ?)',
    fullestStream(gateway, 'scalar'),
    Math.floor(STILL_NOW_MS / 1000),
    '1.0',
  );
}
