/** Writes of a caller who is held to organizations: what it does not see is unknown, and nothing of it reaches the platform. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GraphqlBody, required, STILL_NOW_MS } from '../support/gateway.js';
import {
  dataOf,
  type Held,
  type RestrictedGateway,
  startRestrictedGateway,
} from '../support/http/restrictedGateway.js';
import { visibilityRules } from './visibilityRules.js';

let gateway: RestrictedGateway;

beforeAll(async () => {
  gateway = await startRestrictedGateway();
});
beforeEach(() => gateway.sandbox.calls.reset());

type Written = Record<string, { userErrors: { code: string }[] } | null>;

/** As a caller who sees organization 310 alone, or others. */
async function write(operation: string, organizations: Held = [310]): Promise<GraphqlBody<Written>> {
  const claims = { organizations, scope: 'write' };
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

describe('what has been written to', () => {
  /** From each payload to the streams of the site, one of which has an action on a stream of somebody else. */
  const actions = 'id threshold { levels { sampleActions { stream { id } } } }';
  const siblings = `site { id streams { ${actions} } }`;
  /** By the field of the payload: a write to what the caller sees, and the way on from there. */
  const payloads: Readonly<Record<string, (own: { stream: number; site: number }) => string>> = {
    'SetSiteCustomAttributesPayload.sites': ({ site }) =>
      `setSiteCustomAttributes(input: { attributes: [{ siteId: ${site}, name: "Asset owner", value: "x" }] }) {
         sites { id streams { ${actions} } } userErrors { code } }`,
    'SetStreamCustomAttributesPayload.streams': ({ stream }) =>
      `setStreamCustomAttributes(input: { attributes: [{ streamId: ${stream}, name: "Last calibration", value: "x" }] }) {
         streams { id ${siblings} } userErrors { code } }`,
    'SetStreamThresholdPayload.stream': ({ stream }) =>
      `setStreamThreshold(input: { streamId: "${stream}", levels: [{ name: "High" }] }) {
         stream { id ${siblings} } userErrors { code } }`,
  };
  let own: { stream: number; sibling: number; site: number };
  let foreign: { stream: number; site: number };

  /** Two streams of a site that is seen, the second with an action on a stream that is not. */
  beforeAll(async () => {
    const [found] = gateway.sql<{ stream: number; sibling: number; site: number }>(
      `SELECT min(t.id) AS stream, max(t.id) AS sibling, site_id AS site FROM stream t JOIN site s ON s.id = t.site_id
       WHERE account_organization_id = 310 AND t.account_id = ? GROUP BY site_id HAVING count(*) > 1 LIMIT 1`,
      gateway.accountId,
    );
    own = required(found);
    foreign = findStream(false);
    const action = `sampleActions: [{ type: PAUSE, streamId: "${foreign.stream}" }]`;
    expect(await write(setThreshold(own.sibling, action), '*')).toEqual({
      data: { setStreamThreshold: { userErrors: [] } },
    });
  });

  it('has a payload tried for each of its fields', () => {
    const written = Object.keys(visibilityRules).filter((name) => visibilityRules[name] === 'written');
    expect(Object.keys(payloads).sort()).toEqual(written.sort());
  });

  it.each(Object.keys(payloads))('%s leads to nothing of somebody else', async (name) => {
    const operation = required(payloads[name])(own);
    const known = (answer: unknown) => [...JSON.stringify(answer).matchAll(/"((?:Site|Stream):\d+)"/g)];
    const whole = dataOf(await write(operation, '*'));
    expect(known(whole).map(([, id]) => id)).toContain(`Stream:${foreign.stream}`);
    const held = dataOf(await write(operation));
    expect(known(held).length).toBeGreaterThan(2);
    for (const [, id] of known(held)) expect(gateway.ownerOf(required(id))).toBe(310);
    // Beside the one stream, it is the same.
    const withoutForeign = JSON.stringify(whole).replaceAll(`{"id":"Stream:${foreign.stream}"}`, 'null');
    expect(JSON.stringify(held)).toBe(withoutForeign);
  });

  it.each([
    ['Site', 'siteId', 'sites', 'site', 'Asset owner'],
    ['Stream', 'streamId', 'streams', 'stream', 'Last calibration'],
  ] as const)('is nothing where one of several %ss is not seen', async (kind, field, list, key, name) => {
    const attribute = (id: number) => `{ ${field}: ${id}, name: "${name}", value: "never" }`;
    const operation = (other: number) =>
      `set${kind}CustomAttributes(input: { attributes: [${attribute(own[key])}, ${attribute(other)}] }) {
         ${list} { id } userErrors { field code } }`;
    const answer = await write(operation(foreign[key]));
    expect(answer).toEqual({
      data: {
        [`set${kind}CustomAttributes`]: {
          [list]: null,
          userErrors: [{ field: ['attributes', '1', field], code: 'NOT_FOUND' }],
        },
      },
    });
    expect(answer).toEqual(await write(operation(999_999)));
    expect(posts()).toEqual([]);
  });
});
