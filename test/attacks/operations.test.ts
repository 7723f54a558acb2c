/** Expensive operations over HTTP and websocket. Each is refused with its own code before any field is resolved. */
import { beforeAll, describe, expect, it } from 'vitest';
import { chainFragments } from '../support/execution/countVisits.js';
import { STILL_NOW_MS } from '../support/gateway.js';
import { type AskWay, type AttackTarget, startAttackTarget } from '../support/http/attackTarget.js';

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Repeats `open` and `close` to this depth: `{ open open … close close }`. */
const nested = (levels: number, open: string, inner: string) =>
  `${open} { `.repeat(levels) + inner + ' }'.repeat(levels);

/** Fragments of which each spreads the next one twice: fragment n stands for 2 to the power of n fields. */
const doublings = (count: number, inner: string) =>
  times(
    count,
    (index) =>
      `fragment F${index} on Site { ${index === count - 1 ? inner : `devices { site { ...F${index + 1} } } devices { site { ...F${index + 1} } }`} }`,
  );

/** Fields of a stream that lead back to it. */
const lastOfStream = (inner: string) =>
  ['lastSample', 'lastImage', 'lastRfidRead'].map((name) => `${name} { stream { ${inner} } }`).join(' ');
const everyOfStream = (inner: string) =>
  `${lastOfStream(inner)} samplesAfter { stream { ${inner} } } channel { streams { ${inner} } }`;

/** Fragments of which each spreads the next one below `count` different arguments. */
const scopes = (count: number, inner: string) =>
  `{ sites { ...A } } fragment A on Query { ${times(count, (i) => `search(first: ${i}) { ...B }`)} }
  fragment B on Stream { ${times(count, (i) => `series(maxPoints: ${i}) { ...C }`)} } fragment C on Stream { ${inner} }`;

const attacks: readonly [name: string, code: string, query: string, message: RegExp][] = [
  [
    'aliases of a field',
    'TOO_MANY_ALIASES',
    `{ ${times(101, (i) => `a${i}: site(id: 16801) { name }`)} }`,
    /101 .* 15\./,
  ],
  [
    'one root alias more than root fields are allowed',
    'TOO_MANY_ALIASES',
    `{ ${times(21, (i) => `a${i}: site(id: 16801) { name }`)} }`,
    /21 .* 15\. Aliases of root fields do not count if there are at most 20\./,
  ],
  [
    'root aliases of several operations',
    'TOO_MANY_ALIASES',
    `query A { __typename } ${times(3, (i) => `query B${i} { ${times(7, (j) => `a${j}: site(id: 16801) { name }`)} }`)}`,
    /21 .* 15\./,
  ],
  [
    'aliases below aliased root fields',
    'TOO_MANY_ALIASES',
    `{ ${times(16, (i) => `a${i}: site(id: 16801) { b: name }`)} }`,
    /16 .* 15\./,
  ],
  [
    'aliases of a mutation',
    'TOO_MANY_ALIASES',
    `mutation { ${times(16, (i) => `a${i}: setStreamThreshold(input: { streamId: 1, levels: [] }) { userErrors { code } }`)} }`,
    /16 .* 15\./,
  ],
  [
    'few aliases of __typename',
    'TOO_MANY_ALIASES',
    `{ ${times(16, (i) => `a${i}: __typename`)} }`,
    /16 .* 15\./,
  ],
  [
    'aliases of __typename',
    'TOO_MANY_ALIASES',
    `{ ${times(101, (i) => `a${i}: __typename`)} }`,
    /101 .* 15\./,
  ],
  [
    'aliases in a fragment',
    'TOO_MANY_ALIASES',
    `{ sites { nodes { ...A } } } fragment A on Site { ${times(16, (i) => `a${i}: name`)} }`,
    /16 .* 15\./,
  ],
  [
    'directives on a field',
    'TOO_MANY_DIRECTIVES',
    `{ __typename ${'@include(if: true) '.repeat(6)} }`,
    /6 .* 5\./,
  ],
  ['unknown directives', 'TOO_MANY_DIRECTIVES', `{ __typename ${'@aa'.repeat(10)} }`, /10 .* 5\./],
  [
    'directives on a variable',
    'TOO_MANY_DIRECTIVES',
    `query ($a: ID ${'@aa'.repeat(6)}) { __typename }`,
    /6 directives on one field, fragment, variable or operation\. .* 5\./,
  ],
  [
    'introspection',
    'COST_TOO_HIGH',
    `{ ${times(4, (i) => `a${i}: __schema { queryType { name } }`)} }`,
    /120,?000/,
  ],
  ['a repeated field', 'TOO_MANY_ROOT_FIELDS', `{ ${'__typename '.repeat(500)} }`, /500 .* 20\./],
  [
    'root fields in fragments',
    'TOO_MANY_ROOT_FIELDS',
    `{ ...A ...A ...A } fragment A on Query { ${times(7, () => '__typename')} }`,
    /21 .* 20\./,
  ],
  [
    'root fields in fragments that double',
    'TOO_MANY_ROOT_FIELDS',
    `{ ...F0 } ${times(150, (at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`)} fragment F150 on Query { __typename }`,
    /has more than 1000000000 root fields\. .* 20\./,
  ],
  [
    'depth',
    'TOO_DEEP',
    `{ sites { nodes { ${nested(10, 'devices { site', 'name').replaceAll('site {', 'site {')} } } ${' }'.repeat(10)} }`,
    /levels/,
  ],
  ['depth in fragments', 'TOO_DEEP', `{ sites { nodes { ...F0 } } } ${doublings(12, 'name')}`, /25 .* 20\./],
  [
    'tokens',
    'TOO_MANY_TOKENS',
    `{ sites { nodes { ${'name '.repeat(2000)} } } }`,
    /more than 2000 .* 2000\./,
  ],
  [
    'a block string',
    'TOO_MANY_TOKENS',
    `{ search(text: """${'\n '.repeat(80_000)}""") { totalCount } }`,
    /2000/,
  ],
  ['tokens that end in a syntax error', 'TOO_MANY_TOKENS', '{ '.repeat(100_000), /2000/],
  [
    'a list of tokens in an argument',
    'TOO_MANY_TOKENS',
    `{ nodes(ids: [${'"Site:1" '.repeat(3000)}]) { id } }`,
    /2000/,
  ],
  [
    'objects repeated in one selection',
    'TOO_MANY_REPEATS',
    `{ site(id: 16801) { ${'devices { name } '.repeat(400)} } }`,
    /more than 50 .* 50\./,
  ],
  [
    'repeats in merged selections',
    'TOO_MANY_REPEATS',
    `{ site(id: 16801) { ${`devices { site { ${'name '.repeat(9)} } } `.repeat(6)} } }`,
    /more than 50 .* 50\./,
  ],
  [
    'repeats from several fragments',
    'TOO_MANY_REPEATS',
    `{ site(id: 16801) { ...A ...B ... on Site { name } } } ${times(2, (i) => `fragment ${'AB'[i]} on Site { ${'name '.repeat(25)} }`)}`,
    /more than 50 .* 50\./,
  ],
  [
    'fragments in one selection',
    'TOO_MANY_REPEATS',
    `{ site(id: 16801) { ${times(51, (i) => `...F${i}`)} } } ${times(51, (i) => `fragment F${i} on Site { ${['id', 'name', 'createdAt'][i % 3]} }`)}`,
    /more than 50 .* 50\./,
  ],
  [
    'a circular fragment',
    'CIRCULAR_FRAGMENT',
    '{ sites { nodes { ...A } } } fragment A on Site { devices { site { ...A } } }',
    /A /,
  ],
  [
    'fragments in a cycle',
    'CIRCULAR_FRAGMENT',
    '{ ...A } fragment A on Query { ...B } fragment B on Query { ...C } fragment C on Query { ...A }',
    /itself/,
  ],
  [
    'a circular fragment without a spread',
    'CIRCULAR_FRAGMENT',
    '{ __typename } fragment A on Site { ...A }',
    /A /,
  ],
  [
    'depth of an operation that is not the first',
    'TOO_DEEP',
    `query A { __typename } query B { ${nested(21, 'site', 'name')} }`,
    /levels of fields/,
  ],
  [
    'root fields of an operation that is not the first',
    'TOO_MANY_ROOT_FIELDS',
    `query A { __typename } query B { ${'__typename '.repeat(21)} }`,
    /21 .* 20\./,
  ],
  [
    'breadth',
    'COST_TOO_HIGH',
    '{ sites(first: 1000) { nodes { devices { channels { streams { lastSample { stream { site { devices { name } } } } } } } } } }',
    /cost of \d[\d.]*\. The limit is 100000/,
  ],
  [
    'lists of lists',
    'COST_TOO_HIGH',
    '{ streams(first: 1000) { nodes { samples(first: 1000) { nodes { value } } } } }',
    /estimated cost/,
  ],
  [
    'series of many points',
    'COST_TOO_HIGH',
    '{ streams { nodes { series(range: { from: "2020-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }, maxPoints: 10000) { times values } } } }',
    /estimated cost/,
  ],
  [
    'fragments that double eight times over',
    'COST_TOO_HIGH',
    `{ sites(first: 1000) { nodes { ...F0 } } } ${doublings(8, 'name')}`,
    /estimated cost/,
  ],
  [
    'fragments that double below an empty list',
    'COST_TOO_HIGH',
    `{ sites(first: 0) { nodes { ...F0 } } } ${chainFragments('Site', 45, (next) => `${next} ${next}`)}`,
    /estimated cost/,
  ],
  [
    'relations in fragments below an empty list',
    'COST_TOO_HIGH',
    `{ samplesOf(streamIds: []) { stream { ...F0 } } } ${chainFragments('Stream', 8, everyOfStream)}`,
    /estimated cost/,
  ],
  [
    'deferred fragments that double',
    'COST_TOO_HIGH',
    `{ site(id: 1) { ...F0 } } ${chainFragments('Site', 20, (next) => `${next} @defer ${next} @defer`)}`,
    /estimated cost/,
  ],
  [
    'fragments below many different arguments',
    'COST_TOO_HIGH',
    `${scopes(
      48,
      times(48, (i) => `samples(first: ${i}) { ...D }`),
    )} fragment D on Stream { x }`,
    /too many different arguments/,
  ],
  [
    'edges and nodes at once',
    'COST_TOO_HIGH',
    '{ sites(first: 1000) { edges { node { streams { samplesAfter { value } } } } nodes { name } } }',
    /estimated cost/,
  ],
];

let target: AttackTarget;
beforeAll(async () => {
  // The clock stands still, so that no attack meets the revalidation of data that an earlier test has read.
  target = await startAttackTarget({ clock: { now: () => STILL_NOW_MS } });
});

describe.each<AskWay>(['POST', 'websocket'])('an operation over %s', (way) => {
  it.each(attacks)('%s: %s', async (_, code, query, message) => {
    const errors = await target.attack(() => target.errorsOf(way, { query }));
    expect(errors).toEqual([
      {
        message: expect.stringMatching(message),
        extensions: {
          code,
          retryable: false,
          requestId: expect.stringMatching(/^[\w-]{36}$/),
          ...(code === 'COST_TOO_HIGH' && { costliestFields: expect.any(Array) }),
        },
      },
    ]);
  });

  const everyLog = 'nodes { devices { lastLog { message } lastHealth { value } } }';
  it.each([
    ['variables', `query ($n: Int) { sites(first: $n) { ${everyLog} } }`, { n: 1000 }],
    ['defaults of variables', `query ($n: Int = 1000) { sites(first: $n) { ${everyLog} } }`, {}],
    ['literals', `{ sites(first: 1000) { ${everyLog} } }`, {}],
  ])('is charged for the list sizes in %s', async (_, query, variables) => {
    const errors = await target.attack(() => target.errorsOf(way, { query, variables }));
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['COST_TOO_HIGH']);
  });

  it.each([
    ['in the operation', `{ ${times(17, (i) => `tile${i}: site(id: 16801) { name }`)} }`],
    [
      'in a fragment',
      `{ ...Tiles } fragment Tiles on Query { ${times(17, (i) => `t${i}: site(id: 1) { name }`)} }`,
    ],
    [
      'in an inline fragment, with as many aliases below as are allowed',
      `{ ... { ${times(20, (i) => `t${i}: site(id: 1) { ${i < 15 ? 'title: ' : ''}name }`)} } }`,
    ],
  ])('is accepted as a dashboard with aliased root fields %s', async (_, query) => {
    expect(await target.errorsOf(way, { query })).toEqual([]);
  });

  it('is accepted with a fragment that repeats fields and is spread repeatedly', async () => {
    const query = `{ site(id: 16801) { ${'...A '.repeat(60)} } } fragment A on Site { name ${times(40, () => 'devices { name }')} }`;
    expect(await target.errorsOf(way, { query })).toEqual([]);
  });

  it('is accepted with fragments that double within the cost limit', async () => {
    const site = `{ sites(first: 1) { nodes { ...F0 } } } ${chainFragments('Site', 18, (next) => `${next} ${next}`)}`;
    expect(await target.errorsOf(way, { query: site })).toEqual([]);
    const stream = `{ samplesOf(streamIds: []) { stream { ...F0 } } } ${chainFragments('Stream', 6, lastOfStream)}`;
    expect(await target.errorsOf(way, { query: stream })).toEqual([]);
  });

  it('gets up to ten validation errors at once', async () => {
    const wrong = (count: number) => `{ site(id: 16801) { ${times(count, (i) => `nothing${i}`)} } }`;
    const three = await target.attack(() => target.errorsOf(way, { query: wrong(3) }));
    expect(three.map(({ message }) => message)).toEqual(
      [0, 1, 2].map((i) => `Cannot query field "nothing${i}" on type "Site".`),
    );
    const many = await target.attack(() => target.errorsOf(way, { query: wrong(45) }));
    expect(many).toHaveLength(11);
    expect(many.at(-1)?.message).toMatch(/Too many validation errors/);
    for (const { extensions } of many) {
      expect(extensions).toEqual({
        code: 'GRAPHQL_VALIDATION_FAILED',
        retryable: false,
        requestId: many[0]?.extensions.requestId,
      });
    }
  });

  it('is accepted when its variables make it small', async () => {
    const query = `query ($n: Int = 1000) { sites(first: $n) { ${everyLog} } }`;
    expect(await target.errorsOf(way, { query, variables: { n: 1 } })).toEqual([]);
  });

  it('is refused with an unpaired surrogate, although the hash of another document is equal', async () => {
    const write = (character: string) =>
      `query ($n: Int) { sites(first: $n) { ${everyLog} } } # ${character}`;
    expect(await target.errorsOf('POST', { query: write('\ufffd'), variables: { n: 1 } })).toEqual([]);
    const evasion = { query: write('\ud800'), variables: { n: 1000 } };
    const errors = await target.attack(() => target.errorsOf(way, evasion));
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['GRAPHQL_PARSE_FAILED']);
  });

  it('is charged for each id of a list', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `Device:${index + 1}`);
    const query =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Device { health { nodes { value } } } } }';
    const errors = await target.attack(() => target.errorsOf(way, { query, variables: { ids } }));
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['COST_TOO_HIGH']);
  });

  it('is refused for circular introspection', async () => {
    const query = `{ __schema { types { ${nested(4, 'fields { type', 'name')} ${'} '.repeat(4)} } } }`;
    const errors = await target.attack(() => target.errorsOf(way, { query }));
    expect(errors[0]?.extensions.code).toMatch(/^(GRAPHQL_VALIDATION_FAILED|COST_TOO_HIGH)$/);
  });
});
