/**
 * Writes that fail on the platform: sent once, with an error that says whether they may have taken effect, and without
 * stale entries.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fullestStream, required, startStillGateway, type TestGateway } from '../support/gateway.js';
import type { Fault } from '../support/sandbox/testSandbox.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startStillGateway();
  await gateway.ask('{ sites { nodes { customAttributes { value } } } siteCustomAttributeNames { name } }');
  gateway.sandbox.calls.reset();
});
afterEach(() => gateway.stop());

const write = `mutation { setSiteCustomAttributes(input: { attributes: [{ siteId: 16801, name: "Asset owner", value: "new" }] }) {
  sites { name } userErrors { code } } }`;
const match = 'POST /v2.0/site/customAttributes';

const posts = () => gateway.restCalls().filter(({ method }) => method === 'POST');

async function fail(fault: Fault, operation = write) {
  gateway.sandbox.faults.add({ match, ...fault });
  const { body } = await gateway.query<{ setSiteCustomAttributes: null }>(operation);
  return required(body.errors?.[0]);
}

describe('a write', () => {
  it.each<[string, Fault, string, boolean]>([
    ['refused with 400', { status: 400 }, 'PLATFORM_REFUSED', false],
    ['limited with 429', { status: 429, retryAfter: 1 }, 'PLATFORM_RATE_LIMITED', false],
    ['failed with 500', { status: 500 }, 'PLATFORM_UNAVAILABLE', true],
    ['failed with 503', { status: 503, retryAfter: 0 }, 'PLATFORM_UNAVAILABLE', true],
    ['cut off', { destroySocket: true }, 'PLATFORM_UNAVAILABLE', true],
    ['redirected', { status: 307, headers: { Location: '/elsewhere' } }, 'PLATFORM_BAD_RESPONSE', true],
    [
      'followed by a page of a proxy',
      { status: 200, body: '<html>Sign in</html>', contentType: 'text/html' },
      'PLATFORM_BAD_RESPONSE',
      true,
    ],
    [
      'followed by an error with 200',
      { status: 200, body: '{"message":"No"}' },
      'PLATFORM_BAD_RESPONSE',
      true,
    ],
  ])(
    'that is %s is sent once, and reports whether it may have taken effect',
    async (_, fault, code, mayHave) => {
      const { extensions, message } = await fail(fault);
      expect(extensions).toMatchObject({ code, mayHaveTakenEffect: mayHave, requestId: expect.any(String) });
      expect(/may have taken effect/.test(message)).toBe(mayHave);
      expect(posts()).toHaveLength(1);
    },
  );

  it('whose token is refused is sent once more, with another token', async () => {
    gateway.sandbox.faults.add({ match, status: 401, times: 1 });
    expect(await gateway.ask(write)).toMatchObject({ setSiteCustomAttributes: { userErrors: [] } });
    expect(posts().map(({ status }) => status)).toEqual([401, 204]);
  });

  it('whose token is refused twice is not sent a third time, and took no effect', async () => {
    const { extensions } = await fail({ status: 403 });
    expect(extensions).toMatchObject({ code: 'PLATFORM_UNAUTHORIZED', mayHaveTakenEffect: false });
    expect(posts().length).toBeLessThanOrEqual(2);
  });

  it('that took effect although its response was lost is visible to the next read', async () => {
    const read = '{ site(id: 16801) { customAttributes { value } } }';
    gateway.sandbox.database.exec(
      "UPDATE attribute_value SET value = 'behind the back' WHERE parent_id = 16801",
    );
    await fail({ destroySocket: true });
    const { site } = await gateway.ask<{ site: { customAttributes: { value: string }[] } }>(read);
    expect(site.customAttributes.map(({ value }) => value)).toContain('behind the back');
  });

  it('that fails leaves the other fields of the operation unchanged', async () => {
    gateway.sandbox.faults.add({ match, status: 500, times: 1 });
    const { body } = await gateway.query(
      `mutation { a: setSiteCustomAttributes(input: { attributes: [{ siteId: 16801, name: "Asset owner", value: "a" }] }) { userErrors { code } }
        b: setSiteCustomAttributes(input: { attributes: [{ siteId: 16802, name: "Asset owner", value: "b" }] }) { userErrors { code } } }`,
    );
    expect(body).toMatchObject({ data: { a: null, b: { userErrors: [] } }, errors: [{ path: ['a'] }] });
  });

  it('whose read back fails has still succeeded', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site/{siteId}/customAttributes', status: 500 });
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site/customAttributes', status: 500 });
    const { body } = await gateway.query(
      write.replace('sites { name }', 'sites { name customAttributes { value } }'),
    );
    expect(body).toMatchObject({
      data: { setSiteCustomAttributes: { sites: [{ customAttributes: null }], userErrors: [] } },
    });
  });
});

describe('a delivery queue', () => {
  it('is acknowledged and set back, for numbers and RFID reads', async () => {
    for (const [kind, type, table] of [
      ['SCALAR', 'ScalarSample', 'scalar'],
      ['RFID', 'RfidSample', 'rfid'],
    ] as const) {
      const stream = fullestStream(gateway, table);
      const rows = gateway.sql<{ id: number; sample_date: number }>(
        `SELECT id, sample_date FROM ${table}_sample WHERE stream_id = ? ORDER BY sample_date`,
        stream,
      );
      const last = required(rows.at(-1));
      const since = new Date(required(rows[0]).sample_date * 1000).toISOString();
      const acknowledged = await gateway.ask(
        `mutation { acknowledgeSamples(input: { kind: ${kind}, sampleId: "${type}:${last.id}", agent: "a b&c" }) { lastAcknowledged { id } userErrors { code } } }`,
      );
      expect(acknowledged).toEqual({
        acknowledgeSamples: { lastAcknowledged: { id: `${type}:${stream}:${last.id}` }, userErrors: [] },
      });
      const { backfillSamples } = await gateway.ask<{
        backfillSamples: { sampleBatch: { samples: { sampledAt: string }[] } };
      }>(
        `mutation { backfillSamples(input: { kind: ${kind}, since: "${since}" }) { sampleBatch { samples { sampledAt } } userErrors { code } } }`,
      );
      expect(Date.parse(required(backfillSamples.sampleBatch.samples[0]).sampledAt)).toBe(Date.parse(since));
    }
    expect(posts().map(({ pathTemplate }) => pathTemplate)).toEqual([
      '/v2.0/sample/batch/ack',
      '/v2.0/sample/batch/backfill',
      '/v2.0/sample/rfid/batch/ack',
      '/v2.0/sample/rfid/batch/backfill',
    ]);
  });

  it.each([
    ['SCALAR', 'scalar', '/v2.0/sample/batch/ack'],
    ['RFID', 'rfid', '/v2.0/sample/rfid/batch/ack'],
  ])('of %s reports a missing sample with its field, and does not move', async (kind, table, path) => {
    const [newest] = gateway.sql<{ id: number }>(`SELECT max(id) AS id FROM ${table}_sample`);
    const acknowledge = (id: number) =>
      gateway.query(
        `mutation { acknowledgeSamples(input: { kind: ${kind}, sampleId: "${id}" }) { lastAcknowledged { id } userErrors { field code message } } }`,
      );
    const status = () => gateway.ask(`{ sampleBatchStatus(kind: ${kind}) { id } }`);
    const before = await status();
    gateway.sandbox.calls.reset();
    const { body } = await acknowledge(required(newest).id + 1000);
    expect(body).toEqual({
      data: {
        acknowledgeSamples: {
          lastAcknowledged: null,
          userErrors: [
            { field: ['sampleId'], code: 'NOT_FOUND', message: expect.stringMatching(/no sample/) },
          ],
        },
      },
    });
    expect(posts().map(({ pathTemplate }) => pathTemplate)).toEqual([path]);
    expect(await status()).toEqual(before);

    gateway.sandbox.faults.add({ match: `POST ${path}`, status: 400 });
    const refused = await acknowledge(1);
    expect(refused.body.errors?.[0]?.extensions.code).toBe('PLATFORM_REFUSED');
    gateway.sandbox.faults.clear();
  });

  it('is not changed where the input is invalid', async () => {
    const { body } = await gateway.query(`mutation {
      a: acknowledgeSamples(input: { kind: SCALAR, sampleId: "RfidSample:1", agent: "" }) { lastAcknowledged { id } userErrors { field code } }
      b: backfillSamples(input: { kind: RFID, since: "1999-12-31T23:59:59Z", agent: "${'x'.repeat(257)}" }) { sampleBatch { hasMore } userErrors { field code } } }`);
    expect(body.data).toEqual({
      a: {
        lastAcknowledged: null,
        userErrors: [
          { field: ['sampleId'], code: 'INVALID_ID' },
          { field: ['agent'], code: 'REQUIRED' },
        ],
      },
      b: {
        sampleBatch: null,
        userErrors: [
          { field: ['since'], code: 'OUT_OF_RANGE' },
          { field: ['agent'], code: 'TOO_LONG' },
        ],
      },
    });
    expect(posts()).toEqual([]);
  });
});
