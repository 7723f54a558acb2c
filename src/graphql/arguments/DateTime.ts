/** The DateTime scalar: RFC 3339 text in results, Unix milliseconds for resolver arguments. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** RFC 3339, section 5.6: full date, full time and offset. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

export const DateTime = new GraphQLScalarType<number, string>({
  name: 'DateTime',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => value as string,
  parseValue,
  parseLiteral: (node) => parseValue(node.kind === Kind.STRING ? node.value : undefined),
});

function parseValue(value: unknown): number {
  const ms = typeof value === 'string' && RFC_3339.test(value) ? parseStrictly(value) : Number.NaN;
  if (Number.isNaN(ms)) {
    const received = typeof value === 'string' ? JSON.stringify(value) : 'The value';
    throw new GraphQLError(`${received} is not an RFC 3339 date-time such as "2020-11-19T18:29:42Z".`, {
      extensions: { code: 'BAD_USER_INPUT' },
    });
  }
  return ms;
}

/** `Date.parse` reads February 31st as March 3rd, so compare the date after a round trip. */
function parseStrictly(text: string): number {
  const day = text.slice(0, 10);
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnightMs) || !new Date(midnightMs).toISOString().startsWith(day)) return Number.NaN;
  return Date.parse(text.replace(' ', 'T').toUpperCase());
}
