/**
 * The serialized fragment cache: JSON text of objects is reused with their relations while it is fresh, and only for
 * callers who may see it.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { POLICIES } from '../../../src/cache/policies.js';
import { required } from '../../support/gateway.js';
import { startIssuer } from '../../support/http/callers.js';
import { type LiveGateway, startLiveGateway } from '../../support/http/live.js';

/** The variable has no effect: it makes the requests differ, while the responses stay the same. */
const NESTED = `query ($n: ID!, $no: Boolean = false) { sites { nodes { id name organization { id name }
  customAttributes { name value } devices { name site { name } channels { name device { name }
  streams { name units channelLink customAttributes { name value } lastSample { id value sampledAt } } } }
  streams { name channel { name } } } } other: site(id: $n) @include(if: $no) { name } }`;
const WRITE = `mutation ($attributes: [SiteCustomAttributeInput!]!) {
  setSiteCustomAttributes(input: { attributes: $attributes }) { userErrors { message } } }`;
/** A time after the end of all these tests. */
const LATE = Date.UTC(2100, 0) / 1000;
/** Selects all parts of this operation that can be cached. */
const OFTEN = 4;

let gateway: LiveGateway;
let all: Record<string, string>;
let restricted: Record<string, string>;
let number = 0;

beforeAll(async () => {
  const issuer = await startIssuer();
  gateway = await startLiveGateway({
    sandbox: { siteCount: 6 },
    gateway: { callerAuth: issuer.settings },
  });
  const [organization] = gateway.sql<{ id: number }>(
    'SELECT account_organization_id AS id FROM site WHERE account_id = ? AND account_organization_id NOT NULL LIMIT 1',
    gateway.accountId,
  );
  const headersFor = async (organizations: unknown) => {
    const token = await issuer.sign(
      { organizations, scope: 'read write', exp: LATE },
      {},
      gateway.clock.now(),
    );
    return { Authorization: `Bearer ${token}` };
  };
  all = await headersFor('*');
  restricted = await headersFor([required(organization).id]);
});

async function ask(headers: Record<string, string>): Promise<string> {
  number += 1;
  const { body } = await gateway.query(NESTED, { n: `Site:${number}` }, headers);
  expect(body.errors).toBeUndefined();
  return JSON.stringify(body.data);
}

async function askOften(): Promise<string[]> {
  const texts: string[] = [];
  while (texts.length < OFTEN) texts.push(await ask(all));
  return texts;
}

const askPastCaches = () => ask({ ...all, 'Cache-Control': 'no-cache' });

describe('a cached fragment', () => {
  it('equals the platform’s data', async () => {
    const expected = await askPastCaches();
    expect(new Set(await askOften())).toEqual(new Set([expected]));
    expect(expected).toContain('"lastSample":{"id":');
  });

  it('is invalidated only by a newer sample', async () => {
    await askOften();
    gateway.run(
      `INSERT INTO scalar_sample (stream_id, sample_date, value)
       SELECT stream_id, max(sample_date) + 1, ? FROM scalar_sample
       WHERE stream_id IN (SELECT id FROM stream WHERE account_id = ?) GROUP BY stream_id`,
      '424242',
      gateway.accountId,
    );
    const { timeToLiveMs, staleWhileRevalidateMs } = POLICIES.lastSample;
    gateway.clock.advance(timeToLiveMs + staleWhileRevalidateMs);
    const texts = await askOften();
    expect(texts[0]?.includes('424242')).toBe(true);
    expect(new Set(texts)).toEqual(new Set([await askPastCaches()]));
  });

  it('is invalidated by a write', async () => {
    await askOften();
    const [site] = gateway.sql<{ id: number }>(
      'SELECT max(id) AS id FROM site WHERE account_id = ?',
      gateway.accountId,
    );
    const attributes = [{ siteId: `Site:${required(site).id}`, name: 'Asset owner', value: 'somebody new' }];
    const { body } = await gateway.query(WRITE, { attributes }, all);
    expect(body).toEqual({ data: { setSiteCustomAttributes: { userErrors: [] } } });
    const texts = await askOften();
    expect(texts[0]?.includes('somebody new')).toBe(true);
    expect(new Set(texts)).toEqual(new Set([await askPastCaches()]));
  });

  it('is renewed when a device has changed and its time to live has passed', async () => {
    await askOften();
    gateway.run(
      'UPDATE device SET display_name = ? WHERE account_id = ?',
      'By another name',
      gateway.accountId,
    );
    gateway.clock.advance(POLICIES.device.timeToLiveMs + POLICIES.device.staleIfErrorMs);
    const texts = await askOften();
    expect(texts[0]?.includes('By another name')).toBe(true);
    expect(new Set(texts)).toEqual(new Set([await askPastCaches()]));
  });

  it('contains no other organization for a restricted caller', async () => {
    await askOften();
    const texts = new Set([
      await ask(restricted),
      await ask(restricted),
      await ask(restricted),
      await ask(restricted),
    ]);
    expect(texts.size).toBe(1);
    const [text = ''] = texts;
    const idsIn = (response: string) => new Set(response.match(/Organization:\d+/g));
    expect(idsIn(text).size).toBe(1);
    expect(idsIn(await ask(all)).size).toBeGreaterThan(1);
  });
});
