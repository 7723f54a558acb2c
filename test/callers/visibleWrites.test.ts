/** Writes of a caller who is held to organizations: what it does not see is unknown, and nothing of it reaches the platform. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GraphqlBody, required, STILL_NOW_MS } from '../support/gateway.js';
import { type RestrictedGateway, startRestrictedGateway } from '../support/restrictedGateway.js';

let gateway: RestrictedGateway;

beforeAll(async () => {
  gateway = await startRestrictedGateway();
});
beforeEach(() => gateway.sandbox.calls.reset());

type Written = Record<string, { userErrors: { code: string }[] } | null>;

/** As a caller who sees organization 310 alone. */
async function write(operation: string): Promise<GraphqlBody<Written>> {
  const claims = { organizations: [310], scope: 'write' };
  const headers = { Authorization: `Bearer ${await gateway.issuer.sign(claims, {}, STILL_NOW_MS)}` };
  return (await gateway.query<never>(`mutation { ${operation} }`, {}, headers)).body;
}

const posts = () => gateway.restCalls().filter(({ method }) => method === 'POST');

function findStream(isOwn: boolean): { stream: number; site: number } {
  const [found] = gateway.sql<{ stream: number; site: number }>(
    `SELECT t.id AS stream, s.id AS site FROM stream t JOIN site s ON s.id = t.site_id
     WHERE (account_organization_id = 310) = ? AND t.account_id = ? LIMIT 1`,
    isOwn ? 1 : 0,
    gateway.accountId,
  );
  return required(found);
}

const setThreshold = (stream: number, level = '') =>
  `setStreamThreshold(input: { streamId: "${stream}", levels: [{ name: "High" ${level} }] }) { userErrors { code } }`;

describe('a caller who is held to organizations', () => {
  it('sets the threshold of a stream that it sees', async () => {
    expect(await write(setThreshold(findStream(true).stream))).toEqual({
      data: { setStreamThreshold: { userErrors: [] } },
    });
    expect(posts()).toHaveLength(1);
  });

  it('is told the same of what belongs to others and of what is not there', async () => {
    const own = findStream(true).stream;
    const { stream, site } = findStream(false);
    const action = (id: number) => `sampleActions: [{ type: PAUSE, streamId: "${id}" }]`;
    const set = (kind: string, field: string, id: number) =>
      `set${kind}CustomAttributes(input: { attributes: [{ ${field}: "${id}", name: "x", value: "y" }] }) { userErrors { code } }`;
    for (const [foreign, unknown] of [
      [setThreshold(stream), setThreshold(999_999)],
      [setThreshold(own, action(stream)), setThreshold(own, action(999_999))],
      [set('Site', 'siteId', site), set('Site', 'siteId', 999_999)],
      [set('Stream', 'streamId', stream), set('Stream', 'streamId', 999_999)],
    ] as const) {
      const answer = await write(foreign);
      expect(JSON.stringify(answer)).toContain('NOT_FOUND');
      expect(answer).toEqual(await write(unknown));
    }
    expect(posts()).toEqual([]);
  });

  it.each([
    'acknowledgeSamples(input: { kind: SCALAR, sampleId: "1" }) { userErrors { code } }',
    'backfillSamples(input: { kind: RFID, since: "2026-01-01T00:00:00Z" }) { userErrors { code } }',
  ])('may not: %s', async (operation) => {
    const { errors } = await write(operation);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(posts()).toEqual([]);
  });

  it('may not name a group, which may be of others', async () => {
    const group = 'notificationActions: [{ type: MAIL, userGroupPlatformId: "77123" }]';
    const { errors } = await write(setThreshold(findStream(true).stream, group));
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(posts()).toEqual([]);
  });
});
