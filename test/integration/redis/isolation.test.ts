/** Two gateways of two accounts on one Redis: neither returns data of the other. */
import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Gateway } from '../../../src/gateway/gateway.js';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { isRedisAvailable, type RedisServer, startRedisServer } from '../../support/cache/redisServer.js';
import { queryGateway, readOperation, required, startGatewayFor } from '../../support/gateway.js';
import { WAIT } from '../../support/http/live.js';
import { startSandbox } from '../../support/sandbox/sandbox.js';
import type { TestSandbox } from '../../support/sandbox/testSandbox.js';

interface Account {
  gateway: Gateway;
  id: number;
  /** The ids of the account's objects by type, from its rows. */
  ids: Record<string, number[]>;
}

const TYPES: Record<string, string> = {
  Organization: 'SELECT id FROM organization WHERE account_id = ?',
  User: 'SELECT id FROM user WHERE account_id = ?',
  Site: 'SELECT id FROM site WHERE account_id = ?',
  Device: 'SELECT id FROM device WHERE account_id = ?',
  Channel: 'SELECT id FROM channel WHERE account_id = ?',
  Stream: 'SELECT id FROM stream WHERE account_id = ?',
  ImageSample:
    'SELECT p.id FROM image_sample p JOIN stream s ON s.id = stream_id WHERE account_id = ? LIMIT 20',
};

const LISTS = `{ organizations { nodes { id } } users { nodes { id timezoneName } } sites { nodes { id
  customAttributes { name value } } } devices { nodes { id lastHealth { value } lastLog { message } } }
  channels { nodes { id } } streams(first: 1000) { nodes { id customAttributes { name value }
  lastSample { id value } threshold { status levels { name } } } } siteCustomAttributeNames { name }
  streamCustomAttributeNames { name } uiPreferences { dateFormat } }`;

const SITE = `query ($id: ID!) { site(id: $id) { name organization { name } customAttributes { value }
  devices { id channels { id } } streams { id lastSample { value } } } }`;
const DEVICE = `query ($id: ID!) { device(id: $id) { serialNumber site { name } channels { id }
  lastHealth { value } lastLog { message } } }`;
const STREAM = `query ($id: ID!) { stream(id: $id) { name site { name } lastSample { value }
  customAttributes { value } threshold { status } samples(first: 5) { nodes { value } }
  lastImage { url } lastRfidRead { rawTagIds } } }`;

let sandbox: TestSandbox;
let redis: RedisServer | undefined;
let accounts: [Account, Account];

async function startAccount(index: 0 | 1): Promise<Account> {
  const { key, secret } = sandbox.credentials[index];
  const { all } = createQueries(sandbox.database);
  const id = all<{ id: number }>('SELECT account_id AS id FROM client WHERE key = ?', key)[0]?.id ?? 0;
  const idsOf = (sql: string) => all<{ id: number }>(sql, id).map((row) => row.id);
  const gateway = await startGatewayFor({ url: sandbox.url, key, secret }, { redisUrl: redis?.url });
  const ids = Object.fromEntries(Object.entries(TYPES).map(([type, sql]) => [type, idsOf(sql)]));
  return { gateway, id, ids };
}

async function ask(account: Account, query: string, variables: Record<string, unknown> = {}) {
  const { body } = await queryGateway<Record<string, unknown>>(account.gateway.url, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

const nodeIds = ({ ids }: Account) =>
  Object.entries(ids).flatMap(([type, list]) => list.map((id) => `${type}:${id}`));

const askNodes = (account: Account, ids: readonly string[]) =>
  ask(account, 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids });

/** Each gateway reads all data of its account, so that it is in the cache and in Redis. */
async function warm(account: Account): Promise<void> {
  await ask(account, await readOperation('Fleet'));
  await ask(account, LISTS);
  for (const [type, query] of [
    ['Site', SITE],
    ['Device', DEVICE],
    ['Stream', STREAM],
  ] as const) {
    for (const id of account.ids[type]?.slice(0, 8) ?? []) await ask(account, query, { id });
  }
  expect(await askNodes(account, nodeIds(account))).toMatchObject({
    nodes: nodeIds(account).map((id) => ({ id })),
  });
}

describe.skipIf(!isRedisAvailable)('two accounts on one Redis (needs redis-server on the PATH)', () => {
  beforeAll(async () => {
    sandbox = await startSandbox({ siteCount: 8, key: 'first-account-key', secret: 'first-account-secret' });
    redis = await startRedisServer();
    accounts = [await startAccount(0), await startAccount(1)];
    for (const account of accounts) await warm(account);
  });

  afterAll(async () => {
    await Promise.all((accounts ?? []).map(({ gateway }) => gateway.stop()));
    await redis?.stop();
  });

  describe.each([
    [0, 1],
    [1, 0],
  ] as const)('the gateway of account %i', (mine, theirs) => {
    it('finds no entity of the other', async () => {
      const foreign = nodeIds(accounts[theirs]);
      expect(foreign.length).toBeGreaterThan(30);
      expect(await askNodes(accounts[mine], foreign)).toEqual({ nodes: foreign.map(() => null) });
    });

    it.each([
      ['Site', SITE, 'site'],
      ['Device', DEVICE, 'device'],
      ['Stream', STREAM, 'stream'],
    ] as const)('returns nothing of a %s of the other', async (type, query, field) => {
      for (const id of accounts[theirs].ids[type]?.slice(0, 8) ?? []) {
        expect(await ask(accounts[mine], query, { id })).toEqual({ [field]: null });
      }
    });

    it('finds none of the other’s devices by serial number, and none of its queues', async () => {
      const { all } = createQueries(sandbox.database);
      const sql = 'SELECT serial_number AS serial FROM device WHERE account_id = ? LIMIT 3';
      for (const { serial } of all<{ serial: string }>(sql, accounts[theirs].id)) {
        const query = 'query ($serial: String!) { deviceBySerialNumber(serialNumber: $serial) { id } }';
        expect(await ask(accounts[mine], query, { serial })).toEqual({ deviceBySerialNumber: null });
      }
      const queued = await ask(accounts[mine], '{ sampleBatch(kind: SCALAR) { samples { stream { id } } } }');
      expect(foreignIdsIn(queued, mine, theirs)).toEqual([]);
    });

    it('lists all objects of its own account and no others', async () => {
      const data = required(await ask(accounts[mine], LISTS));
      const listed = (field: string) =>
        (data[field] as { nodes: { id: string }[] }).nodes.map(({ id }) => Number(id.split(':')[1])).sort();
      for (const type of ['Organization', 'User', 'Site', 'Device', 'Channel', 'Stream']) {
        const own = [...(accounts[mine].ids[type] ?? [])].sort();
        expect(listed(`${type.toLowerCase()}s`)).toEqual(own);
      }
      expect(foreignIdsIn(data, mine, theirs)).toEqual([]);
    });

    it('responds like one without Redis and with empty caches', async () => {
      const shared = redis;
      redis = undefined;
      const alone = await startAccount(mine);
      redis = shared;
      for (const query of [LISTS, await readOperation('Fleet')]) {
        expect(await ask(accounts[mine], query)).toEqual(await ask(alone, query));
      }
      await alone.gateway.stop();
    });
  });

  it('store the responses of both, and no key, secret or token as plain text', async () => {
    const text = await vi.waitFor(async () => {
      const stored = await readRedis(redis?.url ?? '');
      expect(stored).toContain('/v2.0/stream');
      return stored;
    }, WAIT);
    const scopes = new Set(text.match(/entry:\["([0-9a-f]{32})"/g));
    expect(scopes.size).toBe(2);
    expect(text).toContain('fieldgraph:token:');
    for (const { key, secret } of sandbox.credentials) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(key);
      expect(text).not.toContain(Buffer.from(`${key}:${secret}`).toString('base64'));
    }
    // Random base64 text may contain `eyJ`, so look for the beginning of two parts of a JWT.
    expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });
});

/** Keys and their values, as text. */
async function readRedis(url: string): Promise<string> {
  const client = createClient({ url });
  await client.connect();
  const lines: unknown[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    if (type === 'string') lines.push([key, await client.get(key)]);
    else if (type === 'hash') lines.push([key, await client.hGetAll(key)]);
    else if (type === 'set') lines.push([key, await client.sMembers(key)]);
    else if (type === 'zset') lines.push([key, await client.zRange(key, 0, -1)]);
    else throw new Error(`${key} is of type ${type}, which this test does not read.`);
  }
  await client.close();
  return lines
    .flat()
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('\n');
}

/** Typed ids of the other account in a response that are not ours as well. */
function foreignIdsIn(data: unknown, mine: 0 | 1, theirs: 0 | 1): string[] {
  const text = JSON.stringify(data);
  const own = new Set(nodeIds(accounts[mine]));
  return nodeIds(accounts[theirs]).filter((id) => !own.has(id) && text.includes(`"${id}"`));
}
