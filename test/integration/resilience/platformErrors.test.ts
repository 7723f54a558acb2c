/** The error of a failed REST call: its code, when to retry, the request ids, and no internal details. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fullestStream, required, startStillGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startStillGateway({ sandbox: { siteCount: 3 } });
});

afterEach(() => gateway.stop());

describe('the error', () => {
  it('contains retryAfter where the platform sends it', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', status: 429, retryAfter: 7 });
    const { body } = await gateway.query('{ sites { totalCount } devices { totalCount } }');
    expect(body.data).toMatchObject({ sites: null, devices: { totalCount: expect.any(Number) } });
    expect(body.errors?.[0]?.extensions).toMatchObject({
      ...{ code: 'PLATFORM_RATE_LIMITED', retryable: true, retryAfterMs: 7000 },
      platform: { status: 429 },
    });
  });

  it('of a response that is not JSON quotes nothing of it', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', body: '<html>secret-host.internal</html>' });
    const { body } = await gateway.query('{ sites { totalCount } }');
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'PLATFORM_BAD_RESPONSE', retryable: false });
    expect(JSON.stringify(body)).not.toContain('secret-host');
  });

  it.each([1, 2000])('of a list of %i rows without ids is not an empty list', async (count) => {
    const rows = Array.from({ length: count }, () => ({ display_name: 'A site' }));
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', body: JSON.stringify(rows) });
    const { body } = await gateway.query('{ sites { totalCount } }');
    const message = 'The platform responded to /v2.0/site with only rows without their required fields.';
    const extensions = { code: 'PLATFORM_BAD_RESPONSE', retryable: false };
    expect(body).toMatchObject({ data: { sites: null }, errors: [{ message, extensions }] });
  });

  it('of unreadable rows does not fail the records before them, and a page after those is empty', async () => {
    const { body: devices } = await gateway.query('{ devices(first: 1) { nodes { id } } }');
    const [device] = (devices.data as { devices: { nodes: { id: string }[] } }).devices.nodes;
    const readable = Array.from({ length: 100 }, (_, index) => ({
      ...{
        id: index + 2,
        device_id: Number(required(device).id.replace('Device:', '')),
        log_date: '2024-01-01T00:00:00Z',
        source: 'boot',
        message: 'Started',
      },
    }));
    const match = 'GET /v2.0/device/{deviceId}/log';
    gateway.sandbox.faults.add({ match, times: 1, body: JSON.stringify(readable) });
    gateway.sandbox.faults.add({ match, body: JSON.stringify([{ message: 'No id' }]) });
    const query = `{ device(id: "${device?.id}") { logs(after: "1", first: 200) { nodes { platformId } } } }`;
    const { body: both } = await gateway.query(query);
    const { nodes } = required((both.data as { device: { logs: { nodes: unknown[] } | null } }).device.logs);
    expect(nodes).toHaveLength(100);
    expect((await gateway.query(query)).body).toEqual({ data: { device: { logs: { nodes: [] } } } });
  });

  it.each(['Log', 'Health'])(
    'of an unreadable last%s does not hide the other contacts of a device',
    async (kind) => {
      const match = `GET /v2.0/device/{deviceId}/last${kind}`;
      gateway.sandbox.faults.add({ match, body: JSON.stringify([{ message: 'No id' }]) });
      const { body } = await gateway.query('{ devices(first: 1) { nodes { lastContactAt } } }');
      expect(body).toEqual({ data: { devices: { nodes: [{ lastContactAt: expect.any(String) }] } } });
    },
  );

  const RANGE = 'range: { from: "2026-03-14T02:00:00Z", to: "2026-03-14T09:00:00Z" }';

  /** Sends pages of ten rows, the newest first. Two samples have the same date. */
  function reversePages(endpoint: string): string {
    const edit = (json: unknown) => {
      const samples = (json as { samples: { sample_date?: unknown }[] }).samples.toReversed();
      const second = { ...samples[1], sample_date: samples[0]?.sample_date };
      return { hasMore: samples.length > 10, samples: samples.with(1, second).slice(0, 10) };
    };
    const template = `/v2.0/stream/{streamId}/sample/${endpoint}`;
    gateway.sandbox.faults.add({ match: `GET ${template}`, edit });
    return template;
  }

  it.each([
    ['range', 'samples(RANGE, first: 1000) { totalCount }'],
    ['batch', 'samplesSince(since: "2026-03-14T00:00:00Z", first: 1000) { totalCount }'],
  ])('of a %s in pages from new to old is not a short list', async (endpoint, field) => {
    const template = reversePages(endpoint);
    const id = fullestStream(gateway, 'scalar');
    const { body } = await gateway.query(`{ stream(id: ${id}) { ${field.replace('RANGE', RANGE)} } }`);
    const message = `The platform pages ${template} from new to old.`;
    expect(body.errors).toMatchObject([{ message, extensions: { code: 'PLATFORM_BAD_RESPONSE' } }]);
  });

  it('of aggregates in pages from new to old is avoided by samples', async () => {
    const id = fullestStream(gateway, 'scalar');
    const operation = `{ stream(id: ${id}) { aggregates(${RANGE}, every: { minutes: 10 }) { startAt count } } }`;
    const { data } = await gateway.count(operation);
    reversePages('agg');
    const reversed = await gateway.count(operation);
    expect(reversed.data).toEqual(data);
    expect(reversed.calls).toContain('/v2.0/stream/{streamId}/sample/range');
  });

  it('of a broken connection contains no address', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', destroySocket: true });
    const { body } = await gateway.query('{ sites { totalCount } }');
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'PLATFORM_UNAVAILABLE', retryable: true });
    expect(JSON.stringify(body.errors)).not.toMatch(/127\.0\.0\.1|ECONN|http:/);
  });

  it('of two requests carries two request ids', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', status: 500 });
    const responses = await Promise.all([1, 2].map(() => gateway.query('{ sites { totalCount } }')));
    const ids = responses.map(({ body }) => body.errors?.[0]?.extensions.requestId);
    expect(new Set(ids).size).toBe(2);
  });
});
