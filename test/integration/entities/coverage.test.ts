/** Checks docs/coverage.md: every endpoint of the REST API has a row, and the operation of every row calls it. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  required,
  STILL_NOW_MS,
  startStillGateway,
  type TestGateway,
  TOKEN_PATH,
  toText,
} from '../../support/gateway.js';
import { listOperations } from '../../support/sandbox/openapi.js';
import { readDocument } from '../../support/sandbox/sandbox.js';

interface Row {
  /** Such as `GET /v2.0/site`. */
  endpoint: string;
  field: string;
  operation: string | undefined;
  /** Path templates of the operation's other calls. */
  otherCalls: string[];
}

function codeOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
}

function readRows(): Row[] {
  const text = readFileSync(new URL('../../../docs/coverage.md', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [endpoint = '', field = '', operation = '', otherCalls = ''] = line.split('|').slice(1, -1);
    return {
      endpoint: codeOf(endpoint)[0] ?? '',
      field: field.trim(),
      operation: codeOf(operation)[0],
      otherCalls: codeOf(otherCalls),
    };
  });
}

const rows = readRows();
const writes = rows.filter(({ endpoint }) => endpoint.startsWith('POST '));

let gateway: TestGateway;
let variables: Record<string, unknown>;
/** Field names by type. */
let fields: Map<string, string[]>;

function idOf(sql: string): string {
  return String(required(gateway.sql<{ id: number | string }>(sql)[0], `row of ${sql}`).id);
}

async function readFields() {
  const { __schema } = await gateway.ask<{
    __schema: { types: { name: string; fields: { name: string }[] | null }[] };
  }>('{ __schema { types { name fields { name } } } }');
  return new Map(__schema.types.map((type) => [type.name, (type.fields ?? []).map(({ name }) => name)]));
}

beforeAll(async () => {
  gateway = await startStillGateway();
  fields = await readFields();
  const mine = `stream_id IN (SELECT id FROM stream WHERE account_id = ${gateway.accountId}) LIMIT 1`;
  const image = idOf(`SELECT id FROM image_sample WHERE ${mine}`);
  const rfidStream = idOf(`SELECT stream_id AS id FROM rfid_sample WHERE ${mine}`);
  const now = STILL_NOW_MS / 1000;
  variables = {
    organization: idOf('SELECT id FROM organization LIMIT 1'),
    user: idOf('SELECT id FROM user LIMIT 1'),
    site: idOf('SELECT id FROM site LIMIT 1'),
    rfidSite: idOf(`SELECT site_id AS id FROM stream WHERE id = ${rfidStream}`),
    device: idOf('SELECT id FROM device LIMIT 1'),
    serialNumber: idOf('SELECT serial_number AS id FROM device LIMIT 1'),
    channel: idOf('SELECT id FROM channel LIMIT 1'),
    stream: idOf('SELECT stream_id AS id FROM threshold ORDER BY stream_id LIMIT 1'),
    sample: idOf(`SELECT id FROM scalar_sample WHERE ${mine}`),
    rfidRead: idOf(`SELECT id FROM rfid_sample WHERE ${mine}`),
    image,
    imageStream: idOf(`SELECT stream_id AS id FROM image_sample WHERE id = ${image}`),
    rfidStream,
    from: toText(now - 2 * 86_400),
    to: toText(now + 60),
  };
});

/** Whether the response contains more than empty objects, lists and nulls. */
function hasAnyData(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAnyData);
  if (value !== null && typeof value === 'object') return Object.values(value).some(hasAnyData);
  return value !== null && value !== undefined;
}

describe('the coverage table', () => {
  it('lists each endpoint of the API once, and no other', async () => {
    const endpoints = listOperations(await readDocument(gateway.sandbox.url))
      .filter(({ path }) => path !== TOKEN_PATH)
      .map(({ method, path }) => `${method} ${path}`);
    expect(rows.map(({ endpoint }) => endpoint).sort()).toEqual(endpoints.sort());
  });

  it('lists a mutation for every write, and only for writes', () => {
    expect(writes).toHaveLength(7);
    expect(rows.filter(({ field }) => field.includes('Mutation.'))).toEqual(writes);
  });
});

describe('each endpoint', () => {
  // Observed calls decide which fetch plan is cheapest, so each row runs on a fresh gateway.
  let fresh: TestGateway;
  beforeEach(async () => {
    fresh = await startStillGateway();
  });
  afterEach(() => fresh.stop());

  it.each(rows)('$endpoint is called', async ({ endpoint, operation, otherCalls }) => {
    const { data, calls } = await fresh.count(required(operation, 'operation'), variables);
    const [method, template = ''] = endpoint.split(' ');
    expect([...calls].sort()).toEqual([...otherCalls, template].sort());
    expect(fresh.restCalls().filter((call) => call.method === 'POST')).toHaveLength(
      method === 'POST' ? 1 : 0,
    );
    if (method === 'GET' && !template.endsWith('/status')) expect(hasAnyData(data)).toBe(true);
  });
});

describe('each row', () => {
  it.each(rows)(
    'of $endpoint lists fields that the schema has and the operation selects',
    ({ field, operation }) => {
      const names = codeOf(field).map((name) => name.split('.'));
      expect(names.length).toBeGreaterThan(0);
      for (const [type = '', name = ''] of names) expect(fields.get(type)).toContain(name);
      expect(names.some(([, name]) => new RegExp(`\\b${name}\\b`).test(operation ?? ''))).toBe(true);
    },
  );
});
