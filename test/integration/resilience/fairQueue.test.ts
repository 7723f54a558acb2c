/** Operations share the platform fairly: none fails because the calls of others wait. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startStillGateway, type TestGateway } from '../../support/gateway.js';

const MAX_CONCURRENT = 2;
let gateway: TestGateway;
let deviceIds: string[];

beforeAll(async () => {
  gateway = await startStillGateway({
    sandbox: { siteCount: 20 },
    gateway: { resilience: { maxConcurrent: MAX_CONCURRENT, maxQueued: 4, maxPerOperation: 8 } },
  });
  const { devices } = await gateway.ask<{ devices: { nodes: { id: string }[] } }>(
    '{ devices { nodes { id } } }',
  );
  deviceIds = devices.nodes.map(({ id }) => id);
});

afterAll(() => gateway.stop());

/** Two calls for each device, past the cache. */
const LARGE =
  'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Device { lastLog { message } logs { nodes { platformId } } } } }';
const noCache = { 'Cache-Control': 'no-cache' };

it('no operation fails because many calls of others wait', async () => {
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => gateway.query(LARGE, { ids: deviceIds }, noCache)),
  );
  expect(deviceIds.length).toBeGreaterThan(20);
  expect(responses.map(({ body }) => body.errors)).toEqual(responses.map(() => undefined));
});
