/** Custom attributes of sites and streams: validated together, sent once, read back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { required, startStillGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let siteIds: number[];
let streamId: number;

beforeEach(async () => {
  gateway = await startStillGateway();
  const mine = gateway.accountId;
  siteIds = gateway
    .sql<{ id: number }>('SELECT id FROM site WHERE account_id = ? ORDER BY id', mine)
    .map(({ id }) => id);
  streamId = required(
    gateway.sql<{ id: number }>('SELECT id FROM stream WHERE account_id = ? ORDER BY id', mine)[0],
  ).id;
  return () => gateway.stop();
});

interface UserError {
  field: string[];
  code: string;
}
interface Written {
  write: {
    changed: { platformId: string; customAttributes: { name: string; value: string }[] }[] | null;
    userErrors: UserError[];
  };
}

const setSites = `mutation ($attributes: [SiteCustomAttributeInput!]!) {
  write: setSiteCustomAttributes(input: { attributes: $attributes }) {
    changed: sites { platformId customAttributes { name value } } userErrors { field code } } }`;
const setStreams = `mutation ($attributes: [StreamCustomAttributeInput!]!) {
  write: setStreamCustomAttributes(input: { attributes: $attributes }) {
    changed: streams { platformId customAttributes { name value } } userErrors { field code } } }`;

function values(): unknown[] {
  return gateway.sql('SELECT * FROM attribute_value ORDER BY parent_id, attribute_id');
}

function posts(): string[] {
  return gateway
    .restCalls()
    .filter(({ method }) => method === 'POST')
    .map(({ pathTemplate }) => pathTemplate);
}

async function write(operation: string, attributes: object[]): Promise<Written['write']> {
  gateway.sandbox.calls.reset();
  return (await gateway.ask<Written>(operation, { attributes })).write;
}

describe('setting attributes of sites', () => {
  it('sends all of them once, by id and by name, and returns the current sites', async () => {
    const [first = 0, second = 0] = siteIds;
    await gateway.ask('{ sites { nodes { customAttributes { value } } } }');
    const { changed, userErrors } = await write(setSites, [
      { siteId: `Site:${second}`, name: 'Asset owner', value: 'Müller & Söhne' },
      { siteId: String(first), attributeId: '502', value: '' },
      { siteId: String(first), name: 'Asset owner', value: 'x'.repeat(256) },
    ]);
    expect(userErrors).toEqual([]);
    expect(posts()).toEqual(['/v2.0/site/customAttributes']);
    expect(changed?.map(({ platformId }) => Number(platformId))).toEqual([second, first]);
    expect(changed?.[0]?.customAttributes).toContainEqual({ name: 'Asset owner', value: 'Müller & Söhne' });
    expect(changed?.[1]?.customAttributes).toEqual([
      { name: 'Asset owner', value: 'x'.repeat(256) },
      { name: 'Install depth m', value: '' },
    ]);
    const { site } = await gateway.ask<{ site: object }>(
      'query ($id: ID!) { site(id: $id) { customAttributes { value } } }',
      { id: first },
    );
    expect(site).toEqual({ customAttributes: [{ value: 'x'.repeat(256) }, { value: '' }] });
  });

  it('reports all errors at once, each with its path, and sends nothing', async () => {
    const [first = 0] = siteIds;
    const before = values();
    const { changed, userErrors } = await write(setSites, [
      { siteId: String(first), name: 'Asset owner', value: 'fine' },
      { siteId: '999', name: 'Asset owner', value: 'fine' },
      { siteId: 'Device:1', name: 'No such name', value: 'x'.repeat(257) },
      { siteId: String(first), value: 'fine' },
      { siteId: String(first), attributeId: '501', name: 'Asset owner', value: 'fine' },
      { siteId: `Site:${first}`, attributeId: '501', value: 'twice' },
      { siteId: String(first), attributeId: '503', value: "a stream's" },
    ]);
    expect(changed).toBeNull();
    expect(userErrors.map(({ field, code }) => `${field.join('.')} ${code}`)).toEqual([
      'attributes.1.siteId NOT_FOUND',
      'attributes.2.siteId INVALID_ID',
      'attributes.2.name NOT_FOUND',
      'attributes.2.value TOO_LONG',
      'attributes.3.name REQUIRED',
      'attributes.4.name EXCLUSIVE',
      'attributes.6.attributeId NOT_FOUND',
      'attributes.5 DUPLICATE',
    ]);
    expect(posts()).toEqual([]);
    expect(values()).toEqual(before);
    expect((await write(setSites, [])).userErrors).toEqual([{ field: ['attributes'], code: 'REQUIRED' }]);
  });

  it('accepts a site that was created after the last read of the sites', async () => {
    await gateway.ask('{ sites { nodes { name } } siteCustomAttributeNames { name } }');
    gateway.sandbox.database.exec(
      `INSERT INTO site SELECT 99999, account_id, creation_date, 'New', status, latitude, longitude, account_organization_id
       FROM site WHERE id = ${siteIds[0]}`,
    );
    const { userErrors } = await write(setSites, [{ siteId: '99999', name: 'Asset owner', value: 'new' }]);
    expect(userErrors).toEqual([]);
    expect(values()).toContainEqual({ attribute_id: 501, parent_id: 99999, value: 'new' });
  });

  it('uses the names on sites where the platform has no list of names', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site/customAttributes/names', status: 404 });
    const entry = { siteId: String(siteIds[0]), name: 'Asset owner', value: 'known' };
    expect((await write(setSites, [entry])).userErrors).toEqual([]);
    expect(posts()).toHaveLength(1);
  });
});

describe('setting attributes of streams', () => {
  it('changes their channel links at once, cached or not', async () => {
    const read = `{ stream(id: ${streamId}) { customAttributes { name value } channel { id } } }`;
    await gateway.ask(read);
    const { changed } = await write(setStreams, [
      { streamId: String(streamId), name: 'channel_id', value: '12345678' },
    ]);
    expect(changed?.[0]?.customAttributes).toContainEqual({ name: 'channel_id', value: '12345678' });
    expect(posts()).toEqual(['/v2.0/stream/customAttributes']);
    expect(await gateway.ask(read)).toMatchObject({ stream: { channel: null } });
    const { userErrors } = await write(setStreams, [{ streamId: '1', name: 'Asset owner', value: '' }]);
    expect(userErrors.map(({ code }) => code)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  it('is visible to the next operation, although the mutation reads nothing back', async () => {
    const read = `{ stream(id: ${streamId}) { customAttributes { name value } } }`;
    await gateway.ask(read);
    await gateway.ask(`mutation { setStreamCustomAttributes(input: { attributes: [
      { streamId: ${streamId}, name: "channel_id", value: "87654321" }] }) { userErrors { code } } }`);
    expect(await gateway.ask(read)).toEqual({
      stream: { customAttributes: expect.arrayContaining([{ name: 'channel_id', value: '87654321' }]) },
    });
  });

  it('names the field with the names of attributes where one is unknown', async () => {
    const { write } = await gateway.ask<{ write: { userErrors: { message: string }[] } }>(
      `mutation { write: setStreamCustomAttributes(input: { attributes: [
        { streamId: ${streamId}, name: "Asset owner", value: "" }] }) { userErrors { message } } }`,
    );
    expect(write.userErrors).toEqual([
      { message: 'There is no such attribute of streams; see streamCustomAttributeNames.' },
    ]);
  });
});

describe('several writes in one operation', () => {
  it('run in sequence, and each sees the effect of those before it', async () => {
    const field = (alias: string, value: string) =>
      `${alias}: setSiteCustomAttributes(input: { attributes: [{ siteId: ${siteIds[0]}, name: "Asset owner", value: "${value}" }] }) {
        sites { customAttributes { name value } } }`;
    gateway.sandbox.calls.reset();
    const results = await gateway.ask<
      Record<string, { sites: { customAttributes: { name: string; value: string }[] }[] }>
    >(`mutation { ${field('a', 'one')} ${field('b', 'two')} ${field('c', 'three')} }`);
    const seen = ['a', 'b', 'c'].map(
      (alias) => results[alias]?.sites[0]?.customAttributes.find(({ name }) => name === 'Asset owner')?.value,
    );
    expect(seen).toEqual(['one', 'two', 'three']);
    expect(posts()).toHaveLength(3);
  });
});
