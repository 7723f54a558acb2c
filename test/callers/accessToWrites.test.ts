/** Writes of restricted callers: invisible objects are unknown, and no such write reaches the platform. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GraphqlBody, required, STILL_NOW_MS } from '../support/gateway.js';
import {
  dataOf,
  startRestrictedGateway,
  type VisibleOrganizations,
} from '../support/http/restrictedGateway.js';
import { visibilityRules } from './visibilityRules.js';

const gateway = await startRestrictedGateway();
beforeEach(() => gateway.sandbox.calls.reset());

type Written = Record<string, { userErrors: { code: string }[] } | null>;

/** Runs as a caller that sees organization 310 alone, or the given ones. */
async function write(
  operation: string,
  organizations: VisibleOrganizations = [310],
): Promise<GraphqlBody<Written>> {
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

describe('a restricted caller', () => {
  it('can set the threshold of a visible stream', async () => {
    expect(await write(setThreshold(findStream(true).stream))).toEqual({
      data: { setStreamThreshold: { userErrors: [] } },
    });
    expect(posts()).toHaveLength(1);
  });

  it('gets the same error for foreign objects and for missing ones', async () => {
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
      const response = await write(foreign);
      expect(JSON.stringify(response)).toContain('NOT_FOUND');
      expect(response).toEqual(await write(unknown));
    }
    expect(posts()).toEqual([]);
  });

  it.each([
    'acknowledgeSamples(input: { kind: SCALAR, sampleId: "1" }) { userErrors { code } }',
    'backfillSamples(input: { kind: RFID, since: "2026-01-01T00:00:00Z" }) { userErrors { code } }',
  ])('must not: %s', async (operation) => {
    const { errors } = await write(operation);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(posts()).toEqual([]);
  });

  it('must not name a group, which may contain objects of others', async () => {
    const group = 'notificationActions: [{ type: MAIL, userGroupPlatformId: "77123" }]';
    const { errors } = await write(setThreshold(findStream(true).stream, group));
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(posts()).toEqual([]);
  });
});

describe('a write payload', () => {
  /** From each payload to the streams of the site, one of which has an action on a foreign stream. */
  const actions = 'id threshold { levels { sampleActions { stream { id } } } }';
  const siblings = `site { id streams { ${actions} } }`;
  /** By the payload's field: a write to a visible object, and the selection that leads on from it. */
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

  /** Two streams of a visible site, the second with an action on an invisible stream. */
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

  it('is tested for each of its fields', () => {
    const written = Object.keys(visibilityRules).filter((name) => visibilityRules[name] === 'written');
    expect(Object.keys(payloads).sort()).toEqual(written.sort());
  });

  it.each(Object.keys(payloads))('by %s leads to no foreign object', async (name) => {
    const operation = required(payloads[name])(own);
    const known = (response: unknown) => [...JSON.stringify(response).matchAll(/"((?:Site|Stream):\d+)"/g)];
    const whole = dataOf(await write(operation, '*'));
    expect(known(whole).map(([, id]) => id)).toContain(`Stream:${foreign.stream}`);
    const restricted = dataOf(await write(operation));
    expect(known(restricted).length).toBeGreaterThan(2);
    for (const [, id] of known(restricted)) expect(gateway.ownerOf(required(id))).toBe(310);
    // For one stream alone the payload is the same.
    const withoutForeign = JSON.stringify(whole).replaceAll(`{"id":"Stream:${foreign.stream}"}`, 'null');
    expect(JSON.stringify(restricted)).toBe(withoutForeign);
  });

  it.each([
    ['Site', 'siteId', 'sites', 'site', 'Asset owner'],
    ['Stream', 'streamId', 'streams', 'stream', 'Last calibration'],
  ] as const)('is null where one of several %ss is not visible', async (kind, field, list, key, name) => {
    const attribute = (id: number) => `{ ${field}: ${id}, name: "${name}", value: "never" }`;
    const operation = (other: number) =>
      `set${kind}CustomAttributes(input: { attributes: [${attribute(own[key])}, ${attribute(other)}] }) {
         ${list} { id } userErrors { field code } }`;
    const response = await write(operation(foreign[key]));
    expect(response).toEqual({
      data: {
        [`set${kind}CustomAttributes`]: {
          [list]: null,
          userErrors: [{ field: ['attributes', '1', field], code: 'NOT_FOUND' }],
        },
      },
    });
    expect(response).toEqual(await write(operation(999_999)));
    expect(posts()).toEqual([]);
  });
});
