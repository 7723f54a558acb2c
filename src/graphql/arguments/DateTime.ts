/** The DateTime scalar: RFC 3339 in UTC outwards, milliseconds inside. */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** RFC 3339, 5.6: a full date, a full time and an offset. */
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
    const given = typeof value === 'string' ? JSON.stringify(value) : 'The value';
    throw new GraphQLError(`${given} is no date-time; write one such as "2020-11-19T18:29:42Z".`, {
      extensions: { code: 'BAD_USER_INPUT' },
    });
  }
  return ms;
}

/** `Date.parse` takes the 31st of February for the 3rd of March: a day must survive the way there and back. */
function parseStrictly(text: string): number {
  const day = text.slice(0, 10);
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnightMs) || !new Date(midnightMs).toISOString().startsWith(day)) return Number.NaN;
  return Date.parse(text.replace(' ', 'T').toUpperCase());
}
