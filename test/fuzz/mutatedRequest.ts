/** Invalid and unusual requests, generated from a seed and repeatable with it. */
import fc from 'fast-check';

export interface MutatedRequest {
  method: string;
  /** Path and query, as sent. */
  path: string;
  /** In order; a name may appear twice. */
  headers: [string, string][];
  body: Buffer;
  /** The number of announced bytes of the body that are not sent. */
  missingBytes: number;
}

export const oddText = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\u0007\u001b[31m',
  '\u{1F9A6}',
  'e\u0301\u0327',
  '\u202e\u2066',
  '\ufeff',
  '\ud800',
  '\udc00\ud800',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%00%2e%2e%2f',
  "'; DROP TABLE site; --",
  '{{7*7}}',
  'Site:',
  'Site:1:2',
  'Stream:99999999999999999999',
  '-0',
  '1e400',
  'NaN',
  '0x10',
  '９',
  'x'.repeat(5000),
);

const hugeNumber = fc.constantFrom(
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
);

/** A value of any type that JSON can contain. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  hugeNumber,
  fc.constantFrom(null, true, false, [], {}),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(oddText, { maxLength: 4 }),
  fc.dictionary(oddText, hugeNumber, { maxKeys: 3 }),
);

/** A text with a part removed, doubled, or replaced by odd characters. */
export function mangled(text: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: text.length });
  return fc
    .tuple(
      place,
      place,
      fc.oneof(oddText, fc.constantFrom('{', '}', '(', '"', '"""', '@', '...', '$', '#', '&')),
      fc.nat(3),
    )
    .map(([one, other, odd, way]) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      if (way === 0) return text.slice(0, from) + odd + text.slice(from);
      if (way === 1) return text.slice(0, from) + text.slice(to);
      if (way === 2) return text.slice(0, to) + text.slice(from);
      return text.slice(0, from) + odd + text.slice(to);
    });
}

/** Bytes with one flipped, some removed, or unchanged. */
export function mangledBytes(text: string): fc.Arbitrary<Buffer> {
  const bytes = Buffer.from(text);
  const cut = fc.nat({ max: bytes.length }).map((end) => bytes.subarray(0, end));
  const flipped = fc.tuple(fc.nat({ max: Math.max(0, bytes.length - 1) }), fc.nat(255)).map(([at, byte]) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[at] = byte;
    return copy;
  });
  return fc.oneof({ weight: 6, arbitrary: fc.constant(bytes) }, cut, flipped);
}

/** JSON deep enough to overflow the stack of a recursive parser. */
export const deepJson = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}']), fc.constantFrom(100, 10_000, 40_000))
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

/** A value that the server may refuse, but that must not crash it. */
export const oddHeader = fc.constantFrom<[string, string]>(
  ['Accept', 'text/html;q=\u00ff'],
  ['Accept', '*/*;q=2, application/json;;;'],
  ['Accept', 'application/graphql-response+json; charset=utf-16'],
  ['Accept', ''],
  ['Accept-Encoding', 'br;q=x, *;q=-1'],
  ['Cache-Control', 'no-cache, no-cache, ='],
  ['Content-Encoding', 'gzip'],
  ['Content-Type', 'application/json'],
  ['Content-Type', 'application/json; charset=utf-16le'],
  ['Content-Type', 'multipart/form-data; boundary='],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Content-Type', 'text/plain'],
  ['Content-Type', '/;='],
  ['Content-Type', ''],
  ['Cookie', '__proto__=1; ; ='],
  ['Authorization', 'Basic ===='],
  ['Authorization', `Bearer ${'.'.repeat(4000)}`],
  ['If-None-Match', '*'],
  ['Origin', 'null'],
  ['Range', 'bytes=0-,9-1'],
  ['X-Request-Id', '\u00e9'.repeat(200)],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Expect', '100-continue'],
);

export const oddMethod = fc.constantFrom(
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'HEAD',
  'PROPFIND',
  'TRACE',
  'M-SEARCH',
);

/** As in a form: lone surrogates become the replacement character. */
export function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
