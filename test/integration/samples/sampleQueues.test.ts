/** The platform's delivery queues in the graph: a read moves the position of no consumer. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WireBatch } from '../../../src/rest/wire.js';
import { STILL_NOW_MS, startStillGateway } from '../../support/gateway.js';
import { tokenFor } from '../../support/sandbox/sandbox.js';

const gateway = await startStillGateway();
const [{ key, secret }] = gateway.sandbox.credentials;
const headers = { Authorization: `Bearer ${await tokenFor(gateway.sandbox.url, key, secret)}` };

const kinds = [
  {
    kind: 'SCALAR',
    path: '/v2.0/sample/batch',
    ack: 'sampleId',
    type: 'ScalarSample',
    table: 'scalar_sample',
  },
  {
    kind: 'RFID',
    path: '/v2.0/sample/rfid/batch',
    ack: 'sample_id',
    type: 'RfidSample',
    table: 'rfid_sample',
  },
];

interface Batch {
  sampleBatch: { hasMore: boolean; samples: { __typename: string; platformId: string }[] };
}

const BATCH = `query ($kind: SampleBatchKind!, $after: ID, $hours: Int) {
  sampleBatch(kind: $kind, after: $after, backfillHours: $hours) { hasMore samples { __typename platformId } } }`;
const STATUS = 'query ($kind: SampleBatchKind!) { sampleBatchStatus(kind: $kind) { platformId } }';

/** The batch that another consumer of the same API client would receive next. */
async function batchByRest(path: string): Promise<WireBatch<{ id: number }>> {
  const response = await fetch(`${gateway.sandbox.url}${path}?enableAck=true`, { headers });
  return (await response.json()) as WireBatch<{ id: number }>;
}

async function idsByRest(path: string): Promise<string[]> {
  const { samples } = await batchByRest(path);
  return samples.map(({ id }) => String(id));
}

async function idsByGraph(kind: string, more = {}): Promise<string[]> {
  const { sampleBatch } = await gateway.ask<Batch>(BATCH, { kind, ...more });
  return sampleBatch.samples.map(({ platformId }) => platformId);
}

describe.each(kinds)('the queue of $kind samples', ({ kind, path, ack, type, table }) => {
  it('equals the REST response on every read, and keeps its position', async () => {
    const before = await idsByRest(path);
    expect(before.length).toBeGreaterThan(5);
    const { sampleBatch } = await gateway.ask<Batch>(BATCH, { kind });
    expect(new Set(sampleBatch.samples.map(({ __typename }) => __typename))).toEqual(new Set([type]));
    expect(await idsByGraph(kind)).toEqual(before);
    await idsByGraph(kind, { after: before[3] });
    await idsByGraph(kind, { hours: 2 });
    await gateway.ask(STATUS, { kind });
    expect(await idsByRest(path)).toEqual(before);
    for (const { query, pathTemplate } of gateway.restCalls()) {
      if (pathTemplate === path) expect(query['enableAck']).toBe('true');
    }
  });

  it('can be read from after a sample, in either form of its id', async () => {
    const all = await idsByGraph(kind);
    for (const after of [all[2], `${type}:${all[2]}`]) {
      expect(await idsByGraph(kind, { after })).toEqual(all.slice(3));
    }
  });

  it('can be read from some hours ago', async () => {
    const ids = await idsByGraph(kind, { hours: 3 });
    const since = STILL_NOW_MS / 1000 - 3 * 3600;
    const rows = gateway.sql<{ id: number; sample_date: number }>(
      `SELECT x.id, sample_date FROM ${table} x JOIN stream s ON s.id = x.stream_id WHERE account_id = ?`,
      gateway.accountId,
    );
    const expected = rows.filter(({ sample_date }) => sample_date >= since).map(({ id }) => String(id));
    expect(expected.length).toBeGreaterThan(0);
    expect([...ids].sort()).toEqual(expected.sort());
  });

  it('is in the order of arrival, although the platform sends another order', async () => {
    const batch = await batchByRest(path);
    const body = JSON.stringify({ ...batch, samples: batch.samples.toReversed() });
    onTestFinished(gateway.sandbox.faults.add({ match: path, body, times: 1 }));
    expect(await idsByGraph(kind)).toEqual(batch.samples.map(({ id }) => String(id)));
  });

  it('is empty if the platform responds without content', async () => {
    onTestFinished(gateway.sandbox.faults.add({ match: path, status: 204, times: 1 }));
    expect(await gateway.ask(BATCH, { kind })).toEqual({ sampleBatch: { hasMore: false, samples: [] } });
  });

  it('has no status before the first acknowledgement, and then the acknowledged sample', async () => {
    expect(await gateway.ask(STATUS, { kind })).toEqual({ sampleBatchStatus: null });
    const all = await idsByGraph(kind);
    const response = await fetch(`${gateway.sandbox.url}${path}/ack?${ack}=${all[1]}`, {
      method: 'POST',
      headers,
    });
    expect(response.status).toBe(204);
    expect(await gateway.ask(STATUS, { kind })).toEqual({
      sampleBatchStatus: { platformId: String(all[1]) },
    });
    expect(await idsByGraph(kind)).toEqual(all.slice(2));
  });

  it('refuses two places to start at', async () => {
    const { body } = await gateway.query(BATCH, { kind, after: '1', hours: 1 });
    expect(body.errors?.[0]).toMatchObject({
      message: 'after: set `after` or `backfillHours`, not both.',
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it.each([0, -5, 876_001])('refuses to go back %i hours', async (hours) => {
    const { body } = await gateway.query(BATCH, { kind, hours });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^backfillHours: /);
  });
});
