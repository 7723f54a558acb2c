/** Strings of 250 KB on which a backtracking expression or a nested loop takes minutes. Each gets a short error in time. */
import { get } from 'node:http';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_MESSAGE_CHARACTERS } from '../../src/errors.js';
import { defaultOperationLimits } from '../../src/graphql/limits/operationLimits.js';
import {
  type AskWay,
  type AttackPayload,
  type AttackTarget,
  startAttackTarget,
} from '../support/http/attackTarget.js';

const LENGTH = 250_000;
/** Quadratic work on such a string takes 20 s or more; linear work takes a few hundredths of a second. */
const MAX_CPU_MS = 2000;
/** Quadratic work on a header takes a second or more. */
const MAX_HEADER_WAIT_MS = 500;

/** The longest string that fits the body limit although JSON escapes some of its characters. */
const repeated = (part: string) => part.repeat(LENGTH / (JSON.stringify(part).length - 2));
const ORDERED = 'query ($o: SiteOrder) { sites(orderBy: $o) { totalCount } }';

/** The error of this document lists a location for each of its fields. */
const conflicts = Array.from({ length: 120 }, (_, index) => `devices(first: ${index}) { id }`).join(' ');

const payloads: readonly [name: string, payload: AttackPayload][] = [
  [
    'suggestions in a name of an operation',
    { query: `query ($a: ID) { x(${'a'}: "${repeated('Did you mean ')}") }` },
  ],
  [
    'suggestions in a value of an enum',
    { query: ORDERED, variables: { o: { field: repeated('Did you mean ') } } },
  ],
  [
    'suggestions in names of input fields',
    { query: ORDERED, variables: { o: { [repeated(' Did you mean "')]: 1 } } },
  ],
  ['suggestions in a string', { query: `{ sites(first: "${repeated(' Did you mean')}") { totalCount } }` }],
  ['a long name of a field', { query: `{ ${repeated('a')} }` }],
  ['a long name of a type', { query: `query ($x: ${repeated('Site')}) { __typename }` }],
  ['a long name of a fragment', { query: `{ ...${repeated('f')} }` }],
  ['a long name of an operation', { query: `query ${repeated('q')} { sites { x } }` }],
  ['a long number', { query: `{ sites(first: ${repeated('1')}) { totalCount } }` }],
  ['a long fraction', { query: `{ sites(first: 1.${repeated('1')}) { totalCount } }` }],
  ['spaces', { query: `{ sites${repeated(' ')}{ x } }` }],
  ['line feeds', { query: `{ ${repeated('\n')} sites { ${conflicts} } }` }],
  ['carriage returns', { query: `{ ${repeated('\r')} ${'sites { x } '.repeat(20)} }` }],
  ['comments', { query: `{ ${repeated('#\n')} x }` }],
  ['a block string', { query: `{ sites(first: """${repeated(' \n')}""") { totalCount } }` }],
  ['a block string that does not end', { query: `{ sites(first: """${repeated('\\"""')}` }],
  ['a string that does not end', { query: `{ sites(first: "${repeated('\\\\')}` }],
  ['an id', { query: 'query ($id: ID!) { site(id: $id) { id } }', variables: { id: repeated('1') } }],
  [
    'a typed id',
    { query: 'query ($id: ID!) { node(id: $id) { id } }', variables: { id: repeated('Site:') } },
  ],
  [
    'a cursor',
    {
      query: 'query ($after: String) { sites(after: $after) { totalCount } }',
      variables: { after: repeated('1.') },
    },
  ],
  [
    'a time',
    {
      query:
        'query ($from: DateTime!) { stream(id: 1) { samples(range: { from: $from, to: $from }) { nodes { id } } } }',
      variables: { from: `2026-01-01T00:00:00.${repeated('1')}` },
    },
  ],
  [
    'many unknown input fields',
    {
      query: ORDERED,
      variables: { o: Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`field${at}`, at])) },
    },
  ],
  ['a name of an operation to run', { query: 'query a { __typename } query b { __typename }' }],
];

/** A header of the longest size that the server reads. */
const LONG_HEADER = 15_000;
const headers: readonly [name: string, path: string, header: Record<string, string>][] = [
  ['Accept-Encoding', '/', { 'accept-encoding': `a${' '.repeat(LONG_HEADER)}b` }],
  ['If-None-Match', '/', { 'if-none-match': 'W/,'.repeat(LONG_HEADER / 3) }],
  ['Authorization', '/graphql?query={__typename}', { authorization: `a${' '.repeat(LONG_HEADER)}b c` }],
  ['Accept', '/graphql?query={__typename}', { accept: `a/b${' '.repeat(LONG_HEADER)}c` }],
  ['many types in Accept', '/graphql?query={__typename}', { accept: 'a/b,'.repeat(LONG_HEADER / 4) }],
  ['Cache-Control', '/graphql?query={__typename}', { 'cache-control': ' '.repeat(LONG_HEADER) }],
  [
    'Content-Type',
    '/graphql?query={__typename}',
    { 'content-type': `application/json${' '.repeat(LONG_HEADER)}x` },
  ],
];

/** Measures CPU time, which does not depend on the load of the machine; the gateway runs in this process. */
async function timed<Result>(run: () => Promise<Result>, maxMs = MAX_CPU_MS): Promise<Result> {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(maxMs);
  return result;
}

function statusOf(url: string, header: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers: header }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    }).on('error', reject);
  });
}

describe.each([true, false])('a hostile text, with introspection %s', (allowsIntrospection) => {
  let target: AttackTarget;
  beforeAll(async () => {
    const operation = { ...defaultOperationLimits, allowsIntrospection };
    target = await startAttackTarget({ callerLimits: { operation } });
  });

  const ways: readonly AskWay[] = ['POST', 'websocket'];
  it.each(payloads.flatMap(([name, payload]) => ways.map((way) => [name, way, payload] as const)))(
    '%s gets a response in time over %s',
    async (_, way, payload) => {
      const errors = await timed(() => target.errorsOf(way, payload));
      expect(errors.length).toBeGreaterThan(0);
      for (const { message } of errors) expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARACTERS);
    },
  );

  it.each(headers)('%s of 15 KB gets a response in time', async (_, path, header) => {
    const status = await timed(() => statusOf(target.url + path, header), MAX_HEADER_WAIT_MS);
    expect(status).toBeLessThan(500);
  });
});

describe('a long argument of a field', () => {
  let target: AttackTarget;
  beforeAll(async () => {
    target = await startAttackTarget();
  });

  const hour = 'range: { from: 0, to: 3600000 }';
  const zone = `aggregates(${hour}, every: { hours: 1 }, timeZone: $value) { count }`;
  it.each<[name: string, type: string, field: string, short: string]>([
    ['a time zone', 'String', zone, 'Europe/'],
    ['a cursor', 'String', 'samples(after: $value) { nodes { id } }', 'U2Ft'],
    ['an id', 'ID', 'samplesAfter(after: $value) { id }', '0'],
  ])('%s is not copied for the message of each field', async (_, type, field, short) => {
    const query = `query ($value: ${type}) { streams(first: 10) { nodes { ${field} } } }`;
    const quoted = vi.spyOn(JSON, 'stringify');
    try {
      const value = short.repeat(200_000 / short.length);
      const errors = await target.errorsOf('POST', { query, variables: { value } });
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
      const lengths = quoted.mock.calls.map(([text]) => (typeof text === 'string' ? text.length : 0));
      expect(Math.max(...lengths)).toBe(1000);
    } finally {
      quoted.mockRestore();
    }
  });

  const numbers = (length: number) => Array.from({ length }, (_, index) => String(index));
  it.each<[name: string, field: string, value: string[], message: string]>([
    [
      'counters',
      'devices(first: 1) { nodes { lastHealth(counters: $value) { value } } }',
      numbers(101),
      'counters: 101 counters exceed the maximum of 100.',
    ],
    [
      'a counter',
      'devices(first: 1) { nodes { lastHealth(counters: $value) { value } } }',
      ['1'.repeat(101)],
      `counters[0]: "${'1'.repeat(101)}" is neither a number nor a name in the setting HEALTH_COUNTERS (none).`,
    ],
    [
      'tags',
      'sites(first: 1) { nodes { rfidReads(since: 0, filter: { tagIds: $value }) { nodes { id } } } }',
      numbers(1001),
      'filter.tagIds: 1001 ids exceed the maximum of 1000.',
    ],
  ])('%s: beyond the bound is an error', async (_, field, value, message) => {
    const query = `query ($value: [String!]) { ${field} }`;
    const errors = await target.errorsOf('POST', { query, variables: { value } });
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    const within = { value: value.length > 1 ? value.slice(1) : numbers(1) };
    expect(await target.errorsOf('POST', { query, variables: within })).toEqual([]);
  });
});
