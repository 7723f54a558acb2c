/** The attacks that the benchmark sends, each with the error codes that the gateway must respond with. */
import { gzipSync } from 'node:zlib';

export interface AttackForm {
  name: string;
  /** Allowed error codes, besides `RATE_LIMITED`. */
  codes: readonly string[];
  /** Headers besides `Host` and `Content-Length`. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Default `POST /graphql`. */
  line?: string;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const doublings = (count: number) =>
  times(
    count,
    (index) =>
      `fragment F${index} on Site { ${index === count - 1 ? 'name' : `devices { site { ...F${index + 1} } } devices { site { ...F${index + 1} } }`} }`,
  );

const operations: readonly [name: string, code: string, query: string][] = [
  ['aliases', 'TOO_MANY_ALIASES', `{ ${times(150, (i) => `a${i}: site(id: 16801) { name }`)} }`],
  ['directives', 'TOO_MANY_DIRECTIVES', `{ __typename ${'@include(if: true) '.repeat(200)} }`],
  ['fragments', 'TOO_DEEP', `{ sites { nodes { ...F0 } } } ${doublings(20)}`],
  ['depth', 'TOO_DEEP', `${'{ sites { nodes { devices { site '.repeat(40)}{ name }${' } } } }'.repeat(40)}`],
  [
    'breadth',
    'COST_TOO_HIGH',
    '{ sites(first: 1000) { nodes { devices { channels { streams { lastSample { stream { site { devices { name } } } } } } } } } }',
  ],
  [
    'lists',
    'COST_TOO_HIGH',
    '{ streams(first: 1000) { nodes { samples(first: 1000) { nodes { value } } } } }',
  ],
  ['tokens', 'TOO_MANY_TOKENS', `{ sites { nodes { ${'name '.repeat(20_000)} } } }`],
  ['repeats', 'TOO_MANY_REPEATS', `{ site(id: 16801) { ${times(400, () => 'devices { name }')} } }`],
  [
    'a circle',
    'CIRCULAR_FRAGMENT',
    '{ sites { nodes { ...A } } } fragment A on Site { devices { site { ...A } } }',
  ],
  [
    'unknown fields',
    'GRAPHQL_VALIDATION_FAILED',
    `{ site(id: 16801) { ${times(1000, (i) => `nothing${i}`)} } }`,
  ],
  ['no GraphQL', 'GRAPHQL_PARSE_FAILED', '{ sites { nodes { name '],
];

const one = JSON.stringify({ query: '{ sites { totalCount } }' });

const bodies: readonly AttackForm[] = [
  form('a batch', 'BATCHING_REFUSED', JSON_TYPE, `[${Array.from({ length: 1000 }, () => one).join()}]`),
  form('an oversized body', 'BODY_TOO_LARGE', JSON_TYPE, ' '.repeat(400_000)),
  form(
    'a compressed body',
    'BODY_COMPRESSED',
    { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    gzipSync(' '.repeat(10_000_000)),
  ),
  form('deep JSON', 'BAD_REQUEST', JSON_TYPE, '['.repeat(100_000)),
  form('a form of a page', 'CSRF_REFUSED', { 'Content-Type': 'text/plain' }, one),
  {
    ...form('a GET of a page', 'CSRF_REFUSED', {}, ''),
    line: `GET /graphql?query=${encodeURIComponent('{ sites { totalCount } }')}`,
  },
  form(
    'ids that lead elsewhere',
    'BAD_USER_INPUT',
    JSON_TYPE,
    JSON.stringify({ query: '{ site(id: "../user") { name } }' }),
  ),
];

function form(name: string, code: string, headers: AttackForm['headers'], body: string | Buffer): AttackForm {
  return { name, codes: [code], headers, body: Buffer.from(body) };
}

/** The attacks of an authenticated caller. `headers` contain its credential. */
export function operationForms(headers: AttackForm['headers'] = {}): AttackForm[] {
  const bombs = operations.map(([name, code, query]) =>
    form(name, code, JSON_TYPE, JSON.stringify({ query })),
  );
  return [...bombs, ...bodies].map((each) => ({ ...each, headers: { ...each.headers, ...headers } }));
}

/** A harmless operation with invalid credentials. */
export function credentialForms(credentials: Readonly<Record<string, string>>): AttackForm[] {
  return Object.entries(credentials).map(([name, authorization]) =>
    form(name, 'UNAUTHENTICATED', { ...JSON_TYPE, Authorization: authorization }, one),
  );
}

/** The bytes of the request. */
export function toRequest({ headers, body, line = 'POST /graphql' }: AttackForm, host: string): Buffer {
  const lines = Object.entries({ Host: host, 'Content-Length': body.length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}
