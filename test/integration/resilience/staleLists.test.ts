/** In an outage, single objects come from stale lists, and last samples from stale batches. */
import { expect, it } from 'vitest';
import { expectFailure, type FaultGateway, withFaultGateway } from '../../support/rest/faultGateway.js';
import { addSamples, evenly } from '../../support/samples/generatedStream.js';

const LISTS =
  '{ sites(first: 1) { nodes { id name devices { id name serialNumber channels { id name } } streams { id name } } } streams(first: 1000) { nodes { id name } } }';

const unavailable = { code: 'PLATFORM_UNAVAILABLE', retryable: true };

interface Lists {
  sites: { nodes: { id: string; name: string; devices: { serialNumber: string }[]; streams: object[] }[] };
  streams: { nodes: { id: string; name: string }[] };
}

it('a single object is a stale one from its list while the platform is down', async () => {
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    const { data } = await ask<Lists>(LISTS);
    const [site] = data?.sites.nodes ?? [];
    const stream = data?.streams.nodes.at(-1);
    await ask('{ devices { totalCount } }');
    await sandbox.close();
    clock.skip(420_000);
    const device = site?.devices[0];
    const operation = `{
      site(id: "${site?.id}") { id name devices { id name serialNumber channels { id name } } streams { id name } }
      stream(id: "${stream?.id}") { id name }
      deviceBySerialNumber(serialNumber: "${device?.serialNumber}") { serialNumber } }`;
    const explained = await ask(operation, { headers: { 'X-Explain': '1' } });
    const deviceBySerialNumber = { serialNumber: device?.serialNumber };
    expect(explained).toMatchObject({ data: { site, stream, deviceBySerialNumber } });
    expect(explained.errors).toBeUndefined();
    const origins = explained.extensions?.explain.calls.map(({ origin }) => origin) ?? [];
    expect(new Set(origins)).toEqual(new Set(['network', 'stale']));
    // The list may be older than the object, or older than the client accepts.
    expectFailure(await ask('{ site(id: "Site:999999") { name } }'), unavailable);
    const fresh = { headers: { 'Cache-Control': 'no-cache' } };
    expectFailure(await ask(operation, fresh), unavailable);
    clock.skip(3_600_000);
    expectFailure(await ask(operation), unavailable);
  });
});

it('a parent without items in a stale list may be newer than the list, so its items are unknown', async () => {
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    const edit = (json: unknown) =>
      (json as { site_id: number }[]).filter(({ site_id }) => site_id !== newId);
    const { data: before } = await ask<Lists>('{ sites(first: 1) { nodes { id } } }');
    const newId = Number(before?.sites.nodes[0]?.id.replace('Site:', ''));
    sandbox.faults.add({ match: 'GET /v2.0/stream', edit });
    await ask('{ streams { totalCount } }');
    clock.skip(70_000);
    const site = `site(id: ${newId})`;
    const { data } = await ask<{ site: { name: string } }>(`{ ${site} { name } }`);
    await sandbox.close();
    const result = await ask(`{ ${site} { name streams { id } } }`);
    expect(result.data).toEqual({ site: { ...data?.site, streams: null } });
    expectFailure(result, unavailable);
  });
});

it('a single object that the platform refuses is not taken from a stale list', async () => {
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    const { data } = await ask<Lists>(LISTS);
    const id = data?.sites.nodes[0]?.id ?? '';
    sandbox.faults.add({ match: 'GET /v2.0/site/{siteId}', status: 400 });
    clock.skip(420_000);
    expectFailure(await ask(`{ site(id: "${id}") { name } }`), {
      code: 'PLATFORM_REFUSED',
      retryable: false,
    });
  });
});

it('the attributes of a single stream come from a stale list while the platform is down', async () => {
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    interface Attributes {
      streams: { nodes: { id: string; site: { id: string }; customAttributes: object[] }[] };
    }
    const attributes = 'id site { id } customAttributes { name value }';
    const { data } = await ask<Attributes>(`{ streams(first: 1000) { nodes { ${attributes} } } }`);
    const nodes = data?.streams.nodes ?? [];
    const stream = nodes.find(({ customAttributes }) => customAttributes.length > 0);
    const without = nodes.find(({ customAttributes }) => customAttributes.length === 0);
    await sandbox.close();
    clock.skip(420_000);
    const result = await ask(`{ stream(id: "${stream?.id}") { ${attributes} } }`);
    expect(result.data).toEqual({ stream });
    expect(result.errors).toBeUndefined();
    // The stream may be newer than the list.
    expectFailure(await ask(`{ stream(id: "${without?.id}") { customAttributes { name } } }`), unavailable);
  });
});

const LAST_SAMPLES = '{ streams(first: 1000) { nodes { lastSample { id } } } }';

interface Streams {
  streams: { nodes: { id: string; units: string; site: { id: string } }[] };
}

interface LastSample {
  stream: { lastSample: { id: string } };
}

/** A stream that measures numbers: the operation for its last sample, and a function that adds a sample. */
async function chooseStream({ sandbox, clock, ask }: FaultGateway) {
  const { data } = await ask<Streams>('{ streams { nodes { id units site { id } } } }');
  const stream = data?.streams.nodes.find(({ units }) => units !== '');
  const id = stream?.id ?? '';
  const other = data?.streams.nodes.find(({ site }) => site.id !== stream?.site.id);
  const elsewhere = Number(other?.id.replace('Stream:', ''));
  const addSample = () =>
    addSamples({ sandbox }, Number(id.replace('Stream:', '')), [
      { at: Math.floor(clock.now() / 1000), value: 7 },
    ]);
  const ofSite = `{ site(id: "${stream?.site.id}") { streams { id lastSample { id } } } }`;
  return { id, elsewhere, operation: `{ stream(id: "${id}") { lastSample { id } } }`, ofSite, addSample };
}

it('the last sample of a stream that was never read by itself is that of a stale batch while the platform is down', async () => {
  await withFaultGateway({}, async (gateway) => {
    const { operation, addSample } = await chooseStream(gateway);
    addSample();
    await gateway.ask(LAST_SAMPLES);
    const { data } = await gateway.ask<LastSample>(operation);
    expect(data?.stream.lastSample.id).toContain('ScalarSample:');
    await gateway.sandbox.close();
    gateway.clock.skip(50_000);
    expect(await gateway.ask(operation)).toMatchObject({ data });
    const fresh = { headers: { 'Cache-Control': 'no-cache' } };
    expectFailure(await gateway.ask(operation, fresh), unavailable);
    gateway.clock.skip(600_000);
    expectFailure(await gateway.ask(operation), unavailable);
  });
});

it('a stale last sample does not replace a later one of a batch', async () => {
  await withFaultGateway({}, async (gateway) => {
    const { operation, addSample } = await chooseStream(gateway);
    const before = await gateway.ask<LastSample>(operation);
    gateway.clock.skip(11_000);
    addSample();
    await gateway.ask(LAST_SAMPLES);
    const { data } = await gateway.ask<LastSample>(operation);
    expect(data).not.toEqual(before.data);
    await gateway.sandbox.close();
    for (const ms of [11_000, 60_000]) {
      gateway.clock.skip(ms);
      const result = await gateway.ask(operation);
      expect(result.data).toEqual(data);
      expect(result.errors).toBeUndefined();
    }
  });
});

it('a stale batch of a site does not replace a later sample of the batch of the account', async () => {
  await withFaultGateway({ sandbox: { simulatorIntervalMs: false } }, async (gateway) => {
    const { id, elsewhere, ofSite, addSample } = await chooseStream(gateway);
    const ask = async () => {
      const { data } = await gateway.ask<{ site: { streams: { id: string; lastSample: object }[] } }>(ofSite);
      return data?.site.streams.find((stream) => stream.id === id)?.lastSample;
    };
    const before = await ask();
    gateway.clock.skip(11_000);
    addSample();
    // The plan for the site then prefers the batch of the site, because that of the account is longer.
    addSamples(gateway, elsewhere, evenly(500, Math.floor(gateway.clock.now() / 1000) - 3000, 6));
    await gateway.ask(LAST_SAMPLES);
    const after = await ask();
    expect(after).not.toEqual(before);
    gateway.clock.skip(11_000);
    expect(await ask()).toEqual(after);
  });
});

it.each([
  ['sent samples', 0],
  ['have been silent', 2 * 3600],
])(
  'a stale batch of the account does not replace later samples of a site whose streams %s',
  async (_, gap) => {
    await withFaultGateway({ sandbox: { simulatorIntervalMs: false } }, async (gateway) => {
      interface Measured {
        id: string;
        site: { newestSampledAt: string };
        lastSample: object | null;
      }
      const { elsewhere, ofSite } = await chooseStream(gateway);
      const atSite = async () => {
        const { data } = await gateway.ask<{ site: { streams: Measured[] } }>(ofSite);
        return data?.site.streams ?? [];
      };
      const operation =
        '{ streams(first: 1000) { nodes { id site { newestSampledAt } lastSample { id } } } }';
      const ofAccount = () =>
        gateway.ask<{ streams: { nodes: Measured[] } }>(operation, { headers: { 'X-Explain': '1' } });
      const seconds = () => Math.floor(gateway.clock.now() / 1000);
      const { database } = gateway.sandbox;
      database.prepare('DELETE FROM scalar_sample WHERE sample_date > ?').run(seconds() - gap);
      // The plan for the site then prefers the batch of the site, because that of the account is longer.
      addSamples(gateway, elsewhere, evenly(500, seconds() - 3000, 6));
      await ofAccount();
      const before = await atSite();
      gateway.clock.skip(11_000);
      const sampledAt = seconds();
      for (const { id } of before)
        addSamples(gateway, Number(id.replace('Stream:', '')), [{ at: sampledAt, value: 7 }]);
      const after = await atSite();
      expect(after).not.toEqual(before);
      gateway.clock.skip(11_000);
      const { data, extensions } = await ofAccount();
      const ids = new Set(after.map(({ id }) => id));
      const nodes = data?.streams.nodes.filter(({ id }) => ids.has(id)) ?? [];
      expect(nodes.map(({ id, lastSample }) => ({ id, lastSample }))).toEqual(after);
      for (const { site } of nodes) expect(Date.parse(site.newestSampledAt)).toBe(sampledAt * 1000);
      const calls = extensions?.explain.calls.filter(({ endpoint }) =>
        endpoint.includes('/site/{siteId}/sample'),
      );
      expect(calls).toMatchObject([{ origin: 'stale' }]);
    });
  },
);
