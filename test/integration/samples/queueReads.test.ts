/** Reads of a delivery queue around an acknowledgement: none shares an execution that began before it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { readsQueue } from '../../../src/http/requests/executeRequest.js';
import { queryGateway, required, startStillGateway, type TestGateway } from '../../support/gateway.js';
import { startPlainServer, until } from '../../support/http/edgeGateway.js';
import { createGate } from '../../support/waiting.js';

interface Batch {
  sampleBatch: { samples: { platformId: string }[] };
}

const BATCH = '{ sampleBatch(kind: SCALAR) { samples { platformId } } }';
const ACKNOWLEDGE = `mutation ($id: ID!) {
  acknowledgeSamples(input: { kind: SCALAR, sampleId: $id }) { userErrors { message } } }`;

/** Forwards to the platform at once, and delays the first response of the queue until it is released. */
async function startHoldingPlatform(sandboxUrl: string) {
  let batchReads = 0;
  const { open: release, opened: released } = createGate();
  const { url } = await startPlainServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isBatch = request.method === 'GET' && (request.url ?? '').startsWith('/v2.0/sample/batch');
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const result = await fetch(sandboxUrl + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': type },
      ...(request.method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
    });
    const body = await result.text();
    if (isBatch) batchReads += 1;
    if (isBatch && batchReads === 1) await released;
    response.writeHead(result.status, { 'Content-Type': 'application/json' }).end(body);
  });
  return { url, release, batchReads: () => batchReads };
}

const idsOf = ({ body }: { body: { data?: Batch | null } }) =>
  required(body.data).sampleBatch.samples.map(({ platformId }) => platformId);

describe('a read of the queue after an acknowledgement', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startStillGateway({ sandbox: { siteCount: 2 } });
  });

  it('returns the new state, while an earlier read is in flight', async () => {
    const { url, release, batchReads } = await startHoldingPlatform(gateway.sandbox.url);
    const [{ key, secret }] = gateway.sandbox.credentials;
    const slow = await startStillGateway({
      sandbox: { siteCount: 1 },
      gateway: { platform: { url, key, secret } },
    });
    const first = queryGateway<Batch>(slow.url, BATCH);
    await until(() => batchReads() === 1);
    const [acknowledged = '', ...rest] = idsOf(await gateway.query<Batch>(BATCH));
    const { body } = await queryGateway(slow.url, ACKNOWLEDGE, { id: acknowledged });
    expect(body).toEqual({ data: { acknowledgeSamples: { userErrors: [] } } });
    const second = queryGateway<Batch>(slow.url, BATCH);
    await until(() => batchReads() === 2);
    expect(idsOf(await second)).toEqual(rest);
    release();
    expect(idsOf(await first)).toEqual([acknowledged, ...rest]);
  });
});

describe('readsQueue', () => {
  it('recognises each field that reads a queue, also in a fragment', () => {
    expect(readsQueue('query { ...q } fragment q on Query { x: sampleBatch(kind: RFID) { hasMore } }')).toBe(
      true,
    );
    expect(readsQueue('{ sampleBatchStatus(kind: RFID) { id } }')).toBe(true);
    expect(readsQueue('{ sites { totalCount } }')).toBe(false);
  });
});
