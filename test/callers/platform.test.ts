/** Callers with their own platform access: each sees its own account, and wrong credentials cause few REST calls. */
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway, TOKEN_PATH } from '../support/gateway.js';
import { connectSocket } from '../support/http/callers.js';
import { readMetrics } from '../support/http/metrics.js';
import { basic, tokenFor } from '../support/sandbox/sandbox.js';

const PREFERENCES = '/v2.0/user/uiPreferences';
const QUERY = '{ sites { nodes { id name } } }';

function start(): Promise<TestGateway> {
  return startTestGateway({
    sandbox: { siteCount: 2 },
    gateway: {
      callerAuth: { kind: 'platform' },
      recheckIntervalMs: 50,
    },
  });
}

interface Sites {
  sites: { nodes: { id: string }[] };
}

async function sitesOf(gateway: TestGateway, authorization: string) {
  const { status, body } = await gateway.query<Sites>(QUERY, {}, { Authorization: authorization });
  const ids = body.data?.sites.nodes.map(({ id }) => id);
  return { status, ids, code: body.errors?.[0]?.extensions.code };
}

/** Operations over HTTP that were executed: neither served from the response cache nor by a shared execution. */
async function executedCount({ url }: TestGateway): Promise<number> {
  const { text } = await readMetrics(url);
  return Number(
    /^fieldgraph_operation_duration_seconds_count\{[^}]*="executed"\} (\d+)/m.exec(text)?.[1] ?? 0,
  );
}

const tokenRequests = (gateway: TestGateway) =>
  gateway.restCalls({ withToken: true }).filter(({ path }) => path === TOKEN_PATH).length;

function ownSites({ sql, sandbox }: TestGateway, index: 0 | 1): string[] {
  const rows = sql<{ id: number }>(
    `SELECT s.id FROM site s JOIN client c ON c.account_id = s.account_id WHERE c.key = ? ORDER BY s.id`,
    sandbox.credentials[index].key,
  );
  return rows.map(({ id }) => `Site:${id}`);
}

describe('callers with Key and Secret', () => {
  it('see their own account, concurrently and in turn, with one token each', async () => {
    const gateway = await start();
    const [first, second] = gateway.sandbox.credentials;
    const requests = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? 0 : 1) as 0 | 1);
    const responses = await Promise.all(
      requests.map(async (index) => {
        const { key, secret } = index === 0 ? first : second;
        return { index, ...(await sitesOf(gateway, basic(key, secret))) };
      }),
    );
    for (const { index, ids } of responses) expect(ids?.sort()).toEqual(ownSites(gateway, index));
    expect(tokenRequests(gateway)).toBe(2);
    expect(ownSites(gateway, 0)).not.toEqual(ownSites(gateway, 1));
  });

  it('keep their cached responses when another caller writes, and lose them by a write of their own', async () => {
    const gateway = await startTestGateway({
      sandbox: { siteCount: 2 },
      gateway: { callerAuth: { kind: 'platform' }, metrics: 'open' },
    });
    const [first, second] = gateway.sandbox.credentials;
    /** How many of three equal requests were executed: a response is stored from the second request on. */
    const executions = async ({ key, secret }: typeof first) => {
      const before = await executedCount(gateway);
      for (let request = 0; request < 3; request++) await sitesOf(gateway, basic(key, secret));
      return (await executedCount(gateway)) - before;
    };
    expect(await executions(first)).toBe(2);
    expect(await executions(second)).toBe(2);
    const [own = ''] = ownSites(gateway, 0);
    const write = `mutation { setSiteCustomAttributes(input: { attributes: [{ siteId: "${own}", name: "Asset owner",
      value: "new" }] }) { userErrors { code } } }`;
    const written = await gateway.query(write, {}, { Authorization: basic(first.key, first.secret) });
    expect(written.body).toEqual({ data: { setSiteCustomAttributes: { userErrors: [] } } });
    expect(await executions(second)).toBe(0);
    expect(await executions(first)).toBe(1);
  });

  it('find nothing of each other by id, neither cold nor from what the other has loaded', async () => {
    const gateway = await start();
    const [first, second] = gateway.sandbox.credentials;
    const [foreign = ''] = ownSites(gateway, 1);
    const ask = async ({ key, secret }: typeof first) =>
      (
        await gateway.query(
          'query ($id: ID!) { node(id: $id) { id } }',
          { id: foreign },
          {
            Authorization: basic(key, secret),
          },
        )
      ).body;
    expect(await ask(first)).toEqual({ data: { node: null } });
    expect(await ask(second)).toEqual({ data: { node: { id: foreign } } });
    expect(await ask(first)).toEqual({ data: { node: null } });
  });

  it('that are wrong are refused, after one platform login each and five for one Key', async () => {
    const gateway = await start();
    const [{ key, secret }] = gateway.sandbox.credentials;
    await sitesOf(gateway, basic(key, secret));
    const before = tokenRequests(gateway);
    for (let guess = 0; guess < 20; guess++) {
      const wrong = basic(key, `guess ${guess % 8}`);
      const { status, code } = await sitesOf(gateway, wrong);
      expect([401, 503]).toContain(status);
      expect(['UNAUTHENTICATED', 'AUTHENTICATION_UNAVAILABLE']).toContain(code);
    }
    expect(tokenRequests(gateway) - before).toBe(5);
    // An accepted caller stays accepted and needs no new token.
    expect(await sitesOf(gateway, basic(key, secret))).toMatchObject({
      status: 200,
      ids: ownSites(gateway, 0),
    });
    expect(tokenRequests(gateway) - before).toBe(5);
  });

  it('cause one token request while the platform limits them', async () => {
    const gateway = await start();
    const [{ key, secret }] = gateway.sandbox.credentials;
    gateway.sandbox.faults.add({ match: TOKEN_PATH, status: 429, retryAfter: 600 });
    for (let request = 0; request < 5; request++) {
      expect(await sitesOf(gateway, basic(key, secret))).toMatchObject({ code: 'PLATFORM_RATE_LIMITED' });
    }
    expect(tokenRequests(gateway)).toBe(1);
  });

  it('receive only the samples of their own account, at the same time', async () => {
    const gateway = await start();
    const { sql, sandbox } = gateway;
    const after = `ScalarSample:${sql<{ id: number }>('SELECT max(id) - 2000 AS id FROM scalar_sample')[0]?.id}`;
    const heard = await Promise.all(
      sandbox.credentials.map(async ({ key, secret }) => {
        const { client } = connectSocket(gateway.url, { params: { Authorization: basic(key, secret) } });
        const query = `subscription { sampleReceived(kinds: [SCALAR], after: "${after}") { stream { site { id } } } }`;
        const sites = new Set<string>();
        let count = 0;
        for await (const { data } of client.iterate<{ sampleReceived: { stream: { site: { id: string } } } }>(
          { query },
        )) {
          sites.add(data?.sampleReceived.stream.site.id ?? 'unknown');
          if (++count === 5) break;
        }
        return [...sites];
      }),
    );
    for (const [index, sites] of heard.entries()) {
      expect(ownSites(gateway, index === 0 ? 0 : 1)).toEqual(expect.arrayContaining(sites));
    }
  });

  it('have a rate of their own each, at one address', async () => {
    const gateway = await startTestGateway({
      sandbox: { siteCount: 2 },
      gateway: { callerAuth: { kind: 'platform' }, callerLimits: { rate: { perSecond: 0.001, burst: 1 } } },
    });
    const [one, other] = gateway.sandbox.credentials.map(({ key, secret }) => basic(key, secret));
    if (one === undefined || other === undefined) throw new Error('The sandbox has two clients.');
    expect((await sitesOf(gateway, one)).status).toBe(200);
    expect((await sitesOf(gateway, one)).status).toBe(429);
    expect((await sitesOf(gateway, other)).status).toBe(200);
  });

  it('that are wrong share nothing with the right ones', async () => {
    const gateway = await start();
    const [{ key, secret }] = gateway.sandbox.credentials;
    const [right, wrong] = await Promise.all([
      sitesOf(gateway, basic(key, secret)),
      sitesOf(gateway, basic(key, `${secret} `)),
    ]);
    expect(right.status).toBe(200);
    expect(wrong).toEqual({ status: 401, ids: undefined, code: 'UNAUTHENTICATED' });
  });

  it.each(['Basic eA==', 'Basic Og==', 'Basic !!!', 'Basic', 'Digest x', 'Bearer', 'Bearer tökén', ''])(
    'sent as "%s" are refused without a REST call',
    async (authorization) => {
      const gateway = await start();
      expect(await sitesOf(gateway, authorization)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(gateway.restCalls({ withToken: true })).toEqual([]);
    },
  );
});

describe('callers with a platform token', () => {
  it('are served with it, without a token request', async () => {
    const gateway = await start();
    const [, { key, secret }] = gateway.sandbox.credentials;
    const token = await tokenFor(gateway.sandbox.url, key, secret);
    gateway.sandbox.calls.reset();
    const { ids } = await sitesOf(gateway, `Bearer ${token}`);
    expect(ids?.sort()).toEqual(ownSites(gateway, 1));
    expect(tokenRequests(gateway)).toBe(0);
  });

  it.each([401, 403] as const)(
    'get an error when it is refused with %i, and it is not renewed',
    async (status) => {
      const gateway = await start();
      const [{ key, secret }] = gateway.sandbox.credentials;
      const token = await tokenFor(gateway.sandbox.url, key, secret);
      expect(await sitesOf(gateway, `Bearer ${token}`)).toMatchObject({ status: 200 });
      const socket = connectSocket(gateway.url, { params: { Authorization: `Bearer ${token}` } });
      await socket.first('{ __typename }');
      gateway.sandbox.revokeTokens(status);
      gateway.sandbox.calls.reset();
      const { body } = await gateway.query(
        '{ users { nodes { id } } }',
        {},
        { Authorization: `Bearer ${token}` },
      );
      expect(body.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
      for (let tries = 0; tries < 3; tries++) {
        expect(await sitesOf(gateway, `Bearer ${token}`)).toMatchObject({
          status: 401,
          code: 'UNAUTHENTICATED',
        });
      }
      expect(await socket.closed).toMatchObject({ code: 4401 });
      expect(tokenRequests(gateway)).toBe(0);
      // The refused call, and a check that the token is valid. After a 403, which may mean that an endpoint is
      // forbidden, both call the other endpoints of the check.
      expect(gateway.restCalls()).toHaveLength(status === 403 ? 7 : 2);
    },
  );

  it('stay accepted where one endpoint is forbidden: only its field is null', async () => {
    const gateway = await start();
    const [{ key, secret }] = gateway.sandbox.credentials;
    const headers = { Authorization: `Bearer ${await tokenFor(gateway.sandbox.url, key, secret)}` };
    gateway.sandbox.faults.add({ match: '/v2.0/user', status: 403 });
    for (let round = 0; round < 3; round++) {
      const query = '{ users { totalCount } sites { totalCount } }';
      const { status, body } = await gateway.query(query, {}, headers);
      expect([status, body.data]).toMatchObject([200, { users: null, sites: { totalCount: 2 } }]);
      expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['PLATFORM_UNAUTHORIZED']);
    }
  });

  it.each([[[PREFERENCES]], [[PREFERENCES, '/v2.0/account/organization']]])(
    'are accepted where the API client may not call %j',
    async (forbidden) => {
      const gateway = await start();
      const [{ key, secret }] = gateway.sandbox.credentials;
      const authorization = `Bearer ${await tokenFor(gateway.sandbox.url, key, secret)}`;
      for (const match of forbidden) gateway.sandbox.faults.add({ match, status: 403 });
      const { status, ids } = await sitesOf(gateway, authorization);
      expect([status, ids?.sort()]).toEqual([200, ownSites(gateway, 0)]);
      gateway.sandbox.calls.reset();
      expect(await sitesOf(gateway, authorization)).toMatchObject({ status: 200 });
      expect(gateway.restCalls()).toEqual([]);
    },
  );

  it('that was never valid cost one call', async () => {
    const gateway = await start();
    for (let tries = 0; tries < 5; tries++) {
      expect(await sitesOf(gateway, 'Bearer made.up.token')).toMatchObject({ status: 401 });
    }
    expect(gateway.restCalls({ withToken: true })).toHaveLength(1);
  });
});
