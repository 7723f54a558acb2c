/** After a write through one worker, no other worker responds with the old value from its cache. */
import { describe, expect, it } from 'vitest';
import { isRedisAvailable, startRedisServer } from '../../support/cache/redisServer.js';
import { required } from '../../support/gateway.js';
import { until } from '../../support/http/edgeGateway.js';
import {
  startWorkerGateway,
  type WorkerConnection,
  type WorkerGateway,
} from '../../support/workers/workers.js';

const READ = '{ sites { nodes { platformId customAttributes { name value } } } }';

interface Sites {
  sites: { nodes: { platformId: string; customAttributes: { name: string; value: string }[] }[] };
}

async function readOwner({ ask }: WorkerConnection, siteId: string): Promise<string | undefined> {
  const { data } = await ask<Sites>(READ);
  const site = data?.sites.nodes.find(({ platformId }) => platformId === siteId);
  return site?.customAttributes.find(({ name }) => name === 'Asset owner')?.value;
}

async function writeOwner({ ask }: WorkerConnection, siteId: string, value: string): Promise<void> {
  const entry = `{ siteId: "${siteId}", name: "Asset owner", value: "${value}" }`;
  const { data } = await ask<{ write: { userErrors: object[] } }>(
    `mutation { write: setSiteCustomAttributes(input: { attributes: [${entry}] }) { userErrors { message } } }`,
  );
  expect(data?.write.userErrors).toEqual([]);
}

async function anySite({ connect }: WorkerGateway): Promise<string> {
  const { data } = await connect().ask<Sites>(READ);
  return required(data?.sites.nodes[0]).platformId;
}

async function writeInTurns(environment: Record<string, string> = {}): Promise<void> {
  const gateway = await startWorkerGateway({ environment: { WORKERS: '3', ...environment } });
  const siteId = await anySite(gateway);
  const connections = [gateway.connect(), gateway.connect(), gateway.connect()] as const;
  for (let round = 0; round < 12; round++) {
    const writer = required(connections[round % connections.length]);
    await writeOwner(writer, siteId, `owner ${round}`);
    const seen = await Promise.all(connections.map((one) => readOwner(one, siteId)));
    expect(seen).toEqual(Array(connections.length).fill(`owner ${round}`));
  }
}

describe('a write through one worker', () => {
  it('is visible through the others as soon as it returns, repeatedly', () => writeInTurns());

  it.skipIf(!isRedisAvailable)('is visible with a Redis too (needs redis-server)', async () => {
    const redis = await startRedisServer();
    await writeInTurns({ REDIS_URL: redis.url });
    await redis.stop();
  });

  it('leaves unrelated cache entries of the others', async () => {
    const gateway = await startWorkerGateway();
    const siteId = await anySite(gateway);
    const [one, other] = [gateway.connect(), gateway.connect()];
    for (const connection of [one, other]) await readOwner(connection, siteId);
    gateway.sandbox.calls.reset();
    await writeOwner(one, siteId, 'another');
    expect(await readOwner(other, siteId)).toBe('another');
    expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(0);
  });

  it('returns although another worker hangs, which invalidates its cache when it resumes', async () => {
    const gateway = await startWorkerGateway();
    const siteId = await anySite(gateway);
    const connections = [gateway.connect(), gateway.connect()];
    for (const connection of connections) await readOwner(connection, siteId);
    const [hanging = 0] = gateway.workerPids();
    process.kill(hanging, 'SIGSTOP');
    const running = await Promise.race(connections.map(async (one) => (await one.get('/healthz')) && one));
    await writeOwner(running, siteId, 'another');
    process.kill(hanging, 'SIGCONT');
    for (const connection of connections) {
      await until(async () => (await readOwner(connection, siteId)) === 'another');
    }
  });
});
