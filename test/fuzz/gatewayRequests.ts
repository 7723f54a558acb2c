/** Mutated requests to the gateway: valid operations with one part changed. */
import fc from 'fast-check';
import {
  deepJson,
  encode,
  type MutatedRequest,
  mangled,
  mangledBytes,
  oddHeader,
  oddMethod,
  oddText,
  oddValue,
} from './mutatedRequest.js';

interface Operation {
  query: string;
  variables: Record<string, unknown>;
}

const RANGE = { from: '2026-03-14T00:00:00Z', to: '2026-03-14T06:00:00Z' };

/** Each uses other arguments; mutations change mostly the variables. */
const operations: readonly Operation[] = [
  { query: 'query ($id: ID!) { node(id: $id) { id __typename } }', variables: { id: 'Site:1' } },
  { query: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', variables: { ids: ['Site:1', '2'] } },
  { query: 'query ($id: ID!) { site(id: $id) { name devices { id } } }', variables: { id: '1' } },
  {
    query: 'query ($id: ID!) { stream(id: $id) { name lastSample { value } } }',
    variables: { id: 'Stream:1' },
  },
  { query: 'query ($s: String!) { deviceBySerialNumber(serialNumber: $s) { id } }', variables: { s: 'X-1' } },
  {
    query:
      'query ($f: SiteFilter, $o: SiteOrder, $n: Int, $a: String) { sites(filter: $f, orderBy: $o, first: $n, after: $a) { totalCount edges { distanceKm node { id } } } }',
    variables: {
      f: { nameContains: 'a', near: { latitude: 39.1, longitude: -84.5, radiusKm: 9 } },
      o: { field: 'NAME', direction: 'ASC' },
      n: 2,
      a: null,
    },
  },
  {
    query:
      'query ($f: StreamFilter, $n: Int, $a: String) { streams(filter: $f, first: $n, after: $a) { pageInfo { endCursor } } }',
    variables: { f: { siteId: '1' }, n: 3, a: 'MQ' },
  },
  {
    query:
      'query ($id: ID!, $r: TimeRange!, $n: Int, $a: String) { stream(id: $id) { samples(range: $r, first: $n, after: $a) { nodes { rawValue } } } }',
    variables: { id: '1', r: RANGE, n: 5, a: null },
  },
  {
    query:
      'query ($id: ID!, $r: TimeRange!, $p: Int!) { stream(id: $id) { series(range: $r, maxPoints: $p) { times } } }',
    variables: { id: '1', r: RANGE, p: 10 },
  },
  {
    query:
      'query ($id: ID!, $r: TimeRange!, $m: Int!) { stream(id: $id) { aggregates(range: $r, every: { minutes: $m }) { avg } } }',
    variables: { id: '1', r: RANGE, m: 60 },
  },
  {
    query: 'query ($d: DateTime!, $n: Int) { images(since: $d, first: $n) { nodes { url } } }',
    variables: { d: '2026-03-13T00:00:00Z', n: 1 },
  },
  {
    query:
      'query ($k: SampleBatchKind!, $a: ID, $h: Int) { sampleBatch(kind: $k, after: $a, backfillHours: $h) { hasMore } }',
    variables: { k: 'RFID', a: null, h: 1 },
  },
  { query: '{ organizations { nodes { id name } } users { nodes { id } } }', variables: {} },
  { query: '{ __schema { types { name } } }', variables: {} },
];

const operation = fc.constantFrom(...operations);

/** One variable replaced, at the top or one level below, or one added under an odd name. */
const oddVariables = fc
  .tuple(operation, fc.nat(), oddValue, oddText)
  .map(([{ query, variables }, pick, odd, name]) => {
    const names = Object.keys(variables);
    const chosen = names[pick % Math.max(1, names.length)] ?? name;
    const old = variables[chosen];
    const isNested = pick % 2 === 0 && typeof old === 'object' && old !== null && !Array.isArray(old);
    const inner = isNested ? Object.keys(old) : [];
    const value = isNested ? { ...old, [inner[pick % inner.length] ?? name]: odd } : odd;
    return JSON.stringify({ query, variables: { ...variables, [chosen]: value } });
  });

const oddQuery = operation.chain(({ query, variables }) =>
  mangled(query).map((text) => JSON.stringify({ query: text, variables })),
);

const oddJson = operation.chain((valid) => mangled(JSON.stringify(valid)));

/** A field of the request with another type, or an additional one. */
const oddMember = fc
  .tuple(
    operation,
    fc.constantFrom('query', 'variables', 'operationName', 'extensions', '__proto__', 'id'),
    oddValue,
  )
  .map(
    ([valid, name, odd]) =>
      `${JSON.stringify(valid).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(odd)}}`,
  );

const oddBatch = fc.array(operation, { maxLength: 3 }).map((several) => JSON.stringify(several));

/** Numbers too large for JavaScript, which JSON can contain. */
const giantNumber = fc
  .constantFrom('1e999', '-1e999', '9'.repeat(400), `0.${'0'.repeat(400)}1`)
  .map(
    (number) =>
      `{"query":"query($n: Int, $id: ID!){ sites(first: $n) { totalCount } site(id: $id) { id } }","variables":{"n":${number},"id":${number}}}`,
  );

const deepQuery = fc
  .tuple(fc.constantFrom('devices { site ', 'a ', '... on Site ', '(a: ['), fc.constantFrom(20, 500, 20_000))
  .map(([step, depth]) => JSON.stringify({ query: `{ site(id: "1") { ${step.repeat(depth)}` }));

const closedDeepQuery = fc.constantFrom(5, 60, 300).map((depth) => {
  const query = `{ site(id: "1") { ${'... on Site { '.repeat(depth)} id ${'} '.repeat(depth)} } }`;
  return JSON.stringify({ query });
});

const tooLarge = fc.constantFrom(262_145, 400_000).map((size) => JSON.stringify({ query: 'x'.repeat(size) }));

const body = fc.oneof(
  { weight: 30, arbitrary: oddVariables },
  { weight: 20, arbitrary: oddQuery },
  { weight: 15, arbitrary: oddJson },
  { weight: 15, arbitrary: oddMember },
  { weight: 4, arbitrary: oddBatch },
  { weight: 4, arbitrary: giantNumber },
  { weight: 2, arbitrary: deepQuery },
  { weight: 4, arbitrary: closedDeepQuery },
  { weight: 2, arbitrary: deepJson },
  { weight: 1, arbitrary: tooLarge },
  { weight: 3, arbitrary: oddValue.map((value) => JSON.stringify(value)) },
);

const headers = fc
  .array(oddHeader, { maxLength: 3 })
  .map((odd): [string, string][] => [['Content-Type', 'application/json'], ...odd]);
const plainHeaders = fc.constant<[string, string][]>([['Content-Type', 'application/json']]);
const missingBytes = fc.oneof({ weight: 40, arbitrary: fc.constant(0) }, fc.constantFrom(1, 1000));

const post: fc.Arbitrary<MutatedRequest> = fc.record({
  method: fc.oneof({ weight: 20, arbitrary: fc.constant('POST') }, oddMethod),
  path: fc.oneof(
    { weight: 20, arbitrary: fc.constant('/graphql') },
    fc.constantFrom('/graphql?query={a}', '/graphql/', '//graphql', '/graphql%00', '/GRAPHQL'),
  ),
  headers: fc.oneof({ weight: 3, arbitrary: plainHeaders }, headers),
  body: body.chain(mangledBytes),
  missingBytes,
});

const search = fc.oneof(
  fc
    .tuple(
      operation.chain(({ query }) => mangled(query)),
      oddValue,
    )
    .map(([query, odd]) => `query=${encode(query)}&variables=${encode(JSON.stringify(odd))}`),
  oddVariables.map((json) => {
    const { query, variables } = JSON.parse(json) as Operation;
    return `query=${encode(query)}&variables=${encode(JSON.stringify(variables))}`;
  }),
  fc.constantFrom(
    'query=%',
    'query=%ff%fe',
    'query',
    '&&&=',
    'query={__typename}&query={__typename}',
    `query=${'%20'.repeat(3000)}`,
    'query=mutation{a}',
    'query={__typename}&extensions={"persistedQuery":{"version":1,"sha256Hash":"x"}}',
    '__proto__=1&query={__typename}&variables={"__proto__":{"a":1}}',
  ),
);

const get: fc.Arbitrary<MutatedRequest> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
  path: search.map((text) => `/graphql?${text}`),
  headers: fc
    .array(oddHeader, { maxLength: 3 })
    .map((odd): [string, string][] => [['Apollo-Require-Preflight', '1'], ...odd]),
  body: fc.constant(Buffer.alloc(0)),
  missingBytes: fc.constant(0),
});

const elsewhere: fc.Arbitrary<MutatedRequest> = fc.record({
  method: fc.oneof(fc.constantFrom('GET', 'POST'), oddMethod),
  path: oddText.map((text) => `/${encode(text)}`),
  headers: fc.array(oddHeader, { maxLength: 3 }),
  body: fc.constant(Buffer.alloc(0)),
  missingBytes: fc.constant(0),
});

export const gatewayRequest = fc.oneof(
  { weight: 8, arbitrary: post },
  { weight: 3, arbitrary: get },
  { weight: 1, arbitrary: elsewhere },
);
